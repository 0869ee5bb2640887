"""What every public function says when its arguments do not fit."""

import math
from collections.abc import Callable
from numbers import Real

import torch
from torch import Tensor, nn

from attention_lib._transforms import readable

_INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def check_floating(name: str, x: Tensor, shape: str | None = None) -> None:
    """Require a floating tensor of as many dimensions as `shape`, "(Q,)" or "(B, Q, K)", names."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} must be a tensor; got {type(x).__name__}")
    if shape is not None:
        _check_dimensions(name, x, shape)
    if not x.is_floating_point():
        raise TypeError(f"{name} must be floating; got {x.dtype}")


def check_dtype(name: str, x: Tensor, dtype: torch.dtype, owner: str) -> None:
    """Require the dtype of the owner, unless autocast is there to make dtypes agree."""
    if x.dtype != dtype and not torch.is_autocast_enabled(x.device.type):
        raise TypeError(f"{name} must have the dtype of {owner}, {dtype}; got {x.dtype}")


def check_pair(queries: Tensor, keys: Tensor) -> None:
    """Require queries (B, Q, query size) and keys (B, K, key size) of one batch and one dtype."""
    check_floating("queries", queries, "(B, Q, query size)")
    check_floating("keys", keys, "(B, K, key size)")
    check_dtype("keys", keys, queries.dtype, "queries")
    check_same_batch(queries=queries, keys=keys)


def check_same_size(queries: Tensor, keys: Tensor) -> None:
    """Require, besides, that a key has as many numbers as a query."""
    check_pair(queries, keys)
    if keys.shape[-1] != queries.shape[-1]:
        raise ValueError(
            f"keys must have the size of queries, {queries.shape[-1]}; got {keys.shape[-1]}"
        )


def check_parameter(name: str, x: Tensor, owner: str, layer: nn.Module) -> None:
    """Require the dtype of a layer; one of LoRA or of quantisation in its place checks itself."""
    parameter = next(layer.parameters(), None)  # reading `weight` might compute it once more
    if isinstance(layer, nn.Linear | nn.Embedding) and parameter is not None:
        check_dtype(name, x, parameter.dtype, owner)


def check_layer(
    name: str, x: Tensor, layer_name: str, layer: nn.Module, size: str = "in_features"
) -> None:
    """Require the dtype of a linear layer, and the size that it or what replaces it names."""
    check_parameter(name, x, layer_name, layer)
    expected = getattr(layer, size, x.shape[-1])
    if x.shape[-1] != expected:
        raise ValueError(f"{name} must have size {expected}; got {x.shape[-1]}")


def check_broadcast(name: str, x: Tensor, other_name: str, other: Tensor) -> None:
    """Require two floating tensors of one dtype, in shapes that broadcast."""
    check_floating(name, x)
    check_floating(other_name, other)
    check_dtype(other_name, other, x.dtype, name)
    sizes = zip(reversed(x.shape), reversed(other.shape), strict=False)
    if not all(a == b or 1 in (a, b) for a, b in sizes):
        shapes = f"{tuple(x.shape)} and {tuple(other.shape)}"
        raise ValueError(f"{name} and {other_name} must have shapes that broadcast; got {shapes}")


def check_number(name: str, x: float | Tensor, dtype: torch.dtype) -> None:
    """Require a finite number that fits a dtype, or a tensor without dimensions that holds one."""
    if isinstance(x, Tensor):
        if x.dim():
            raise ValueError(f"{name} must be one number; got shape {tuple(x.shape)}")
        x = x.item() if readable(x) else 0.0
    if not isinstance(x, Real):
        raise TypeError(f"{name} must be a number; got {type(x).__name__}")
    try:
        number = float(x)
    except OverflowError as error:
        raise ValueError(f"{name} must be finite; got a number too large for a float") from error
    if not abs(number) <= torch.finfo(dtype).max:  # nor is NaN
        expected = f"fit {dtype}" if math.isfinite(number) else "be finite"
        raise ValueError(f"{name} must {expected}; got {number}")


def check_callable(name: str, f: Callable[..., object], use: str) -> None:
    """Require a function, which `use` shows at work: "K(x, x_i)"."""
    if not callable(f):
        raise TypeError(f"{name} must be a function {use}; got {type(f).__name__}")


def check_result(
    name: str, x: Tensor, symbols: str, shape: tuple[int, ...], dtype: torch.dtype
) -> None:
    """Require that a function has returned a tensor of a certain shape, of a dtype or bool."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} must return a tensor; got {type(x).__name__}")
    if tuple(x.shape) != shape:
        raise ValueError(f"{name} must return shape {symbols} = {shape}; got {tuple(x.shape)}")
    if x.dtype not in (dtype, torch.bool) and not torch.is_autocast_enabled(x.device.type):
        raise TypeError(f"{name} must return {dtype} or torch.bool; got {x.dtype}")


def check_lengths(
    lengths: Tensor, expected: dict[str, tuple[int, ...]], num_keys: int, name: str = "valid_lens"
) -> None:
    """Require an integer tensor of one of the expected shapes, with values in 0..num_keys."""
    _check_integers(name, lengths)
    if tuple(lengths.shape) not in expected.values():
        symbols, sizes = " or ".join(expected), " or ".join(map(str, expected.values()))
        raise ValueError(f"{name} must have shape {symbols} = {sizes}; got {tuple(lengths.shape)}")
    _check_between(name, lengths, num_keys, "values")


def check_ids(name: str, x: Tensor, shape: str, embedding: nn.Module) -> None:
    """Require an integer tensor of as many dimensions as `shape` names, with ids that are known."""
    _check_integers(name, x)
    _check_dimensions(name, x, shape)
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
    check_same_batch(**sides)


def check_same_batch(**pair: Tensor) -> None:
    """Require two tensors of one batch size, under the names that the error uses."""
    (first, x), (second, y) = pair.items()
    if x.shape[0] != y.shape[0]:
        raise ValueError(
            f"{second} must have the batch size of {first}, {x.shape[0]}; "
            f"got {y.shape[0]} in {tuple(y.shape)}"
        )


def _check_dimensions(name: str, x: Tensor, shape: str) -> None:
    if x.dim() != len(shape.replace(",)", ")").split(",")):
        raise ValueError(f"{name} must have shape {shape}; got {tuple(x.shape)}")


def _check_integers(name: str, x: Tensor) -> None:
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} must be an integer tensor; got {type(x).__name__}")
    if x.dtype not in _INTEGERS:
        raise TypeError(f"{name} must be an integer tensor; got {x.dtype}")


def _check_between(name: str, x: Tensor, most: int, what: str) -> None:
    if readable(x) and x.numel():
        low, high = (int(n) for n in x.aminmax())
        if low < 0 or high > most:
            raise ValueError(f"{name} must lie in 0..{most}; got {what} from {low} to {high}")
