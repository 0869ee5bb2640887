"""Define an exercise of chapter 2: Nadaraya-Watson pooling."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_course.exercises.common.pooling import (
    NO_SOFTMAX,
    PRODUCT_HINT,
    SUM_WITH_EPSILON,
    UNDERFLOW,
    UNSHIFTED,
    weighted_sum,
    with_and_without_shift,
)
from attention_course.exercises.engine.exercise import Exercise, Puzzle, Remark, draw, hint, mistake
from attention_course.exercises.engine.line import line


def nadaraya_watson(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    w: float,
    *,
    exponent: Callable[[Tensor, float], Tensor] = line("u, w", "(u * w) ** 2"),
    factor: float = -0.5,
    normalise: Callable[[Tensor], Tensor] = line("scores", "torch.softmax(scores, dim=-1)"),
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
) -> Tensor:
    """Estimate at each query, step by step."""
    difference = queries[:, None] - keys  # (Q, K)
    return pool(normalise(factor * exponent(difference, w)), values)


def _largest_of_all(scores: Tensor) -> Tensor:
    kernels = torch.exp(scores - scores.max())
    return kernels / kernels.sum(dim=-1, keepdim=True)


MISTAKES = (
    mistake(
        "no-half",
        "The ½ is missing from −½((x − xᵢ)w)².",
        "你漏掉了 −½((x − xᵢ)w)² 里的 ½。",
        {"factor": -1.0},
    ),
    mistake(
        "no-minus",
        "The minus sign is missing from −½((x − xᵢ)w)², so the farthest input weighs most.",
        "你漏掉了 −½((x − xᵢ)w)² 里的负号，结果最远的输入权重反而最大。",
        {"factor": 0.5},
    ),
    mistake(
        "no-half-no-minus",
        "Both the ½ and the minus sign are missing from −½((x − xᵢ)w)².",
        "你把 −½((x − xᵢ)w)² 里的 ½ 和负号都漏掉了。",
        {"factor": 1.0},
    ),
    mistake(
        "w-outside-square",
        "`w` stands outside the square. Multiply the difference by it first, and then square.",
        "你把 `w` 放到平方外面了。应当先把差乘以 `w`，再平方。",
        {"exponent": line("u, w", "u**2 * w")},
    ),
    mistake(
        "divided-by-w",
        "The difference is divided by `w`. Multiply instead: a larger `w` is a narrower kernel.",
        "你把差除以 `w` 了，应当乘以 `w`，这样 `w` 越大，核才越窄。",
        {"exponent": line("u, w", "(u / w) ** 2")},
    ),
    mistake(
        "no-w",
        "`w` plays no part: the estimate is the same for every `w`.",
        "你没有用到 `w`，所以不管 `w` 取多少，预测值都一样。",
        {"exponent": lambda u, w: u**2},
    ),
    mistake(
        "no-square",
        "The difference is not squared. The kernel falls with (x − xᵢ)², not with x − xᵢ or its "
        "absolute value.",
        "你忘了平方。计算核要用 (x − xᵢ)²，不能用 x − xᵢ 或它的绝对值。",
        {"exponent": lambda u, w: (u * w).abs()},
        {"exponent": lambda u, w: u * w},
    ),
    mistake(
        "softmax-along-queries",
        "The softmax runs along the queries. Each query shares out its weight among the keys, so "
        "run it along the last axis of (Q, K).",
        "你沿查询轴做了 softmax。每个查询的权重要在键之间分配，所以应当沿 (Q, K) 的最后一个轴做。",
        {"normalise": line("scores", "torch.softmax(scores, dim=0)")},
    ),
    mistake(
        "no-division",
        "The kernels are not divided by their sum, so the weights of a query do not sum to 1.",
        "你没有把核值除以总和，所以每个查询的权重之和不是 1。",
        {"normalise": torch.exp},
    ),
    SUM_WITH_EPSILON,
    NO_SOFTMAX,
    mistake(
        "average-pooling",
        "Your result is the mean of all values, the same at each query: average pooling.",
        "你只是对所有的值求了平均，每个查询的结果都一样，这叫平均汇聚。",
        {"pool": lambda weights, values: values.mean().expand(len(weights))},
        {"pool": lambda weights, values: values.mean()},
    ),
    mistake(
        "no-values",
        "The result is the weights. Now average the values with them.",
        "你返回的只是权重，还要用权重对值加权求和。",
        {"pool": line("weights, values", "weights")},
    ),
    mistake(
        "transposed-weights",
        "The weights are transposed: rows belong to queries, columns to keys.",
        "你把权重转置了，应当每个查询占一行，每个键占一列。",
        {"pool": lambda weights, values: weights.mT @ values},
    ),
    mistake(
        "mean-over-keys",
        "The result is divided by the number of keys. The weights sum to 1 already, so take the "
        "sum, not the mean.",
        "你多除了一次键的个数。权重之和已经是 1，直接求和就行，不用再求平均。",
        {"pool": line("weights, values", "weights @ values / len(values)")},
    ),
    mistake(
        "axis-too-many",
        "The result has one axis too many. Return one number per query, of shape (Q,).",
        "结果多了一个维度。每个查询只需要一个数，形状应当是 (Q,)。",
        {"pool": lambda weights, values: (weights @ values)[:, None]},
    ),
)

PAIRS = hint(
    "The size of tensor a|zip\\(\\) argument",
    "The numbers of queries and keys differ: each query meets every key. Give the queries an axis "
    "of their own, `queries[:, None]`, and the differences become (Q, K).",
    "查询和键的个数不同，不能直接相减。请用 `queries[:, None]` 给查询加一个维度，"
    "这样每个查询都能与每个键配对，差的形状是 (Q, K)。",
)

# All scores of one query are about −60, so that their exponentials sum to less than any usual
# epsilon; the other query is near two keys, and the other scores are hundreds lower.
FAR_AND_NEAR = (
    torch.tensor([0, 3.6], dtype=torch.float32),
    torch.tensor([3.65, -3.66, 3.7, -9, 9.5], dtype=torch.float32),
    *draw(25, (5,)),
    3.0,
)

POINTS = draw(26, (4,))[0]

EXERCISE = Exercise(
    nadaraya_watson,
    (
        # Each w differs from its root, half, double, square, inverse and half of its square.
        (*draw(21, (3,), (5,), (5,)), 1.7),
        (*draw(22, (7,), (2,), (2,)), 0.6),
        (*draw(23, (5,), (5,), (5,)), 3.0),
        (*draw(24, (2,), (1,), (1,)), 1.5),
        (*draw(27, (1,), (3,), (3,)), 1.3),
        (POINTS, POINTS, *draw(28, (4,)), 2.3),
        FAR_AND_NEAR,
    ),
    with_and_without_shift(MISTAKES),
    (PAIRS, PRODUCT_HINT),
    (
        Remark(
            (torch.tensor([0.3, 90], dtype=torch.float32), *draw(29, (5,), (5,)), 1.0),
            UNDERFLOW,
            (*UNSHIFTED, {"normalise": _largest_of_all}),
        ),
    ),
    gradients=((*draw(30, (3,), (5,), (5,)), 1.4),),
    puzzle=Puzzle(
        """
def regression(queries, keys, values, w):
    u = queries[:, None] - keys
    exponent = {exponent}
    scores = {factor} * exponent
    weights = {normalise}
    return {pool}
""",
        {
            "exponent": ("w-outside-square", "divided-by-w"),
            "factor": ("no-half", "no-minus"),
            "normalise": ("softmax-along-queries",),
            "pool": ("mean-over-keys",),
        },
    ),
)
