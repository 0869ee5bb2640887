"""Compare masked_softmax with other forms: time on a CPU, float32, lengths from 1 to K.

The textbook form is in `benchmarks.textbook`.
"""

from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import torch
from torch import Tensor

from attention_lib import masked_softmax, masking
from benchmarks import Row, textbook
from benchmarks.measure import medians, milliseconds
from tools import limits

CASES = [  # batch, queries, keys, repeats
    (32, 128, 128, 300),
    (8, 1024, 1024, 30),
]
LARGE = [(8, 1024, 1024), (4, 1000, 1000)]
MIN_RUN_TIME = 1  # seconds


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
        X, one_each = torch.randn(shape), evenly_spaced(shape[0], shape[2])
        ours = milliseconds(partial(masked_softmax, X, one_each), MIN_RUN_TIME)
        baseline = milliseconds(partial(by_mask, X, one_each), MIN_RUN_TIME)
        what = f"`masked_softmax` {shape}, a length per example: time on one core, by a mask"
        yield Row(what, "ms", ours, baseline, limits.SOFTMAX_BY_EXAMPLE)


def evenly_spaced(batch: int, keys: int) -> Tensor:
    """Return the lengths K/B, 2K/B, …, K: random ones of so few examples vary between runs."""
    return torch.arange(1, batch + 1) * keys // batch


def by_mask(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Compute masked_softmax of any scores as it does for few of them: (B, Q, K), (B,)."""
    with patch.object(masking, "_is_large", return_value=False):
        return masked_softmax(X, valid_lens)


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
