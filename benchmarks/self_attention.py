"""Measure multi-head self-attention for twice the sequence length: float32, on a CPU.

Time and memory are quadratic in the length. Peak memory is exact and reproducible, so it has a
limit; time has none, since larger weights also exceed the CPU caches.
"""

from collections.abc import Iterator

import torch

from attention_lib import MultiHeadAttention
from benchmarks import Row
from benchmarks.measure import medians, peak_memory
from tools import limits

SIZE, HEADS = 16, 2
LENGTHS = 1024, 2048


def rows() -> Iterator[Row]:
    """Yield rows without gradients: the longer text, compared with the shorter."""
    attention = MultiHeadAttention(SIZE, SIZE, SIZE, num_hiddens=SIZE, num_heads=HEADS)
    short, long = (torch.randn(1, length, SIZE) for length in LENGTHS)

    def read(x: torch.Tensor) -> torch.Tensor:
        output: torch.Tensor = attention(x, x, x)
        return output

    where = f"`MultiHeadAttention` ({HEADS} heads), {LENGTHS[1]} words for {LENGTHS[0]}"
    with torch.no_grad():
        more, less = peak_memory(lambda: read(long)), peak_memory(lambda: read(short))
        later, sooner = medians(lambda: read(long), lambda: read(short), repeats=15)
    yield Row(f"{where}: peak memory", "MiB", more, less, limits.TWICE_AS_LONG)
    yield Row(f"{where}: time", "ms", later, sooner)
