"""Zero out masked keys and values that are NaN, infinite or huge.

A weight of 0 removes an ordinary number from the output and from gradients, but not NaN or infinity
(0 · NaN is NaN), nor a number so large that a product with it overflows.
"""

import math

import torch
from torch import Tensor

from attention_lib._checks import check_device
from attention_lib._transforms import autocast_dtype, readable
from attention_lib.masking import length_mask


def zero_padding(x: Tensor, valid_lens: Tensor | None, num_queries: int = 1) -> Tensor:
    """Zero out the keys or values that no query reads, unless all of x is finite and small.

    Shapes: x (B, K, size), valid_lens None, (B,) or (B, num_queries).
    """
    if valid_lens is None:
        return x
    limit = _limit(x)
    if limit and readable(x) and torch.linalg.vector_norm(x.detach()).item() < limit:
        return x  # most batches: no copy is needed
    keep = length_mask(valid_lens, num_queries, x.shape[1])
    check_device("valid_lens", valid_lens, "keys", x)
    return torch.where(keep.any(dim=1)[:, :, None] | (x.abs() < limit), x, 0)


def weighted_sum(weights: Tensor, values: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Pool the values that a query reads: (B, Q, K), (B, K, V) → (B, Q, V)."""
    if valid_lens is not None and readable(values) and not torch.is_grad_enabled():
        output = torch.bmm(weights, values)
        if math.isfinite(output.sum().item()):  # the padding held no NaN or infinity
            return output
    return torch.bmm(weights, zero_padding(values, valid_lens, weights.shape[1]))


def _limit(x: Tensor) -> float:
    # A product of four numbers below the limit is finite. In float16 there is no safe limit: a loss
    # scaler multiplies gradients by up to 65,536.
    most = min(torch.finfo(dtype).max for dtype in (x.dtype, autocast_dtype(x) or x.dtype))
    return most**0.25 if most > 1e30 else 0.0
