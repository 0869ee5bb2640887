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
        "保留的权重没有除以 1 − p。这样一来，训练时权重的平均值只有评估时的 1 − p 倍。",
        {"scale": _unchanged},
    ),
    mistake(
        "divided-by-p",
        "The kept weights are divided by p, the share that is dropped. Divide by the share that "
        "is kept, 1 − p.",
        "你把保留的权重除以了 p。p 是丢弃的概率，应该除以保留的概率 1 − p。",
        {"scale": line("dropped, p", "dropped / p")},
    ),
    mistake(
        "times-keep",
        "The kept weights are multiplied by 1 − p. Divide by 1 − p: the kept weights must grow to "
        "make up for those that are gone.",
        "你把保留的权重乘以了 1 − p。由于丢弃了一部分权重，剩下的权重要放大来弥补，"
        "所以应该除以 1 − p。",
        {"scale": line("dropped, p", "dropped * (1 - p)")},
    ),
    mistake(
        "inverted-draws",
        "The wrong weights are kept: a weight is dropped where its draw is below p, and kept "
        "where `draws >= p`.",
        "你把保留和丢弃弄反了。如果随机数小于 p，就丢弃对应的权重；如果 `draws >= p`，就保留。",
        {"keep": line("draws, p", "draws < p")},
        {"keep": lambda draws, p: draws <= p},
    ),
    mistake(
        "p-keeps",
        "p is used as the probability of keeping. Here, as in `nn.Dropout`, p is the probability "
        "of dropping: keep where `draws >= p`, and divide by 1 − p.",
        "你把 p 当成了保留的概率。这里的 p 和 `nn.Dropout` 里一样，是丢弃的概率。请在 "
        "`draws >= p` 时保留权重，并除以 1 − p。",
        {"keep": lambda draws, p: draws < p, "scale": lambda dropped, p: dropped / p},
        {"keep": lambda draws, p: draws <= p, "scale": lambda dropped, p: dropped / p},
        {"keep": lambda draws, p: draws >= 1 - p, "scale": lambda dropped, p: dropped / p},
    ),
    mistake(
        "other-draws",
        "The right number of weights is kept on average, but the wrong ones: keep where `draws >= "
        "p`.",
        "平均来看，你保留的权重个数没错，可是保留的位置不对。应该在 `draws >= p` 时保留。",
        {"keep": lambda draws, p: draws < 1 - p},
        {"keep": lambda draws, p: draws <= 1 - p},
    ),
    mistake(
        "equal-draw-dropped",
        "A weight is dropped if its draw equals p. Draws lie in [0, 1), and 0 is possible: keep "
        "where `draws >= p`, and with p = 0 everything stays.",
        "随机数等于 p 时，你也丢弃了权重。随机数的范围是 [0, 1)，有可能等于 0。应该在 "
        "`draws >= p` 时保留，这样 p = 0 时就不会丢弃任何权重。",
        {"keep": line("draws, p", "draws > p")},
    ),
    mistake(
        "rows-rescaled",
        "The kept weights are divided by their sum, so each row sums to 1 again. This is "
        "tempting, but a small weight that is the only one left then becomes 1, and on average "
        "the weights change. Divide by 1 − p: each weight keeps its mean, and a row sums to 1 only "
        "on average.",
        "你把保留的权重除以它们的总和，让每行之和重新等于 1。这样做看似合理，可是如果只剩下一个很"
        "小的权重，这个权重就会变成 1，平均值也就变了。应该除以 1 − p，这样每个权重的平均值不变，"
        "每行之和的平均值也是 1。",
        {"finish": line("scaled", "scaled / scaled.sum(dim=-1, keepdim=True)")},
        {"finish": lambda dropped: _share(dropped).nan_to_num(0)},
    ),
    mistake(
        "softmax-of-weights",
        "A softmax is applied to what already are weights: drop some, and divide the rest by 1 − "
        "p.",
        "你对权重又做了一次 softmax。传入的已经是权重，只要丢弃一部分，再把其余的除以 1 − p。",
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
        "你的函数自己生成了随机数。请用传入的 `draws`，这样随机数相同，结果就相同。",
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
        "你让好几行共用了一组随机数，应该为每个权重分别使用一个随机数。",
        {"keep": lambda draws, p: (draws[:1] >= p).expand_as(draws)},
        {"keep": lambda draws, p: (draws[:, :1] >= p).expand_as(draws)},
        {"keep": lambda draws, p: (draws[:1, :1] >= p).expand_as(draws)},
    ),
    mistake(
        "nothing-dropped",
        "The dropped weights are still there. Set them to 0.",
        "应该丢弃的权重还保留着，请把这些权重设为 0。",
        {"choose": line("weights, m", "weights")},
    ),
    mistake(
        "dropped-removed",
        "The dropped weights are gone from the tensor. Put 0 in their places instead, and each "
        "weight stays with its key.",
        "你把丢弃的权重从张量里删掉了。应该在原来的位置填 0，这样每个权重才能与自己的键对应。",
        {"choose": lambda weights, kept: weights[kept]},
    ),
    mistake(
        "mask-only",
        "The function returns the mask itself. Multiply the weights by the mask.",
        "你返回的是掩码，还要把掩码与权重相乘。",
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
            "p 可以等于 0，这时一个权重也不丢弃，除数 1 − p 等于 1。",
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
