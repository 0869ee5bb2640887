"""Define changes of shape, joins, parts and indices.

A function `_sum` is offered as `torch.sum` and `Tensor.sum`; Python's `sum` keeps its name here.
"""

from torch._core import dtype, operate, refuse
from torch._helpers import dims_of, make, needs_tensor, views
from torch._tensor import Tensor, integer, integers, public, publish, tensor_of


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


@public("input *size", "Tensor")
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
