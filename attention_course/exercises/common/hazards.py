"""Make the hazards that several exercises share: harder cases, after the plain ones.

An exercise passes a `CaseFromScores`, which makes inputs with given scores. Rounding cannot show in
these scores: softmax leaves one key of a row, or the scores differ by whole numbers.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.masks import (
    EXTREME_MISTAKES,
    FLOORED,
    LOWEST_ADDED,
    as_given,
    below_floored,
    without_padding,
)
from attention_course.exercises.common.pooling import OVERFLOW
from attention_course.exercises.engine.exercise import Case, Hazard, Mistake, hint, mistake

CaseFromScores = Callable[[Tensor, Tensor], Case]  # scores (B, K) of all queries, lengths (B,)

_DEEP = -(2.0**100)  # below every usual fill, but for the lowest number of the dtype
# A masked key far above the others; scores whose exponentials underflow and overflow; a row below
# all fills; and a row without padding.
_SCORES = torch.tensor(
    [
        [1, 0, 5000, 2, -1],
        [-257, -256, -258, 0, 1],
        [256, 257, 255, 0, 2],
        [_DEEP, 2 * _DEEP, 0, 1, 3],
        [_DEEP, 2 * _DEEP, 4 * _DEEP, 2 * _DEEP, 8 * _DEEP],
    ],
    dtype=torch.float32,
)
_LENGTHS = torch.tensor([2, 3, 3, 2, 5])


def extreme_scores(
    case_from_scores: CaseFromScores, mistakes: tuple[Mistake, ...] = EXTREME_MISTAKES
) -> Hazard:
    """Make scores that lie far apart, and far from 0."""
    return Hazard("extreme-scores", (case_from_scores(_SCORES, _LENGTHS),), mistakes)


# So low that their exponentials sum to less than any usual epsilon, beside padding that is far
# above them; but no exponential underflows to 0.
LOW_SCORES = torch.tensor([[-25, -26, 0, -1], [-27, -25, -26, 1]], dtype=torch.float32)
LOW_LENGTHS = torch.tensor([2, 3])

# Half of the largest number, so that its double is finite too.
HALF_OF_LARGEST = torch.finfo(torch.float32).max / 2


def near_the_limit(case_from_scores: CaseFromScores, lengths: list[Any]) -> Hazard:
    """Make scores as far apart as the lowest number of the dtype is from 0.

    The lengths are those of two examples with three keys each.
    """
    scores = HALF_OF_LARGEST * torch.tensor([[-1, 1, 0], [-1, -1, 1]], dtype=torch.float32)
    return Hazard(
        "near-the-limit", (case_from_scores(scores, torch.tensor(lengths)),), (LOWEST_ADDED,)
    )


# Scores whose exponentials overflow, even in float64, and underflow; and some below every usual
# initial maximum.
_FAR = torch.tensor(
    [[256, 257, 255], [1000, 1001, 999], [-257, -256, -258], [2 * _DEEP, _DEEP, 4 * _DEEP]],
    dtype=torch.float32,
)


def far_from_zero(case_from_scores: Callable[[Tensor], Case]) -> Hazard:
    """Make scores (B, K) far from 0, for exercises without a mask."""
    floored = tuple(
        {"normalise": below_floored(floor, least)}
        for floor in (0.0, -1e3, -1e4, -1e9)
        for least in (0.0, 1e-9)
    )
    return Hazard(
        "far-from-zero",
        (case_from_scores(_FAR),),
        (OVERFLOW, replace(FLOORED, variants=floored)),
    )


LEAKS = mistake(
    "padding-leaks",
    "The weight of padding is 0, but NaN or infinity in it still reach the output, because 0 "
    "times either is NaN. Set padded keys and values to 0 with `masked_fill` or `torch.where` "
    "before you compute anything from them.",
    "填充的权重虽然是 0，但 0 乘 NaN 或无穷大会得到 NaN，如果填充里有这样的数，输出就会出错。请先"
    "用 `masked_fill` 或 `torch.where` 把填充处的键和值设为 0，再做后面的计算。",
    {"clean_keys": as_given, "clean_values": as_given},
    {"clean_values": as_given},
)
LEAKS_BACK = mistake(
    "padding-leaks-into-gradients",
    "The output is right, but padded keys that hold NaN or infinity spoil the gradients: on the "
    "way back they are multiplied by 0, which is NaN. Set padded keys to 0 with `masked_fill` "
    "or `torch.where` before they are scored.",
    "输出没有问题，但梯度会出错：如果填充处的键里有 NaN 或无穷大，反向传播时乘以 0 会得到 NaN。请"
    "在计算分数之前，用 `masked_fill` 或 `torch.where` 把填充处的键设为 0。",
    {"clean_keys": as_given},
)
CLEAN = {"clean_keys": without_padding, "clean_values": without_padding}


def spoilt(case: Case, lengths: Tensor, number: float, *places: int) -> Case:
    """Put a number into the padding of the inputs (B, K, …) at these places."""
    longest = lengths.reshape(len(lengths), -1).amax(1)[:, None]

    def spoil(x: Tensor) -> Tensor:
        padding = torch.arange(x.shape[1]) >= longest
        return x.masked_fill(padding.reshape(*padding.shape, *[1] * (x.dim() - 2)), number)

    return tuple(spoil(x) if i in places else x for i, x in enumerate(case))


def spoilt_padding(case: Case, lengths: Tensor, *places: int) -> Hazard:
    """Put numbers into the padding of keys and values that a weight of 0 does not remove."""
    nan, infinite = (spoilt(case, lengths, x, *places) for x in (torch.nan, torch.inf))
    return Hazard("spoilt-padding", (nan, infinite), (LEAKS, LEAKS_BACK), (nan,), CLEAN)


VIEW_HINT = hint(
    "view size is not compatible",
    "`.view` needs numbers that lie in memory in the order of their axes, and those of a "
    "transposed tensor do not. `.reshape` copies them where it has to.",
    "`.view` 要求张量在内存里按轴的顺序连续存放，转置过的张量不满足这个条件。请改用 `.reshape`，"
    "必要时会自动复制一份。",
)


def strided(case: Case) -> Case:
    """Make tensors whose memory order differs from the order of their axes."""
    return tuple(_strided(x) if isinstance(x, Tensor) else x for x in case)


def transposed(*cases: Case) -> Hazard:
    """Make inputs that are transposed views."""
    return Hazard("transposed-inputs", tuple(map(strided, cases)))


def _strided(x: Tensor) -> Tensor:
    return x.mT.contiguous().mT if x.dim() > 1 else x
