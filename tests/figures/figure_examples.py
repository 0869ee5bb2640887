"""Figures for the tests, one of each kind."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from alignment_examples import alignment

import attention_lib.figures
from attention_lib import AdditiveAttention
from attention_lib.figures import (
    AttentionFigure,
    ComparisonFigure,
    DropoutFigure,
    EmptyRowFigure,
    Figure,
    FillFigure,
    KernelFigure,
    LeakFigure,
    MaskedSoftmaxFigure,
    PaddingFigure,
    PoolingFigure,
    ScalingFigure,
    ScoreFigure,
    StaircaseFigure,
)

SOURCES = Path(attention_lib.figures.__file__).parent / "js"
START = [
    [[0.8, 0.2, 0.9, 0.4], [0.1, 0.7, 0.3, 0.5]],
    [[0.6, 0.2, 0.7, 0.1], [0.9, 0.8, 0.3, 0.4]],
]


def tensors(nested: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the arguments of a figure, some of them changed."""
    return {name: torch.tensor(x) for name, x in nested.items()} | changes


def steps(lang: str = "en", step: int = 5) -> MaskedSoftmaxFigure:
    """Return the chapter's example."""
    return MaskedSoftmaxFigure(torch.tensor(START), [2, 3], lang=lang, step=step)


def pipeline(lang: str = "en") -> AttentionFigure:
    """Return a small additive figure with three choices of num_hiddens."""
    torch.manual_seed(0)
    modules = [AdditiveAttention(3, 5, hiddens) for hiddens in (1, 4, 16)]
    inputs = torch.randn(2, 2, 5), torch.randn(2, 4, 3), torch.randn(2, 4, 2)
    return AttentionFigure(modules, *inputs, [2, 3], lang=lang)


LOOK_UP = {
    "queries": [[[0.5, 0.5], [-1.5, 1.0]]],
    "keys": [[[1.0, 1.2], [-1.0, 0.0], [2.0, -1.0], [-2.0, 2.0]]],
    "values": [[[4.0], [1.0], [3.0], [0.5]]],
}


def look_up(lang: str = "en", temperature: float = 1.0) -> PoolingFigure:
    """Return two queries among four keys in the plane."""
    return PoolingFigure(**tensors(LOOK_UP), temperature=temperature, lang=lang)


REGRESSION = {
    "keys": [[[0.5], [1.0], [2.0], [3.5], [4.0]]],
    "values": [[[1.0], [2.0], [3.0], [2.5], [1.5]]],
    "query": [[[1.5]]],
}


def regression(lang: str = "en", kernel: str = "gaussian", w: float = 1.0) -> KernelFigure:
    """Return five training points and a query."""
    return KernelFigure(**tensors(REGRESSION), kernel=kernel, w=w, lang=lang)


SCORING = {
    "queries": [[[3.0, 4.0]]],
    "keys": [[[3.0, 4.0], [6.0, 8.0], [-4.0, 3.0], [0.0, 0.0]]],
    "values": [[[1.0, 0.0], [2.0, 1.0], [3.0, 0.5], [4.0, -1.0]]],
    "W_q": [[1.0, 0.0], [0.5, -1.0], [0.0, 1.0]],
    "W_k": [[-1.0, 0.0], [0.5, 1.0], [1.0, -1.0]],
    "w_v": [[1.0, -0.5, 2.0]],
    "W": [[0.0, 1.0], [0.0, 0.0]],
}


def scoring(lang: str = "en", score: str = "dot") -> ScoreFigure:
    """Return a query, keys in its direction and across it, and a key of 0."""
    return ScoreFigure(**tensors(SCORING), score=score, lang=lang)


def scaling(lang: str = "en", d: int = 64, scaled: bool = True) -> ScalingFigure:
    """Return a figure of the size that the chapter has."""
    draws = torch.Generator().manual_seed(6)
    inputs = (torch.randn(1, 16, 128, generator=draws).round(decimals=2) for _ in range(2))
    return ScalingFigure(*inputs, d=d, scaled=scaled, lang=lang)


