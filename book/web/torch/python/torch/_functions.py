"""Define the functions of torch and the methods of tensors by the operations of core.ts.

A function `_sum` is offered as `torch.sum` and `Tensor.sum`; Python's `sum` keeps its name here.
"""

import math
from collections import namedtuple

from torch._core import DTYPES, ORDER, device, dtype, dtype_name, operate, refuse, wire
from torch._tensor import (
    Tensor,
    integer,
    integers,
    is_operand,
    operand,
    public,
    publish,
    tensor_of,
)

METHOD = ("Tensor",)
EVERYWHERE = ("torch", "Tensor", "F")


def make(name, *inputs):
    """Return the tensor that an operation makes."""
    return Tensor(operate(name, *inputs))


def needs_tensor(function, parameter, position, value):
    if not isinstance(value, Tensor):
        raise TypeError(
            "%s(): argument '%s' (position %d) must be Tensor, not %s"
            % (function, parameter, position, type(value).__name__)
        )
    return value._view


def views(function, several):
    """Return the views of tensors in a list."""
    if not isinstance(several, (list, tuple)):
        raise TypeError(
            "%s(): argument 'tensors' (position 1) must be tuple of Tensors, not %s"
            % (function, type(several).__name__)
        )
    for i, one in enumerate(several):
        if not isinstance(one, Tensor):
            raise TypeError(
                "expected Tensor as element %d in argument 0, but got %s" % (i, type(one).__name__)
            )
    return [one._view for one in several]


def converted(tensor, wanted):
    """Return the tensor itself if it has the dtype."""
    name = dtype_name(wanted)
    return tensor if tensor._view.dtype == name else make("to", tensor._view, name)


def first_converted(tensor, wanted):
    return tensor if wanted is None else converted(tensor, wanted)


# Functions of one number

UNARY = (
    "abs neg square sign relu floor ceil trunc bitwise_not exp exp2 expm1 log log2 log10 log1p "
    "sqrt rsqrt reciprocal tanh sigmoid sin cos tan erf isnan isinf isfinite logical_not"
).split()
ALSO = {"absolute": "abs", "negative": "neg"}


def unary(name):
    return lambda input: make("unary", name, input._view)


for one in UNARY:
    publish(one, unary(one), "input", EVERYWHERE if one in ("relu", "tanh", "sigmoid") else ())
for one in ALSO:
    publish(one, unary(ALSO[one]), "input")


def invert(tensor):
    if tensor.dtype.is_floating_point:
        raise TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return tensor.bitwise_not()


Tensor.__neg__ = unary("neg")
Tensor.__abs__ = unary("abs")
Tensor.__invert__ = invert
Tensor.__pos__ = lambda tensor: tensor


@public("input decimals")
def _round(input, decimals=0):
    if decimals:
        return make("round", input._view, decimals)
    return make("unary", "round", input._view)


@public("input nan posinf neginf")
def _nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    most = finfo(input.dtype).max if input.dtype.is_floating_point else 0
    high, low = most if posinf is None else posinf, -most if neginf is None else neginf
    return make("nan_to_num", input._view, wire(nan or 0.0), wire(high), wire(low))


@public("input approximate", "F")
def _gelu(input, approximate="none"):
    if approximate != "none":
        refuse("`torch.nn.functional.gelu(approximate=)`")
    return make("gelu", input._view)


# Functions of two numbers

OPERATORS = (
    ("add", "+", "add"),
    ("sub", "-", "sub"),
    ("mul", "*", "mul"),
    ("truediv", "/", "div"),
    ("floordiv", "//", "div_floor"),
    ("mod", "%", "remainder"),
    ("pow", "**", "pow"),
    ("and", "&", "bitwise_and"),
    ("or", "|", "bitwise_or"),
    ("xor", "^", "bitwise_xor"),
)
COMPARISONS = (
    ("eq", "=="),
    ("ne", "!="),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
)


def unsupported(symbol, left, right):
    raise TypeError(
        "unsupported operand type(s) for %s: '%s' and '%s'"
        % (symbol, type(left).__name__, type(right).__name__)
    )


def operators(symbol, name):
    """Return the methods for `a + b`, `b + a` and `a += b`."""

    def forward(a, b):
        if not is_operand(b):
            unsupported(symbol, a, b)
        return make("binary", name, a._view, operand(b))

    def reflected(a, b):
        if not is_operand(b):
            unsupported(symbol, b, a)
        return make("binary", name, operand(b), a._view)

    def in_place(a, b):
        if not is_operand(b):
            unsupported(symbol + "=", a, b)
        other = operand(b)
        operate("in_place", name, a._view, other)
        return a

    return forward, reflected, in_place


