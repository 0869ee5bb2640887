"""Define an exercise of chapter 1: a soft look-up of one query, with a temperature."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_course.exercises.common.distances import (
    DISTANCE_MISTAKES,
    FACTOR_MISTAKES,
    ROOT_AND_BACK,
    squared,
)
from attention_course.exercises.common.hazards import VIEW_HINT, transposed
from attention_course.exercises.common.pooling import (
    POOLING_MISTAKES,
    PRODUCT_HINT,
    SUM_WITH_EPSILON,
    UNDERFLOW,
    UNSHIFTED,
    weighted_sum,
    with_and_without_shift,
)
from attention_course.exercises.engine.exercise import (
    Exercise,
    Hazard,
    Puzzle,
    Remark,
    draw,
    hint,
    mistake,
)
from attention_course.exercises.engine.line import line


def soft_lookup(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    temperature: float,
    *,
    pairs: Callable[[Tensor, Tensor], Tensor] = torch.sub,
    distance: Callable[[Tensor], Tensor] = squared,
    factor: float = -0.5,
    heat: Callable[[Tensor, float], Tensor] = line("scores, temperature", "scores / temperature"),
    normalise: Callable[[Tensor], Tensor] = line("scores", "torch.softmax(scores, dim=-1)"),
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    finish: Callable[[Tensor, float], Tensor] = lambda output, temperature: output,
) -> Tensor:
    """Look a query up step by step."""
    scores = factor * distance(pairs(query, keys))  # (K,)
    return finish(pool(normalise(heat(scores, temperature)), values), temperature)


MISTAKES = (
    *FACTOR_MISTAKES,
    *DISTANCE_MISTAKES,
    mistake(
        "dot-product",
        "Your scores are dot products. The score asked for is −½‖q − k‖², from the distance "
        "between query and key.",
        "你把点积当成分数了，题目要求的分数是 −½‖q − k‖²，要用查询与键的距离来算。",
        {"pairs": torch.mul, "distance": lambda product: product.sum(dim=-1), "factor": 1.0},
    ),
    mistake(
        "temperature-on-weights",
        "You divide the weights by the temperature. Divide the scores by it, before the softmax; "
        "then the weights still sum to 1.",
        "你做完 softmax 才除以温度。应当先把分数除以温度，再做 softmax，这样权重之和仍是 1。",
        {
            "heat": lambda scores, temperature: scores,
            "finish": lambda output, temperature: output / temperature,
        },
    ),
    mistake(
        "times-temperature",
        "The scores are multiplied by the temperature; divide by it. A higher temperature should "
        "make the weights more even.",
        "你把分数乘以温度了，应当除以温度，这样温度越高，权重才越均匀。",
        {"heat": line("scores, temperature", "scores * temperature")},
    ),
    mistake(
        "squared-temperature",
        "The scores are divided by the square of the temperature; divide by the temperature "
        "itself. In −‖q − k‖²/(2σ²) the temperature takes the place of σ², not of σ.",
        "你除以了温度的平方，应当除以温度本身。在 −‖q − k‖²/(2σ²) 里，温度相当于 σ²，不是 σ。",
        {"heat": line("scores, temperature", "scores / temperature**2")},
    ),
    mistake(
        "no-temperature",
        "The temperature has no effect: the weights are the same at every temperature.",
        "你没有用到温度，所以不管温度是多少，权重都一样。",
        {"heat": lambda scores, temperature: scores},
    ),
    mistake(
        "no-softmax",
        "The softmax is missing: scores are not weights. Weights are positive and sum to 1.",
        "你漏了 softmax。分数还不是权重，权重应当都是正数，而且总和为 1。",
        {"normalise": lambda scores: scores},
    ),
    mistake(
        "no-division",
        "The exponentials are not divided by their sum, so the weights do not sum to 1.",
        "你没有把指数值除以它们的总和，所以权重之和不是 1。",
        {"normalise": line("scores", "torch.exp(scores)")},
    ),
    mistake(
        "no-exponential",
        "The scores are divided by their sum without an exponential, so the farthest key gets the "
        "most weight.",
        "你没有取指数，直接把分数除以总和了，结果最远的键权重反而最大。",
        {"normalise": lambda scores: scores / scores.sum(dim=-1, keepdim=True)},
    ),
    SUM_WITH_EPSILON,
    *POOLING_MISTAKES,
)

UNDERFLOWS = Remark(
    (*draw(12, (2,)), draw(13, (5, 2))[0] + 90, *draw(14, (5, 3)), 0.5),
    UNDERFLOW,
    UNSHIFTED,
)

# The query equals one of the keys.
EQUAL = Hazard(
    "query-is-a-key",
    (),
    (ROOT_AND_BACK,),
    ((draw(10, (5, 2))[0][1], *draw(10, (5, 2)), *draw(11, (5, 3)), 0.8),),
)

# Two keys share the weight, and the other scores are hundreds lower.
COLD = (
    *torch.tensor([[0.5, -1]], dtype=torch.float32),
    torch.tensor([[3, 1], [0.6, -1.1], [-2, 0], [0.4, -0.92], [1, 2]], dtype=torch.float32),
    *draw(6, (5, 3)),
    0.01,
)
# All scores are about −60, so that their exponentials sum to less than any usual epsilon.
FAR = (
    *torch.tensor([[0.0, 0]], dtype=torch.float32),
    torch.tensor([[8.4, 0], [0, 8.4], [-8.5, 0], [6, 6], [5.9, -6]], dtype=torch.float32),
    *draw(7, (5, 3)),
    0.6,
)

EXERCISE = Exercise(
    soft_lookup,
    (
        # At each temperature T, the numbers 1, ½, 2, T, √T, 2T, T² and 2T² are distinct.
        (*draw(1, (2,), (5, 2), (5, 3)), 0.6),
        (*draw(2, (3,), (7, 3), (7, 2)), 2.5),
        (*draw(3, (5,), (5, 5), (5, 5)), 0.7),
        (*draw(4, (2,), (1, 2), (1, 3)), 1.5),
        (*draw(5, (1,), (3, 1), (3, 1)), 1.7),
        COLD,
        FAR,
    ),
    with_and_without_shift(MISTAKES),
    (
        hint(
            r"keys \(5, 2\).* at least 1D",
            "A sum without `dim` adds everything up to a single number. Sum the squares over the "
            "last axis to get a score for each key.",
            "你求和时没有写 `dim`，所有的数都加到一起了。应当沿最后一个轴对平方求和，"
            "这样每个键才有一个分数。",
        ),
        hint(
            r"keys \(1, 2\).* at least 1D",
            "With a single key an axis is lost: `squeeze()` removes every axis of size 1, even "
            "that of the keys. Name the axis to remove, or do without `squeeze()`.",
            "`squeeze()` 会去掉所有长度为 1 的维度，只有一个键时，连键的维度也去掉了。"
            "请写明要去掉哪个维度，或者不用 `squeeze()`。",
        ),
        VIEW_HINT,
        PRODUCT_HINT,
        hint(
            "The size of tensor a",
            "`query` has the shape (d,), `keys` (K, d), `values` (K, V). So `query - keys` is (K, "
            "d), and its squares are summed over the last axis.",
            "`query` 的形状是 (d,)，`keys` 是 (K, d)，`values` 是 (K, V)，"
            "所以 `query - keys` 的形状是 (K, d)，取平方后再沿最后一个轴求和。",
        ),
    ),
    (UNDERFLOWS,),
    gradients=((*draw(8, (2,), (5, 2), (5, 3)), 0.8),),
    hazards=(transposed((*draw(9, (2,), (5, 2), (5, 3)), 0.9)), EQUAL),
    puzzle=Puzzle(
        """
def soft_lookup(query, keys, values, temperature):
    difference = query - keys
    distance = {distance}
    scores = {factor} * distance
    scores = {heat}
    weights = {normalise}
    return weights @ values
""",
        {
            "distance": ("root", "sum-before-square"),
            "factor": ("no-half", "no-minus"),
            "heat": ("times-temperature",),
            "normalise": ("no-division",),
        },
    ),
)
