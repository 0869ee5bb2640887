"""Compute scores that need a (B, Q, K, size) tensor in chunks of queries, to save memory."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib._transforms import is_exporting

_FEATURES = 2**22  # numbers held at once: 16 MiB of float32


def by_queries(score: Callable[[Tensor, Tensor], Tensor], queries: Tensor, keys: Tensor) -> Tensor:
    """Score queries (B, Q, size) and keys (B, K, size), combined as (B, Q, K, size).

    That tensor is by far the largest. Computing it for a few queries at a time takes a fraction of
    the memory, unless autograd stores it.
    """
    queries, keys = queries.unsqueeze(2), keys.unsqueeze(1)
    if is_exporting():  # a graph would fix the number of chunks, but sizes may change
        return score(queries, keys)
    step = max(1, _FEATURES // max(1, keys.numel()))
    parts = torch.split(queries, step, dim=1)  # each (B, step, 1, size)
    return torch.cat([score(part, keys) for part in parts], dim=1)


def perceptron(queries: Tensor, keys: Tensor, w_v: Callable[[Tensor], Tensor]) -> Tensor:
    """Score hidden units (B, Q, H) and (B, K, H): w_v maps the tanh of each sum to one number."""
    return by_queries(lambda q, k: w_v((q + k).tanh_()).squeeze(-1), queries, keys)
