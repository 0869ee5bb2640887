"""Define an exercise of chapter 12: softmax and weighted mean in one pass."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, transposed
from attention_course.exercises.engine.exercise import Case, Exercise, Hazard, Puzzle, draw, mistake
from attention_course.exercises.engine.line import line
from attention_course.exercises.engine.means import one_pass

Step = Callable[..., Tensor]


def online_attention(
    scores: Tensor,
    values: Tensor,
    *,
    start: Callable[[Tensor], Tensor] = lambda scores: scores.new_full((), -torch.inf),
    skip: Callable[[Tensor, int], bool] = lambda scores, k: bool(scores[k] == -torch.inf),
    higher: Step = line("top, score", "torch.maximum(top, score)"),
    factor: Step = line("top, higher", "torch.exp(top - higher)"),
    grow: Step = line("total, factor, term", "total * factor + term"),
    add: Step = line("output, factor, term, value", "output * factor + term * value"),
    finish: Callable[[Tensor, Tensor, Any], Tensor] = lambda output, total, scores: output / total,
    is_empty: Callable[[Tensor], bool] = lambda top: bool(top == -torch.inf),
) -> Tensor:
    """Read one key after the other, and skip keys whose weight is 0."""
    top, total = start(scores), scores.new_zeros(())
    output = torch.zeros_like(values[0])
    for k, (score, value) in enumerate(zip(scores, values, strict=True)):
        if skip(scores, k):
            continue
        new = higher(top, score)
        shrunk, term = factor(top, new), torch.exp(score - new)
        total, output = grow(total, shrunk, term), add(output, shrunk, term, value)
        top = new
    return output if is_empty(top) else finish(output, total, scores)


_LOWEST = torch.finfo(torch.float32).min


def _from(number: float) -> Callable[[Tensor], Tensor]:
    return lambda scores: scores.new_full((), number)


def _over_more_than_the_sum(more: float) -> Step:
    return lambda output, total, scores: output / (total + more)


_SUM = line("total, factor, term", "total + term")
_ADDED = line("output, factor, term, value", "output + term * value")

MISTAKES = (
    mistake(
        "sum-not-rescaled",
        "The sum is not rescaled when the maximum rises, but the output is. Both were summed under "
        "the old maximum, so both shrink.",
        "最大值升高以后，你只缩小了输出，没有缩小总和。两者都是按原来的最大值累加的，应当一起缩小"
        "。",
        {"grow": _SUM},
    ),
    mistake(
        "output-not-rescaled",
        "The output is not rescaled when the maximum rises, but the sum is. Both were summed under "
        "the old maximum, so both shrink.",
        "最大值升高以后，你只缩小了总和，没有缩小输出。两者都是按原来的最大值累加的，应当一起缩小"
        "。",
        {"add": _ADDED},
    ),
    mistake(
        "nothing-rescaled",
        "Nothing is rescaled when the maximum rises. What was summed under the old maximum counts "
        "too much from then on.",
        "最大值升高以后，总和与输出都要缩小，否则以前累加的各项就占得太多了。",
        {"grow": _SUM, "add": _ADDED},
        {"factor": line("top, higher", "torch.ones_like(top)")},
    ),
    mistake(
        "latest-score",
        "The latest score takes the place of the maximum. The result is right as long as nothing "
        "overflows, but if it drops from 500 to −500, the factor is e¹⁰⁰⁰.",
        "你把最新的分数当成了最大值。只要不溢出，结果就是对的，但分数从 500 降到 −500 时，要乘以 e"
        "¹⁰⁰⁰，就会溢出。",
        {"higher": line("top, score", "score")},
    ),
    mistake(
        "no-maximum",
        "No maximum is subtracted. The result is right as long as nothing overflows, but e¹⁰⁰ is "
        "more than float32 can hold.",
        "你没有减去最大值。只要不溢出，结果就是对的，但 e¹⁰⁰ 已经超出了 float32 的范围。",
        {"higher": line("top, score", "torch.zeros_like(score)")},
        *(
            {
                "higher": line("top, score", "torch.zeros_like(score)"),
                "finish": _over_more_than_the_sum(more),
            }
            for more in (1e-9, 1e-8, 1e-6)
        ),
    ),
    mistake(
        "finite-start",
        "The maximum starts at a finite number, or has one as its lower bound. If all scores lie "
        "far below that number, every exponential rounds to 0 and no weight is left. Let the "
        "maximum start at −∞.",
        "你把最大值的初值设成了有限的数，或者给最大值设了下限。如果所有分数都远低于这个数，指数值"
        "就会全部舍入成 0，一点权重也不剩。请把初值设为 −∞。",
        *(
            {"start": _from(number), **steps}
            for number in (0.0, -300.0, -1e4)
            for steps in ({}, {"finish": _over_more_than_the_sum(1e-9)})
        ),
    ),
    mistake(
        "no-division",
        "The output is not divided by the sum. Its terms are exponentials, but weights must sum "
        "to 1.",
        "你忘了把输出除以总和。累加的是指数值，除以总和以后，权重之和才是 1。",
        {"finish": lambda output, total, scores: output},
    ),
    mistake(
        "divided-by-count",
        "The output is divided by the number of keys. Divide by the sum of the exponentials.",
        "你把输出除以了键的个数，应当除以指数值的总和。",
        {"finish": lambda output, total, scores: output / len(scores)},
    ),
)


def _scores(seed: int, *scores: float) -> Case:
    return torch.tensor(scores, dtype=torch.float32), *draw(seed, (len(scores), 3))


MASKED = mistake(
    "minus-infinity",
    "A score of −∞ marks a masked key. Until another score comes, the maximum is −∞ too, and −∞ − "
    "(−∞) is NaN; if none comes at all, the sum is 0, and 0/0 is NaN. Skip such keys, and return "
    "0 if no key is valid.",
    "分数是 −∞，表示这个键被掩蔽了。如果前面的键都被掩蔽，最大值还是 −∞，−∞ − (−∞) 得到 NaN；如果"
    "所有的键都被掩蔽，总和是 0，0/0 也是 NaN。请跳过这样的键；如果没有有效的键，就返回 0。",
    {"skip": lambda scores, k: False},
    # A program that starts from the first key does not use its score before the second.
    {"skip": lambda scores, k: k == 0 and bool(scores[0] == -torch.inf)},
    {"is_empty": lambda top: False},
)

LEAKS = mistake(
    "padding-leaks",
    "A masked key has the weight 0, but a value of NaN or infinity still reaches the output, "
    "because 0 times either is NaN. Skip keys whose score is −∞.",
    "被掩蔽的键权重是 0，可是它的值里如果有 NaN 或无穷大，0 乘以 NaN 或无穷大还是 NaN，照样会影响"
    "输出。请跳过分数为 −∞ 的键。",
    {
        "skip": lambda scores, k: False,
        "higher": lambda top, score: torch.maximum(top, score).clamp(min=_LOWEST),
        "is_empty": lambda top: bool(top == _LOWEST),
    },
)

_INF = torch.inf


def _spoilt(number: float) -> Case:
    scores, values = _scores(140, 0.5, -_INF, 1.0)
    values[1] = number
    return scores, values


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
        (torch.tensor([-2000, -1999]).float(), torch.tensor([[1], [3]]).float()),
        _scores(134, -(2.0**101), -(2.0**100), -(2.0**102)),
    ),
    MISTAKES,
    (VIEW_HINT, *GRADIENT_HINTS),
    gradients=(draw(131, (5,), (5, 3)),),
    forbids=(one_pass(*draw(133, (32,), (32, 3))),),
    hazards=(
        transposed(draw(139, (5,), (5, 3))),
        Hazard(
            "masked-scores",
            (
                _scores(135, 0.5, -_INF, 1.0),
                _scores(136, -_INF, 0.5, 1.0),
                _scores(137, -_INF, -_INF, 1.0, 0.5),
                _scores(138, -_INF, -_INF),
            ),
            (MASKED,),
        ),
        Hazard("spoilt-padding", (_spoilt(torch.nan), _spoilt(_INF)), (LEAKS,)),
    ),
    puzzle=Puzzle(
        """
def online_attention(scores, values):
    top, total = torch.tensor(-torch.inf), torch.tensor(0.0)
    output = torch.zeros_like(values[0])
    for score, value in zip(scores, values):
        if score == -torch.inf:
            continue  # a weight of 0
        higher = {higher}
        factor = {factor}
        term = torch.exp(score - higher)
        total = {grow}
        output = {add}
        top = higher
    return output if top == -torch.inf else output / total
""",
        {
            "higher": ("latest-score", "no-maximum"),
            "factor": ("nothing-rescaled",),
            "grow": ("sum-not-rescaled",),
            "add": ("output-not-rescaled",),
        },
    ),
)
