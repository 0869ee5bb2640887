"""What a figure cannot hold is refused with a reason, and changes nothing."""

import math
from typing import Any

import pytest
import torch
import traitlets
from figure_examples import (
    COMPARING,
    DROPOUT,
    EXAMPLES,
    LOOK_UP,
    REGRESSION,
    SCORING,
    START,
    tensors,
)

from attention_lib import AdditiveAttention, DotProductAttention
from attention_lib.figures import (
    AttentionFigure,
    ComparisonFigure,
    DropoutFigure,
    Figure,
    KernelFigure,
    MaskedSoftmaxFigure,
    PoolingFigure,
    ScalingFigure,
    ScoreFigure,
)

NAN = torch.full((2, 4, 2), torch.nan)


@pytest.mark.parametrize(
    ("kind", "trait", "wrong", "says"),
    [
        ("pipeline", "valid_lens", [2], r"\(B,\) or \(B, Q\) = \(2,\) or \(2, 2\); got \(1,\)"),
        (
            "pipeline",
            "valid_lens",
            [2, 5],
            r"must lie in 0\.\.4; got values from 2 to 5",
        ),
        ("pipeline", "valid_lens", [2.0, 3.0], "valid_lens must be an integer tensor"),
        ("pipeline", "valid_lens", "two", "must be a tensor or nested lists; got 'two'"),
        ("pipeline", "keys_", [[1.0]], r"keys_ must have shape \(2, 4, 3\); got \(1, 1\)"),
        ("pipeline", "values", NAN, "values must be finite"),
        ("pipeline", "num_hiddens", 3, r"num_hiddens must be one of \[1, 4, 16\]; got 3"),
        ("pipeline", "keys", torch.zeros(2, 4, 3).tolist(), "assign to keys_ instead"),
        ("pipeline", "name", "No Spaces", "name must be lower-case letters, digits and dashes"),
        ("steps", "step", 6, "step"),
        ("look_up", "temperature", -0.1, "temperature must be a number from 0 to 1000; got -0.1"),
        ("look_up", "temperature", 1001, "temperature must be a number from 0 to 1000; got 1001"),
        ("look_up", "temperature", math.nan, "must be a number from 0 to 1000; got nan"),
        ("look_up", "temperature", "hot", "must be a number from 0 to 1000; got 'hot'"),
        ("regression", "w", math.inf, "w must be a number from 0 to 1000; got inf"),
        ("regression", "kernel", "cubic", "kernel.*'gaussian', 'boxcar', 'epanechnikov', 'triang"),
        ("scoring", "score", "euclidean", "any of .'dot', 'scaled_dot'.*'euclidean'"),
        ("scoring", "W", [[1.0]], r"W must have shape \(2, 2\); got \(1, 1\)"),
        (
            "alignment",
            "parameters",
            {"F": [1]},
            r"must be named \['embedding.weight', .* got \['F'",
        ),
        ("scaling", "d", 3, r"d must be one of \[1, 2, 4, 8, 16, 32, 64, 128\]; got 3"),
        ("scaling", "d", 256, r"d must be one of \[1, .*128\]; got 256"),
        ("scaling", "scaled", "yes", "scaled"),
        ("comparison", "W", [[1.0]], r"W must have shape \(2, 2\); got \(1, 1\)"),
        ("comparison", "keys_", NAN[:1], "keys_ must be finite"),
        ("dropout", "p", 0.95, "p must be a number from 0 to 0.9; got 0.95"),
        ("dropout", "p", -0.1, "p must be a number from 0 to 0.9; got -0.1"),
        ("dropout", "draw", 0, r"draw must lie in 1\.\.3; got 0"),
        ("dropout", "draw", 4, r"draw must lie in 1\.\.3; got 4"),
        ("dropout", "draw", 1.5, "draw"),
        ("dropout", "draws", torch.ones(3, 3, 4), "draws .* less than 1; got 1 to 1"),
        ("dropout", "draws", -torch.rand(3, 3, 4), "draws must be at least 0 and less than 1"),
        ("dropout", "draws", torch.full((3, 3, 4), math.nan), "draws must be finite"),
        ("dropout", "draws", [[[0.5]]], r"draws must have shape \(3, 3, 4\); got \(1, 1, 1\)"),
        ("dropout", "training", "no", "training"),
    ],
)
def test_a_wrong_value_is_refused_with_a_reason_and_changes_nothing(
    kind: str, trait: str, wrong: object, says: str
) -> None:
    figure = EXAMPLES[kind]("en")
    before = getattr(figure, trait)
    with pytest.raises((ValueError, TypeError, traitlets.TraitError), match=says):
        setattr(figure, trait, wrong)
    assert getattr(figure, trait) == before


SCALING = {"queries": [[[1.0] * 4] * 2], "keys": [[[1.0] * 4] * 3]}
OF_TENSORS: dict[type[Figure], dict[str, Any]] = {
    PoolingFigure: LOOK_UP,
    KernelFigure: REGRESSION,
    ScoreFigure: SCORING,
    ScalingFigure: SCALING,
    DropoutFigure: DROPOUT,
    ComparisonFigure: COMPARING,
}


