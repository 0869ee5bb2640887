"""Define new tensors, copies, conversions and facts about tensors.

A function `_sum` is offered as `torch.sum` and `Tensor.sum`; Python's `sum` keeps its name here.
"""

from torch._core import DTYPES, ORDER, device, dtype_name, operate, refuse, wire
from torch._elementwise import UNARY, fill_value
from torch._helpers import METHOD, converted, first_converted, make, needs_tensor
from torch._tensor import (
    PLACES,
    Tensor,
    integer,
    integers,
    is_operand,
    operand,
    public,
    publish,
    tensor_of,
)


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
    # torch writes a number, but not a tensor, into an expanded view.
    how = "copy" if isinstance(value, Tensor) else "fill"
    operate(how, input._view, fill_value(input, value))
    return input


@public("input mask value", "Tensor")
def _masked_fill_(input, mask, value):
    fill_value(input, value)  # is refused before the mask
    operate("refuse_operand", input._view, needs_tensor("masked_fill_", "mask", 1, mask))
    operate("assign_result", input._view, input.masked_fill(mask, value)._view)
    return input


@public("input", "Tensor")
def _zero_(input):
    return _fill_(input, 0)


@public("input value", "Tensor")
def _fill_diagonal_(input, value):
    if input.ndim != 2 or input.shape[0] > input.shape[1]:
        refuse("`Tensor.fill_diagonal_` of this tensor")
    _fill_(input.diagonal(), value)
    return input


ARITHMETIC = "add sub mul div remainder pow bitwise_and bitwise_or bitwise_xor".split()
# How many operands, if not all, have to fit the shape of the tensor.
OPERANDS = {"baddbmm": 0, "addmm": 0, "addmv": 0, "index_fill": 0}


def in_place(name):
    """Return the method that stores the result of another one in the tensor."""

    def f(input, *inputs, **keywords):
        if name in ARITHMETIC and len(inputs) == 1 and not keywords and is_operand(inputs[0]):
            operate("in_place", name, input._view, operand(inputs[0]))
            return input
        others = [one._view for one in inputs if isinstance(one, Tensor)]
        for other in others[: OPERANDS.get(name, 2)]:
            operate("refuse_operand", input._view, other)
        result = getattr(Tensor, name)(input, *inputs, **keywords)
        operate("assign_result", input._view, result._view, *others)
        return input

    return f


OTHERS = (
    "round nan_to_num add sub mul div divide multiply subtract floor_divide remainder pow clamp "
    "clip clamp_min clamp_max lerp cumsum cumprod tril triu eq ne lt le gt ge "
    "bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor baddbmm addmm addmv "
    "index_fill"
).split()
for one in UNARY + OTHERS:
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


publish("numel", lambda input: input.numel(), "input", ("torch",))
publish("is_floating_point", lambda input: input.is_floating_point(), "input", ("torch",))
publish("is_tensor", lambda obj: isinstance(obj, Tensor), "obj", ("torch",))


@public("input other")
def _result_type(input, other):
    return DTYPES[ORDER[operate("result_type", operand(input), operand(other))]]


@public("*shapes", "torch")
def _broadcast_shapes(*shapes):
    several = [make("filled", "bool", 0, 1).expand(shape) for shape in shapes]
    return PLACES["torch"]["broadcast_tensors"](*several)[0].shape
