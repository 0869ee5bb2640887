"""Encode positions as vectors, without which self-attention ignores the order of words."""

import torch
from torch import Tensor

from attention_lib._checks import check_counts, check_float_dtype, check_number


def sinusoidal_positions(
    num_positions: int, size: int, base: float = 10000.0, dtype: torch.dtype | None = None
) -> Tensor:
    r"""Sines and cosines of a position, at frequencies from 1 down to nearly 1 / base.

    Components $2i$ and $2i + 1$ of position $p$ are $\sin(p \omega_i)$ and $\cos(p \omega_i)$, with
    $\omega_i = \text{base}^{-2i/\text{size}}$. A step of $k$ positions rotates each such
    pair by the angle $k \omega_i$, from any position; so the product of two positions depends on
    their distance alone.

    Args:
        num_positions: how many, from position 0 on.
        size: of each vector, an even number.
        base: positive; the larger, the longer the slowest wave.
        dtype: of the result, floating. None: torch's default.

    Returns:
        (num_positions, size), to be added to the vectors of a sentence.

    Raises:
        ValueError: num_positions is negative, size odd or negative, or base not positive or finite.
        TypeError: num_positions or size is no integer, base no number, or dtype not floating.

    Source: Vaswani et al., *Attention Is All You Need*, NeurIPS 2017, section 3.5.

    >>> sinusoidal_positions(3, 2)
    tensor([[ 0.0000,  1.0000],
            [ 0.8415,  0.5403],
            [ 0.9093, -0.4161]])
    """
    check_counts(0, num_positions=num_positions, size=size)
    if size % 2:
        raise ValueError(f"size must be even; got {size}")
    check_number("base", base, torch.float64)
    if not base > 0:
        raise ValueError(f"base must be positive; got {base}")
    dtype = torch.get_default_dtype() if dtype is None else dtype
    check_float_dtype("dtype", dtype)
    frequencies = base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angles = torch.arange(num_positions)[:, None] * frequencies
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return waves.to(dtype)
