"""Run a reader's code for the judge: its source once, and its function on one case after another.

Runs in MicroPython. What happens is told to the module `_judge`, which running.ts defines.
"""

import collections
import io
import math
import random
import sys

import _judge
import torch
import torch.nn.functional as F
from torch import nn
from torch._core import LACKING, refuse
from torch._tensor import Tensor

known = {}
# What Python has and MicroPython lacks: built-in names, and methods of built-in types.
BUILT_IN = """aiter anext ascii breakpoint copyright credits exit format license quit vars
BufferError ConnectionError FloatingPointError IOError ModuleNotFoundError RecursionError
ReferenceError SystemError TimeoutError UnboundLocalError UserWarning Warning""".split()
METHODS = """as_integer_ratio bit_count bit_length capitalize casefold conjugate expandtabs
format_map from_bytes fromhex hex imag is_integer isalnum isascii isdecimal isidentifier isnumeric
isprintable istitle ljust maketrans numerator denominator real removeprefix removesuffix rjust
swapcase title to_bytes translate zfill""".split()
RECORDED = ("softmax", "log_softmax", "softmin", "scaled_dot_product_attention")


def attempt(f):
    """Call f, and tell what it raises or what it asks for in vain."""
    del LACKING[:]
    try:
        f()
    except BaseException as error:
        trace = io.StringIO()
        sys.print_exception(error, trace)
        _judge.failed(type(error).__name__, str(error), trace.getvalue())
        lacking = missing(type(error).__name__, str(error))
        if lacking:
            LACKING.append(lacking)
    if LACKING:
        _judge.lacking(LACKING[0])


def missing(kind, message):
    """Return what an error of MicroPython asks for in vain, though Python has it."""
    named = message.split("'")
    if kind == "MemoryError":
        return "MEMORY"
    if "maximum recursion depth" in message:
        return "RECURSION"
    if message.startswith("can't import name "):
        return "`%s`" % message.split()[-1]
    if kind == "ImportError" and len(named) > 1:
        return "`%s`" % named[1]
    if kind == "NameError" and len(named) > 1 and named[1] in BUILT_IN:
        return "`%s`" % named[1]
    if kind == "AttributeError" and len(named) > 3:
        owner, name = named[1], named[3]
        is_module = message.startswith("module ") and not owner.startswith("torch")
        if is_module or (owner in ("str", "int", "float", "bytes") and name in METHODS):
            return "`%s`" % name
    return None


def define():
    known.clear()
    known.update({"torch": torch, "math": math, "nn": nn, "F": F, "__name__": "reader"})
    known["masked_softmax"] = masked_softmax
    known.update(torch.BUILTINS)
    attempt(lambda: exec(_judge.source(), known))
    unpatch(lambda name: None)


def look_up():
    if _judge.name() not in known:
        return _judge.returned("missing", None)
    f = known[_judge.name()]
    _judge.returned("" if callable(f) else type(f).__name__, None)


def call(seed):
    f = known[_judge.name()]
    own = [argument(one) for one in _judge.arguments()]
    random.seed(seed)
    attempt(lambda: tell(f(*own)))
    unpatch(_judge.patched)
    for i, one in enumerate(own):
        if isinstance(one, Tensor):
            _judge.after(i, one._view)


def unpatch(tell_name):
    """Undo what the reader's code has put into torch, and tell its names."""
    for place, owner, attributes in UNPATCHED:
        now = owner.__dict__
        added = [name for name in now if name not in attributes] if owner is Tensor else []
        for name in added:
            delattr(owner, name)
        changed = [name for name in attributes if now.get(name) is not attributes[name]]
        for name in changed:
            setattr(owner, name, attributes[name])
        for name in changed + added:
            tell_name("%s.%s" % (place, name))


def argument(one):
    return eval(one, {"inf": math.inf, "nan": math.nan}) if type(one) is str else Tensor(one)


def viewed(one):
    return one._view if isinstance(one, Tensor) else None


def tell(returned):
    if isinstance(returned, (tuple, list)):
        _judge.no_elements()
        for one in returned[:9]:
            _judge.element(viewed(one))
    _judge.returned(type(returned).__name__, viewed(returned))


def record():
    """Tell which functions are called while the judge asks for it."""
    depth = [0]

    def recorded(name, f):
        def called(*inputs, **keywords):
            if not depth[0] and _judge.is_recording():
                _judge.called(name)
            depth[0] += 1
            try:
                return f(*inputs, **keywords)
            finally:
                depth[0] -= 1

        return called

    for place in (torch, F, Tensor):
        for name in RECORDED:
            if name in place.__dict__:
                setattr(place, name, recorded(name, getattr(place, name)))


def masked_softmax(X, valid_lens):
    """Do what attention_lib does, with the same errors."""
    if _judge.is_recording():
        _judge.called("masked_softmax")
    check_tensor("X", X)
    if X.dim() != 3:
        raise ValueError("X must have shape (B, Q, K); got %s" % (tuple(X.shape),))
    if not X.is_floating_point():
        raise TypeError("X must be floating; got %s" % X.dtype)
    if valid_lens is None:
        return torch.softmax(X, dim=-1)
    batch, queries, keys = X.shape
    if not isinstance(valid_lens, Tensor) or valid_lens.dtype not in (torch.int64, torch.int32):
        kind = valid_lens.dtype if isinstance(valid_lens, Tensor) else type(valid_lens).__name__
        raise TypeError("valid_lens must be an integer tensor; got %s" % kind)
    shape = tuple(valid_lens.shape)
    if shape != (batch,) and shape != (batch, queries):
        expected = "(B,) or (B, Q) = %s or %s" % ((batch,), (batch, queries))
        raise ValueError("valid_lens must have shape %s; got %s" % (expected, shape))
    if valid_lens.numel():
        low, high = int(valid_lens.min().item()), int(valid_lens.max().item())
        if low < 0 or high > keys:
            given = "values from %d to %d" % (low, high)
            raise ValueError("valid_lens must lie in 0..%d; got %s" % (keys, given))
    lengths = valid_lens[:, None, None] if valid_lens.dim() == 1 else valid_lens[:, :, None]
    keep, empty = torch.arange(keys) < lengths, lengths == 0
    fill = torch.where(empty, 0.0, -torch.inf).to(X.dtype)
    return torch.softmax(torch.where(keep, X, fill), dim=-1) * ~empty


def check_tensor(name, x):
    if not isinstance(x, Tensor):
        raise TypeError("%s must be a tensor; got %s" % (name, type(x).__name__))


class Library:
    """The module `attention_lib`, as far as exercises need it."""

    masked_softmax = staticmethod(masked_softmax)

    def __getattr__(self, name):
        refuse("`attention_lib.%s`" % name)


class Typing:
    """The module `typing`: MicroPython drops annotations, so most of its names may be anything."""

    def __getattr__(self, name):
        if name in ("NamedTuple", "TypedDict", "Protocol", "Generic", "TypeVar", "cast"):
            refuse("`typing.%s`" % name)
        return None


record()
UNPATCHED = [
    (place, owner, dict(owner.__dict__))
    for place, owner in (("torch", torch), ("torch.Tensor", Tensor), ("torch.nn.functional", F))
]
sys.modules["attention_lib"] = sys.modules["attention_lib.masking"] = Library()
sys.modules["typing"] = Typing()
del collections.deque  # it has other arguments than Python's
