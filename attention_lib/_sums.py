"""Weights that need not be positive, from what a kernel gives."""

import torch
from torch import Tensor

_LAST_BITS = 8  # what rounding may leave of a sum that is 0


def divided_by_sum(x: Tensor) -> Tensor:
    """Divide each row of (Q, K) by its sum; one whose sum is 0, up to rounding, becomes 0."""
    total, size = (terms.sum(dim=-1, keepdim=True) for terms in (x, x.abs()))  # (Q, 1)
    # Terms that cancel leave a few last bits, which are 0 but for rounding; infinities do not.
    empty = (total.abs() <= _LAST_BITS * torch.finfo(x.dtype).eps * size) & size.isfinite()
    # Dividing by 1 instead of 0 keeps NaN out of the gradient too, which `where` alone would not.
    return torch.where(empty, 0, x / torch.where(empty, 1, total))
