"""The kinds of `web/kinds`: their stages, in Node, are those of torch on random states."""

from collections.abc import Callable

import kit
import pytest
import torch
from agreement import assert_close, state
from random_figures import random_softmax

from attention_lib.figures import (
    EmptyRowFigure,
    Figure,
    FillFigure,
    LeakFigure,
    PaddingFigure,
    StaircaseFigure,
    bundle,
)
from attention_lib.figures.leak import HELD


def random_padding(seed: int) -> PaddingFigure:
    """Return scores of random size, with any number of words and any length."""
    torch.manual_seed(seed)
    num_keys = int(torch.randint(1, 12, ()))
    words = [f"w{k}" for k in range(int(torch.randint(num_keys, ())) + 1)]
    scores = torch.randn(num_keys) * 10 ** (seed % 5 - 2)
    return PaddingFigure(words, scores, seed % len(words), int(torch.randint(num_keys + 1, ())))


def random_staircase(seed: int) -> StaircaseFigure:
    """Return scores of random size and lengths of any kind."""
    torch.manual_seed(seed)
    size = int(torch.randint(1, 9, ()))
    scores = torch.randn(size, size) * 10 ** (seed % 5 - 2)
    lengths = None if seed % 3 else torch.randint(size + 1, (size,))
    return StaircaseFigure([f"w{k}" for k in range(size)], scores, lengths)


def random_fill(seed: int) -> FillFigure:
    """Return scores near each fill, above and below it, in both types."""
    torch.manual_seed(seed)
    num_keys = int(torch.randint(2, 9, ()))
    scores = (torch.randn(num_keys) * 10 ** (seed % 4 - 2)).clamp(-100, 100)
    half = seed % 2 == 0
    level = [0.0, -1e4, -9995.0, -5e4, -1e6, -999_990.0, -1e7][seed % (4 if half else 7)]
    length = int(torch.randint(1, num_keys, ()))
    return FillFigure(scores, length, ["-1e4", "-1e6", "-inf"][seed % 3], level, half)


def random_empty_row(seed: int) -> EmptyRowFigure:
    """Return a row of any length, empty in one case of three."""
    torch.manual_seed(seed)
    num_keys = int(torch.randint(1, 12, ()))
    length = int(torch.randint(num_keys + 1, ())) if seed % 3 else 0
    return EmptyRowFigure(torch.randn(num_keys) * 10 ** (seed % 4 - 2), length)


def random_leak(seed: int) -> LeakFigure:
    """Return a row with any padding, cleared in one case of four."""
    torch.manual_seed(seed)
    num_keys = int(torch.randint(1, 12, ()))
    scores, values = torch.randn(2, num_keys)
    held = [*HELD][seed % len(HELD)]
    figure = LeakFigure(scores, values, int(torch.randint(num_keys + 1, ())), held)
    figure.cleared = seed % 4 == 0
    return figure


RANDOM: dict[str, Callable[[int], Figure]] = {
    "masked_softmax": random_softmax,
    "padding": random_padding,
    "staircase": random_staircase,
    "fill": random_fill,
    "empty_row": random_empty_row,
    "leak": random_leak,
}


@pytest.mark.parametrize("kind", RANDOM)
def test_its_stages_are_those_of_torch(kind: str) -> None:
    figures = [RANDOM[kind](seed) for seed in range(200)]
    computed = kit.stages([state(figure) for figure in figures])
    for figure, stages in zip(figures, computed, strict=True):
        for name, expected in figure.stages().items():
            if name not in figure.trait_names(state=True):
                assert_close(stages[name], expected)


def test_every_kind_is_compared() -> None:
    assert RANDOM.keys() == bundle.new_kinds()
