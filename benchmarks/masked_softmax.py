"""masked_softmax against the textbook form: time on a CPU, float32, lengths from 1 to K."""

from collections.abc import Iterator

import torch

from attention_lib import masked_softmax
from benchmarks import Row, textbook
from benchmarks.measure import medians

CASES = [  # batch, queries, keys, repeats
    (32, 128, 128, 300),
    (8, 1024, 1024, 30),
]


def rows() -> Iterator[Row]:
    """Ratios to the textbook form on a clone, which its caller has to pay, and without it."""
    for batch, queries, keys, repeats in CASES:
        for per, shape, limit in (
            ("example", (batch,), 1.0),
            ("query", (batch, queries), 1.3),
        ):
            yield from _rows(
                torch.randn(batch, queries, keys), shape, f"a length per {per}", limit, repeats
            )


def _rows(
    X: torch.Tensor, shape: tuple[int, ...], lengths: str, limit: float, repeats: int
) -> Iterator[Row]:
    valid_lens = torch.randint(1, X.shape[2] + 1, shape)
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
