"""Define an exercise of chapter 3: Gaussian scores of a batch, and pooling with any scores."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.distances import (
    DISTANCE_MISTAKES,
    FACTOR_MISTAKES,
    ROOT_AND_BACK,
    WRONG_AXIS,
    squared,
)
from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, transposed
from attention_course.exercises.common.masks import FLOORED
from attention_course.exercises.common.pairs import PAIRS_HINT, SWAPPED, ZIPPED
from attention_course.exercises.common.pooling import (
    ALONG_QUERIES,
    OVERFLOW,
    POOLING_MISTAKES,
    PRODUCT_HINT,
    SOFTMAX_MISTAKES,
    TRANSPOSED,
    exponential_share,
    weighted_sum,
)
from attention_course.exercises.engine.exercise import Exercise, Hazard, Puzzle, draw, hint, mistake
from attention_course.exercises.engine.line import line
from attention_course.exercises.engine.means import NO_LIBRARY, NO_SOFTMAX

_unchanged = line("scores", "scores")


def gaussian_score(
    queries: Tensor,
    keys: Tensor,
    *,
    distance: Callable[[Tensor], Tensor] = squared,
    factor: float = -0.5,
    pairs: Callable[[Tensor, Tensor], Tensor] = line(
        "queries, keys", "queries[:, :, None] - keys[:, None]"
    ),
    layout: Callable[[Tensor], Tensor] = _unchanged,
) -> Tensor:
    """Score step by step."""
    return layout(factor * distance(pairs(queries, keys)))


def _zipped(queries: Tensor, keys: Tensor) -> Tensor:
    pairs = min(queries.shape[1], keys.shape[1])
    return queries[:, :pairs] - keys[:, :pairs]


POINTS = draw(47, (2, 11, 13))[0]

GAUSSIAN = Exercise(
    gaussian_score,
    (
        draw(41, (2, 3, 5), (2, 7, 5)),
        draw(42, (3, 5, 2), (3, 2, 2)),
        draw(43, (1, 2, 3), (1, 5, 3)),
        draw(44, (5, 5, 5), (5, 5, 5)),
        draw(45, (2, 1, 3), (2, 4, 3)),
        draw(46, (2, 4, 1), (2, 1, 1)),
        # Queries equal to keys, at distance 0; and distances at which the kernel underflows to 0.
        (POINTS, POINTS),
        tuple(8 * x for x in draw(48, (2, 3, 5), (2, 4, 5))),
    ),
    (
        *FACTOR_MISTAKES,
        *(one for one in DISTANCE_MISTAKES if one is not WRONG_AXIS),
        # The layouts below do not fit, because these scores have other axes.
        replace(
            WRONG_AXIS,
            variants=tuple({**steps, "layout": _unchanged} for steps in WRONG_AXIS.variants),
        ),
        SWAPPED,
        mistake(
            "keys-of-first-example",
            "All examples use the keys of example 0, but each has keys of its own.",
            "你对所有样本都用了样本 0 的键，可是每个样本都有自己的键。",
            {"pairs": line("queries, keys", "queries[:, :, None] - keys[:1, None]")},
        ),
        mistake(*ZIPPED, {"pairs": _zipped}),
        mistake(
            "as-many-keys-as-queries",
            "Only as many keys are scored as there are queries: one number is used for both.",
            "你把查询的个数当成了键的个数，结果有几个查询，就只给几个键评了分。",
            {"pairs": lambda q, k: q[:, :, None] - k[:, None, : q.shape[1]]},
            {"pairs": lambda q, k: q[:, :, None] - k[:, None, torch.arange(q.shape[1])]},
        ),
        mistake(
            "dot-product",
            "Your scores are dot products, qᵀk. −½‖q − k‖² has −½‖q‖² and −½‖k‖² as well.",
            "你只算了点积 qᵀk，别忘了 −½‖q − k‖² 里还有 −½‖q‖² 和 −½‖k‖²。",
            {
                "pairs": line("queries, keys", "queries[:, :, None] * keys[:, None]"),
                "distance": line("difference", "difference.sum(dim=-1)"),
                "factor": 1.0,
            },
        ),
        mistake(
            "weights-not-scores",
            "You return weights, not scores: exp and softmax come later.",
            "你返回的是权重，题目要的是分数，exp 和 softmax 留到下一步再做。",
            {"layout": line("scores", "torch.exp(scores)")},
            {"layout": lambda scores: torch.softmax(scores, dim=-1)},
        ),
    ),
    (VIEW_HINT, PRODUCT_HINT, PAIRS_HINT, *GRADIENT_HINTS),
    gradients=(draw(49, (2, 3, 5), (2, 4, 5)),),
    forbids=(NO_LIBRARY,),
    hazards=(
        transposed(draw(40, (2, 3, 5), (2, 4, 5))),
        Hazard("queries-are-keys", (), (ROOT_AND_BACK,), ((POINTS[:, :3], POINTS[:, :3]),)),
    ),
    puzzle=Puzzle(
        """
def gaussian_score(queries, keys):
    difference = {pairs}
    distance = {distance}
    scores = {factor} * distance
    return {layout}
