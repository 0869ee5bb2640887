"""Call the operations of core.ts, and refuse by name what is not available.

Runs in MicroPython, as everything in this package does.
"""

from _attention_core import call

from torch._names import NAMES


class Unavailable(Exception):
    """What torch has and this module lacks; the message names it."""


LACKING = []  # what was refused, even if the reader's code catches the exception


def refuse(what):
    """Raise Unavailable; `what` has the name in backticks."""
    LACKING.append(what)
    raise Unavailable(what + " is not available here; run this exercise behind `make serve`.")


def missing(owner, name):
    """Raise the error for an attribute that a module or class of this package does not have."""
    if " %s " % name in NAMES[owner]:
        refuse("`%s.%s`" % (owner, name))


ERRORS = {
    one.__name__: one
    for one in (IndexError, NotImplementedError, RuntimeError, TypeError, ValueError)
}


def operate(name, *inputs):
    """Return the result of an operation; a text is an error."""
    result = call(name, *inputs)
    if type(result) is not str:
        return result
    kind, message = result.split(": ", 1)
    if kind == "Unavailable":
        refuse(message)
    raise ERRORS[kind](message)


def wire(number):
    """Prepare a number for JavaScript: MicroPython would cut an integer down to 32 bits."""
    if type(number) is int and not -(2**31) <= number < 2**31:
        return str(number)
    return number


class dtype:
    """A type of numbers."""

    def __init__(self, name, is_floating_point, itemsize):
        self.name, self.is_floating_point, self.itemsize = name, is_floating_point, itemsize
        self.is_complex, self.is_signed = False, name != "bool"

    def __repr__(self):
        return "torch." + self.name


DTYPES = {
    "bool": dtype("bool", False, 1),
    "int32": dtype("int32", False, 4),
    "int64": dtype("int64", False, 8),
    "float32": dtype("float32", True, 4),
    "float64": dtype("float64", True, 8),
}
ORDER = ("bool", "int32", "int64", "float32", "float64")  # of promotion
# What Python's types are as dtypes; int and float rank below those of tensors.
PYTHON = {bool: "bool", int: "int64", float: "float64"}
OF_TYPE = {bool: "bool", int: "int64", float: "float64"}


def dtype_name(wanted):
    """Return the name of a dtype, which may be given as a type of Python."""
    if isinstance(wanted, dtype):
        return wanted.name
    if wanted in OF_TYPE:
        return OF_TYPE[wanted]
    raise TypeError("dtype must be torch.dtype, not " + type(wanted).__name__)


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


class device:
    """The only device, the CPU."""

    def __init__(self, name="cpu", index=None):
        if isinstance(name, device):
            name = "cpu"
        if name != "cpu" and name != "cpu:0":
            refuse("`torch.device(%r)`" % name)
        self.type, self.index = "cpu", index

    def __repr__(self):
        return "device(type='cpu')"

    def __str__(self):
        return "cpu"

    def __eq__(self, other):
        return isinstance(other, device)

    def __hash__(self):
        return 0


# Keywords that are accepted everywhere as long as they ask for nothing.
HARMLESS = {
    "device": lambda value: value is None or device(value) is not None,
    "requires_grad": lambda value: not value,
    "out": lambda value: value is None,
    "layout": lambda value: value is None,
    "pin_memory": lambda value: not value,
    "memory_format": lambda value: value is None,
    "non_blocking": lambda value: True,
    "generator": lambda value: value is None,
    "inplace": lambda value: not value,
    "_stacklevel": lambda value: True,
}
ALIASES = {"axis": "dim", "axes": "dim", "keepdims": "keepdim", "x": "input", "self": "input"}
REFUSED = (
    "dtype",
    "out",
    "correction",
    "decimals",
    "driver",
    "layout",
    "indexing",
    "side",
    "right",
)


class Signature:
    """The name of a function and of its parameters, to tell wrong arguments by."""

    def __init__(self, owner, name, parameters):
        self.owner, self.name, self.parameters = owner, name, parameters.split()

    def keywords(self, given):
        """Return the keyword arguments under this module's names; refuse those it lacks."""
        accepted = {}
        for key, value in given.items():
            name = ALIASES.get(key, key) if key not in self.parameters else key
            if name in self.parameters:
                accepted[name] = value
            elif key in HARMLESS:
                if not HARMLESS[key](value):
                    refuse("`%s.%s(%s=)`" % (self.owner, self.name, key))
            elif key in REFUSED:
                refuse("`%s.%s(%s=)`" % (self.owner, self.name, key))
            else:
                self.wrong()
        return accepted

    def wrong(self):
        """Raise the error for arguments that fit no signature."""
        raise TypeError(self.name + "() received an invalid combination of arguments")

    def tensor(self, value, parameter="input", position=1):
        """Raise the error for an argument that should be a tensor."""
        raise TypeError(
            "%s(): argument '%s' (position %d) must be Tensor, not %s"
            % (self.name, parameter, position, type(value).__name__)
        )
