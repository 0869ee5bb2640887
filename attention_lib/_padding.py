"""Keys and values that no query reads, which may hold anything.

A weight of 0 removes an ordinary number, but not NaN or infinity, as 0 · NaN is NaN: in the output,
and in gradients. Nor does it remove one so large that what is computed of it overflows.
"""

import math

import torch
from torch import Tensor

from attention_lib._checks import check_device
from attention_lib._transforms import autocast_dtype, readable
from attention_lib.masking import length_mask


def harmless(x: Tensor, valid_lens: Tensor | None, num_queries: int = 1) -> Tensor:
    """Set to 0 what no query reads and a weight of 0 would not remove.

    Shapes: x (B, K, size), valid_lens None, (B,) or (B, num_queries).
    """
    if valid_lens is None:
        return x
    limit = _limit(x)
    if limit and readable(x) and _norm(x) < limit:
        return x  # as in most batches, and a copy is spared
    keep = length_mask(valid_lens, num_queries, x.shape[1])
    check_device("valid_lens", valid_lens, "keys", x)
    return torch.where(keep.any(dim=1)[:, :, None] | (x.abs() < limit), x, 0)


def weighted_sum(weights: Tensor, values: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Pool the values but for what no query reads: (B, Q, K), (B, K, V) → (B, Q, V)."""
    if valid_lens is not None and readable(values) and not torch.is_grad_enabled():
        output = torch.bmm(weights, values)
        if math.isfinite(output.sum().item()):  # nothing has come through
            return output
    return torch.bmm(weights, harmless(values, valid_lens, weights.shape[1]))


def _limit(x: Tensor) -> float:
    # Products of four numbers below it are finite. Beside a gradient that a loss scaler has made
    # larger, float16 has no room for any.
    most = min(torch.finfo(dtype).max for dtype in (x.dtype, autocast_dtype(x) or x.dtype))
    return most**0.25 if most > 1e30 else 0.0


def _norm(x: Tensor) -> float:
    norm: float = torch.linalg.vector_norm(x.detach()).item()
    return norm