def small_scaling(d: int | None = None, scaled: bool = True) -> ScalingFigure:
    """Return one query (2, 0, 0, 0) and the keys (1, 0, 0, 0) and 0."""
    keys = torch.zeros(1, 2, 4)
    keys[0, 0, 0] = 1
    return ScalingFigure(2 * keys[:, :1], keys, d=d, scaled=scaled)


DROPOUT = {
    "scores": [[[2.0, 1.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 3.0, 1.0, 0.0]]],
    "values": [[[4.0, 1.0], [1.0, 0.0], [3.0, -1.0], [0.5, 2.0]]],
    "draws": [
        [[0.95, 0.25, 0.4, 0.75], [0.0, 0.85, 0.39, 0.5], [0.2, 0.45, 0.62, 0.52]],
        [[0.1, 0.92, 0.33, 0.01], [0.99, 0.49, 0.74, 0.66], [0.88, 0.15, 0.08, 0.59]],
        [[0.56, 0.47, 0.71, 0.9], [0.31, 0.22, 0.05, 0.97], [0.64, 0.8, 0.5, 0.19]],
    ],
}


def dropout(lang: str = "en", p: float = 0.5, draw: int = 1) -> DropoutFigure:
    """Return three queries among four keys, and three draws."""
    return DropoutFigure(**tensors(DROPOUT), p=p, draw=draw, lang=lang)


COMPARING = {
    "queries": [[[1.0, 0.5]]],
    "keys": [[[1.5, 0.5], [3.0, 1.0], [0.5, -1.0], [-1.0, 0.5]]],
    **{name: SCORING[name] for name in ("W_q", "W_k", "w_v", "W")},
}


def comparison(lang: str = "en") -> ComparisonFigure:
    """Return a query, a key near it, one twice as long, and two others."""
    return ComparisonFigure(**tensors(COMPARING), lang=lang)


def padding(lang: str = "en") -> PaddingFigure:
    """Return two words, and as much padding."""
    words = {"en": ["the", "train"], "zh": ["火车", "晚点"]}[lang]
    return PaddingFigure(words, torch.tensor([0.8, 0.2, 0.9, 0.4]), valid_len=3, lang=lang)


def staircase(lang: str = "en") -> StaircaseFigure:
    """Return three words, each of which reads those up to itself."""
    words = {"en": ["the", "train", "left"], "zh": ["火车", "已经", "开走"]}[lang]
    scores = torch.tensor([[0.8, 0.2, 0.9], [0.1, 0.7, 0.3], [0.6, 0.2, 0.7]])
    return StaircaseFigure(words, scores, lang=lang)


def fill(lang: str = "en") -> FillFigure:
    """Return scores as low as the fill."""
    return FillFigure(torch.tensor([0.8, 0.2, 0.9, 0.4]), 2, level=-1e6, lang=lang)


def empty_row(lang: str = "en") -> EmptyRowFigure:
    """Return a row of which half counts."""
    return EmptyRowFigure(torch.tensor([0.8, 0.2, 0.9, 0.4]), 2, lang=lang)


def leak(lang: str = "en") -> LeakFigure:
    """Return a row whose padding holds a number."""
    scores, values = torch.tensor([[0.8, 0.2, 0.9, 0.4], [1.0, 2.0, 0.0, 0.0]])
    return LeakFigure(scores, values, 2, held="5", lang=lang)


EXAMPLES: dict[str, Callable[[str], Figure]] = {
    "steps": steps,
    "pipeline": pipeline,
    "look_up": look_up,
    "regression": regression,
    "scoring": scoring,
    "scaling": scaling,
    "dropout": dropout,
    "comparison": comparison,
    "alignment": alignment,
    "padding": padding,
    "empty_row": empty_row,
    "leak": leak,
    "staircase": staircase,
    "fill": fill,
}
