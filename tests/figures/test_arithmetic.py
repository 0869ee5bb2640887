"""The browser computes what torch computes, in float64."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from agreement import assert_close, in_browser, state
from figure_examples import random_attention, steps

from attention_lib.figures import MaskedSoftmaxFigure


def test_attention_agrees_with_torch_on_random_states(page: Any, sources_url: str) -> None:
    figures = [random_attention(seed) for seed in range(200)]
    states = [state(figure) for figure in figures]
    results = in_browser(page, sources_url, "attention", "attentionStages", states)
    for figure, result in zip(figures, results, strict=True):
        expected = figure.stages()
        assert_close(result["scores"], expected["scores"])
        assert_close(result["weights"], expected["attention_weights"])
        assert_close(result["output"], expected["output"])


def random_softmax(seed: int) -> MaskedSoftmaxFigure:
    torch.manual_seed(seed)
    batch, num_queries, num_keys = torch.randint(1, 8, (3,)).tolist()
    lengths = torch.randint(0, num_keys + 1, (batch, num_queries) if seed % 2 else (batch,))
    scores = torch.randn(batch, num_queries, num_keys) * 10 ** (seed % 7 - 2)
    return MaskedSoftmaxFigure(scores, lengths)


def test_masked_softmax_agrees_with_torch_on_random_states(page: Any, sources_url: str) -> None:
    figures = [random_softmax(seed) for seed in range(200)]
    states = [state(figure) for figure in figures]
    results = in_browser(page, sources_url, "masked_softmax", "softmaxStages", states)
    names = {
        "scores": "scores",
        "mask": "mask",
        "masked": "masked_scores",
        "exponentials": "exponentials",
        "sums": "sums",
        "weights": "attention_weights",
    }
    for figure, result in zip(figures, results, strict=True):
        for here, there in names.items():
            assert_close(result[here], figure.stages()[there])


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
