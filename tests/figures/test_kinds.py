"""The kinds of `web/kinds`: their stages, in Node, are those of torch on random states."""

from collections.abc import Callable

import kit
import pytest
import torch
from agreement import assert_close, state
from node import told, told_each
from random_figures import random_look_up, random_softmax

from attention_lib.figures import (
    Figure,
    FillFigure,
    PaddingFigure,
    StaircaseFigure,
    bundle,
)


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


RANDOM: dict[str, Callable[[int], Figure]] = {
    "masked_softmax": random_softmax,
    "padding": random_padding,
    "staircase": random_staircase,
    "fill": random_fill,
    "pooling": random_look_up,
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


@pytest.mark.parametrize("scale", [0, 1e-6, 0.01, 1, 1000, 1e9])
def test_numbers_are_printed_as_torch_prints_them(scale: float) -> None:
    torch.manual_seed(0)
    for shape in ((1, 1, 4), (2, 3, 5), (3,)):
        x = scale * torch.randn(shape)
        for tensor in (x + 0.0, x.round() + 0.0, x.abs().clamp(max=1)):  # no −0, which JSON loses
            text = told("core/format.ts", "torchText", tensor.double().tolist())
            assert text == str(tensor)


def test_float16_is_torchs() -> None:
    torch.manual_seed(0)
    x = torch.randn(3000, dtype=torch.float64) * 10 ** torch.randint(-9, 6, (3000,))
    x = torch.cat([x, torch.tensor([0.0, 65504, 65519, 65520, -7e4, 2**-24, 2**-25, 1 + 2**-11])])
    calls = [(number,) for number in x.tolist()]
    held = torch.tensor([float(y) for y in told_each("maths/half.ts", "half", calls)])
    assert torch.equal(held.half(), x.half())
    assert torch.equal(held.double(), x.half().double())
