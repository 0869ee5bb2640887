"""Define the class of tensors: a strided view in JavaScript, with the names of torch."""

from math import isfinite

from torch._core import (
    DTYPES,
    ORDER,
    PYTHON,
    Signature,
    device,
    missing,
    operate,
    refuse,
    wire,
)


class Tensor:
    """A tensor. Its numbers lie in a typed array, which views of it share."""

    def __init__(self, view=None, *rest):
        if rest or type(view).__name__ != "JsProxy":
            refuse("`torch.Tensor(…)`")
        self._view = view

    @property
    def shape(self):
        return tuple(self._view.shape)

    @property
    def dtype(self):
        return DTYPES[self._view.dtype]

    @property
    def ndim(self):
        return self._view.ndim

    @property
    def device(self):
        return device()

    @property
    def requires_grad(self):
        return False

    @property
    def is_leaf(self):
        return True

    @property
    def grad(self):
        return None

    @property
    def data(self):
        return Tensor(self._view)

    @data.setter
    def data(self, other):
        self._view = other._view

    @requires_grad.setter
    def requires_grad(self, wanted):
        if wanted:
            refuse("`Tensor.requires_grad`")

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def T(self):
        return Tensor(operate("permute", self._view, *reversed(range(self.ndim))))

    @property
    def mT(self):
        if not self.ndim:
            return Tensor(self._view)
        if self.ndim < 2:
            raise RuntimeError(
                "tensor.mT is only supported on matrices or batches of matrices. Got %d-D tensor."
                % self.ndim
            )
        return Tensor(operate("transpose", self._view, -2, -1))

    def __len__(self):
        if not self.ndim:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self):
        if not self.ndim:
            raise TypeError("iteration over a 0-d tensor")
        return iter([self[i] for i in range(self.shape[0])])

    def __bool__(self):
        if self.numel() != 1:
            values = "no values" if not self.numel() else "more than one value"
            raise RuntimeError("Boolean value of Tensor with %s is ambiguous" % values)
        return self.item() != 0

    def __hash__(self):
        return id(self)

    def __contains__(self, item):
        return bool((self == item).any())

    def __getitem__(self, index):
        return Tensor(operate("get", self._view, *tokens(index)))

    def __setitem__(self, index, value):
        operate("set", self._view, operand(value), *tokens(index))

    def __getattr__(self, name):
        missing("Tensor", name)
        raise AttributeError("'Tensor' object has no attribute '%s'" % name)

    def __repr__(self):
        return shown(self)

    def numel(self):
        return self._view.numel

    def dim(self):
        return self._view.ndim

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[self._dimension(dim)]

    def stride(self, dim=None):
        strides = tuple(self._view.strides)
        return strides if dim is None else strides[self._dimension(dim)]

    def _dimension(self, dim):
        if not self.ndim:
            raise IndexError("Dimension specified as %d but tensor has no dimensions" % dim)
        return operate("dimension", integer(dim), self.ndim)

    def element_size(self):
        return self.dtype.itemsize

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def item(self):
        if self.numel() != 1:
            raise RuntimeError(
                "a Tensor with %d elements cannot be converted to Scalar" % self.numel()
            )
        return self._numbers()[0]

    def tolist(self):
        return nested(self._numbers(), self.shape)

    def _numbers(self):
        """Return all numbers in one list."""
        kind = FROM_TEXT[self._view.dtype]
        return [kind(x) for x in operate("numbers", self._view)]


FROM_TEXT = {"bool": bool, "int32": int, "int64": int, "float32": float, "float64": float}


def nested(numbers, shape):
    """Arrange numbers in lists of lists; `numbers` has one for each entry of the shape.

    The numbers are used up from the front.
    """
    numbers = iter(numbers)

    def lists(sizes):
        if not sizes:
            return next(numbers)
        return [lists(sizes[1:]) for _ in range(sizes[0])]

    return lists(shape)


MOST_SHOWN, WIDEST = 1000, 80  # torch abridges more numbers, and breaks longer lines


