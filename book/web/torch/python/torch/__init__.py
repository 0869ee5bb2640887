"""Offer torch's names in MicroPython: strictly what torch does, or a refusal by name."""

import math

import torch._creation
import torch._elementwise
import torch._shapes  # these three define the functions of PLACES
from torch._core import DTYPES, Unavailable, device, dtype, finfo, iinfo, missing, refuse
from torch._helpers import dims_of, make
from torch._rows import _norm
from torch._tensor import PLACES, Tensor

float32, float64, float, double = [DTYPES[name] for name in ("float32", "float64") * 2]
int64, int32, long, int = [DTYPES[name] for name in ("int64", "int32") * 2]
bool = DTYPES["bool"]
inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
Size = tuple  # a subclass of tuple crashes MicroPython when tuples are added
__version__ = "2.13"

for name, function in PLACES["torch"].items():
    globals()[name] = function


class no_grad:
    """Do nothing: tensors have no gradients here."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __call__(self, f):
        return f


inference_mode = no_grad


class Namespace:
    """Functions under a common name, such as torch.linalg."""

    def __init__(self, name, **functions):
        self._name = name
        for key, f in functions.items():
            setattr(self, key, f)

    def __getattr__(self, name):
        refuse("`%s.%s`" % (self._name, name))


def _vector_norm(x, ord=2, dim=None, keepdim=False, dtype=None):
    return _norm(x, ord, dim, keepdim, dtype)


def _linalg_norm(A, ord=None, dim=None, keepdim=False, dtype=None):
    if ord is not None and (A.ndim if dim is None else len(dims_of(dim))) > 1:
        refuse("`torch.linalg.norm(ord=)` of matrices")
    return _norm(A, ord, dim, keepdim, dtype)


linalg = Namespace(
    "torch.linalg",
    vector_norm=_vector_norm,
    norm=_linalg_norm,
    matmul=PLACES["torch"]["matmul"],
    vecdot=lambda x, y, dim=-1: (x * y).sum(dim),
)
special = Namespace(
    "torch.special",
    ndtr=lambda input: make("unary", "ndtr", input._view),
    erf=PLACES["torch"]["erf"],
    logsumexp=PLACES["torch"]["logsumexp"],
    softmax=PLACES["torch"]["softmax"],
)


def get_default_dtype():
    return float32


def __getattr__(name):
    missing("torch", name)
    raise AttributeError("module 'torch' has no attribute '%s'" % name)


import torch.nn  # noqa: E402, because it needs the names above
from torch._builtins import BUILTINS  # noqa: E402
