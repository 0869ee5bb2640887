"""Compare our attention with PyTorch's SDPA and FlexAttention by sequence length, on one core.

Eight heads of size 64, causal, float32, without gradients; time and peak memory. The results for
all lengths are stored in a file that chapter 12 plots as ratios, and the chapter is executed again.
Flex is measured uncompiled and, if there is a C++ compiler, as one fused kernel.
"""

import functools
import json
import shutil
import warnings
from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from attention_course.measured import FOLDER
from attention_figures.languages import LANGUAGES
from attention_lib import AdditiveAttention, DotProductAttention
from benchmarks import Row
from benchmarks.measure import machine, milliseconds, peak_memory
from tools.notebooks import BOOK, execute
from tools.replacing import write

FILE = FOLDER / "attention_costs.json"
CHAPTERS = [BOOK / lang / "12-scores-today.ipynb" for lang in LANGUAGES]
LENGTHS, HEADS, SIZE = [128, 256, 512, 1024, 2048], 8, 64
LENGTH, HIDDENS = 256, 16  # for the additive score
MIN_RUN_TIME = 0.5  # seconds
FUSED = shutil.which("g++") is not None

Series = dict[str, dict[str, list[float]]]  # unit → way → a number for each length


def rows() -> Iterator[Row]:
    """Yield time and memory at the greatest length, as ratios to SDPA; then store all lengths."""
    series: Series = {"ms": {}, "MiB": {}}
    for length in LENGTHS:
        for name, call in calls(length).items():
            call()  # warm-up, compiles if necessary
            for unit, value in (
                ("ms", milliseconds(call, MIN_RUN_TIME)),
                ("MiB", peak_memory(call)),
            ):
                series[unit].setdefault(name, []).append(float(f"{value:.3g}"))
    for name in series["ms"]:
        if name != "sdpa":
            what = f"`{name}` against `scaled_dot_product_attention`, {LENGTHS[-1]} tokens, causal"
            for unit, of in (("ms", "time on one core"), ("MiB", "peak memory")):
                yield Row(f"{what}: {of}", unit, series[unit][name][-1], series[unit]["sdpa"][-1])
    additive = {
        name: float(f"{milliseconds(call, MIN_RUN_TIME):.3g}")
        for name, call in additive_calls(LENGTH).items()
    }
    if FUSED:
        what = f"additive score, fused by Flex against ours, {LENGTH} words, H = {HIDDENS}"
        yield Row(f"{what}: time on one core", "ms", additive["flex, fused"], additive["ours"])
    _store(series, additive)
    for chapter in CHAPTERS:
        execute(chapter)


def calls(length: int) -> dict[str, Callable[[], Tensor]]:
    """Return causal attention in each implementation, (1, HEADS, length, SIZE)."""
    queries, keys, values = torch.randn(3, 1, HEADS, length, SIZE)
    ours = DotProductAttention()
    lengths = torch.arange(1, length + 1).expand(HEADS, length)
    mask = create_block_mask(_causal, None, None, length, length, device="cpu")

    @torch.no_grad()
    def by_us() -> Tensor:
        output: Tensor = ours(queries[0], keys[0], values[0], lengths)
        return output[None]

    @torch.no_grad()
    def by_sdpa() -> Tensor:
        return F.scaled_dot_product_attention(queries, keys, values, is_causal=True)

    @torch.no_grad()
    def by_flex() -> Tensor:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "flex_attention called without torch.compile")
            output: Tensor = flex_attention(queries, keys, values, block_mask=mask)
        return output

    ways = {"ours": by_us, "sdpa": by_sdpa, "flex": by_flex}
    if FUSED:
        torch._dynamo.reset()
        fused = torch.compile(flex_attention, dynamic=False)
        ways["flex, fused"] = torch.no_grad()(lambda: fused(queries, keys, values, block_mask=mask))
    return ways


def additive_calls(length: int) -> dict[str, Callable[[], Tensor]]:
    """Return additive attention by its formula and fused, if possible: (1, length, SIZE).

    Flex fuses scalar functions only, so the sum over hidden units is unrolled; torch 2.13.0 cannot
    compile it as a product with w_v.
    """
    ours = AdditiveAttention(SIZE, SIZE, HIDDENS).requires_grad_(False)
    queries, keys, values = torch.randn(3, 1, length, SIZE)
    hidden_q, hidden_k, w_v = ours.W_q(queries), ours.W_k(keys), ours.w_v.weight[0]
    ways: dict[str, Callable[[], Tensor]] = {"ours": lambda: ours(queries, keys, values)}

    def additive(score: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
        terms = (w_v[u] * torch.tanh(hidden_q[b, i, u] + hidden_k[b, j, u]) for u in range(HIDDENS))
        return functools.reduce(torch.add, terms)

    if FUSED:
        torch._dynamo.reset()
        fused = torch.compile(flex_attention, dynamic=False)
        inputs = hidden_q[:, None], hidden_k[:, None], values[:, None]
        ways["flex, fused"] = lambda: fused(*inputs, score_mod=additive)[:, 0]
        ways["flex, fused"]()  # compiles
    return ways


def _causal(batch: Tensor, head: Tensor, query: Tensor, key: Tensor) -> Tensor:
    return query >= key


def _store(series: Series, additive: dict[str, float]) -> None:
    stored = {"machine": machine(), "length": LENGTHS, **series, "additive": additive}
    FILE.parent.mkdir(exist_ok=True)
    write(FILE, json.dumps(stored, indent=1) + "\n")
