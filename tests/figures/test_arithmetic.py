"""The browser computes what torch computes, in float64."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from agreement import assert_close, in_browser, state
from alignment_examples import random_alignment
from figure_examples import scaling, steps
from playwright.sync_api import Page
from random_figures import (
    random_attention,
    random_comparison,
    random_dropout,
    random_regression,
    random_scaling,
    random_scoring,
)

# Of each kind: random states, how many, the module and the function that compute its stages.
AGREEMENTS = {
    "attention": (random_attention, 200, "attention", "attentionStages"),
    "kernel": (random_regression, 280, "kernels", "kernelStages"),
    "score": (random_scoring, 360, "score", "scoreStages"),
    "scaling": (random_scaling, 240, "scaling", "scalingStages"),
    "comparison": (random_comparison, 240, "comparison", "comparisonStages"),
    "dropout": (random_dropout, 280, "dropout_stages", "dropoutStages"),
    "alignment": (random_alignment, 300, "alignment", "alignmentStages"),
}
# What the page calls otherwise than torch. Its lengths are those of rows, as a mere list.
NAMES = {"weights": "attention_weights", "lengths": "row_lengths"}
# The page's own; values, where they are but state.
ONLY_HERE = {"lengths", "place", "values", "kept", "distances", "words", "scores", "mask"}


@pytest.mark.parametrize("kind", AGREEMENTS)
def test_the_browser_agrees_with_torch_on_random_states(
    page: Page, sources_url: str, kind: str
) -> None:
    make, number, module, function = AGREEMENTS[kind]
    figures = [make(seed) for seed in range(number)]
    if kind == "scaling":
        figures += [scaling(), scaling(scaled=False)]  # as large as in the chapter
    states = [state(figure) for figure in figures]
    results = in_browser(page, sources_url, module, function, states)
    for figure, result in zip(figures, results, strict=True):
        expected = figure.stages()
        for here, numbers in result.items():
            there = NAMES.get(here, re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", here))
            if there in expected:
                assert_close(numbers, expected[there])
            else:
                assert here in ONLY_HERE
        assert "weights" in result


def test_many_random_queries_have_no_key_in_reach() -> None:
    weights = [random_regression(seed).attention_weights for seed in range(280)]
    assert sum(not own.any() for own in weights) > 20


def test_many_random_sentences_are_empty_or_long_or_hold_unknown_words() -> None:
    figures = [random_alignment(seed) for seed in range(300)]
    sizes = [sorted(figure.attention_weights.shape[1:]) for figure in figures]
    assert sum(least == 0 for least, _ in sizes) > 30
    assert sum(least > 4 for least, _ in sizes) > 30
    assert sum(most > 16 for _, most in sizes) > 30
    unknown = [figure.vocabulary.unknown(figure.premise) for figure in figures]
    assert sum(bool(words) for words in unknown) > 100


def test_the_worked_example_gives_the_weights_computed_by_hand() -> None:
    by_hand = [
        [[0.646, 0.354, 0, 0], [0.354, 0.646, 0, 0]],  # 1 / (1 + exp(-0.6))
        [[0.360, 0.242, 0.398, 0], [0.407, 0.369, 0.224, 0]],
    ]
    assert (steps().attention_weights - torch.tensor(by_hand)).abs().max() < 0.0006


@pytest.mark.parametrize(
    ("module", "function", "arguments", "expected"),
    [
        ("arithmetic", "dot", [[1, 2, 3], [4, 5, 6]], 32),
        ("arithmetic", "transpose", [[[1, 2, 3], [4, 5, 6]]], [[1, 4], [2, 5], [3, 6]]),
        ("arithmetic", "extent", [[[[3, 1], [-1, 2]]]], [-1, 3]),
        ("arithmetic", "rowLengths", [[1, 2], 3], [[1, 1, 1], [2, 2, 2]]),
        ("arithmetic", "rowLengths", [[[1, 0], [2, 3]], 2], [[1, 0], [2, 3]]),
        ("arithmetic", "exponentials", [[5, 5, 9], 2], {"terms": [1, 1, 0], "sum": 2}),
        ("arithmetic", "exponentials", [[5, 5], 0], {"terms": [0, 0], "sum": 0}),
        ("dropout_stages", "runningMeans", [[[[2, 4]], [[4, 0]]]], [[[2, 4]], [[3, 2]]]),
        ("lengths", "withLength", [[2, 3], 1, 0, 4], [2, 4]),
        ("lengths", "withLength", [[[1, 3], [2, 4]], 0, 1, 0], [[1, 0], [2, 4]]),
        ("lengths", "inForm", [[2, 3], True, 2], [[2, 2], [3, 3]]),
        ("lengths", "inForm", [[[1, 3], [2, 0]], False, 2], [3, 2]),
        ("edges", "lengthAt", [149, {"left": 100, "width": 200}, 4], 1),
        ("edges", "lengthAt", [-5, {"left": 100, "width": 200}, 4], 0),
        ("edges", "lengthAt", [999, {"left": 100, "width": 200}, 4], 4),
        ("number_grid", "entry", [{"value": "1.5", "valueAsNumber": 1.5}], 1.5),
        ("number_grid", "entry", [{"value": "", "valueAsNumber": 0}], None),
        ("number_grid", "entry", [{"value": "1001", "valueAsNumber": 1001}], None),
        ("number_grid", "entry", [{"value": "0.12345678", "valueAsNumber": 0.12345678}], 0.1235),
        ("number_grid", "dragged", [0.25, 13], 0.45),
        ("number_grid", "dragged", [0, -99999], -1000),
        ("colours", "colourRange", [[[[1, 5], [2, 3]]]], [1, 5]),
        ("colours", "colourRange", [[[[2, 2.004]]]], [2, 2.1]),  # both read 2.00
        ("colours", "colourRange", [[[[5000, 5001]]]], [5000, 5500.1]),  # both read 5.0e3
        ("colours", "shade", [3, [1, 5]], 32),
        ("colours", "shade", [9, [1, 5]], 64),
        ("colours", "shade", [2, [2, 2]], 0),
        ("dom", "formatNumber", [0], "0"),
        ("dom", "formatNumber", [-0.004], "0.00"),
        ("dom", "formatNumber", [-0.256], "−0.26"),
        ("dom", "formatNumber", [12345], "1.2e4"),
    ],
)
def test_functions_give_hand_computed_results(
    js: Callable[..., object], module: str, function: str, arguments: list[Any], expected: object
) -> None:
    assert js(module, function, *arguments) == expected
