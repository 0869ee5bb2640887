"""Scores that need a number for each query, key and component, made for some queries at a time."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib._transforms import is_exporting

_FEATURES = 2**22  # numbers held at once: 16 MiB of float32


def by_queries(score: Callable[[Tensor, Tensor], Tensor], queries: Tensor, keys: Tensor) -> Tensor:
    """Score queries (B, Q, size) and keys (B, K, size), which meet as (B, Q, K, size).

    That is by far the largest tensor. Made for a few queries at a time, it takes a fraction of the
    memory, unless gradients keep it.
    """
    queries, keys = queries.unsqueeze(2), keys.unsqueeze(1)
    if is_exporting():  # how many parts there are depends on sizes that may change later
        return score(queries, keys)
    step = max(1, _FEATURES // max(1, keys.numel()))
    parts = torch.split(queries, step, dim=1)  # each (B, step, 1, size)
    return torch.cat([score(part, keys) for part in parts], dim=1)


def perceptron(queries: Tensor, keys: Tensor, w_v: Callable[[Tensor], Tensor]) -> Tensor:
    """Score hidden units (B, Q, H) and (B, K, H): w_v makes one number of the tanh of each sum."""
    return by_queries(lambda q, k: w_v((q + k).tanh_()).squeeze(-1), queries, keys)
