"""Chapter 2: leaving each training point out of its own keys."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib.exercises.exercise import Exercise, draw, hint, mistake


def leave_one_out(
    x: Tensor,
    *,
    row: Callable[[Tensor, int], Tensor] = lambda x, i: torch.cat([x[:i], x[i + 1 :]]),
    finish: Callable[[Tensor], Tensor] = lambda rows: rows,
) -> Tensor:
    """Leave out of each row another entry."""
    return finish(torch.stack([row(x, i) for i in range(len(x))]))


EXERCISE = Exercise(
    leave_one_out,
    (
        draw(31, (5,)),
        draw(32, (7,)),
        draw(33, (2,)),
        (torch.tensor([1.5, -2, 1.5, 0, 1.5], dtype=torch.float32),),
    ),
    (
        mistake(
            "Row i still holds x[i]: each point attends to itself.",
            "第 i 行里仍有 x[i]：每个点还在注意自己。",
            {"row": lambda x, i: x},
        ),
        mistake(
            "Every row leaves out the last entry; row i should leave out x[i].",
            "每一行去掉的都是最后一个元素，而第 i 行该去掉的是 x[i]。",
            {"row": lambda x, i: x[:-1]},
        ),
        mistake(
            "Every row leaves out the first entry; row i should leave out x[i].",
            "每一行去掉的都是第一个元素，而第 i 行该去掉的是 x[i]。",
            {"row": lambda x, i: x[1:]},
        ),
        mistake(
            "x[i] is replaced by 0, but the 0 is still an entry. Row i should be one shorter.",
            "x[i] 换成了 0，可 0 仍占着一个位置。第 i 行应当少一个元素。",
            {"row": lambda x, i: x * (torch.arange(len(x)) != i)},
        ),
        mistake(
            "The right entries in another order: the rest should stay in the order of x.",
            "元素对了，次序不对：剩下的元素应当保持在 x 中的次序。",
            {"row": lambda x, i: torch.cat([x[i + 1 :], x[:i]])},
        ),
        mistake(
            "Row i leaves out an entry counted from the end; it should leave out x[i].",
            "第 i 行去掉的元素是从末尾数起的，该去掉的是 x[i]。",
            {"row": lambda x, i: torch.cat([x[: len(x) - 1 - i], x[len(x) - i :]])},
        ),
        mistake(
            "Row i holds nothing but x[i]; it should hold all the others.",
            "第 i 行里只有 x[i]，该留下的是其余所有元素。",
            {"row": lambda x, i: x[i : i + 1]},
            {"row": lambda x, i: x[i].expand(len(x) - 1)},
        ),
        mistake(
            "The right entries, but all in one long row. Give them the shape (n, n − 1).",
            "元素都对，却排成了长长的一行。请把形状变成 (n, n − 1)。",
            {"finish": lambda rows: rows.flatten()},
        ),
        mistake(
            "The axes are swapped: the row, not the column, says which entry is left out.",
            "轴的次序反了：去掉哪个元素，应当由行来定，而不是由列。",
            {"finish": lambda rows: rows.mT},
        ),
    ),
    (
        hint(
            "stack expects each tensor|invalid for input of size|expected sequence of length",
            "The rows differ in length. Do you compare values? Equal values may occur more than "
            "once; leave an entry out by its place.",
            "各行长短不一。是不是按数值比较的？同一个数可能出现不止一次，应当按位置去掉。",
        ),
    ),
)
