"""Define an exercise of chapter 4: masked softmax."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, near_the_limit, transposed
from attention_course.exercises.common.masks import (
    FINITE_FILL,
    LENGTH_HINTS,
    MASK_MISTAKES,
    add,
    add_infinity_unless_empty,
    clear,
    fill_with,
    fills,
    masked_softmax,
)
from attention_course.exercises.engine.exercise import (
    Case,
    Exercise,
    Hazard,
    Puzzle,
    draw,
    hint,
    mistake,
)


def _fill(number: float) -> Callable[[Tensor, Tensor], Tensor]:
    """Fill as index assignment does, where a number too large for float16 becomes −∞ silently."""
    return lambda X, keep: X.where(keep, torch.tensor(number, dtype=X.dtype))


# In float16, −1e4 fits, and the others raise or become −∞, depending on how one fills.
FILLS = fills((fill_with, _fill, add), (-1e6, -1e9, -1e4))

MISTAKES = (
    *(replace(one, variants=FILLS) if one is FINITE_FILL else one for one in MASK_MISTAKES),
)

X, ONE, SQUARE, CUBE = draw(4, (2, 3, 5), (1, 3, 5), (2, 2, 7), (3, 3, 3))
LENGTHS = torch.tensor([2, 4])
# Rows so far apart that no shift is safe for all of them.
LEVELS = torch.tensor([[[150], [0], [-150]], [[-200], [0], [200]]], dtype=torch.float32)
PER_QUERY = torch.tensor([[0, 3, 5], [2, 0, 1]])


def _extreme() -> tuple[Case, ...]:
    """Make scores that are large in the padding or low among the kept keys, and short lengths."""
    large, low, lower = X.clone(), X.clone(), ONE.clone()
    large[0, :, 2:] = 5000
    low[0] = torch.tensor([-2e6, -2e6 - 50, -1.9e6, 0, 1e6], dtype=X.dtype)
    lower[:, :, 0] = -(2.0**100)
    half = torch.tensor(
        [[[0, -60, 1000, -5], [-3e4, -2e4, 3, 1]], [[-2e4, 0, 300, 100], [5, 4, 3, 2]]],
        dtype=torch.float16,
    )
    deep = -(2.0**100) * torch.tensor([[[1, 2, 2, 4, 2]]], dtype=X.dtype)  # without padding
    return (
        (large, LENGTHS),
        (deep, torch.tensor([5])),
        (low, LENGTHS),
        (X + LEVELS, LENGTHS),
        (lower, torch.tensor([1])),
        (half, torch.tensor([[2, 2], [1, 0]])),
    )


def _spoilt() -> tuple[Case, ...]:
    """Make masked scores NaN or infinite."""
    masked = torch.arange(X.shape[2]) >= LENGTHS[:, None, None]
    return tuple((X.masked_fill(masked, x), LENGTHS) for x in (torch.nan, torch.inf, -torch.inf))


LEAKS_SCORES = mistake(
    "padding-leaks",
    "Masked scores that are NaN or infinite reach the weights: NaN plus −∞ and ∞ plus −∞ are NaN, "
    "and so are 0 times NaN and 0 times ∞. Replace masked scores by −∞, with `masked_fill` or "
    "`torch.where`.",
    "如果被掩蔽的分数是 NaN 或无穷大，权重就会出错：NaN 加 −∞、∞ 加 −∞ 都是 NaN，0 乘 NaN 或 ∞ 也"
    "是 NaN。请用 `masked_fill` 或 `torch.where` 把这些分数换成 −∞。",
    {"before": add_infinity_unless_empty},
    {"before": add_infinity_unless_empty, "after": clear},
)

LIMIT = near_the_limit(
    lambda scores, lengths: (scores[:, None].expand(2, 2, 3), lengths), [[1, 3], [0, 3]]
)
HALF = torch.tensor([[[-20, -17, -30], [1, 2, 3]]]).half(), torch.tensor([[0, 1]])

EXERCISE = Exercise(
    masked_softmax,
    (
        (X, LENGTHS),
        (SQUARE, torch.tensor([3, 6])),
        (ONE, torch.tensor([3])),
        (X, torch.tensor([[1, 3, 5], [4, 2, 1]])),
        (X, None),
        (CUBE, torch.tensor([1, 3, 2])),
        (CUBE, torch.tensor([[1, 2, 3], [3, 1, 2], [2, 3, 1]])),
        (ONE, torch.tensor([[1, 5, 3]])),
        (*draw(5, (3, 1, 4)), torch.tensor([[2], [4], [1]])),
        (*draw(6, (2, 3, 1)), torch.tensor([1, 0])),
        *_extreme(),
        (X, torch.tensor([0, 3])),
        (X, PER_QUERY),
        (ONE, torch.tensor([0])),
    ),
    MISTAKES,
    (
        hint(
            "Half without overflow",
            "These scores are float16, and the lowest finite number of float16 is −65,504. Every "
            "floating-point type has −∞.",
            "这里的分数是 float16 类型，最小的有限数只有 −65,504。不过所有浮点类型都能表示 −∞。",
        ),
        VIEW_HINT,
        *LENGTH_HINTS,
        *GRADIENT_HINTS,
    ),
    gradients=((X, LENGTHS), (X, PER_QUERY)),
    hazards=(
        transposed((X, PER_QUERY)),
        replace(LIMIT, cases=(*LIMIT.cases, HALF)),
        Hazard("spoilt-padding", _spoilt(), (LEAKS_SCORES,)),
    ),
    puzzle=Puzzle(
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, dim=-1)
    B, Q, n = X.shape
    lengths = valid_lens.reshape(B, -1).expand(B, Q)
    keep = {keep}
    scores = {before}
    weights = torch.softmax(scores, dim=-1)
    return {after}
""",
        {
            "keep": ("one-key-more", "mask-from-end"),
            "before": ("zero-fill", "finite-fill", "no-mask"),
            "after": ("mask-after-softmax", "empty-row-nan"),
        },
    ),
)
