"""Define reductions, scans and products of matrices.

A function `_sum` is offered as `torch.sum` and `Tensor.sum`; Python's `sum` keeps its name here.
"""

from collections import namedtuple

from torch._core import refuse
from torch._elementwise import binary_of_tensors, unsupported
from torch._helpers import WORDS, dims_of, first_converted, make, needs_tensor, views
from torch._tensor import Tensor, integer, public, publish


def reduction(name):
    def reduced(input, dim=None, keepdim=False):
        return make("reduce", name, input._view, name, bool(keepdim), *dims_of(dim))

    return reduced


def reduction_in_dtype(name):
    reduced = reduction(name)

    def f(input, dim=ALL, keepdim=ALL, dtype=None):
        if dim is ALL and keepdim is not ALL:
            raise TypeError(name + "() received an invalid combination of arguments")
        number = first_converted(input, dtype)
        return reduced(number, None if dim is ALL else dim, keepdim is not ALL and keepdim)

    return f


def reduction_of_one(name):
    """Return a reduction of all dimensions or of one."""
    reduced = reduction_in_dtype(name)

    def f(input, dim=ALL, keepdim=ALL, dtype=None):
        return reduced(input, dim if dim is ALL else integer(dim), keepdim, dtype)

    return f


def place(name):
    """Return argmax or argmin."""
    reduced = reduction(name)
    return lambda input, dim=None, keepdim=False: reduced(
        input, None if dim is None else integer(dim), keepdim
    )


ALL = object()  # where `dim=None` is not allowed
for one in ("sum", "mean"):
    publish(one, reduction_in_dtype(one), "input dim keepdim dtype")
publish("prod", reduction_of_one("prod"), "input dim keepdim dtype")
for one in ("amax", "amin", "all", "any"):
    publish(one, reduction(one), "input dim keepdim")
for one in ("argmax", "argmin"):
    publish(one, place(one), "input dim keepdim")


@public("input dim keepdim")
def _logsumexp(input, dim, keepdim=False):
    if dim is None:
        raise TypeError("logsumexp(): argument 'dim' must be tuple of ints, not NoneType")
    return reduction("logsumexp")(input, dim, keepdim)


Extreme = {
    name: namedtuple("torch.return_types." + name, ("values", "indices"))
    for name in ("max", "min", "sort", "topk")
}


def extreme(name):
    def f(input, dim=ALL, keepdim=ALL, other=None):
        if isinstance(dim, Tensor) or other is not None:
            return binary_of_tensors(name + "imum")(input, dim if other is None else other)
        if dim is ALL:
            if keepdim is not ALL:
                raise TypeError(name + "() received an invalid combination of arguments")
            return make("reduce", "a" + name, input._view, name, False)
        inputs = input._view, name, keepdim is not ALL and bool(keepdim), integer(dim)
        number = input if input._view.dtype != "bool" else input.int()
        values = make("reduce", "a" + name, *inputs)
        return Extreme[name](values, make("reduce", "arg" + name, number._view, *inputs[1:]))

    return f


publish("max", extreme("max"), "input dim keepdim other")
publish("min", extreme("min"), "input dim keepdim other")


@public("input dim unbiased keepdim correction")
def _var(input, dim=ALL, unbiased=None, keepdim=False, correction=None):
    if dim is ALL and unbiased is not None and keepdim:
        raise TypeError("var() received an invalid combination of arguments")
    if dim is ALL:
        dim = None
    elif type(dim) is bool:
        dim, unbiased = None, dim
    if correction is None:
        correction = 0 if unbiased is False else 1
    return make("variance", input._view, correction, bool(keepdim), *dims_of(dim))


@public("input dim unbiased keepdim correction")
def _std(input, dim=ALL, unbiased=None, keepdim=False, correction=None):
    return _var(input, dim, unbiased, keepdim, correction).sqrt()


