"""Chapter 12: softmax and weighted mean in one pass."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attention_lib.exercises.common.gradients import GRADIENT_HINTS
from attention_lib.exercises.engine.exercise import Case, Exercise, Puzzle, draw, mistake
from attention_lib.exercises.engine.line import line
from attention_lib.exercises.engine.means import one_pass

Step = Callable[..., Tensor]


def online_attention(
    scores: Tensor,
    values: Tensor,
    *,
    higher: Step = line("top, score", "torch.maximum(top, score)"),
    factor: Step = line("top, higher", "torch.exp(top - higher)"),
    grow: Step = line("total, factor, term", "total * factor + term"),
    add: Step = line("output, factor, term, value", "output * factor + term * value"),
    finish: Callable[[Tensor, Tensor, Any], Tensor] = lambda output, total, scores: output / total,
) -> Tensor:
    """Read one key after the other."""
    top, total = scores.new_full((), -torch.inf), scores.new_zeros(())
    output = torch.zeros_like(values[0])
    for score, value in zip(scores, values, strict=True):
        new = higher(top, score)
        shrunk, term = factor(top, new), torch.exp(score - new)
        total, output = grow(total, shrunk, term), add(output, shrunk, term, value)
        top = new
    return finish(output, total, scores)


_SUM = line("total, factor, term", "total + term")
_ADDED = line("output, factor, term, value", "output + term * value")

MISTAKES = (
    mistake(
        "sum-not-rescaled",
        "The sum is not rescaled when the maximum rises, but the output is. Both were summed under "
        "the old maximum, so both shrink.",
        "最大值升高时，只缩小了输出，没有缩小总和。两者都是按原来的最大值累加的，所以都要缩小。",
        {"grow": _SUM},
    ),
    mistake(
        "output-not-rescaled",
        "The output is not rescaled when the maximum rises, but the sum is. Both were summed under "
        "the old maximum, so both shrink.",
        "最大值升高时，只缩小了总和，没有缩小输出。两者都是按原来的最大值累加的，所以都要缩小。",
        {"add": _ADDED},
    ),
    mistake(
        "nothing-rescaled",
        "Nothing is rescaled when the maximum rises. What was summed under the old maximum counts "
        "too much from then on.",
        "最大值升高时，什么都没有缩小。于是按原来的最大值累加的那些，从此算得太多。",
        {"grow": _SUM, "add": _ADDED},
        {"factor": line("top, higher", "torch.ones_like(top)")},
    ),
    mistake(
        "latest-score",
        "The latest score takes the place of the maximum. That is right as long as nothing "
        "overflows: from 500 to −500 the factor is e¹⁰⁰⁰.",
        "用最新的分数代替了最大值。只要不溢出，结果是对的；"
        "可是分数从 500 降到 −500，倍数就是 e¹⁰⁰⁰。",
        {"higher": line("top, score", "score")},
    ),
    mistake(
        "no-maximum",
        "No maximum is taken off. That is right as long as nothing overflows: e¹⁰⁰ is more than "
        "float32 has.",
        "没有减去最大值。只要不溢出，结果是对的；可是 e¹⁰⁰ 已经超出了 float32 的范围。",
        {"higher": line("top, score", "torch.zeros_like(score)")},
    ),
    mistake(
        "no-division",
        "The output is not divided by the sum. Its terms are exponentials; weights sum to 1.",
        "输出没有除以总和。累加进去的是指数值，而权重之和应该是 1。",
        {"finish": lambda output, total, scores: output},
    ),
    mistake(
        "divided-by-count",
        "The output is divided by the number of keys. Divide by the sum of the exponentials.",
        "输出除以了键的个数，应该除以指数值的总和。",
        {"finish": lambda output, total, scores: output / len(scores)},
    ),
)


def _scores(seed: int, *scores: float) -> Case:
    return torch.tensor(scores, dtype=torch.float32), *draw(seed, (len(scores), 3))


EXERCISE = Exercise(
    online_attention,
    (
        draw(121, (5,), (5, 3)),
        draw(122, (7,), (7, 2)),
        draw(123, (3,), (3, 3)),
        _scores(124, -1.0, 0.5, 2.0, 3.5),
        _scores(125, 3.5, 2.0, 0.5, -1.0),
        _scores(126, 1.0, 1.0, 1.0),
        draw(127, (1,), (1, 2)),
        _scores(128, 500.0, -500.0, 499.0),
        _scores(132, -300.0, 0.0, 300.0),
        _scores(129, -300.0, -301.0, -299.5),
        _scores(130, 300.0, 301.0, 299.5),
    ),
    MISTAKES,
    GRADIENT_HINTS,
    gradients=(draw(131, (5,), (5, 3)),),
    forbids=(one_pass(*draw(133, (32,), (32, 3))),),
    puzzle=Puzzle(
        """
def online_attention(scores, values):
    top, total = torch.tensor(-torch.inf), torch.tensor(0.0)
    output = torch.zeros_like(values[0])
    for score, value in zip(scores, values):
        higher = {higher}
        factor = {factor}
        term = torch.exp(score - higher)
        total = {grow}
        output = {add}
        top = higher
    return output / total
""",
        {
            "higher": ("latest-score", "no-maximum"),
            "factor": ("nothing-rescaled",),
            "grow": ("sum-not-rescaled",),
            "add": ("output-not-rescaled",),
        },
    ),
)
