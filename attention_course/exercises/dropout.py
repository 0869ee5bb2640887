"""Define an exercise of chapter 7: dropout on attention weights, from given draws."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import dropout as torch_dropout

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, transposed
from attention_course.exercises.engine.exercise import (
    Case,
    Exercise,
    Function,
    Puzzle,
    draw,
    hint,
    mistake,
)
from attention_course.exercises.engine.line import line

Step = Callable[[Tensor, float], Tensor]


def dropout(
    weights: Tensor,
    p: float,
    draws: Tensor,
    *,
    keep: Step = line("draws, p", "draws >= p"),
    choose: Callable[[Tensor, Tensor], Tensor] = line("weights, m", "m * weights"),
    scale: Step = line("dropped, p", "dropped / (1 - p)"),
    finish: Callable[[Tensor], Tensor] = line("scaled", "scaled"),
) -> Tensor:
    """Drop step by step."""
    return finish(scale(choose(weights, keep(draws, p)), p))


def _share(weights: Tensor) -> Tensor:
    return weights / weights.sum(dim=-1, keepdim=True)


_unchanged = line("dropped, p", "dropped")


MISTAKES = (
    mistake(
        "no-scale",
        "The kept weights are not divided by 1 − p. On average a weight in training is then only "
        "1 − p times as large as in evaluation.",
        "留下的权重没有除以 1 − p。这样一来，训练时权重的平均只有评估时的 1 − p 倍。",
        {"scale": _unchanged},
    ),
    mistake(
        "divided-by-p",
        "The kept weights are divided by p, the share that is dropped. Divide by the share that "
        "is kept, 1 − p.",
        "留下的权重除以了 p。p 是丢弃的比例，应当除以保留的比例 1 − p。",
        {"scale": line("dropped, p", "dropped / p")},
    ),
    mistake(
        "times-keep",
        "The kept weights are multiplied by 1 − p. Divide by 1 − p: the kept weights must grow to "
        "make up for those that are gone.",
        "留下的权重乘上了 1 − p。留下的权重要变大才补得上丢掉的，所以应该除以 1 − p。",
        {"scale": line("dropped, p", "dropped * (1 - p)")},
    ),
    mistake(
        "inverted-draws",
        "The wrong weights are kept: a weight is dropped where its draw is below p, and kept "
        "where `draws >= p`.",
        "保留和丢弃弄反了。抽到的数小于 p 的权重要丢弃，`draws >= p` 的才保留。",
        {"keep": line("draws, p", "draws < p")},
        {"keep": lambda draws, p: draws <= p},
    ),
    mistake(
        "p-keeps",
        "p is used as the probability of keeping. Here, as in `nn.Dropout`, p is the probability "
        "of dropping: keep where `draws >= p`, and divide by 1 − p.",
        "p 被当成了保留的概率。这里的 p 和 `nn.Dropout` 里一样，是丢弃的概率。请保留 `draws >= p` "
        "的权重，并除以 1 − p。",
        {"keep": lambda draws, p: draws < p, "scale": lambda dropped, p: dropped / p},
        {"keep": lambda draws, p: draws <= p, "scale": lambda dropped, p: dropped / p},
        {"keep": lambda draws, p: draws >= 1 - p, "scale": lambda dropped, p: dropped / p},
    ),
    mistake(
        "other-draws",
        "The right number of weights is kept on average, but the wrong ones: keep where `draws >= "
        "p`.",
        "平均保留的个数没错，但保留的不是题目要的权重。应当保留 `draws >= p` 的权重。",
        {"keep": lambda draws, p: draws < 1 - p},
        {"keep": lambda draws, p: draws <= 1 - p},
    ),
    mistake(
        "equal-draw-dropped",
        "A weight is dropped if its draw equals p. Draws lie in [0, 1), and 0 is possible: keep "
        "where `draws >= p`, and with p = 0 everything stays.",
        "抽到的数恰好等于 p 时也丢弃了。抽到的数在 [0, 1) 里，可能是 0。应当保留 `draws >= p` "
        "的权重，这样 p = 0 时一个也不丢。",
        {"keep": line("draws, p", "draws > p")},
    ),
    mistake(
        "rows-rescaled",
        "The kept weights are divided by their sum, so each row sums to 1 again. This is "
        "tempting, but a small weight that is the only one left then becomes 1, and on average "
        "the weights change. Divide by 1 − p: each weight keeps its mean, and a row sums to 1 on "
        "average only.",
        "留下的权重除以了总和，好让每行之和重新变成 1。这样做很诱人，"
        "可是一个很小的权重如果独自留下，会变成 1，平均起来不再是原来的权重。除以 1 − p，"
        "每个权重的平均才保持不变，每行之和则只在平均意义上是 1。",
        {"finish": line("scaled", "scaled / scaled.sum(dim=-1, keepdim=True)")},
        {"finish": lambda dropped: _share(dropped).nan_to_num(0)},
    ),
    mistake(
        "softmax-of-weights",
        "A softmax is applied to what already are weights: drop some, and divide the rest by 1 − "
        "p.",
        "对权重又做了一次 softmax。传进来的已经是权重，只要丢掉一些，再把其余的除以 1 − p。",
        {"finish": lambda dropped: torch.softmax(dropped, dim=-1)},
        {
            "choose": lambda weights, kept: weights.masked_fill(~kept, -torch.inf),
            "scale": _unchanged,
            "finish": lambda dropped: torch.softmax(dropped, dim=-1),
        },
    ),
    mistake(
        "own-draws",
        "Your function draws its own random numbers. Use `draws`: the same draws then give the "
        "same result.",
        "函数自己生成了随机数。请用 `draws`，这样抽到的数相同，结果就相同。",
        {"keep": lambda draws, p: torch.rand(draws.shape) >= p},
        {"keep": lambda draws, p: torch.rand(draws.shape) > p},
        {"keep": lambda draws, p: torch.rand_like(draws) < 1 - p},
        {"keep": lambda draws, p: torch.bernoulli(torch.full_like(draws, 1 - p)) > 0},
        {
            "keep": lambda draws, p: torch_dropout(torch.ones_like(draws), p) > 0,
        },
    ),
    mistake(
        "shared-draws",
        "Several rows share one set of draws. Each weight has a draw of its own.",
        "好几行共用了一组随机数。每个权重应当各用一个数。",
        {"keep": lambda draws, p: (draws[:1] >= p).expand_as(draws)},
        {"keep": lambda draws, p: (draws[:, :1] >= p).expand_as(draws)},
        {"keep": lambda draws, p: (draws[:1, :1] >= p).expand_as(draws)},
    ),
    mistake(
        "nothing-dropped",
        "The dropped weights are still there. Set them to 0.",
        "该丢弃的权重还在，请把这些权重变成 0。",
        {"choose": line("weights, m", "weights")},
    ),
    mistake(
        "dropped-removed",
        "The dropped weights are gone from the tensor. Put 0 in their places instead, and each "
        "weight stays with its key.",
        "丢弃的权重从张量里消失了。请在原处填 0，让每个权重仍与自己的键对应。",
        {"choose": lambda weights, kept: weights[kept]},
    ),
    mistake(
        "mask-only",
        "The function returns the mask itself. Multiply the weights by the mask.",
        "返回的是掩码本身，还要用掩码去乘权重。",
        {"choose": lambda weights, kept: kept.to(weights.dtype)},
    ),
)


def _case(seed: int, p: float, *shape: int) -> Case:
    scores, noise = draw(seed, shape, shape)
    return torch.softmax(scores, dim=-1), p, torch.special.ndtr(noise)  # normal to uniform


def _with_draw(case: Case, draw: float) -> Case:
    """Set all draws of the first row to this one."""
    weights, p, draws = case
    draws[0, 0] = draw
    return weights, p, draws


def _prepare(answer: Function) -> Function:
    """Detach the draws: they only decide what is kept, so their gradient is not judged."""

    @wraps(answer)
    def drop(weights: Tensor, p: float, draws: Tensor) -> Any:
        return answer(weights, p, draws.detach() if draws.requires_grad else draws)

    return drop


EXERCISE = Exercise(
    dropout,
    (
        _case(91, 0.25, 2, 3, 5),
        _case(92, 0.7, 3, 5, 7),
        _case(93, 0.5, 5, 5, 5),
        _with_draw(_case(94, 0.75, 1, 2, 7), 0.5),
        _with_draw(_case(95, 0.5, 2, 3, 5), 0.5),
        _with_draw(_case(96, 0.0, 2, 5, 3), 0.0),
        _case(97, 0.4, 3, 1, 5),
        _case(98, 0.2, 1, 1, 1),
    ),
    MISTAKES,
    (
        hint(
            "ZeroDivisionError",
            "p = 0 is allowed and drops nothing. The divisor is 1 − p, which is then 1.",
            "p 可以是 0，这时什么也不丢。除数是 1 − p，这时等于 1。",
        ),
        VIEW_HINT,
        *GRADIENT_HINTS,
    ),
    hazards=(transposed(_case(100, 0.3, 2, 3, 5)),),
    gradients=(_case(99, 0.35, 2, 3, 5),),
    prepare=_prepare,
    puzzle=Puzzle(
        """
def dropout(weights, p, draws):
    m = {keep}
    dropped = {choose}
    scaled = {scale}
    return {finish}
""",
        {
            "keep": ("inverted-draws", "equal-draw-dropped"),
            "choose": ("nothing-dropped",),
            "scale": ("no-scale", "divided-by-p"),
            "finish": ("rows-rescaled",),
        },
    ),
)
