"""Test that the stages of all kinds, computed in Node, are those of torch on random states."""

from typing import Any

import figures_in_node
import pytest
import torch
from agreement import assert_close, state
from alignment_examples import random_alignment
from figure_examples import RANDOM, random_regression
from node import call_each_in_node, call_in_node

from attention_figures import bundle


@pytest.mark.parametrize("kind", RANDOM)
def test_its_stages_are_those_of_torch(kind: str) -> None:
    figures = [RANDOM[kind](seed) for seed in range(60)]
    computed = figures_in_node.stages([state(figure) for figure in figures])
    for figure, stages in zip(figures, computed, strict=True):
        for name, expected in figure.stages().items():
            if name not in figure.trait_names(state=True):
                assert_close(stages[name], expected)


def test_many_random_sentences_are_empty_or_long_or_hold_unknown_words() -> None:
    figures = [random_alignment(seed) for seed in range(200)]
    sizes = [sorted(figure.attention_weights.shape[1:]) for figure in figures]
    assert sum(least == 0 for least, _ in sizes) > 20
    assert sum(least > 4 for least, _ in sizes) > 20
    assert sum(most > 16 for _, most in sizes) > 20
    unknown = [figure.vocabulary.unknown(figure.premise) for figure in figures]
    assert sum(bool(words) for words in unknown) > 60


def test_many_random_queries_have_no_key_in_reach() -> None:
    weights = [random_regression(seed).attention_weights for seed in range(200)]
    assert sum(not own.any() for own in weights) > 15


def test_every_kind_is_compared() -> None:
    assert RANDOM.keys() == set(bundle.all_kinds())


@pytest.mark.parametrize(
    ("function", "arguments", "expected"),
    [
        ("withLength", [[2, 3], 1, 0, 4], [2, 4]),
        ("withLength", [[[1, 3], [2, 4]], 0, 1, 0], [[1, 0], [2, 4]]),
        ("inForm", [[2, 3], True, 2], [[2, 2], [3, 3]]),
        ("inForm", [[[1, 3], [2, 0]], False, 2], [3, 2]),
    ],
)
def test_lengths_keep_their_form_or_change_it(
    function: str, arguments: list[Any], expected: list[Any]
) -> None:
    assert call_in_node("controls/lengths.tsx", function, *arguments) == expected


@pytest.mark.parametrize("scale", [0, 1e-6, 0.01, 1, 1000, 1e9])
def test_numbers_are_printed_as_torch_prints_them(scale: float) -> None:
    torch.manual_seed(0)
    for shape in ((1, 1, 4), (2, 3, 5), (3,)):
        x = scale * torch.randn(shape)
        for tensor in (x + 0.0, x.round() + 0.0, x.abs().clamp(max=1)):  # no −0, which JSON loses
            text = call_in_node("core/format.ts", "torchText", tensor.double().tolist())
            assert text == str(tensor)


def test_float16_is_torchs() -> None:
    torch.manual_seed(0)
    x = torch.randn(3000, dtype=torch.float64) * 10 ** torch.randint(-9, 6, (3000,))
    x = torch.cat([x, torch.tensor([0.0, 65504, 65519, 65520, -7e4, 2**-24, 2**-25, 1 + 2**-11])])
    calls = [(number,) for number in x.tolist()]
    held = torch.tensor([float(y) for y in call_each_in_node("maths/half.ts", "half", calls)])
    assert torch.equal(held.half(), x.half())
    assert torch.equal(held.double(), x.half().double())
