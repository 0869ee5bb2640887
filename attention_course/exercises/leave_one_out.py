"""Define an exercise of chapter 2: leaving each training point out of its own keys."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.engine.exercise import Exercise, Puzzle, draw, hint, mistake
from attention_course.exercises.engine.line import line
from attention_course.exercises.engine.means import no_loop

_RAGGED = "stack expects each tensor|invalid for input of size|expected sequence of length"


def _others(x: Tensor, i: int) -> Tensor:
    return torch.cat([x[:i], x[i + 1 :]])


def _last_in_the_gap(x: Tensor, i: int) -> Tensor:
    """Replace x[i] by the last entry instead of shifting the entries that follow."""
    return torch.cat([x[:i], x[-1:], x[i + 1 : -1]]) if i < len(x) - 1 else x[:-1]


def leave_one_out(
    x: Tensor,
    *,
    row: Callable[[Tensor, int], Tensor] | None = None,
    table: Callable[[Tensor, int], Tensor] = line("x, n", "x.expand(n, n)"),
    keep: Callable[[int], Tensor] = line("n", "~torch.eye(n, dtype=torch.bool)"),
    finish: Callable[[Tensor, int], Tensor] = line("kept, n", "kept.reshape(n, n - 1)"),
) -> Tensor:
    """Leave a different entry out of each row, with a mask, or make the rows one by one."""
    n = len(x)
    if row is not None:
        return torch.stack([row(x, i) for i in range(n)])
    return finish(table(x, n)[keep(n)], n)


EXERCISE = Exercise(
    leave_one_out,
    (
        draw(31, (5,)),
        draw(32, (7,)),
        draw(33, (2,)),
        (torch.tensor([1.5, -2, 1.5, 0, 1.5, -2], dtype=torch.float32),),
    ),
    (
        mistake(
            "itself-kept",
            "Row i still holds x[i], so each point attends to itself.",
            "第 i 行里还留着 x[i]，这样每个点还是会关注自己。",
            {"row": lambda x, i: x},
        ),
        mistake(
            "last-left-out",
            "Every row leaves out the last entry; row i should leave out x[i].",
            "你每一行去掉的都是最后一个元素，第 i 行应当去掉 x[i]。",
            {"row": lambda x, i: x[:-1]},
        ),
        mistake(
            "first-left-out",
            "Every row leaves out the first entry; row i should leave out x[i].",
            "你每一行去掉的都是开头的元素，第 i 行应当去掉 x[i]。",
            {"row": lambda x, i: x[1:]},
            {"keep": line("n", "(torch.arange(n) > 0).expand(n, n)")},
        ),
        mistake(
            "zero-instead",
            "x[i] is replaced by 0, but the 0 is still an entry. Row i should be one shorter.",
            "你把 x[i] 换成了 0，可是 0 也是一个元素。第 i 行应当少一个元素。",
            {"row": lambda x, i: x * (torch.arange(len(x)) != i)},
        ),
        mistake(
            "other-order",
            "The entries are right, but in another order. Keep them in the order of x.",
            "元素都对，只是次序不对。剩下的元素要保持原来在 x 中的次序。",
            {"row": lambda x, i: torch.cat([x[i + 1 :], x[:i]])},
            {"row": lambda x, i: _others(x, i).sort().values},
            {"row": lambda x, i: _others(x, i).flip(0)},
            {"row": _last_in_the_gap},
        ),
        mistake(
            "neighbour-left-out",
            "Row i leaves out a neighbour of x[i]; it should leave out x[i] itself.",
            "你在第 i 行去掉的是 x[i] 旁边的元素，应当去掉 x[i] 本身。",
            {"row": lambda x, i: _others(x, (i + 1) % len(x))},
            {"row": lambda x, i: _others(x, (i - 1) % len(x))},
        ),
        mistake(
            "first-of-equals",
            "Where several entries are equal, the first of them is left out, not the one at place "
            "i. Leave an entry out by its place, not by its value.",
            "如果有几个元素相等，你去掉的是最前面的一个，不是位置 i 上的元素。"
            "去掉哪个元素要看位置，不能看数值。",
            {"row": lambda x, i: _others(x, int((x == x[i]).nonzero()[0]))},
        ),
        mistake(
            "from-end",
            "Row i leaves out an entry counted from the end; it should leave out x[i].",
            "你是从末尾往前数的，其实第 i 行应当去掉 x[i]。",
            {"keep": line("n", "~torch.eye(n, dtype=torch.bool).flip(0)")},
        ),
        mistake(
            "only-itself",
            "Row i holds nothing but x[i]; it should hold all the others.",
            "你正好弄反了，第 i 行里只剩下 x[i]，应当留下其余的元素。",
            {"row": lambda x, i: x[i : i + 1]},
            {"table": line("x, n", "x[:, None].expand(n, n)")},
        ),
        mistake(
            "one-long-row",
            "The entries are right, but all in one long row. Give them the shape (n, n − 1).",
            "元素都对，只是全都排成了一行。请把形状变成 (n, n − 1)。",
            {"finish": line("kept, n", "kept")},
        ),
        mistake(
            "swapped-axes",
            "The axes are swapped: the row, not the column, says which entry is left out.",
            "行和列弄反了。应当在第 i 行里去掉 x[i]，不是在第 i 列里。",
            {"finish": line("kept, n", "kept.reshape(n, n - 1).mT")},
        ),
    ),
    (
        hint(
            rf"x \(6,\).*({_RAGGED})",  # the case with equal values
            "The rows differ in length. Did you compare values? The same value may occur more than "
            "once, so leave an entry out by its place.",
            "各行的长度不一样。你是不是按数值来比较的？同一个数可能多次出现，所以要看位置，不能看数值。",
        ),
        hint(
            _RAGGED,
            "The rows do not all have n − 1 entries: each should leave out one entry, and only "
            "one.",
            "有些行的元素不是 n − 1 个。每一行都要去掉一个元素，而且只能去掉一个。",
        ),
        *GRADIENT_HINTS,
    ),
    gradients=(draw(36, (5,)),),
    forbids=(no_loop(lambda n: draw(35, (n,))),),
    puzzle=Puzzle(
        """
def without_itself(x):
    n = len(x)
    rows = {table}
    keep = {keep}
    kept = rows[keep]
    return {finish}
""",
        {
            "table": ("only-itself",),
            "keep": ("first-left-out", "from-end"),
            "finish": ("one-long-row", "swapped-axes"),
        },
    ),
)