""",
        {
            "pairs": ("keys-of-first-example", "dot-product"),
            "distance": ("root",),
            "factor": ("no-half", "no-minus"),
            "layout": ("weights-not-scores",),
        },
    ),
)


def softmax_by_hand(
    scores: Tensor,
    *,
    largest: Callable[[Tensor], Any] = line("scores", "scores.amax(dim=-1, keepdim=True)"),
    total: Callable[[Tensor], Tensor] = line(
        "exponentials", "exponentials.sum(dim=-1, keepdim=True)"
    ),
) -> Tensor:
    """Compute softmax along the last axis: exponentials of at most 1, divided by their sum."""
    exponentials = torch.exp(scores - largest(scores))
    return exponentials / total(exponentials)


def attention_pooling(
    scores: Tensor,
    values: Tensor,
    *,
    normalise: Callable[[Tensor], Tensor] | None = None,
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    **softmax_steps: Any,
) -> Tensor:
    """Compute the softmax, then the weighted sum."""
    weights = normalise(scores) if normalise else softmax_by_hand(scores, **softmax_steps)
    return pool(weights, values)


_OVER_QUERIES = line("exponentials", "exponentials.sum(dim=1, keepdim=True)")

# The rows of an example are so far apart that no shift is safe for all of them.
LEVELS = torch.tensor([[[150], [0], [-150]], [[-200], [-200], [0]]], dtype=torch.float32)

# Below every usual initial maximum, but for the lowest number of the dtype.
DEEP = -(2.0**100) * torch.tensor([[[1, 2, 2, 4, 2], [3, 1, 2, 5, 7]]], dtype=torch.float32)


def _with_epsilon(more: float) -> Callable[[Tensor], Tensor]:
    return lambda exponentials: exponentials.sum(-1, True) + more


def _floored(floor: float) -> Callable[[Tensor], Tensor]:
    return lambda scores: scores.amax(-1, True).clamp(min=floor)


ATTENTION_POOLING = Exercise(
    attention_pooling,
    (
        draw(51, (2, 3, 5), (2, 5, 7)),
        draw(52, (3, 7, 2), (3, 2, 5)),
        draw(53, (1, 2, 3), (1, 3, 5)),
        draw(54, (5, 5, 5), (5, 5, 5)),
        draw(57, (2, 1, 3), (2, 3, 1)),
        draw(58, (3, 2, 1), (3, 1, 2)),
        (1000 * draw(55, (2, 3, 5))[0], *draw(56, (2, 5, 7))),
        (draw(59, (2, 3, 5))[0] + LEVELS, *draw(60, (2, 5, 7))),
        (DEEP, *draw(63, (1, 5, 2))),
    ),
    (
        *(one for one in SOFTMAX_MISTAKES if one is not ALONG_QUERIES),
        replace(ALONG_QUERIES, variants=(*ALONG_QUERIES.variants, {"total": _OVER_QUERIES})),
        *POOLING_MISTAKES,
        TRANSPOSED,
        mistake(
            "no-exponential",
            "The scores are divided by their sum without an exponential. That makes no sense if "
            "scores are negative or sum to about 0.",
            "你没有取指数，直接把分数除以总和了。分数有正有负，总和可能接近 0，这样相除没有意义。",
            {"normalise": line("scores", "scores / scores.sum(dim=-1, keepdim=True)")},
        ),
        replace(
            OVERFLOW,
            variants=(
                {"largest": line("scores", "torch.zeros_like(scores)")},
                {"normalise": lambda scores: exponential_share(scores).nan_to_num(0)},
                {"total": _with_epsilon(1e-9), "largest": torch.zeros_like},
                {"normalise": lambda x: exponential_share(x.double()).to(x.dtype)},
                {"largest": lambda scores: scores.mean(-1, True)},
            ),
        ),
        mistake(
            "maximum-of-many-rows",
            "You subtract one maximum taken over several rows. In a row far below it every "
            "exponential rounds to 0, and 0/0 is NaN. Subtract from each row its own largest "
            "score.",
            "你让好几行都减去了同一个最大值。如果有一行的分数远低于这个数，指数值会全部舍入成 0，"
            "0/0 得到 NaN。应当让每一行减去本行的最大值。",
            {"largest": line("scores", "scores.max()")},
            {"largest": lambda scores: scores.amax((1, 2), True)},
            {"largest": lambda scores: scores.amax(1, True)},
            {"largest": lambda scores: scores.amax(0, True)},
        ),
        replace(
            FLOORED,
            variants=tuple(
                {"largest": _floored(floor), **steps}
                for floor in (0.0, -1e3, -1e4, -1e9)
                for steps in ({}, {"total": _with_epsilon(1e-9)})
            ),
        ),
    ),
    (
        VIEW_HINT,
        PRODUCT_HINT,
        hint(
            r"tensor a \(5\) must match the size of tensor b \(3\)",  # K and Q of the first case
            "Is your maximum or sum over the keys of shape (B, Q), while scores are (B, Q, K)? "
            "With `keepdim=True` it is (B, Q, 1), and fits.",
            "是不是把形状为 (B, Q) 的最大值或总和直接用到 (B, Q, K) 的分数上了？"
            "求最大值或总和时加上 `keepdim=True`，形状就是 (B, Q, 1)，可以广播。",
        ),
        hint(
            "The size of tensor a",
            "Weights (B, Q, K) and values (B, K, V) do not match entry by entry. A matrix product "
            "multiplies and sums over the keys at once.",
            "权重 (B, Q, K) 和值 (B, K, V) 不能逐元素相乘。应当用矩阵乘法，相乘的同时对键求和。",
        ),
        *GRADIENT_HINTS,
    ),
    gradients=(draw(61, (2, 3, 4), (2, 4, 5)),),
    forbids=(NO_SOFTMAX,),
    hazards=(transposed(draw(62, (2, 3, 4), (2, 4, 5))),),
    puzzle=Puzzle(
        """
def attention_pooling(scores, values):
    largest = {largest}
    exponentials = torch.exp(scores - largest)
    total = {total}
    weights = exponentials / total
    return {pool}
""",
        {
            "largest": ("maximum-of-many-rows", "overflow"),
            "total": ("softmax-along-queries",),
            "pool": ("mean-over-keys", "transposed-weights", "no-values"),
        },
        (softmax_by_hand,),
    ),
)