@public("input dim unbiased keepdim correction", "torch")
def _var_mean(input, dim=ALL, unbiased=None, keepdim=False, correction=None):
    variance = _var(input, dim, unbiased, keepdim, correction)
    return variance, input.mean(None if dim is ALL or type(dim) is bool else dim, keepdim)


@public("input p dim keepdim dtype")
def _norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    order = 2 if p in ("fro", None) else p
    number = first_converted(input, dtype)
    return make("norm", number._view, order, bool(keepdim), *dims_of(dim))


def scan(name):
    return lambda input, dim, dtype=None: make(
        "scan", name, first_converted(input, dtype)._view, integer(dim)
    )


for one in ("softmax", "log_softmax", "cumsum", "cumprod"):
    publish(one, scan(one), "input dim dtype")
publish("logcumsumexp", scan("logcumsumexp"), "input dim")


def implicit_dim(name):
    """Return the function of torch.nn.functional, which chooses a dimension if none is named."""

    def f(input, dim=None, _stacklevel=3, dtype=None):
        if dim is None:
            dim = 0 if input.ndim in (0, 1, 3) else 1
        return scan(name)(input, dim, dtype)

    return f


publish("softmax", implicit_dim("softmax"), "input dim _stacklevel dtype", ("F",))
publish("log_softmax", implicit_dim("log_softmax"), "input dim _stacklevel dtype", ("F",))
publish(
    "softmin",
    lambda input, dim=None, _stacklevel=3, dtype=None: implicit_dim("softmax")(
        -input, dim, 3, dtype
    ),
    "input dim _stacklevel dtype",
    ("F",),
)


@public("input dim descending stable")
def _argsort(input, dim=-1, descending=False, stable=False):
    name = "argsort" + "_stable" * bool(stable) + "_descending" * bool(descending)
    return make("scan", name, input._view, integer(dim))


@public("input dim descending stable")
def _sort(input, dim=-1, descending=False, stable=False):
    places = _argsort(input, dim, descending, stable)
    return Extreme["sort"](take(input, dim, places), places)


def take(input, dim, places):
    return make("gather", input._view, integer(dim), places._view)


@public("input k dim largest sorted")
def _topk(input, k, dim=-1, largest=True, sorted=True):
    places = _argsort(input, dim, largest, True)  # equal numbers are refused below
    size = input.shape[dim] if input.ndim else 1
    if k > size:
        raise RuntimeError("selected index k out of range")
    ordered = take(input, dim, places)
    compared = min(k, size - 1)  # torch does not say which of equal numbers comes first
    if compared and bool(
        (ordered.narrow(dim, 0, compared) == ordered.narrow(dim, 1, compared)).any()
    ):
        refuse("`torch.topk` of equal numbers")
    if not input.ndim:
        return Extreme["topk"](ordered, places)
    return Extreme["topk"](
        ordered.narrow(dim, 0, k).contiguous(), places.narrow(dim, 0, k).contiguous()
    )


def product(name, second):
    return lambda input, other: make(name, input._view, needs_tensor(name, second, 2, other))


publish("matmul", product("matmul", "other"), "input other")
publish("mm", product("mm", "mat2"), "input mat2")
publish("bmm", product("bmm", "mat2"), "input mat2")
publish("mv", product("mv", "vec"), "input vec")
publish("dot", product("dot", "tensor"), "input tensor")


def matmul_operator(a, b):
    if not isinstance(b, Tensor):
        unsupported("@", a, b)
    return make("matmul", a._view, b._view)


def refuse_left(a, b):
    unsupported("@", b, a)


Tensor.__matmul__, Tensor.__rmatmul__ = matmul_operator, refuse_left


@public("input vec2")
def _outer(input, vec2):
    needs_tensor("outer", "vec2", 2, vec2)
    for word, one in (("self", input), ("vec2", vec2)):
        if one.ndim != 1:
            raise RuntimeError("outer: Expected 1-D argument %s, but got %d-D" % (word, one.ndim))
    return input.unsqueeze(1) * vec2


