"""The kinds of `web/kinds`: their stages, in Node, are those of torch on random states."""

from collections.abc import Callable

import kit
import pytest
import torch
from agreement import assert_close, state
from random_figures import random_softmax

from attention_lib.figures import Figure, PaddingFigure, bundle


def random_padding(seed: int) -> PaddingFigure:
    """Return scores of random size, with any number of words and any length."""
    torch.manual_seed(seed)
    num_keys = int(torch.randint(1, 12, ()))
    words = [f"w{k}" for k in range(int(torch.randint(num_keys, ())) + 1)]
    scores = torch.randn(num_keys) * 10 ** (seed % 5 - 2)
    return PaddingFigure(words, scores, seed % len(words), int(torch.randint(num_keys + 1, ())))


RANDOM: dict[str, Callable[[int], Figure]] = {
    "masked_softmax": random_softmax,
    "padding": random_padding,
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