REFLECTED, IN_PLACE = (
    {},
    {},
)  # MicroPython has no methods but __iadd__ and __isub__: `a *= b` calls __mul__
for method, symbol, name in OPERATORS:
    forward, reflected, in_place = operators(symbol, name)
    setattr(Tensor, "__%s__" % method, forward)
    setattr(Tensor, "__r%s__" % method, reflected)
    setattr(Tensor, "__i%s__" % method, in_place)
    REFLECTED[symbol], IN_PLACE[symbol + "="] = reflected, in_place


def comparison(symbol, name):
    def compared(a, b):
        if is_operand(b):
            return make("binary", name, a._view, operand(b))
        if symbol in ("==", "!="):
            return symbol == "!="
        raise TypeError(
            "'%s' not supported between instances of 'Tensor' and '%s'" % (symbol, type(b).__name__)
        )

    return compared


def binary(name):
    def computed(input, other):
        if not is_operand(other):
            raise TypeError(name + "() received an invalid combination of arguments")
        return make("binary", name, input._view, operand(other))

    return computed


def binary_of_tensors(name):
    return lambda input, other: make(
        "binary", name, input._view, needs_tensor(name, "other", 2, other)
    )


for name, symbol in COMPARISONS:
    setattr(Tensor, "__%s__" % name, comparison(symbol, name))
    publish(name, binary(name), "input other")
for one in ("mul", "remainder", "bitwise_and", "bitwise_or", "bitwise_xor"):
    publish(one, binary(one), "input other")
for one, name in (
    ("multiply", "mul"),
    ("floor_divide", "div_floor"),
    ("true_divide", "div"),
    ("less", "lt"),
    ("less_equal", "le"),
    ("greater", "gt"),
    ("greater_equal", "ge"),
    ("not_equal", "ne"),
):
    publish(one, binary(name), "input other")
for one in "maximum minimum logaddexp hypot atan2 logical_and logical_or logical_xor".split():
    publish(one, binary_of_tensors(one), "input other")


def scaled(name):
    """Return `add` or `sub`, whose second operand may be multiplied by alpha."""
    computed = binary(name)

    def f(input, other, alpha=1):
        if type(alpha) is int and alpha == 1:
            return computed(input, other)
        if not isinstance(other, Tensor) or (
            type(alpha) is float and not other.is_floating_point()
        ):
            refuse("`torch.%s(alpha=)` here" % name)
        return computed(input, other * alpha)

    return f


for one, name in (("add", "add"), ("sub", "sub"), ("subtract", "sub")):
    publish(one, scaled(name), "input other alpha")


@public("input other rounding_mode")
def _div(input, other, rounding_mode=None):
    if rounding_mode is None:
        return binary("div")(input, other)
    if rounding_mode == "floor":
        return binary("div_floor")(input, other)
    quotient = binary("div")(input, other)
    if rounding_mode != "trunc":
        raise RuntimeError("div expected rounding_mode to be one of None, 'trunc', or 'floor'")
    if not make("binary", "add", input._view, operand(other)).is_floating_point():
        refuse("`torch.div(rounding_mode='trunc')` of whole numbers")
    return quotient.trunc()


publish("divide", _div, "input other rounding_mode")


@public("base exponent")
def _pow(base, exponent):
    if not (is_operand(base) and is_operand(exponent)):
        raise TypeError("pow() received an invalid combination of arguments")
    return make("binary", "pow", operand(base), operand(exponent))


@public("input end weight")
def _lerp(input, end, weight):
    needs_tensor("lerp", "end", 2, end)
    kinds = {one._view.dtype for one in (input, end, weight) if isinstance(one, Tensor)}
    if len(kinds) > 1 or not input.is_floating_point():
        refuse("`torch.lerp` of these dtypes")
    return input + (end - input) * weight


@public("input values")
def _heaviside(input, values):
    if input.dtype is not values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    if input._view.dtype == "bool" or bool(input.isnan().any()):
        refuse("`torch.heaviside` of these numbers")
    return _where(input == 0, values, (input > 0).to(input.dtype))


def bound_view(x):
    return None if x is None else operand(x)


def number_for_clamp(x):
    """Return a bound as a number, as torch does if the other bound is one."""
    if isinstance(x, Tensor) and x.ndim:
        raise TypeError("clamp() received an invalid combination of arguments")
    return x.item() if isinstance(x, Tensor) else x


