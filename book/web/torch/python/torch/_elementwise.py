"""Define functions of one and of two numbers, and choices between them.

A function `_sum` is offered as `torch.sum` and `Tensor.sum`; Python's `sum` keeps its name here.
"""

from math import isfinite

from torch._core import finfo, operate, refuse, wire
from torch._helpers import C_WORDS, EVERYWHERE, METHOD, WORDS, make, needs_tensor
from torch._tensor import Tensor, is_operand, operand, public, publish

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


@public("condition input other", "torch")
def _where(condition, input=None, other=None):
    needs_tensor("where", "condition", 1, condition)
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
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
    elif input._view.dtype.startswith("int") and type(value) is float and not isfinite(value):
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
