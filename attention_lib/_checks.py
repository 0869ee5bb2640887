"""Check arguments and raise the errors that all public functions share."""

import math
from collections.abc import Callable
from numbers import Integral, Real

import torch
from torch import Tensor, nn

from attention_lib._transforms import autocast_dtype, is_exporting, readable

_FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
_INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def check_floating(name: str, x: Tensor, shape: str | None = None) -> None:
    """Require a floating tensor of as many dimensions as `shape`, "(Q,)" or "(B, Q, K)", names."""
    _check_strided(name, x)
    if shape is not None:
        _check_dimensions(name, x, shape)
    check_float_dtype(name, x.dtype)


def check_float_dtype(name: str, dtype: torch.dtype) -> None:
    """Require float16, bfloat16, float32 or float64: PyTorch supports few operations on others."""
    if dtype not in _FLOATS:
        floating = isinstance(dtype, torch.dtype) and dtype.is_floating_point
        expected = "float16, bfloat16, float32 or float64" if floating else "floating"
        raise TypeError(f"{name} must be {expected}; got {dtype}")


def check_numbers(name: str, x: Tensor, shape: str) -> None:
    """Require a tensor of real numbers or bool, of as many dimensions as `shape` names."""
    _check_strided(name, x)
    _check_dimensions(name, x, shape)
    _check_real(name, x)


def check_integers(name: str, x: Tensor) -> None:
    """Require a strided tensor of one of PyTorch's integer types."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} must be an integer tensor; got {type(x).__name__}")
    _check_strided(name, x)
    if x.dtype not in _INTEGERS:
        raise TypeError(f"{name} must be an integer tensor; got {x.dtype}")


def check_alike(name: str, x: Tensor, owner: str, like: Tensor) -> None:
    """Require the device and, unless autocast casts both, the dtype of the owner."""
    check_device(name, x, owner, like)
    if x.dtype != like.dtype and autocast_dtype(x) is None:
        raise TypeError(f"{name} must have the dtype of {owner}, {like.dtype}; got {x.dtype}")


def check_device(name: str, x: Tensor, owner: str, like: Tensor) -> None:
    """Require the device of the owner."""
    if x.device != like.device:
        raise ValueError(f"{name} must be on the device of {owner}, {like.device}; got {x.device}")


def check_counts(least: int, **counts: int) -> None:
    """Require integers of at least `least`; while a graph is recorded, sizes are symbols."""
    if torch.compiler.is_compiling() or is_exporting():
        return
    for name, n in counts.items():
        if not isinstance(n, Integral) or isinstance(n, bool):
            raise TypeError(f"{name} must be an integer; got {type(n).__name__}")
        if n < least:
            raise ValueError(f"{name} must be at least {least}; got {n}")


def check_probability(name: str, p: float) -> None:
    """Require a number from 0 to 1."""
    if not 0 <= _number(name, p) <= 1:  # nor is NaN
        raise ValueError(f"{name} must lie in 0..1; got {p}")


def check_flag(name: str, flag: bool) -> None:
    """Require True or False."""
    if not isinstance(flag, bool):
        raise TypeError(f"{name} must be True or False; got {type(flag).__name__}")


def check_pair(queries: Tensor, keys: Tensor) -> None:
    """Require queries (B, Q, query size) and keys (B, K, key size) of one batch and one dtype."""
    check_floating("queries", queries, "(B, Q, query size)")
    check_floating("keys", keys, "(B, K, key size)")
    check_alike("keys", keys, "queries", queries)
    check_same_batch(queries=queries, keys=keys)


def check_same_size(queries: Tensor, keys: Tensor) -> None:
    """Require what `check_pair` requires, and keys of the size of the queries."""
    check_pair(queries, keys)
    if keys.shape[-1] != queries.shape[-1]:
        sizes = f"{queries.shape[-1]}; got {keys.shape[-1]}"
        raise ValueError(f"keys must have the size of queries, {sizes}")


def check_parameter(name: str, x: Tensor, owner: str, layer: nn.Module) -> None:
    """Require a layer's device and dtype; a layer of LoRA or quantisation may have others."""
    parameter = next(layer.parameters(), None)  # a parametrized `weight` is computed at each access
    if isinstance(layer, nn.Linear | nn.Embedding) and parameter is not None:
        check_alike(name, x, owner, parameter)


def check_layer(
    name: str, x: Tensor, layer_name: str, layer: nn.Module, size: str = "in_features"
) -> None:
    """Require the dtype of a linear layer and the size that its attribute `size` holds."""
    check_parameter(name, x, layer_name, layer)
    expected = getattr(layer, size, x.shape[-1])
    if x.shape[-1] != expected:
        raise ValueError(f"{name} must have size {expected}; got {x.shape[-1]}")


def check_broadcast(name: str, x: Tensor, other_name: str, other: Tensor) -> None:
    """Require two floating tensors of one dtype, in shapes that broadcast."""
    check_floating(name, x)
    check_floating(other_name, other)
    check_alike(other_name, other, name, x)
    sizes = zip(reversed(x.shape), reversed(other.shape), strict=False)
    if not all(a == b or 1 in (a, b) for a, b in sizes):
        shapes = f"{tuple(x.shape)} and {tuple(other.shape)}"
        raise ValueError(f"{name} and {other_name} must have shapes that broadcast; got {shapes}")


def check_number(name: str, x: float | Tensor, dtype: torch.dtype) -> None:
    """Require a finite number that fits a dtype, or a tensor without dimensions that holds one."""
    try:
        number = float(_number(name, x))
    except OverflowError as error:
        raise ValueError(f"{name} must be finite; got a number too large for a float") from error
    if not abs(number) <= torch.finfo(dtype).max:  # nor is NaN
        expected = f"fit {dtype}" if math.isfinite(number) else "be finite"
        raise ValueError(f"{name} must {expected}; got {number}")


