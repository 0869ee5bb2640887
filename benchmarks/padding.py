"""Measure the cost of allowing NaN in padding: attention on a CPU, float32.

The baseline is the same attention without the check of keys and values. Finite numbers only cost
the check, whose share is largest with a single query; NaN also costs a copy.
"""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn

from attention_lib import (
    AdditiveAttention,
    DecomposableAttention,
    DotProductAttention,
    decomposable,
    modules,
)
from benchmarks import Row
from benchmarks.measure import medians
from tools import limits

SIZE, HIDDENS = 64, 128
CASES: list[tuple[nn.Module, tuple[int, int, int], float, int]] = [
    # (batch, queries, keys), limit, repeats
    (AdditiveAttention(SIZE, SIZE, HIDDENS), (8, 64, 64), limits.PADDING, 101),
    (DotProductAttention(), (8, 256, 256), limits.PADDING, 101),
    (DotProductAttention(), (32, 1, 128), limits.PADDING_ONE_QUERY, 1001),
]
WORDS, VOCABULARY = (64, 12), 500
PLAIN: dict[str, Callable[..., Tensor]] = {
    "zero_padding": lambda x, *_: x,
    "weighted_sum": lambda weights, values, _: torch.bmm(weights, values),
}
OURS = [
    (vars(module), name, vars(module)[name])
    for module in (modules, decomposable)
    for name in PLAIN
    if name in vars(module)
]


def rows() -> Iterator[Row]:
    """Yield rows without gradients, then forward and backward; rows with NaN have no limit."""
    for attention, (batch, queries, keys), limit, repeats in CASES:
        case = [torch.randn(batch, n, SIZE) for n in (queries, keys, keys)]
        valid_lens = torch.randint(1, keys + 1, (batch,))
        padding = (torch.arange(keys) >= valid_lens[:, None])[:, :, None]
        spoilt = [case[0], *(x.masked_fill(padding, torch.nan) for x in case[1:])]
        where = f"`{type(attention).__name__}` ({batch}, {queries}, {keys}) with lengths"
        yield from _compare(where, attention, [*case, valid_lens], limit, repeats)
        yield from _compare(
            f"{where}, NaN in padding", attention, [*spoilt, valid_lens], None, repeats
        )
    sentences = [torch.randint(VOCABULARY, WORDS) for _ in range(2)]
    lens = [torch.randint(1, WORDS[1] + 1, WORDS[:1]) for _ in range(2)]
    model = DecomposableAttention(VOCABULARY, SIZE, HIDDENS)
    where = f"`DecomposableAttention` {WORDS} with lengths"
    yield from _compare(where, model, [*sentences, *lens], limits.PADDING_ONE_QUERY, 101)


def as_it_is(call: Callable[[], Tensor]) -> Tensor:
    """Call with the check of padding patched out."""
    for names, name, _ in OURS:  # faster than unittest.mock.patch, whose time would count
        names[name] = PLAIN[name]
    try:
        return call()
    finally:
        for names, name, ours in OURS:
            names[name] = ours


def _compare(
    where: str, attention: nn.Module, inputs: list[Tensor], limit: float | None, repeats: int
) -> Iterator[Row]:
    case = [x.clone().requires_grad_(x.is_floating_point()) for x in inputs]
    leaves = [x for x in (*case, *attention.parameters()) if x.requires_grad]

    def forward() -> Tensor:
        output: Tensor = attention(*case)
        return output

    def both() -> Tensor:
        return torch.autograd.grad(forward().sum(), leaves)[0]

    with torch.no_grad():
        ours, plain = medians(forward, lambda: as_it_is(forward), repeats=repeats)
    yield Row(f"{where}, no gradients: time", "ms", ours, plain, limit)
    ours, plain = medians(both, lambda: as_it_is(both), repeats=repeats)
    yield Row(f"{where}, forward and backward: time", "ms", ours, plain, limit)
