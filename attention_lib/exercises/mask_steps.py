"""Masked softmax, step by step."""

from collections.abc import Callable

import torch
from torch import Tensor

Keep = Callable[[int, Tensor], Tensor]


def lengths_keep(num_keys: int, lengths: Tensor) -> Tensor:
    """Keep as many leading keys as each row's length says: (B, Q) → (B, Q, K)."""
    return torch.arange(num_keys) < lengths[..., None]


def last_axis(scores: Tensor) -> Tensor:
    return torch.softmax(scores, dim=-1)


def empty_is_zero(weights: Tensor, keep: Tensor) -> Tensor:
    return weights.masked_fill(~keep.any(-1, keepdim=True), 0)


def masked_softmax(
    X: Tensor,
    valid_lens: Tensor | None,
    *,
    spread: Callable[[Tensor, int], Tensor] = lambda lengths, queries: (
        lengths[:, None].expand(-1, queries) if lengths.dim() == 1 else lengths
    ),
    keep: Keep = lengths_keep,
    before: Callable[[Tensor, Tensor], Tensor] = lambda X, keep: X.masked_fill(~keep, -torch.inf),
    normalise: Callable[[Tensor], Tensor] = last_axis,
    after: Callable[[Tensor, Tensor], Tensor] = empty_is_zero,
) -> Tensor:
    """Weights from scores, step by step."""
    if valid_lens is None:
        return normalise(X)
    kept = keep(X.shape[-1], spread(valid_lens, X.shape[1]))  # (B, Q, K)
    return after(normalise(before(X, kept)), kept)