@public("input min max")
def _clamp(input, min=None, max=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if len({isinstance(x, Tensor) for x in (min, max) if x is not None}) > 1:
        min, max = [number_for_clamp(x) for x in (min, max)]
    return make("clamp", input._view, bound_view(min), bound_view(max))


publish("clip", _clamp, "input min max")
publish("clamp_min", lambda input, min: _clamp(input, min), "input min")
publish("clamp_max", lambda input, max: _clamp(input, None, max), "input max")


def mask_view(mask):
    if mask._view.dtype != "bool":
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            + WORDS[mask._view.dtype]
        )
    return mask._view


WORDS = {"bool": "Bool", "int32": "Int", "int64": "Long", "float32": "Float", "float64": "Double"}


@public("condition input other", "torch")
def _where(condition, input=None, other=None):
    needs_tensor("where", "condition", 1, condition)
    if input is None and other is None:
        return _nonzero(condition, True)
    if not (is_operand(input) and is_operand(other)):
        raise TypeError("where() received an invalid combination of arguments")
    return make("where", mask_view(condition), operand(input), operand(other))


publish(
    "where",
    lambda input, condition, other: _where(condition, input, other),
    "input condition other",
    METHOD,
)


def fill_value(input, value):
    """Return the value of masked_fill as a tensor of the dtype of the input."""
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with %d "
                "dimension(s)." % value.ndim
            )
    elif not is_operand(value):
        raise TypeError("masked_fill() received an invalid combination of arguments")
    elif type(value) is float and not math.isfinite(value):
        if not input.is_floating_point() and input._view.dtype != "bool":
            raise RuntimeError("value cannot be converted to type int64_t without overflow")
    return operate("to", operand(value), input._view.dtype)


@public("input mask value")
def _masked_fill(input, mask, value):
    operate("expand_together", needs_tensor("masked_fill", "mask", 2, mask), input._view)
    if mask._view.dtype != "bool":
        raise RuntimeError(
            "masked_fill_ only supports boolean masks, but got mask with dtype "
            + C_WORDS[mask._view.dtype]
        )
    return make("where", mask._view, fill_value(input, value), input._view)


C_WORDS = {"int32": "int", "int64": "long int", "float32": "float", "float64": "double"}


@public("input mask")
def _masked_select(input, mask):
    if needs_tensor("masked_select", "mask", 2, mask).dtype != "bool":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    mask, input = operate("expand_together", mask._view, input._view)
    return make("get", input, mask)


@public("input other rtol atol equal_nan")
def _isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    needs_tensor("isclose", "other", 2, other)
    if input._view.dtype != other._view.dtype:
        names = WORDS[input._view.dtype], WORDS[other._view.dtype]
        raise RuntimeError("%s did not match %s" % names)
    if input._view.dtype == "bool":
        refuse("`torch.isclose` of truth values")
    found = input == other
    if equal_nan and input.is_floating_point():
        found = found | (input.isnan() & other.isnan())
    distance = (input - other).abs()
    return found | (distance.isfinite() & (distance <= atol + (rtol * other).abs()))


@public("input other rtol atol equal_nan")
def _allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(_isclose(input, other, rtol, atol, equal_nan).all())


@public("input other")
def _equal(input, other):
    return operate("equal", input._view, needs_tensor("equal", "other", 2, other))


# Along dimensions


def dims_of(dim):
    """Return dimensions as a tuple; an empty one stands for all."""
    if dim is None:
        return ()
    return tuple([integer(x) for x in dim]) if isinstance(dim, (tuple, list)) else (integer(dim),)


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
    return make(
        "scan", "argsort_descending" if descending else "argsort", input._view, integer(dim)
    )


@public("input dim descending stable")
def _sort(input, dim=-1, descending=False, stable=False):
    places = _argsort(input, dim, descending)
    return Extreme["sort"](take(input, dim, places), places)


def take(input, dim, places):
    return make("gather", input._view, integer(dim), places._view)


@public("input k dim largest sorted")
def _topk(input, k, dim=-1, largest=True, sorted=True):
    places = _argsort(input, dim, largest)
    size = input.shape[dim] if input.ndim else 1
    if k > size:
        raise RuntimeError("selected index k out of range")
    ordered = take(input, dim, places)
    if size > 1 and bool(
        (ordered.narrow(dim, 0, size - 1) == ordered.narrow(dim, 1, size - 1)).any()
    ):
        refuse("`torch.topk` of equal numbers")
    if not input.ndim:
        return Extreme["topk"](ordered, places)
    return Extreme["topk"](
        ordered.narrow(dim, 0, k).contiguous(), places.narrow(dim, 0, k).contiguous()
    )