def shown(tensor):
    """Return a tensor as torch prints it."""
    name, numbers = tensor._view.dtype, tensor._numbers()
    ends = [] if name in ("bool", "int64", "float32") and (numbers or name == "float32") else [name]
    ends = [", dtype=torch." + one for one in ends]
    if not numbers:
        size = ", size=%s" % (tensor.shape,) if tensor.ndim != 1 else ""
        return "tensor([]%s%s)" % (size, "".join(ends))
    texts = written(numbers) if tensor.is_floating_point() else [str(x) for x in numbers]
    # Zeros, NaN and infinities do not count for the width of floats.
    counted = [
        len(text)
        for text, x in zip(texts, numbers)
        if not tensor.is_floating_point() or (x and isfinite(x))
    ]
    width = max([0] + counted) if tensor.ndim else 0
    padded = [" " * (width - len(text)) + text for text in texts]
    lines = arranged(nested(padded, tensor.shape), tensor.ndim, len("tensor("))
    if len(numbers) > MOST_SHOWN or max([len(one) for one in lines.split("\n")]) > WIDEST - 2:
        refuse("`print` of so large a tensor")
    return "tensor(%s%s)" % (lines, "".join(ends))


def written(numbers):
    """Return floats as text, all in the format that suits their sizes."""
    sizes = [abs(x) for x in numbers if isfinite(x) and x]
    most, least = (max(sizes), min(sizes)) if sizes else (0, 1)
    if all([x == int(x) for x in sizes]):
        form = "%.4e" if most > 1e8 else "%.0f."
    else:
        form = "%.4e" if most / least > 1000 or most > 1e8 or least < 1e-4 else "%.4f"
    return [form % x if isfinite(x) else str(x) for x in numbers]


def arranged(texts, ndim, indent):
    """Return nested lists of texts with the line breaks of torch."""
    if not ndim:
        return texts
    between = ", " if ndim == 1 else "," + "\n" * (ndim - 1) + " " * (indent + 1)
    return "[%s]" % between.join([arranged(one, ndim - 1, indent + 1) for one in texts])


def operand(x):
    """Return the view of a tensor, or of a Python number as a tensor."""
    if isinstance(x, Tensor):
        return x._view
    if type(x) in PYTHON:
        return operate("number", wire(x), PYTHON[type(x)])
    raise TypeError("can't assign a %s to a tensor" % type(x).__name__)


def is_operand(x):
    return isinstance(x, Tensor) or type(x) in PYTHON


def integer(x):
    """Return an int, which may be given as a tensor with one element."""
    if type(x) is int:
        if not -(2**31) <= x < 2**31:
            refuse("`torch.Size` with %d" % x)
        return x
    if isinstance(x, Tensor) and not x.dtype.is_floating_point and x.ndim == 0:
        return int(x.item())
    raise TypeError("argument must be tuple of ints, but found element of type " + type(x).__name__)


def integers(several):
    """Return a tuple of ints from `f(2, 3)` or `f((2, 3))`."""
    if len(several) == 1 and isinstance(several[0], (tuple, list)):
        several = several[0]
    return tuple([integer(x) for x in several])


def tokens(index):
    """Return an index in the form in which core.ts takes it."""
    found = []
    for item in index if isinstance(index, tuple) else (index,):
        found += token(item)
    return found


def token(item):
    if item is None:
        return (None,)
    if item is Ellipsis:
        return ("...",)
    if isinstance(item, slice):
        return ["slice"] + [bound(x) for x in (item.start, item.stop, item.step)]
    if isinstance(item, Tensor):
        return (item._view,)
    if type(item) is int:
        return (float(item) if abs(item) >= 2**31 else item,)
    if isinstance(item, (list, tuple, range)):
        return (from_list(item)._view,)
    if type(item) is bool:
        refuse("`Tensor[bool]`")
    if isinstance(item, str):
        raise TypeError("new(): invalid data type 'str'")
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
        "indices (got %s)" % type(item).__name__
    )


def bound(x):
    """Return a bound of a slice."""
    if x is None:
        return None
    if isinstance(x, Tensor):
        if x.dtype.is_floating_point or x.numel() != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        x = int(x.item())
    if type(x) is not int:
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return max(-(2**31), min(x, 2**31 - 1))