@pytest.mark.parametrize(
    ("figure", "sizes", "says"),
    [
        (PoolingFigure, {"queries": (1, 2, 3)}, r"queries must .* \(1, Q, 2\) = \(1, 2, 2\)"),
        (PoolingFigure, {"queries": (2, 2)}, r"must have shape \(1, Q, 2\); got \(2, 2\)"),
        (PoolingFigure, {"keys": (2, 4, 2)}, r"keys must .* \(1, 4, 2\); got \(2, 4, 2\)"),
        (PoolingFigure, {"values": (1, 3, 1)}, r"\(1, K, 1\) = \(1, 4, 1\); got \(1, 3, 1\)"),
        (PoolingFigure, {"keys": (1, 0, 2), "values": (1, 0, 1)}, "keys must not be empty"),
        (KernelFigure, {"query": (1, 2, 1)}, r"query must have shape \(1, 1, 1\)"),
        (KernelFigure, {"keys": (5,)}, r"keys must have shape \(1, K, 1\); got \(5,\)"),
        (KernelFigure, {"values": (1, 4, 1)}, r"\(1, K, 1\) = \(1, 5, 1\); got \(1, 4, 1\)"),
        (ScoreFigure, {"queries": (1, 2, 2)}, r"queries must .* \(1, 1, d\) = \(1, 1, 2\)"),
        (ScoreFigure, {"keys": (1, 4, 3)}, r"\(1, K, d\) = \(1, 4, 2\); got \(1, 4, 3\)"),
        (ScoreFigure, {"W_k": (4, 2)}, r"W_k must have shape \(H, d\) = \(3, 2\); got \(4, 2\)"),
        (ScoreFigure, {"w_v": (3,)}, r"w_v must have shape \(1, H\); got \(3,\)"),
        (ScoreFigure, {"W": (2, 3)}, r"W must have shape \(d, d\) = \(2, 2\); got \(2, 3\)"),
        (ScalingFigure, {"keys": (1, 3, 5)}, r"\(1, K, D\) = \(1, 3, 4\); got \(1, 3, 5\)"),
        (ScalingFigure, {"queries": (2, 2, 4)}, r"queries must have shape \(1, Q, D\)"),
        (ScalingFigure, {"queries": (1, 1, 4), "keys": (1, 1, 4)}, "give two scores at least"),
        (ComparisonFigure, {"queries": (1, 2, 2)}, r"queries must have shape \(1, 1, 2\)"),
        (ComparisonFigure, {"keys": (1, 4, 3)}, r"\(1, K, 2\) = \(1, 4, 2\); got \(1, 4, 3\)"),
        (ComparisonFigure, {"W_k": (4, 2)}, r"\(H, 2\) = \(3, 2\); got \(4, 2\)"),
        (ComparisonFigure, {"W": (2, 3)}, r"W must have shape \(2, 2\) .*; got \(2, 3\)"),
        (ComparisonFigure, {"keys": (1, 0, 2)}, "keys must not be empty"),
        (DropoutFigure, {"values": (1, 3, 2)}, r"\(1, K, V\) = \(1, 4, 2\); got \(1, 3, 2\)"),
        (DropoutFigure, {"draws": (2, 4, 3)}, r"\(N, Q, K\) = \(2, 3, 4\); got \(2, 4, 3\)"),
        (DropoutFigure, {"draws": (3, 4)}, r"draws must have shape \(N, Q, K\)"),
        (DropoutFigure, {"draws": (0, 3, 4)}, r"draws must not be empty; got \(0, 3, 4\)"),
        (ScalingFigure, {"queries": (1, 2, 0), "keys": (1, 2, 0)}, "queries must not be empty"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(
    figure: type[Figure], sizes: dict[str, tuple[int, ...]], says: str
) -> None:
    others = {name: torch.zeros(size) for name, size in sizes.items()}
    with pytest.raises(ValueError, match=says):
        figure(**tensors(OF_TENSORS[figure], **others))


@pytest.mark.parametrize("figure", OF_TENSORS)
def test_whole_numbers_and_other_languages_are_refused(figure: type[Figure]) -> None:
    right = tensors(OF_TENSORS[figure])
    for name, x in right.items():
        with pytest.raises(TypeError, match=f"{name} must be floating"):
            figure(**right | {name: x.long()})
    with pytest.raises(traitlets.TraitError, match="lang"):
        figure(**right, lang="fr")


def test_scores_that_are_none_are_refused() -> None:
    with pytest.raises(TypeError, match="scores must be floating"):
        MaskedSoftmaxFigure(torch.zeros(1, 1, 2, dtype=torch.long), [1])
    with pytest.raises(traitlets.TraitError, match="lang"):
        MaskedSoftmaxFigure(torch.tensor(START), [2, 3], lang="fr")
    with pytest.raises(ValueError, match=r"scores must not be empty; got \(1, 0, 2\)"):
        MaskedSoftmaxFigure(torch.zeros(1, 0, 2), [1])


class Unknown(DotProductAttention):
    """A score that the page could not compute."""


INPUTS = torch.randn(1, 2, 3), torch.randn(1, 4, 3), torch.randn(1, 4, 2)
SPOILT = AdditiveAttention(3, 3, 2)
torch.nn.init.constant_(SPOILT.w_v.weight, torch.nan)
KNOWN = "must be AdditiveAttention or DotProductAttention; got "


@pytest.mark.parametrize(
    ("attention", "error", "says"),
    [
        ([AdditiveAttention(3, 3, 2), AdditiveAttention(3, 3, 2)], ValueError, "differ in num_hid"),
        ([], ValueError, "differ in num_hiddens"),
        (AdditiveAttention(3, 5, 2), ValueError, "queries must have size 5; got 3"),
        (SPOILT, ValueError, "must have finite parameters; w_v"),
        (torch.nn.Linear(3, 3), TypeError, KNOWN + "Linear"),
        (Unknown(), TypeError, KNOWN + "Unknown"),
    ],
)
def test_modules_that_cannot_be_shown_are_refused(
    attention: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        AttentionFigure(attention, *INPUTS)


def test_no_key_at_all_is_refused() -> None:
    queries, keys, values = INPUTS
    with pytest.raises(ValueError, match=r"keys must not be empty; got \(1, 0, 3\)"):
        AttentionFigure(DotProductAttention(), queries, keys[:, :0], values[:, :0])
