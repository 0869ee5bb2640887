"""Compare masked_softmax with the textbook form: time on a CPU, float32, lengths from 1 to K."""

from collections.abc import Iterator

import torch
from torch import Tensor

from attention_lib import masked_softmax
from benchmarks import Row, textbook
from benchmarks.measure import medians
from tools import limits

CASES = [  # batch, queries, keys, repeats
    (32, 128, 128, 300),
    (8, 1024, 1024, 30),
]


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