# Products


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


def refuse_integers(function, *tensors):
    if not all([one.is_floating_point() for one in tensors]):
        refuse("`torch.%s` of whole numbers" % function)


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


# Shapes


@public("input *shape", "Tensor")
def _view(input, *shape):
    if len(shape) == 1 and isinstance(shape[0], dtype):
        refuse("`Tensor.view(dtype)`")
    return make("view", input._view, *integers(shape))


@public("input *shape")
def _reshape(input, *shape):
    return make("reshape", input._view, *integers(shape))


@public("input size stride storage_offset")
def _as_strided(input, size, stride, storage_offset=None):
    offset = input._view.offset if storage_offset is None else storage_offset
    sizes, strides = integers((size,)), integers((stride,))
    if len(sizes) != len(strides):
        raise RuntimeError("mismatch in length of strides and shape")
    return make("as_strided", input._view, offset, *(sizes + strides))


@public("input other", "Tensor")
def _view_as(input, other):
    return _view(input, other.shape)


@public("input other", "Tensor")
def _reshape_as(input, other):
    return _reshape(input, other.shape)


def replaced(input, first, last, sizes):
    """Return the shape with other sizes in the place of some dimensions."""
    return input.shape[:first] + tuple(sizes) + input.shape[last + 1 :]


@public("input start_dim end_dim")
def _flatten(input, start_dim=0, end_dim=-1):
    first, last = [operate("dimension", dim, input.ndim) for dim in (start_dim, end_dim)]
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not input.ndim:
        return _reshape(input, 1)
    if first == last:
        return input
    size = 1
    for n in input.shape[first : last + 1]:
        size *= n
    return _reshape(input, replaced(input, first, last, (size,)))


publish("ravel", lambda input: _reshape(input, -1), "input")


@public("input dim sizes")
def _unflatten(input, dim, sizes):
    at = operate("dimension", integer(dim), input.ndim)
    if not input.ndim:
        raise RuntimeError("unflatten got an unexpected error: the tensor has no dimensions")
    wanted = integers((sizes,))
    if not wanted:
        raise RuntimeError("unflatten: sizes must be non-empty")
    size, known = input.shape[at], 1
    for n in wanted:
        known *= n
    if -1 in wanted:
        known = size if known and size % -known == 0 else 0
    if known != size:
        raise RuntimeError(
            "unflatten: Provided sizes %s don't multiply up to the size of dim %d (%d) in the "
            "input tensor" % (list(wanted), at, size)
        )
    return make("view", input._view, *replaced(input, at, at, operate("infer", size, *wanted)))


@public("input dim")
def _unsqueeze(input, dim):
    return make("unsqueeze", input._view, integer(dim))


@public("input dim")
def _squeeze(input, dim=None):
    return make("squeeze", input._view, dim is None, *dims_of(dim))


@public("input dim0 dim1")
def _transpose(input, dim0, dim1):
    return make("transpose", input._view, integer(dim0), integer(dim1))


publish("swapaxes", _transpose, "input dim0 dim1")
publish("swapdims", _transpose, "input dim0 dim1")
publish("adjoint", lambda input: input.mT, "input")


@public("input")
def _t(input):
    if input.ndim > 2:
        raise RuntimeError(
            "t() expects a tensor with <= 2 dimensions, but self is %dD" % input.ndim
        )
    return input.T


@public("input *dims")
def _permute(input, *dims):
    return make("permute", input._view, *integers(dims))


@public("input source destination")
def _movedim(input, source, destination):
    moved = [operate("dimension", dim, input.ndim) for dim in dims_of(source)]
    places = [operate("dimension", dim, input.ndim) for dim in dims_of(destination)]
    if len(moved) != len(places):
        raise RuntimeError("movedim: Invalid source or destination dims: source")
    goal = dict(zip(places, moved))
    others = iter([dim for dim in range(input.ndim) if dim not in moved])
    return _permute(input, [goal[d] if d in goal else next(others) for d in range(input.ndim)])


@public("input *sizes", "Tensor")
def _expand(input, *sizes):
    return make("expand", input._view, *integers(sizes))


@public("input other", "Tensor")
def _expand_as(input, other):
    return _expand(input, other.shape)


publish("broadcast_to", lambda input, size: _expand(input, size), "input size")


@public("*tensors", "torch")
def _broadcast_tensors(*tensors):
    return tuple([Tensor(one) for one in operate("expand_together", *views("broadcast", tensors))])


