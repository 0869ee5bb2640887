"""Compare attention without weights with PyTorch's SDPA under the same mask: time and peak memory.

Eight heads of size 64, 2,048 tokens, float32, on a CPU. The mask of SDPA is made beforehand,
in the form that it takes: bool, or `is_causal`. Training computes gradients of all inputs.
"""

from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_lib import DotProductAttention, MultiHeadAttention, length_mask
from benchmarks import Row
from benchmarks.measure import medians, peak_memory
from tools import limits

LENGTH, HEADS, SIZE, REPEATS = 2048, 8, 64, 25
Call = Callable[[], object]


def rows() -> Iterator[Row]:
    """Yield time and memory for each kind of lengths, without gradients, then with them."""
    for name, lens in lengths(LENGTH).items():
        for trained in (False, True):
            yield from _compare(f"{name}{', trained' * trained}", *calls(LENGTH, lens, trained))
    yield from _compare("multi-head, a length per query", *multi_head_calls(LENGTH))


def lengths(length: int) -> dict[str, Tensor]:
    """Return the kinds of lengths that are compared, for HEADS examples."""
    per_query = torch.randint(1, length + 1, (HEADS, length))
    return {
        "a length per example": torch.randint(1, length + 1, (HEADS,)),
        "a length per query": per_query,
        "causal": torch.arange(1, length + 1).expand(HEADS, length),
    }


def calls(length: int, lens: Tensor, trained: bool) -> tuple[Call, Call]:
    """Return our call and SDPA's, each for HEADS examples (length, SIZE)."""
    inputs = [torch.randn(HEADS, length, SIZE, requires_grad=trained) for _ in range(3)]
    queries, keys, values = inputs
    attention = DotProductAttention()
    causal = lens.dim() == 2 and torch.equal(lens[0], torch.arange(1, length + 1))
    mask = None if causal else length_mask(lens, length, length).unsqueeze(1)

    def ours() -> Tensor:
        output: Tensor = attention(queries, keys, values, lens, need_weights=False)
        return output

    def theirs() -> Tensor:
        q, k, v = (x.unsqueeze(1) for x in inputs)  # without heads, nothing is fused on a CPU
        return F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal).squeeze(1)

    return _with_gradients(ours, inputs), _with_gradients(theirs, inputs)


def multi_head_calls(length: int) -> tuple[Call, Call]:
    """Return our call and the same projections around SDPA, for one example of HEADS heads."""
    size = HEADS * SIZE
    attention = MultiHeadAttention(size, size, size, size, HEADS).requires_grad_(False)
    x, lens = torch.randn(1, length, size), torch.randint(1, length + 1, (1, length))
    mask = length_mask(lens, length, length).unsqueeze(1)

    def theirs() -> Tensor:
        projected = (layer(x) for layer in (attention.W_q, attention.W_k, attention.W_v))
        heads = [y.reshape(1, length, HEADS, SIZE).transpose(1, 2) for y in projected]
        output = F.scaled_dot_product_attention(heads[0], heads[1], heads[2], mask)
        mixed: Tensor = attention.W_o(output.transpose(1, 2).flatten(2))
        return mixed

    return lambda: attention(x, x, x, lens, need_weights=False), theirs


def _with_gradients(call: Callable[[], Tensor], inputs: list[Tensor]) -> Call:
    if not inputs[0].requires_grad:
        return call
    return lambda: torch.autograd.grad(call().sum(), inputs)


def _compare(what: str, ours: Call, theirs: Call) -> Iterator[Row]:
    where = f"`need_weights=False` against `scaled_dot_product_attention`, {LENGTH} tokens, {what}"
    mine, baseline = medians(ours, theirs, repeats=REPEATS)
    yield Row(f"{where}: time", "ms", mine, baseline, limits.FUSED_TIME)
    mine, baseline = peak_memory(ours), peak_memory(theirs)
    yield Row(f"{where}: peak memory", "MiB", mine, baseline, limits.FUSED_MEMORY)
