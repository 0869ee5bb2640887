"""Positions as vectors: what self-attention needs in order to tell an order."""

import torch
from torch import Tensor


def sinusoidal_positions(
    num_positions: int, size: int, base: float = 10000.0, dtype: torch.dtype | None = None
) -> Tensor:
    r"""Sines and cosines of a position, at frequencies from 1 down to nearly 1 / base.

    Components $2i$ and $2i + 1$ of position $p$ are $\sin(p \omega_i)$ and $\cos(p \omega_i)$, with
    $\omega_i = \text{base}^{-2i/\text{size}}$. Going on by $k$ positions turns each such pair by
    the angle $k \omega_i$, wherever one starts; so the product of two positions depends on their
    distance alone.

    Args:
        num_positions: how many, from position 0 on.
        size: of each, an even number.
        base: positive; the larger, the longer the slowest wave.
        dtype: of the result. None: torch's default.

    Returns:
        (num_positions, size), to be added to the vectors of a sentence.

    Raises:
        ValueError: num_positions is negative, size odd or negative, or base not positive.

    Source: Vaswani et al., *Attention Is All You Need*, NeurIPS 2017, section 3.5.

    >>> sinusoidal_positions(3, 2)
    tensor([[ 0.0000,  1.0000],
            [ 0.8415,  0.5403],
            [ 0.9093, -0.4161]])
    """
    if num_positions < 0 or size < 0 or size % 2:
        raise ValueError(
            f"expected num_positions of at least 0 and an even size; got {num_positions} and {size}"
        )
    if not base > 0:
        raise ValueError(f"base must be positive; got {base}")
    frequencies = base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angles = torch.arange(num_positions)[:, None] * frequencies
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return waves.to(dtype or torch.get_default_dtype())