@public("equation *operands", "torch")
def _einsum(equation, *operands):
    if not isinstance(equation, str):
        refuse("`torch.einsum` with lists of places")
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    if not operands:
        raise ValueError("einsum(): must specify the equation string and at least one operand")
    return make("einsum", equation, *views("einsum", operands))


@public("input other dims", "torch")
def _tensordot(input, other, dims=2):
    if type(dims) is int:
        if dims > min(input.ndim, other.ndim):
            raise RuntimeError("tensordot expects dims < ndim_a or ndim_b, but got dims=%d" % dims)
        dims = range(input.ndim - dims, input.ndim), range(dims)
    dims = [
        dims_of(list(both)) if isinstance(both, (list, tuple, range)) else (both,) for both in dims
    ]
    if input.dtype is not other.dtype:
        raise RuntimeError("both inputs should have same dtype")
    for i, j in zip(*dims):
        if 1 in (input.shape[i], other.shape[j]) and input.shape[i] != other.shape[j]:
            refuse("`torch.tensordot` with a size of 1 beside another")
        if input.shape[i] != other.shape[j]:
            raise RuntimeError(
                "contracted dimensions need to match, but first has size %d in dim %d and second "
                "has size %d in dim %d" % (input.shape[i], i, other.shape[j], j)
            )
    letters = "abcdefghijklmnopqrstuvwxyz"
    one, two = list(letters[: input.ndim]), list(letters[input.ndim : input.ndim + other.ndim])
    for i, j in zip(*dims):
        two[j] = one[i]
    kept = [x for x in one if x not in two] + [x for x in two if x not in one]
    return _einsum("%s,%s->%s" % tuple(["".join(x) for x in (one, two, kept)]), input, other)


def weighted_sum(multiply):
    def f(input, one, two, beta=1, alpha=1):
        if not input.is_floating_point():
            refuse("`torch.baddbmm` of whole numbers")
        product = multiply(one, two) * alpha
        if beta == 0:
            return product + input.new_zeros(input.shape)
        return input * beta + product

    return f


publish("baddbmm", weighted_sum(lambda a, b: a.bmm(b)), "input batch1 batch2 beta alpha")
publish("addmm", weighted_sum(lambda a, b: a.mm(b)), "input mat1 mat2 beta alpha")
publish("addmv", weighted_sum(lambda a, b: a.mv(b)), "input mat vec beta alpha")


@public("y x dx dim", "torch")
def _trapezoid(y, x=None, dx=1, dim=-1):
    if (x is not None and x.ndim != 1) or not y.is_floating_point():
        refuse("`torch.trapezoid` of these tensors")
    y = y.movedim(dim, -1)
    n = y.shape[-1]
    widths = dx if x is None else x.narrow(0, 1, n - 1) - x.narrow(0, 0, n - 1)
    return ((y.narrow(-1, 0, n - 1) + y.narrow(-1, 1, n - 1)) * widths).sum(-1) / 2


@public("x1 x2 p", "torch")
def _cdist(x1, x2, p=2.0):
    for name, one in (("X1", x1), ("X2", x2)):
        if one.ndim < 2:
            raise RuntimeError(
                "cdist only supports at least 2D tensors, %s got: %dD" % (name, one.ndim)
            )
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(
            "X1 and X2 must have the same number of columns. X1: %d X2: %d"
            % (x1.shape[-1], x2.shape[-1])
        )
    words = WORDS[x1._view.dtype], WORDS[x2._view.dtype]
    for name, one, word in zip(("X1", "X2"), (x1, x2), words):
        if not one.is_floating_point():
            raise RuntimeError(
                "cdist only supports floating-point dtypes, %s got: %s" % (name, word)
            )
    if x1.dtype is not x2.dtype:
        raise RuntimeError("expected scalar type %s but found %s" % words)
    return _norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, -1)


@public("input other p")
def _dist(input, other, p=2):
    return _norm(input - other, p)