@public("input *repeats", "Tensor")
def _repeat(input, *repeats):
    return make("repeat", input._view, *integers(repeats))


@public("input *dims")
def _tile(input, *dims):
    times = integers(dims)
    return _repeat(input, (1,) * (input.ndim - len(times)) + times)


@public("input repeats dim output_size")
def _repeat_interleave(input, repeats, dim=None, output_size=None):
    if dim is None:
        return _repeat_interleave(input.flatten(), repeats, 0)
    at = operate("dimension", integer(dim), input.ndim)
    size = input.size(dim) if isinstance(repeats, Tensor) or input.ndim else 1
    if isinstance(repeats, Tensor):
        times = repeats.flatten().tolist()
        times = times * size if len(times) == 1 else times
    else:
        if not input.ndim:
            refuse("`torch.repeat_interleave(dim=)` of a number")
        times = [integer(repeats)] * size
    if len(times) != size:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = %d and "
            "input.size(0) = %d" % (len(times), size)
        )
    if any([n < 0 for n in times]):
        raise RuntimeError("repeats can not be negative")
    places = [i for i, n in enumerate(times) for _ in range(n)]
    return _index_select(input, at, tensor_of(places, "int64"))


@public("input *dims")
def _flip(input, *dims):
    return make("flip", input._view, *integers(dims))


@public("input shifts dims")
def _roll(input, shifts, dims=None):
    if dims is None:
        return _roll(input.flatten(), shifts, 0).view(input.shape)
    if not input.numel():
        return input.clone()
    for shift, dim in zip(dims_of(shifts), dims_of(dims)):
        size = input.size(dim)
        moved = shift % size
        ends = input.narrow(dim, size - moved, moved), input.narrow(dim, 0, size - moved)
        input = _cat(ends, dim)
    return input.clone()


def triangle(lower):
    return lambda input, diagonal=0: make("triangle", input._view, lower, integer(diagonal))


publish("tril", triangle(True), "input diagonal")
publish("triu", triangle(False), "input diagonal")


@public("input offset dim1 dim2")
def _diagonal(input, offset=0, dim1=0, dim2=1):
    return make("diagonal", input._view, offset, dim1, dim2)


@public("input diagonal")
def _diag(input, diagonal=0):
    if input.ndim == 2:
        return _diagonal(input, diagonal).clone()
    if input.ndim != 1 or diagonal:
        refuse("`torch.diag` of this tensor")
    square = input.new_zeros((len(input), len(input)))
    _diagonal(square).copy_(input)
    return square


@public("tensors dim", "torch")
def _cat(tensors, dim=0):
    return make("cat", integer(dim), *views("cat", tensors))


publish("concat", _cat, "tensors dim", ("torch",))
publish("concatenate", _cat, "tensors dim", ("torch",))


@public("tensors dim", "torch")
def _stack(tensors, dim=0):
    return make("stack", integer(dim), *views("stack", tensors))


@public("tensors", "torch")
def _vstack(tensors):
    return _cat([one.reshape(1, -1) if one.ndim < 2 else one for one in tensors])


@public("tensors", "torch")
def _hstack(tensors):
    several = [one.reshape(1) if not one.ndim else one for one in tensors]
    return _cat(several, 0 if several[0].ndim == 1 else 1)


@public("input dim start length")
def _narrow(input, dim, start, length):
    return make("narrow", input._view, integer(dim), integer(start), integer(length))


@public("input dim index")
def _select(input, dim, index):
    if not input.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    at = operate("dimension", integer(dim), input.ndim)
    if not -input.shape[at] <= integer(index) < input.shape[at]:
        raise IndexError(
            "select(): index %d out of range for tensor of size %s at dimension %d"
            % (index, list(input.shape), at)
        )
    return input[(slice_all(),) * at + (integer(index),)]


class _Slices:
    def __getitem__(self, index):
        return index


def slice_all():
    """Return slice(None), which MicroPython makes only in square brackets."""
    return _Slices()[:]


@public("input split_size_or_sections dim")
def _split(input, split_size_or_sections, dim=0):
    if not input.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    at = operate("dimension", integer(dim), input.ndim)
    size, sizes = input.shape[at], split_size_or_sections
    if not isinstance(sizes, (list, tuple)):
        each = integer(sizes)
        if each <= 0:
            raise RuntimeError(
                "split expects split_size be non-negative, but got split_size=%d" % each
            )
        sizes = [min(each, size - start) for start in range(0, size, each)] or [0]
    elif sum(sizes) != size:
        raise RuntimeError(
            "split_with_sizes expects split_sizes to sum exactly to %d (input tensor's size at "
            "dimension %d), but got split_sizes=%s" % (size, at, list(sizes))
        )
    found, start = [], 0
    for n in sizes:
        found.append(_narrow(input, at, start, n))
        start += n
    return tuple(found)


