"""Help to define the functions of torch by the operations of core.ts."""

from torch._core import dtype_name, operate, refuse
from torch._tensor import Tensor, integer

WORDS = {"bool": "Bool", "int32": "Int", "int64": "Long", "float32": "Float", "float64": "Double"}
C_WORDS = {
    "bool": "bool",
    "int32": "int",
    "int64": "long int",
    "float32": "float",
    "float64": "double",
}

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


def refuse_integers(function, *tensors):
    if not all([one.is_floating_point() for one in tensors]):
        refuse("`torch.%s` of whole numbers" % function)


def dims_of(dim):
    """Return dimensions as a tuple; an empty one stands for all."""
    if dim is None:
        return ()
    return tuple([integer(x) for x in dim]) if isinstance(dim, (tuple, list)) else (integer(dim),)
