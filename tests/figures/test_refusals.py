"""Test that figures refuse invalid values with a reason, and stay unchanged."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import traitlets
from figure_examples import (
    COMPARING,
    DROPOUT,
    EXAMPLES,
    LOOK_UP,
    PAIRS,
    REGRESSION,
    SCORING,
    START,
    tensors,
)

from attention_course.dates import figure_model
from attention_figures import (
    AttentionFigure,
    BandwidthFigure,
    BroadcastingFigure,
    CacheFigure,
    ComparisonFigure,
    CurvesFigure,
    DatesFigure,
    DropoutFigure,
    DropoutSpreadFigure,
    DropoutVariantsFigure,
    Figure,
    HeadsFigure,
    KernelMapFigure,
    KernelRegressionFigure,
    MaskedSoftmaxFigure,
    NoteFigure,
    OnlineFigure,
    OrderFigure,
    PoolingFigure,
    PositionsFigure,
    ProductFigure,
    ProjectionsFigure,
    ReadingFigure,
    RecallFigure,
    ReplayFigure,
    ScalingVarianceFigure,
    ScalingWalkFigure,
    ScoreFigure,
    StaircaseFigure,
    WindowFigure,
)
from attention_lib import AdditiveAttention, DotProductAttention, MultiHeadAttention

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
        ("bandwidth", "steps", [1.0, math.nan], "steps.*nan"),
        ("regression", "truth", [[0.5, 1.0]], r"^truth must be given when the figure is made; got"),
        ("tanh", "reach", [-math.inf, 1.0], "reach.*-inf"),
        ("scoring", "score", "euclidean", "any of .'dot', 'scaled_dot'.*'euclidean'"),
        ("scoring", "W", [[1.0]], r"W must have shape \(2, 2\); got \(1, 1\)"),
        (
            "alignment",
            "parameters",
            {"F": [1]},
            r"must be named \['embedding.weight', .* got \['F'",
        ),
        ("scaling_variance", "d", 3, r"d must be one of \[1, 2, 4, 8, 16, 32, 64, 128\]; got 3"),
        ("scaling_variance", "d", 256, r"d must be one of 1\.\.128; got 256"),
        ("scaling_variance", "scaled", "yes", "scaled"),
        ("replay", "step", 3, r"step must be one of 0\.\.2; got 3"),
        ("replay", "run", 2, r"run must be one of 0\.\.1; got 2"),
        ("replay", "weights", [[[[1.0]]]], r"weights must have shape \(2, 3, 3, 3\)"),
        ("reading", "place", 3, r"place must be one of 0\.\.2; got 3"),
        ("reading", "weights", [[[[1.0]]]], r"weights must have shape \(2, 3, 3, 4\)"),
        ("dates", "year", 2100, "2100"),
        ("dates", "day", 32, "32"),
        ("curves", "point", 4, r"point must be one of 0\.\.3; got 4"),
        ("comparison", "W", [[1.0]], r"W must have shape \(2, 2\); got \(1, 1\)"),
        ("comparison", "keys_", NAN[:1], "keys_ must be finite"),
        ("dropout", "p", 0.95, "p must be a number from 0 to 0.9; got 0.95"),
        ("dropout", "p", -0.1, "p must be a number from 0 to 0.9; got -0.1"),
        ("dropout", "draw", 0, r"draw must be one of 1\.\.3; got 0"),
        ("dropout", "draw", 4, r"draw must be one of 1\.\.3; got 4"),
        ("dropout", "draw", 1.5, "draw"),
        ("trained_weights", "step", 12, r"step must be one of 0\.\.11; got 12"),
        ("dropout_mean", "draw", 4, r"draw must be one of 1\.\.3; got 4"),
        ("dropout_spread", "p", 0.95, "p must be a number from 0 to 0.9; got 0.95"),
        ("dropout", "controls", ["step"], "'p', 'training', 'draw'.*'step'"),
        ("dropout", "controls", [], "controls.*length"),
        ("dropout", "draws", torch.ones(3, 3, 4), "draws .* less than 1; got 1 to 1"),
        ("dropout", "draws", -torch.rand(3, 3, 4), "draws must be at least 0 and less than 1"),
        ("dropout", "draws", torch.full((3, 3, 4), math.nan), "draws must be finite"),
        ("dropout", "draws", [[[0.5]]], r"draws must have shape \(3, 3, 4\); got \(1, 1, 1\)"),
        ("dropout", "training", "no", "training"),
        ("broadcasting", "key", 4, r"key must be one of 0\.\.3; got 4"),
        ("broadcasting", "query", -1, r"query must be one of 0\.\.1; got -1"),
        ("broadcasting", "w_v", [[1.0]], r"w_v must have shape \(1, 3\); got \(1, 1\)"),
        ("product", "d", 0, r"d must be one of 1\.\.3; got 0"),
        ("product", "d", 4, r"d must be one of 1\.\.3; got 4"),
        ("product", "query", 1.5, "query"),
        ("staircase", "valid_lens", [2], r"must have shape \(1, N\) = \(1, 3\); got \(1,\)"),
        ("projections", "query", 3, r"query must be one of 0\.\.2; got 3"),
        ("projections", "arrows", [], "arrows"),
        ("projections", "axes", ["x"], "axes"),
        ("order", "order", [0, 2, 0], r"order must have each of 0\.\.2 once; got \[0, 2, 0\]"),
        ("positions", "position", 12, r"position must lie in 0\.\.11; got 12"),
        ("positions", "distance", 5, r"distance must lie in 0\.\.4; got 5"),
        ("positions", "num_positions", 3, "num_positions"),
        ("heads", "tokens", [0, 1], "tokens must be 3; got 2"),
        ("heads", "tokens", [0, 3, 3], r"among those of swaps, \[1, 2\]; got 3"),
        ("heads", "query", 3, r"query must be one of 0\.\.2; got 3"),
        ("heads", "on", [True], "on must be 2; got 1"),
        ("reading", "run", 2, r"run must be one of 0\.\.1; got 2"),
        ("reading", "step", 3, r"step must be one of 0\.\.2; got 3"),
        ("reading", "handle", "run", "handle"),
        ("traced", "component", 16, r"component must be one of 0\.\.15; got 16"),
        ("traced", "key", 12, r"key must be one of 0\.\.11; got 12"),
        ("traced", "key", -1, r"key must be one of 0\.\.11; got -1"),
        ("traced", "next_token", 33, r"next_token must be one of 0\.\.32; got 33"),
        ("traced", "stage", 16, "stage"),
        ("traced", "tokens", [0] * 12, r"among those of swaps, \[1, 2, 3, 4, 5, 6\]; got 0"),
        ("cache", "step", 0, r"step must be one of 1\.\.3; got 0"),
        ("cache", "step", 4, r"step must be one of 1\.\.3; got 4"),
        ("groups", "kv_heads", 0, "not be less than 1"),
        ("groups", "kv_heads", 3, "kv_heads must divide num_heads, 4; got 3"),
        ("groups", "tokens", 128, "tokens"),
        ("groups", "layers", 0, "layers"),
        ("online", "step", 0, r"step must be one of 1\.\.4; got 0"),
        ("online", "step", 5, r"step must be one of 1\.\.4; got 5"),
        ("window", "width", 0, r"width must be one of 1\.\.4; got 0"),
        ("window", "width", 5, r"width must be one of 1\.\.4; got 5"),
        ("window", "slope", 2.1, "slope must be a number from 0 to 2; got 2.1"),
        ("window", "corner", "left", "corner"),
        ("window", "handle", "left", "handle"),
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


@pytest.mark.parametrize(
    ("kind", "trait", "allowed"),
    [
        ("projections", "query", [0, 2]),
        ("positions", "position", [0, 11]),
        ("positions", "distance", [0, 4]),
        ("heads", "query", [0, 2]),
        ("reading", "step", [0, 2]),
        ("reading", "run", [0, 1]),
        ("reading", "place", [0, 2]),
        ("curves", "point", [0, 3]),
        ("traced", "component", [0, 15]),
        ("traced", "key", [0, 11, None]),
        ("traced", "next_token", [0, 32, None]),
        ("traced", "stage", [1, 15]),
        ("cache", "step", [1, 3]),
        ("groups", "kv_heads", [1, 4]),
        ("groups", "tokens", [256, 131072]),
        ("online", "step", [1, 4]),
        ("window", "width", [1, 4]),
        ("window", "slope", [0, 2]),
    ],
)
def test_the_first_and_the_last_that_are_allowed_are_taken(
    kind: str, trait: str, allowed: list[int]
) -> None:
    figure = EXAMPLES[kind]("en")
    for value in allowed:
        setattr(figure, trait, value)
        assert getattr(figure, trait) == value


TWO, FLAT, PLANE = ["a", "b"], torch.zeros(1, 2), torch.zeros(1, 2, 2)
WEIGHTS = torch.full((1, 2, 1, 2), 0.5)
READ: dict[str, Any] = {
    "written": [["1", "2"]],
    "tokens": TWO,
    "answer": "1",
    "spans": [(0, 1)],
    "steps": [0, 5],
    "runs": ["a"],
}
BOARDS, SIGNS, EYES = torch.zeros(1, 1, 2), torch.ones(1, 2, 3), torch.eye(3)[None, None]
CURVED: dict[str, Any] = {"axis": "n", "about": "share"}
HEADS = MultiHeadAttention(2, 2, 2, num_hiddens=2, num_heads=2)
OF_HEADS: dict[str, Any] = {
    "attention": HEADS,
    "embedding": torch.eye(2),
    "positions": torch.zeros(2, 2),
    "vocabulary": TWO,
    "tokens": [0, 1],
    "answers": TWO,
}
WRITTEN = r"written must be \(1, 2\) texts of 1; got "


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: StaircaseFigure(TWO, FLAT[0]), r"^scores must have shape \(N, N\); got \(2,\)"),
        (lambda: StaircaseFigure(TWO, torch.zeros(2, 3)), r"\(N, N\) = \(2, 2\); got \(2, 3\)"),
        (
            lambda: ProjectionsFigure([], PLANE, FLAT, FLAT, FLAT, TWO),
            "words must be 2; got 0",
        ),
        (
            lambda: ProjectionsFigure(["a"], PLANE, FLAT, FLAT, FLAT, TWO),
            "words must be 2; got 1",
        ),
        (
            lambda: ProjectionsFigure(TWO, PLANE, FLAT.T, FLAT, FLAT, TWO),
            r"W_q must have shape \(1, 2\) = \(1, 2\); got \(2, 1\)",
        ),
        (
            lambda: ProjectionsFigure(TWO, PLANE[..., :1], FLAT, FLAT, FLAT, TWO),
            r"x must have shape \(1, N, 2\) = \(1, 2, 2\); got \(1, 2, 1\)",
        ),
        (
            lambda: OrderFigure([], PLANE),
            "words must be 2; got 0",
        ),
        (lambda: OrderFigure(TWO, PLANE[..., :1]), r"x must have vectors of an even size; got 1"),
        (lambda: OrderFigure(["a"], PLANE), "words must be 2; got 1"),
        (lambda: OrderFigure(TWO, PLANE[0]), r"x must have shape \(1, N, d\); got \(2, 2\)"),
        (lambda: PositionsFigure(16, 5), "size must be even; got 5"),
        (lambda: HeadsFigure(**OF_HEADS | {"tokens": []}), "tokens must be at least one; got none"),
        (
            lambda: HeadsFigure(**OF_HEADS | {"tokens": [0, 0, 0]}),
            "tokens must be at most 2; got 3",
        ),
        (lambda: HeadsFigure(**OF_HEADS | {"answers": ["a"]}), "answers must be 2; got 1"),
        (lambda: HeadsFigure(**OF_HEADS | {"vocabulary": ["a"]}), "vocabulary must be 2; got 1"),
        (lambda: HeadsFigure(**OF_HEADS, swaps=[[0]]), "swaps must be 2, as tokens; got 1"),
        (
            lambda: HeadsFigure(**OF_HEADS, swaps=[[0, 2], [1]]),
            r"swaps must be tokens in 0\.\.1; got \{2\}",
        ),
        (
            lambda: HeadsFigure(**OF_HEADS | {"embedding": torch.eye(3)}),
            r"\(P, d\) = \(2, 3\); got \(2, 2\)",
        ),
        (
            lambda: HeadsFigure(
                **OF_HEADS | {"attention": MultiHeadAttention(2, 2, 3, num_hiddens=2, num_heads=2)}
            ),
            r"W_v must have shape \(M, d\) = \(2, 2\); got \(2, 3\)",
        ),
        (
            lambda: ReadingFigure(WEIGHTS, **READ | {"runs": TWO}),
            "^runs must be 1; got 2",
        ),
        (lambda: ReadingFigure(WEIGHTS[0], **READ), r"weights must have shape \(R, S, T, K\)"),
        (lambda: ReadingFigure(WEIGHTS, **READ | {"written": [["1"]]}), WRITTEN),
        (lambda: ReadingFigure(WEIGHTS, **READ | {"written": [["1", "23"]]}), WRITTEN),
        (lambda: ReadingFigure(WEIGHTS, **READ | {"written": 2 * [["1", "2"]]}), WRITTEN),
        (
            lambda: ReadingFigure(WEIGHTS, **READ | {"steps": [5, 5]}),
            r"steps must ascend; got \[5, 5\]",
        ),
        *(
            (
                lambda spans=spans: ReadingFigure(WEIGHTS, **READ | {"spans": spans}),
                "spans must be 1 within the tokens; got ",
            )
            for spans in ([], [(0, 1), (0, 1)], [(-1, 1)], [(2, 1)], [(0, 3)])
        ),
        (
            lambda: CurvesFigure(torch.rand(1, 2, 3), [0, 1], ["a"], **CURVED),
            "numbers must be 3; got 2",
        ),
        (
            lambda: CurvesFigure(torch.rand(1, 2, 2), [0, 1], TWO, **CURVED),
            "runs must be 1; got 2",
        ),
        (
            lambda: CurvesFigure(torch.rand(1, 2, 2), [1, 1], ["a"], **CURVED),
            r"numbers must ascend; got \[1, 1\]",
        ),
        (
            lambda: CurvesFigure(torch.tensor([[[-0.25, 0.5]]]), [0, 1], ["a"], **CURVED),
            "shares must lie from 0 to 1; got -0.25",
        ),
        (
            lambda: CurvesFigure(torch.tensor([[[0.25, 1.5]]]), [0, 1], ["a"], **CURVED),
            "shares must lie from 0 to 1; got 1.5",
        ),
        (lambda: CurvesFigure(torch.rand(2, 2), [0, 1], TWO, **CURVED), r"shape \(R, N, S\); got"),
        (
            lambda: AttentionFigure(
                DotProductAttention(), *torch.ones(3, 2, 1, 1), names=[[torch.nan], ["b"]]
            ),
            "^names must be texts; got nan$",
        ),
        (lambda: CacheFigure([]), "^words must be at least one; got none$"),
        (lambda: ReplayFigure(WEIGHTS[0], [0], ["a"]), r"shape \(R, S, K, K\); got \(2, 1, 2\)"),
        (
            lambda: ReplayFigure(EYES, [0], ["a"], query_names=["a"]),
            "^query_names must be 3 or none; got 1",
        ),
        (lambda: DatesFigure(figure_model("fr")), "^lang must be 'en' or 'zh'; got 'fr'$"),
        (lambda: OnlineFigure(FLAT[0], FLAT[0], names=["a"]), "^names must be 2 or none; got 1"),
        (lambda: NoteFigure(FLAT, TWO, ["a"]), r"boards must have shape \(1, D, K\); got \(1, 2\)"),
        (lambda: NoteFigure(BOARDS, TWO, TWO), "^days must be 1; got 2"),
        (lambda: NoteFigure(BOARDS, ["a"], ["a"]), "^names must be 2; got 1"),
        (lambda: RecallFigure(TWO, FLAT, PLANE), r"vectors must have shape \(1, V, d\); got"),
        (lambda: RecallFigure(TWO, PLANE, FLAT), r"places must have shape \(1, N, d\); got"),
        (lambda: RecallFigure(["a"], SIGNS, SIGNS), "^words must be 2; got 1"),
        (
            lambda: RecallFigure(TWO, SIGNS, SIGNS.repeat(1, 2, 1)),
            "^places must be at most 2, as words; got 4",
        ),
        (lambda: RecallFigure(TWO, SIGNS, 2 * SIGNS), r"^places must hold signs, \+1 or -1$"),
        (
            lambda: OnlineFigure(FLAT[0], torch.zeros(3)),
            r"values must have shape \(K,\) = \(2,\); got \(3,\)",
        ),
        (lambda: OnlineFigure(FLAT, FLAT), r"scores must have shape \(K,\); got \(1, 2\)"),
        (lambda: OnlineFigure(FLAT[0], FLAT), r"values must have shape \(K,\); got \(1, 2\)"),
        (lambda: WindowFigure(TWO, torch.zeros(2, 3)), "^words must be 3; got 2"),
        (lambda: WindowFigure(TWO, torch.zeros(3, 2)), "^scores must have Q ≤ N = 2 rows; got 3"),
        (lambda: WindowFigure(TWO, torch.zeros(2)), r"scores must have shape \(Q, N\); got \(2,\)"),
    ],
)
def test_what_does_not_fit_together_is_refused(make: Callable[[], Figure], says: str) -> None:
    with pytest.raises((ValueError, TypeError), match=says):
        make()


def test_heads_must_score_by_scaled_dot_products() -> None:
    additive = MultiHeadAttention(2, 2, 2, 2, 2, attention=AdditiveAttention(1, 1, 1))
    with pytest.raises(TypeError, match=r"^attention must be by scaled dot products"):
        HeadsFigure(**OF_HEADS | {"attention": additive})


SCALING = {"queries": [[[1.0] * 4] * 2], "keys": [[[1.0] * 4] * 3]}
OF_TENSORS: dict[type[Figure], dict[str, Any]] = {
    PoolingFigure: LOOK_UP,
    KernelRegressionFigure: REGRESSION,
    BandwidthFigure: REGRESSION,
    KernelMapFigure: REGRESSION,
    ScoreFigure: SCORING,
    ScalingVarianceFigure: SCALING,
    ScalingWalkFigure: SCALING,
    DropoutFigure: DROPOUT,
    DropoutVariantsFigure: {name: [numbers[0]] for name, numbers in DROPOUT.items()},
    DropoutSpreadFigure: {"scores": DROPOUT["scores"], "values": [[[1.0]] * 4]},
    ComparisonFigure: COMPARING,
    BroadcastingFigure: {**PAIRS, "w_v": [[1.0, -0.5, 2.0]]},
    ProductFigure: PAIRS,
}


@pytest.mark.parametrize(
    ("figure", "sizes", "says"),
    [
        (PoolingFigure, {"queries": (1, 2, 3)}, r"queries must .* \(1, Q, 2\) = \(1, 2, 2\)"),
        (PoolingFigure, {"queries": (2, 2)}, r"must have shape \(1, Q, 2\); got \(2, 2\)"),
        (PoolingFigure, {"keys": (2, 4, 2)}, r"keys must .* \(1, 4, 2\); got \(2, 4, 2\)"),
        (PoolingFigure, {"values": (1, 3, 1)}, r"\(1, K, 1\) = \(1, 4, 1\); got \(1, 3, 1\)"),
        (PoolingFigure, {"keys": (1, 0, 2), "values": (1, 0, 1)}, "keys must not be empty"),
        (KernelMapFigure, {"query": (1, 2, 1)}, r"query must have shape \(1, 1, 1\)"),
        (BandwidthFigure, {"keys": (5,)}, r"keys must have shape \(1, K, 1\); got \(5,\)"),
        (
            KernelRegressionFigure,
            {"values": (1, 4, 1)},
            r"\(1, K, 1\) = \(1, 5, 1\); got \(1, 4, 1\)",
        ),
        (ScoreFigure, {"queries": (1, 2, 2)}, r"queries must .* \(1, 1, d\) = \(1, 1, 2\)"),
        (ScoreFigure, {"keys": (1, 4, 3)}, r"\(1, K, d\) = \(1, 4, 2\); got \(1, 4, 3\)"),
        (ScoreFigure, {"W_k": (4, 2)}, r"W_k must have shape \(H, d\) = \(3, 2\); got \(4, 2\)"),
        (ScoreFigure, {"w_v": (3,)}, r"w_v must have shape \(1, H\); got \(3,\)"),
        (ScoreFigure, {"W": (2, 3)}, r"W must have shape \(d, d\) = \(2, 2\); got \(2, 3\)"),
        (ScalingWalkFigure, {"keys": (1, 3, 5)}, r"\(1, K, D\) = \(1, 3, 4\); got \(1, 3, 5\)"),
        (ScalingWalkFigure, {"queries": (2, 2, 4)}, r"queries must have shape \(1, Q, D\)"),
        (
            ScalingVarianceFigure,
            {"queries": (1, 1, 4), "keys": (1, 1, 4)},
            "two scores at least",
        ),
        (ComparisonFigure, {"queries": (1, 2, 2)}, r"queries must have shape \(1, 1, 2\)"),
        (ComparisonFigure, {"keys": (1, 4, 3)}, r"\(1, K, 2\) = \(1, 4, 2\); got \(1, 4, 3\)"),
        (ComparisonFigure, {"W_k": (4, 2)}, r"\(H, 2\) = \(3, 2\); got \(4, 2\)"),
        (ComparisonFigure, {"W": (2, 3)}, r"W must have shape \(2, 2\) .*; got \(2, 3\)"),
        (ComparisonFigure, {"keys": (1, 0, 2)}, "keys must not be empty"),
        (BroadcastingFigure, {"keys": (1, 4, 2)}, r"\(1, K, H\) = \(1, 4, 3\); got \(1, 4, 2\)"),
        (BroadcastingFigure, {"w_v": (3,)}, r"w_v must have shape \(1, H\); got \(3,\)"),
        (ProductFigure, {"keys": (1, 4, 2)}, r"\(1, K, D\) = \(1, 4, 3\); got \(1, 4, 2\)"),
        (ProductFigure, {"queries": (2, 2, 3)}, r"queries must have shape \(1, Q, D\)"),
        (DropoutSpreadFigure, {"values": (1, 3, 1)}, r"\(1, K, 1\) = \(1, 4, 1\); got \(1, 3, 1\)"),
        (
            DropoutVariantsFigure,
            {"draws": (2, 3, 4)},
            r"\(1, Q, K\) = \(1, 3, 4\); got \(2",
        ),
        (DropoutFigure, {"draws": (2, 4, 3)}, r"\(N, Q, K\) = \(2, 3, 4\); got \(2, 4, 3\)"),
        (DropoutFigure, {"draws": (3, 4)}, r"draws must have shape \(N, Q, K\)"),
        (DropoutFigure, {"draws": (0, 3, 4)}, r"draws must not be empty; got \(0, 3, 4\)"),
        (ScalingWalkFigure, {"queries": (1, 2, 0), "keys": (1, 2, 0)}, "queries must not be empty"),
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


@pytest.mark.parametrize("figure", [ScoreFigure, ComparisonFigure])
def test_parameters_that_no_score_has_or_that_come_twice_are_refused(figure: type[Figure]) -> None:
    right = tensors(OF_TENSORS[figure])
    with pytest.raises(TypeError, match=r"^parameters must be among W_q, W_k, .*; got V, W_o$"):
        figure(**right, W_o=torch.ones(2, 2), V=torch.ones(2, 2))
    inputs = [right.pop(name) for name in [*right] if name in ("queries", "keys", "values")]
    with pytest.raises(TypeError, match=r"^parameters must be given once; got W_q twice$"):
        figure(*inputs, torch.ones(3, 2), **right)
    with pytest.raises(TypeError, match=r"^parameters must be at most W_q, W_k, .*; got 99$"):
        figure(*inputs, *torch.ones(99, 1))


def test_a_comparison_needs_the_parameters_of_its_scores() -> None:
    given = tensors({name: COMPARING[name] for name in ("queries", "keys")})
    assert ComparisonFigure(**given, compared=["dot", "cosine"]).scores.shape == (1, 2, 4)
    with pytest.raises(
        ValueError, match=r"^compared must need no .*; got sum without W_q, W_k, w_v"
    ):
        ComparisonFigure(**given, compared=["dot", "sum"])
    with pytest.raises(ValueError, match=r"^compared must need no .*; got bilinear without W$"):
        ComparisonFigure(**given)


def test_scores_that_are_none_are_refused() -> None:
    with pytest.raises(TypeError, match="scores must be floating"):
        MaskedSoftmaxFigure(torch.zeros(1, 1, 2, dtype=torch.long), [1])
    with pytest.raises(traitlets.TraitError, match="lang"):
        MaskedSoftmaxFigure(torch.tensor(START), [2, 3], lang="fr")
    with pytest.raises(ValueError, match=r"scores must not be empty; got \(1, 0, 2\)"):
        MaskedSoftmaxFigure(torch.zeros(1, 0, 2), [1])


class Unknown(DotProductAttention):
    """A score that the page cannot compute."""


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