@public("input chunks dim")
def _chunk(input, chunks, dim=0):
    if not input.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError("chunk expects `chunks` to be greater than 0, got: %d" % chunks)
    size = input.shape[operate("dimension", integer(dim), input.ndim)]
    if not size:
        return _split(input, [0] * chunks, dim)
    return _split(input, max(1, -(-size // chunks)), dim)


@public("input dim")
def _unbind(input, dim=0):
    at = operate("dimension", integer(dim), input.ndim)
    if not input.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    return tuple([_select(input, at, i) for i in range(input.shape[at])])


@public("input dim index")
def _gather(input, dim, index):
    return make("gather", input._view, integer(dim), needs_tensor("gather", "index", 3, index))


@public("input dim index")
def _index_select(input, dim, index):
    view = needs_tensor("index_select", "index", 3, index)
    return make("index_select", input._view, integer(dim), view)


@public("input dim index value")
def _index_fill(input, dim, index, value):
    result = input.clone()
    at = operate("dimension", integer(dim), input.ndim)
    result[(slice_all(),) * at + (index,)] = value
    return result


def at_places(change):
    """Return a function that changes the slices of a copy at some places along a dimension."""

    def f(input, dim, index, source):
        if index.ndim != 1 or source._view.dtype != input._view.dtype:
            refuse("`Tensor.index_%s_` with these tensors" % change)
        if source.shape != input.index_select(dim, index).shape:
            raise RuntimeError("index_%s: the shape of the source does not fit" % change)
        result = input.clone()
        for i, place in enumerate(index.tolist()):
            getattr(result.select(dim, place), change + "_")(source.select(dim, i))
        return result

    return f


publish("index_add", at_places("add"), "input dim index source")
publish("index_copy", at_places("copy"), "input dim index source")


@public("sorted_sequence input right side", "torch")
def _searchsorted(sorted_sequence, input, right=False, side=None):
    if not isinstance(input, Tensor) or sorted_sequence.dtype is not input.dtype:
        refuse("`torch.searchsorted` of these values")
    if sorted_sequence.ndim != 1 and sorted_sequence.shape[:-1] != input.shape[:-1]:
        refuse("`torch.searchsorted` of tensors with these shapes")
    limits, values = sorted_sequence.unsqueeze(-2), input.unsqueeze(-1)
    before = limits <= values if right or side == "right" else limits < values
    return before.sum(-1)


@public("input as_tuple")
def _nonzero(input, as_tuple=False):
    columns = [Tensor(one) for one in operate("columns", input._view)]
    if as_tuple:
        return tuple(columns) if columns else _nonzero(input.reshape(1), True)
    if not columns:
        return tensor_of([], "int64").reshape(int(bool(input)), 0)
    return _stack(columns, 1)


@public("*tensors indexing", "torch")
def _meshgrid(*tensors, indexing="ij"):
    if indexing != "ij":
        refuse("`torch.meshgrid(indexing=)`")
    several = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    n = len(several)
    if len({one._view.dtype for one in several}) > 1:
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    shaped = [one.reshape((1,) * i + (-1,) + (1,) * (n - 1 - i)) for i, one in enumerate(several)]
    return _broadcast_tensors(*shaped)


@public("input r with_replacement", "torch")
def _combinations(input, r=2, with_replacement=False):
    if input.ndim != 1:
        raise RuntimeError("Expect a 1D vector, but got shape %s" % list(input.shape))
    if with_replacement or r < 1:
        refuse("`torch.combinations(with_replacement=)`")
    found = [[i] for i in range(len(input))]
    for _ in range(r - 1):
        found = [one + [i] for one in found for i in range(one[-1] + 1, len(input))]
    if not found:
        return input.new_zeros((0, r))
    return input[tensor_of(found)]


# Copies and conversions


@public("input")
def _clone(input):
    return make("clone", input._view)


@public("input")
def _detach(input):
    return Tensor(input._view)


@public("input", "Tensor")
def _contiguous(input):
    return input if operate("is_contiguous", input._view) else make("contiguous", input._view)


@public("input", "Tensor")
def _is_contiguous(input):
    return operate("is_contiguous", input._view)


@public("input dtype copy", "Tensor")
def _to(input, wanted=None, second=None, copy=False, dtype=None):
    for one in (wanted, second, dtype):
        if isinstance(one, Tensor):
            return _to(input, one.dtype, copy=copy)
        if one is None or isinstance(one, (str, device)):
            device("cpu" if one is None else one)
        else:
            input, copy = converted(input, one), copy and input._view.dtype == dtype_name(one)
    return input.clone() if copy else input


@public("input dtype", "Tensor")
def _type(input, dtype=None):
    if dtype is None or isinstance(dtype, str):
        refuse("`Tensor.type` without a dtype")
    return converted(input, dtype)


@public("input other", "Tensor")
def _type_as(input, other):
    return converted(input, other.dtype)


def conversion(name):
    return lambda input: converted(input, DTYPES[name])


for one, name in (
    ("float", "float32"),
    ("double", "float64"),
    ("long", "int64"),
    ("int", "int32"),
    ("bool", "bool"),
):
    publish(one, conversion(name), "input", METHOD)
publish("cpu", lambda input: input, "input", METHOD)


@public("input src", "Tensor")
def _copy_(input, src):
    operate("copy", input._view, operand(src))
    return input


@public("input value", "Tensor")
def _fill_(input, value):
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with %d dimensions."
            % value.ndim
        )
    operate("fill", input._view, fill_value(input, value))
    return input


@public("input", "Tensor")
def _zero_(input):
    return _fill_(input, 0)


@public("input value", "Tensor")
def _fill_diagonal_(input, value):
    if input.ndim != 2 or input.shape[0] > input.shape[1]:
        refuse("`Tensor.fill_diagonal_` of this tensor")
    _fill_(_diagonal(input), value)
    return input


# How many operands, if not all, have to fit the shape of the tensor.
OPERANDS = {"baddbmm": 0, "addmm": 0, "addmv": 0, "index_fill": 0, "masked_fill": 1}


def in_place(name):
    """Return the method that stores the result of another one in the tensor."""

    def f(input, *inputs, **keywords):
        others = [one._view for one in inputs if isinstance(one, Tensor)]
        for other in others[: OPERANDS.get(name, 2)]:
            operate("refuse_operand", input._view, other)
        result = getattr(Tensor, name)(input, *inputs, **keywords)
        operate("assign_result", input._view, result._view, *others)
        return input

    return f


for one in (
    UNARY
    + (
        "round nan_to_num add sub mul div divide multiply subtract floor_divide remainder pow clamp clip "
        "clamp_min clamp_max masked_fill lerp cumsum cumprod tril triu eq ne lt le gt ge bitwise_and "
        "bitwise_or bitwise_xor logical_and logical_or logical_xor baddbmm addmm addmv index_fill"
    ).split()
):
    if not one.startswith("is"):
        setattr(Tensor, one + "_", in_place(one))


def reshaped_in_place(name):
    """Return the method that shows the tensor itself in another shape."""

    def f(input, *inputs, **keywords):
        input._view = getattr(Tensor, name)(input, *inputs, **keywords)._view
        return input

    return f


def transposed_in_place(input):
    if input.ndim > 2:
        raise RuntimeError(
            "t_() expects a tensor with <= 2 dimensions, but self is %dD" % input.ndim
        )
    input._view = input.T._view
    return input


Tensor.t_ = transposed_in_place
for one in ("squeeze", "unsqueeze", "transpose", "swapaxes", "swapdims"):
    setattr(Tensor, one + "_", reshaped_in_place(one))


# New tensors


@public("data dtype", "torch")
def _tensor(data, dtype=None):
    return tensor_of(data, None if dtype is None else dtype_name(dtype))


@public("data dtype", "torch")
def _as_tensor(data, dtype=None):
    return first_converted(data, dtype) if isinstance(data, Tensor) else _tensor(data, dtype)


def name_or(wanted, default):
    return default if wanted is None else dtype_name(wanted)


def sizes_for(function, size):
    """Return sizes from `zeros(2, 3)` or `zeros((2, 3))`."""
    try:
        return integers(size)
    except TypeError:
        raise TypeError(
            "%s(): argument 'size' (position 1) must be tuple of ints, not %s"
            % (function, type(size[0]).__name__)
        ) from None


def filled(function, number):
    def f(*size, dtype=None):
        sizes = sizes_for(function, size)
        if function == "zeros" and any([n < 0 for n in sizes]):
            raise RuntimeError("zeros: Dimension size must be non-negative.")
        return make("filled", name_or(dtype, "float32"), number, *sizes)

    return f


publish("zeros", filled("zeros", 0), "dtype *size", ("torch",))
publish("ones", filled("ones", 1), "dtype *size", ("torch",))


def value_name(value):
    kinds = {bool: "bool", int: "int64", float: "float32"}
    return value._view.dtype if isinstance(value, Tensor) else kinds[type(value)]


@public("size fill_value dtype", "torch")
def _full(size, fill_value, dtype=None):
    if not isinstance(size, (tuple, list)):
        raise TypeError(
            "full(): argument 'size' (position 1) must be tuple of ints, not " + type(size).__name__
        )
    if not is_operand(fill_value):
        raise TypeError("full() received an invalid combination of arguments")
    number = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    return make("filled", name_or(dtype, value_name(fill_value)), wire(number), *integers((size,)))


@public("n m dtype", "torch")
def _eye(n, m=None, dtype=None):
    return make("eye", name_or(dtype, "float32"), integer(n), integer(n if m is None else m))


def plain(number):
    number = number.item() if isinstance(number, Tensor) else number
    return int(number) if type(number) is bool else number


@public("start end step dtype", "torch")
def _arange(start=0, end=None, step=1, dtype=None):
    start, end, step = [plain(x) for x in ((0, start, step) if end is None else (start, end, step))]
    name = "float32" if any([type(x) is float for x in (start, end, step)]) else "int64"
    return make("arange", name_or(dtype, name), *[wire(x) for x in (start, end, step)])


@public("start end steps dtype", "torch")
def _linspace(start, end, steps, dtype=None):
    name = name_or(dtype, "float32")
    if not DTYPES[name].is_floating_point:
        refuse("`torch.linspace(dtype=)` of whole numbers")
    return make("linspace", name, plain(start), plain(end), integer(steps))


def filled_like(number):
    def f(input, dtype=None):
        # The dense copy has the order of the input in memory, as torch's result has.
        return make(
            "unary", "zero" if not number else "one", converted(input, dtype or input.dtype)._view
        )

    return f


publish("zeros_like", filled_like(0), "input dtype", ("torch",))
publish("ones_like", filled_like(1), "input dtype", ("torch",))


@public("input fill_value dtype", "torch")
def _full_like(input, fill_value, dtype=None):
    return filled_like(0)(input, dtype).fill_(fill_value)


def new(function, number):
    def f(input, *size, dtype=None):
        return make("filled", name_or(dtype, input._view.dtype), number, *sizes_for(function, size))

    return f


publish("new_zeros", new("new_zeros", 0), "input dtype *size", METHOD)
publish("new_ones", new("new_ones", 1), "input dtype *size", METHOD)


@public("input size fill_value dtype", "Tensor")
def _new_full(input, size, fill_value, dtype=None):
    return _full(size, fill_value, dtype or input.dtype)


@public("input data dtype", "Tensor")
def _new_tensor(input, data, dtype=None):
    return _tensor(data, dtype or input.dtype)


# Facts about dtypes and tensors


class finfo:
    """The limits of a floating dtype."""

    def __init__(self, type=None):
        name = "float32" if type is None else dtype_name(type)
        if not DTYPES[name].is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                "'torch.finfo'"
            )
        self.dtype = name
        self.bits, self.max, self.tiny, self.eps = {
            "float32": (32, 3.4028234663852886e38, 2.0**-126, 2.0**-23),
            "float64": (64, 1.7976931348623157e308, 2.0**-1022, 2.0**-52),
        }[name]
        self.min, self.smallest_normal = -self.max, self.tiny


class iinfo:
    """The limits of an integer dtype."""

    def __init__(self, type):
        name = dtype_name(type)
        if name not in ("int32", "int64"):
            raise TypeError("torch.iinfo() requires an integer input type.")
        self.dtype, self.bits = name, int(name[3:])
        self.min, self.max = -(2 ** (self.bits - 1)), 2 ** (self.bits - 1) - 1


publish("numel", lambda input: input.numel(), "input", ("torch",))
publish("is_floating_point", lambda input: input.is_floating_point(), "input", ("torch",))
publish("is_tensor", lambda obj: isinstance(obj, Tensor), "obj", ("torch",))


@public("input other")
def _result_type(input, other):
    return DTYPES[ORDER[operate("result_type", operand(input), operand(other))]]


@public("*shapes", "torch")
def _broadcast_shapes(*shapes):
    several = [make("filled", "bool", 0, 1).expand(shape) for shape in shapes]
    return _broadcast_tensors(*several)[0].shape
