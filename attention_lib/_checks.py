"""What every public function says when its arguments do not fit."""

import torch
from torch import Tensor

from attention_lib._transforms import readable

_INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


def check_floating(name: str, x: Tensor, shape: str) -> None:
    """Require a floating tensor of as many dimensions as `shape`, such as "(B, Q, K)", names."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{name} must be a tensor; got {type(x).__name__}")
    if x.dim() != shape.count(",") + 1:
        raise ValueError(f"{name} must have shape {shape}; got {tuple(x.shape)}")
    if not x.is_floating_point():
        raise TypeError(f"{name} must be floating; got {x.dtype}")


def check_dtype(name: str, x: Tensor, dtype: torch.dtype, owner: str) -> None:
    """Require the dtype of the owner, unless autocast is there to make dtypes agree."""
    if x.dtype != dtype and not torch.is_autocast_enabled(x.device.type):
        raise TypeError(f"{name} must have the dtype of {owner}, {dtype}; got {x.dtype}")


def check_lengths(
    lengths: Tensor, expected: dict[str, tuple[int, ...]], num_keys: int, name: str = "valid_lens"
) -> None:
    """Require an integer tensor of one of the expected shapes, with values in 0..num_keys."""
    if not isinstance(lengths, Tensor):
        raise TypeError(f"{name} must be an integer tensor; got {type(lengths).__name__}")
    if lengths.dtype not in _INTEGERS:
        raise TypeError(f"{name} must be an integer tensor; got {lengths.dtype}")
    if tuple(lengths.shape) not in expected.values():
        symbols, sizes = " or ".join(expected), " or ".join(map(str, expected.values()))
        raise ValueError(f"{name} must have shape {symbols} = {sizes}; got {tuple(lengths.shape)}")
    if readable(lengths) and lengths.numel():
        low, high = (int(n) for n in lengths.aminmax())
        if low < 0 or high > num_keys:
            raise ValueError(f"{name} must lie in 0..{num_keys}; got values from {low} to {high}")