def check_fill(name: str, x: float | Tensor, owner: str, like: Tensor) -> None:
    """Require a number that fits the dtype of the owner; integer types hold no NaN or infinity."""
    if isinstance(x, Tensor):
        check_device(name, x, owner, like)
    number, whole = _number(name, x), not like.is_floating_point()
    low, high = _limits(like.dtype)
    fits = low <= number <= high and (not whole or number % 1 == 0)
    if not fits and (whole or abs(number) < math.inf):
        raise ValueError(f"{name} must fit {like.dtype}; got {number}")


def check_module(name: str, module: nn.Module) -> None:
    """Require a module."""
    if not isinstance(module, nn.Module):
        raise TypeError(f"{name} must be a module; got {type(module).__name__}")


def check_callable(name: str, f: Callable[..., object], use: str) -> None:
    """Require a function; `use` shows a call of it, such as "K(x, x_i)"."""
    if not callable(f):
        raise TypeError(f"{name} must be a function {use}; got {type(f).__name__}")


def check_result(name: str, x: Tensor, symbols: str, shape: tuple[int, ...], like: Tensor) -> None:
    """Require that a function returned this shape, in the dtype of `like` or bool."""
    _check_strided(name, x, "return")
    if x.device != like.device:
        raise ValueError(f"{name} must return a tensor on {like.device}; got one on {x.device}")
    if tuple(x.shape) != shape:
        raise ValueError(f"{name} must return shape {symbols} = {shape}; got {tuple(x.shape)}")
    if x.dtype not in (like.dtype, torch.bool) and autocast_dtype(x) is None:
        raise TypeError(f"{name} must return {like.dtype} or torch.bool; got {x.dtype}")


def check_lengths(
    lengths: Tensor,
    expected: dict[str, tuple[int, ...]],
    num_keys: int,
    name: str = "valid_lens",
    **beside: Tensor,
) -> None:
    """Require integers of an expected shape, in 0..num_keys, on the device of `beside`."""
    check_integers(name, lengths)
    if tuple(lengths.shape) not in expected.values():
        symbols, sizes = " or ".join(expected), " or ".join(map(str, expected.values()))
        raise ValueError(f"{name} must have shape {symbols} = {sizes}; got {tuple(lengths.shape)}")
    for owner, x in beside.items():
        check_device(name, lengths, owner, x)
    _check_between(name, lengths, num_keys, "values")


def check_ids(name: str, x: Tensor, shape: str | None, embedding: nn.Module) -> None:
    """Require integers of as many dimensions as `shape` names, which are ids of the embedding."""
    check_integers(name, x)
    if shape is not None:
        _check_dimensions(name, x, shape)
    parameter = next(embedding.parameters(), None)
    if parameter is not None:
        check_device(name, x, "the embedding", parameter)
    size = getattr(embedding, "num_embeddings", None)
    if size is not None:
        _check_between(name, x, size - 1, "ids")


def check_words(size: int, embedding: nn.Module, **sides: Tensor) -> None:
    """Require N vectors for each of B sentences, (B, N, size), in the dtype of the embedding."""
    for name, x in sides.items():
        check_floating(name, x, f"(B, N, {size})")
        if x.shape[-1] != size:
            raise ValueError(f"{name} must have shape (B, N, {size}); got {tuple(x.shape)}")
        check_parameter(name, x, "the embedding", embedding)
    (first, x), (second, y) = sides.items()
    check_alike(second, y, first, x)
    check_same_batch(**sides)


def check_same_batch(**pair: Tensor) -> None:
    """Require two tensors of one batch size; their keywords are their names in the error."""
    (first, x), (second, y) = pair.items()
    if x.shape[0] != y.shape[0]:
        sizes = f"{x.shape[0]}; got {y.shape[0]} in {tuple(y.shape)}"
        raise ValueError(f"{second} must have the batch size of {first}, {sizes}")


def _check_strided(name: str, x: Tensor, verb: str = "be") -> None:
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} must {verb} a tensor; got {type(x).__name__}")
    if x.is_nested or x.layout != torch.strided:
        came = "a nested one" if x.is_nested else x.layout
        raise TypeError(f"{name} must {verb} a strided tensor; got {came}")


def _check_real(name: str, x: Tensor) -> None:
    if x.dtype not in (*_FLOATS, *_INTEGERS, torch.bool):
        raise TypeError(f"{name} must hold real numbers of 8 to 64 bits; got {x.dtype}")


def _number(name: str, x: float | Tensor) -> float:
    if isinstance(x, Tensor):
        _check_strided(name, x)
        _check_real(name, x)
        if x.dim():
            raise ValueError(f"{name} must be one number; got shape {tuple(x.shape)}")
        x = x.item() if readable(x) else 0.0
    if not isinstance(x, Real):
        raise TypeError(f"{name} must be a number; got {type(x).__name__}")
    return x


def _limits(dtype: torch.dtype) -> tuple[float, float]:
    if dtype == torch.bool:
        return 0, 1
    limits = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    return limits.min, limits.max


def _check_dimensions(name: str, x: Tensor, shape: str) -> None:
    if x.dim() != len(shape.replace(",)", ")").split(",")):
        raise ValueError(f"{name} must have shape {shape}; got {tuple(x.shape)}")


def _check_between(name: str, x: Tensor, most: int, what: str) -> None:
    if readable(x) and x.numel():
        low, high = (int(n) for n in x.aminmax())
        if low < 0 or high > most:
            raise ValueError(f"{name} must lie in 0..{most}; got {what} from {low} to {high}")
