"""Compare masked_softmax with other forms: time on a CPU, float32, lengths from 1 to K.

The textbook form is in `benchmarks.textbook`. The plain form fills padding with minus infinity and
calls torch.softmax, as masked_softmax itself does for small scores; rows without keys give NaN.
"""

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from attention_lib import length_mask, masked_softmax
from benchmarks import Row, textbook
from benchmarks.measure import medians
from tools import limits

CASES = [  # batch, queries, keys, repeats
    (32, 128, 128, 300),
    (8, 1024, 1024, 30),
]
LARGE = [(8, 1024, 1024), (4, 1000, 1000)]


def rows() -> Iterator[Row]:
    """Yield ratios to the textbook form, with and without the clone that its callers need."""
    for batch, queries, keys, repeats in CASES:
        X = torch.randn(batch, queries, keys)
        one_each = torch.randint(1, keys + 1, (batch,))
        yield from _compare(
            X, one_each, "a length per example", limits.SOFTMAX_PER_EXAMPLE, repeats
        )
        per_query = torch.randint(1, keys + 1, (batch, queries))
        yield from _compare(X, per_query, "a length per query", limits.SOFTMAX_PER_QUERY, repeats)
    for shape in LARGE:
        X, one_each = torch.randn(shape), torch.randint(1, shape[2] + 1, shape[:1])
        forms = partial(masked_softmax, X, one_each), partial(plain, X, one_each)
        ours, baseline = medians(*forms, repeats=30)
        what = f"`masked_softmax` {shape}, a length per example: time, plain form"
        yield Row(what, "ms", ours, baseline, limits.SOFTMAX_IN_PLACE)


def plain(X: Tensor, valid_lens: Tensor) -> Tensor:
    """(B, Q, K) scores, (B,) lengths → (B, Q, K), by a mask and a softmax of the whole."""
    keep = length_mask(valid_lens, X.shape[1], X.shape[2])
    return torch.softmax(torch.where(keep, X, -torch.inf), dim=-1)


def _compare(
    X: Tensor, valid_lens: Tensor, lengths: str, limit: float, repeats: int
) -> Iterator[Row]:
    spoilt = X.clone()
    ours, cloned, bare = medians(
        lambda: masked_softmax(X, valid_lens),
        lambda: textbook.masked_softmax(X.clone(), valid_lens),
        lambda: textbook.masked_softmax(spoilt, valid_lens),
        repeats=repeats,
    )
    what = f"`masked_softmax` {tuple(X.shape)}, {lengths}"
    yield Row(f"{what}: time", "ms", ours, cloned, limit)
    yield Row(f"{what}: time, textbook form without its clone", "ms", ours, bare)
