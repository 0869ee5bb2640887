"""Compare AdditiveAttention with the textbook form: time and peak memory on a CPU, float32."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from attention_lib import AdditiveAttention
from benchmarks import Row, textbook
from benchmarks.measure import medians, peak_memory
from tools import limits

BATCH, QUERIES, KEYS, SIZE, HIDDENS = 8, 256, 256, 64, 128
WHERE = f"`AdditiveAttention` ({BATCH}, {QUERIES}, {KEYS}), {HIDDENS} hidden"


def rows() -> Iterator[Row]:
    """Yield rows without gradients, then forward and backward."""
    attention = AdditiveAttention(SIZE, SIZE, HIDDENS)
    queries, keys, values = (torch.randn(BATCH, n, SIZE) for n in (QUERIES, KEYS, KEYS))
    case = queries, keys, values, torch.randint(1, KEYS + 1, (BATCH,))
    with torch.no_grad():
        yield from _compare(
            "no gradients",
            lambda: attention(*case),
            lambda: textbook.additive_attention(attention, *case),
            memory_limit=limits.ADDITIVE_MEMORY,
        )
    leaves = [x.requires_grad_() for x in case[:3]] + list(attention.parameters())

    def gradients(output: Tensor) -> object:
        return torch.autograd.grad(output.sum(), leaves)

    yield from _compare(
        "forward and backward",
        lambda: gradients(attention(*case)),
        lambda: gradients(textbook.additive_attention(attention, *case)),
        memory_limit=limits.ADDITIVE_MEMORY_TRAINED,
    )


def _compare(
    mode: str, ours: Callable[[], object], theirs: Callable[[], object], memory_limit: float
) -> Iterator[Row]:
    measured, baseline = medians(ours, theirs, repeats=11)
    yield Row(f"{WHERE}, {mode}: time", "ms", measured, baseline, limit=limits.ADDITIVE_TIME)
    measured, baseline = peak_memory(ours), peak_memory(theirs)
    yield Row(f"{WHERE}, {mode}: peak memory", "MiB", measured, baseline, memory_limit)