def from_list(items):
    """Return an index as a tensor; an empty list chooses nothing."""
    made = tensor_of(items)
    return made if len(items) else Tensor(operate("to", made._view, "int64"))


MOST = 1000  # numbers that MicroPython can pass in one call


def tensor_of(data, wanted=None):
    """Make a tensor from numbers in nested lists, with the dtype that torch infers."""
    if isinstance(data, Tensor):
        return Tensor(operate("to", data._view, wanted or data.dtype.name))
    shape = shape_of(data)
    numbers, kinds = [], []
    collect(data, shape, 0, numbers, kinds)
    if len(numbers) > MOST:
        refuse("`torch.tensor` of more than %d numbers" % MOST)
    name = wanted or inferred(kinds)
    return Tensor(operate("tensor", name, len(shape), *(list(shape) + numbers)))


def shape_of(data):
    shape = []
    while isinstance(data, (list, tuple, range)) or (
        isinstance(data, Tensor) and data.ndim and shape
    ):
        if isinstance(data, Tensor):
            raise_if_several(data)
            break
        shape.append(len(data))
        if not len(data):
            break
        data = data[0]
    return tuple(shape)


def raise_if_several(one):
    if one.numel() != 1 and not one.is_floating_point():
        raise TypeError("only integer tensors of a single element can be converted to an index")
    if one.numel() != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")


def collect(data, shape, depth, numbers, kinds):
    """Append the numbers in nested lists, and the names of their dtypes."""
    if depth < len(shape):
        size = len(data) if isinstance(data, (list, tuple, range)) else None
        if size is None:
            raise TypeError("not a sequence")
        if size != shape[depth]:
            raise ValueError(
                "expected sequence of length %d at dim %d (got %d)" % (shape[depth], depth, size)
            )
        for one in data:
            collect(one, shape, depth + 1, numbers, kinds)
        return
    if isinstance(data, Tensor):
        raise_if_several(data)
        kinds.append(data.dtype.name)
        data = data.item()
    elif type(data) in PYTHON:
        kinds.append("float32" if type(data) is float else PYTHON[type(data)])
    elif data is None and not shape:
        raise RuntimeError("Could not infer dtype of NoneType")
    elif isinstance(data, (list, tuple)):
        raise ValueError("expected a number, but got a sequence")
    elif isinstance(data, str) or shape:
        raise TypeError("new(): invalid data type '%s'" % type(data).__name__)
    else:
        raise RuntimeError("Could not infer dtype of " + type(data).__name__)
    numbers.append(wire(data))


def inferred(kinds):
    """Return the highest of several dtypes."""
    return ORDER[max([ORDER.index(kind) for kind in kinds])] if kinds else "float32"


PLACES = {"torch": {}, "Tensor": {}, "F": {}}
OWNERS = {"torch": "torch", "Tensor": "Tensor", "F": "torch.nn.functional"}


def public(parameters, *places):
    """Offer a function, whose name begins with `_` here, under its own name in some places."""

    def offer(f):
        publish(f.__name__[1:], f, parameters, places)
        return f

    return offer


def publish(name, f, parameters, places=()):
    """Offer a function in torch, as a method of tensors, or in torch.nn.functional."""
    for place in places or ("torch", "Tensor"):
        PLACES[place][name] = checked(f, Signature(OWNERS[place], name, parameters))
        if place == "Tensor":
            setattr(Tensor, name, PLACES[place][name])


def checked(f, signature):
    """Return f with errors for arguments that it does not take."""
    parameters = signature.parameters
    takes_tensor = parameters[0] == "input"
    many = ([one[1:] for one in parameters if one[0] == "*"] + [None])[0]

    def called(*inputs, **keywords):
        if many in keywords:  # zeros(size=(2, 3))
            inputs += (keywords.pop(many),)
        if keywords:
            keywords = signature.keywords(keywords)
        if takes_tensor and inputs and not isinstance(inputs[0], Tensor):
            signature.tensor(inputs[0])
        if not many and len(inputs) > len(parameters):
            signature.wrong()
        return f(*inputs, **keywords)

    return called
