"""Define an exercise of chapter 9: summing the words of a sentence, without its padding."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, spoilt, transposed
from attention_course.exercises.engine.exercise import (
    Case,
    Exercise,
    Hazard,
    Puzzle,
    draw,
    hint,
    mistake,
)
from attention_course.exercises.engine.line import line

# Keep the leading words of each sentence, by its length: (B, P, 1).
lengths_keep = line("v, lens", "torch.arange(v.shape[1])[:, None] < lens[:, None, None]")


def masked_sum(
    v: Tensor,
    lens: Tensor,
    *,
    keep: Callable[[Tensor, Tensor], Tensor] = lengths_keep,
    choose: Callable[[Tensor, Tensor], Tensor] = line("v, keep", "v.masked_fill(~keep, 0)"),
    total: Callable[[Tensor], Tensor] = line("words", "words.sum(dim=1)"),
    divide: Callable[[Tensor, Tensor], Tensor] = line("summed, lens", "summed"),
) -> Tensor:
    """Sum step by step."""
    return divide(total(choose(v, keep(v, lens))), lens)


def _mean(words: Tensor) -> Tensor:
    return words.mean(dim=1)


def _of_all(length: Callable[[Tensor], Tensor]) -> dict[str, Callable[..., Tensor]]:
    return {"keep": lambda v, lens: lengths_keep(v, length(lens).expand(len(v)))}


MISTAKES = (
    mistake(
        "padding-summed",
        "The padding is summed too. Only the first `lens[i]` words of sentence i count.",
        "你把填充也加进去了。句子 i 只有前 `lens[i]` 个词有效。",
        {"keep": line("v, lens", "torch.ones_like(v, dtype=torch.bool)")},
    ),
    mistake(
        "mean",
        "The result is a mean. The task asks for the sum, so do not divide by a number of words.",
        "你算出来的是平均值。题目要求的是总和，不需要除以词数。",
        {"total": _mean},
        {"divide": line("summed, lens", "summed / lens[:, None]")},
        {"divide": lambda summed, lens: summed / lens[:, None].clamp(min=1)},
    ),
    mistake(
        "wrong-axis",
        "The sum runs along the wrong axis, or along several axes. The words of a sentence lie "
        "along axis 1 of (B, P, E), so the sum has the shape (B, E).",
        "求和的维度选错了，或者选多了。输入的形状是 (B, P, E)，词排在维度 1 上，求和以后应当得到 "
        "(B, E)。",
        {"total": line("words", "words.sum(dim=-1)")},
        {"total": lambda words: words.sum(dim=0)},
        {"total": torch.sum},
        {"total": lambda words: words.sum(dim=(1, 2))},
        {"total": lambda words: words.sum(dim=(0, 1))},
    ),
    mistake(
        "no-sum",
        "The words have not been summed yet.",
        "你还没有对词求和。",
        {"total": lambda words: words},
    ),
    mistake(
        "axis-too-many",
        "An axis of size 1 is left over from the sum; the result should have the shape (B, E).",
        "求和以后多了一个长度为 1 的维度，结果的形状应当是 (B, E)。",
        {"total": line("words", "words.sum(dim=1, keepdim=True)")},
    ),
    mistake(
        "one-word-more",
        "One word too many is summed. With a length of n the words 0 to n − 1 count, so compare "
        "with < and not with ≤.",
        "你多加了一个词。长度为 n 时，有效的是第 0 到第 n − 1 个词，所以比较时应当用 <，不能用 ≤。",
        {"keep": line("v, lens", "torch.arange(v.shape[1])[:, None] <= lens[:, None, None]")},
    ),
    mistake(
        "one-word-less",
        "One word too few is summed: with a length of n the words 0 to n − 1 count.",
        "你少加了一个词。长度为 n 时，有效的是第 0 到第 n − 1 个词。",
        {"keep": lambda v, lens: lengths_keep(v, lens - 1)},
    ),
    mistake(
        "inverted-mask",
        "The mask is the wrong way round: the padding is summed, and the words are not.",
        "你把掩码弄反了，该加的词没有加，填充反倒加进去了。",
        {"keep": line("v, lens", "torch.arange(v.shape[1])[:, None] >= lens[:, None, None]")},
    ),
    mistake(
        "mask-from-end",
        "The mask counts from the end. The words come first, the padding after them.",
        "你从末尾数起了。词在前，填充在后，应当从前面数起。",
        {"keep": lambda v, lens: lengths_keep(v, lens).flip(1)},
    ),
    mistake(
        "one-length-for-all",
        "All sentences are cut at the same length, but each has its own.",
        "你用同一个长度截断了所有句子，可是每句的长度并不相同。",
        _of_all(lambda lens: lens[0]),
        _of_all(lambda lens: lens.amax()),
        _of_all(lambda lens: lens.amin()),
    ),
    mistake(
        "mask-along-components",
        "The mask lies along the components of the vectors. It belongs along the words: for "
        "(B, P, E) it should be (B, P, 1).",
        "掩码的方向错了，应当掩蔽的是词，不是向量的分量。输入的形状是 (B, P, E)，掩码应当是 "
        "(B, P, 1)。",
        {"keep": lambda v, lens: torch.arange(v.shape[2]) < lens[:, None, None]},
        {"keep": lambda v, lens: lengths_keep(v, lens).mT},
    ),
    mistake(
        "lengths-along-words",
        "The lengths go along the words instead of the batch. Broadcasting aligns axes from the "
        "right: give `lens` the shape (B, 1) before you compare.",
        "你把长度与词的维度对齐了，应当与批量维对齐。广播从最右边的维度开始，请先把 `lens` 变成 "
        "(B, 1) 再比较。",
        {"keep": lambda v, lens: (torch.arange(v.shape[1]) < lens)[:, None]},
    ),
)


def _large_padding() -> Case:
    (v,) = draw(125, (2, 7, 3))
    v[0, 2:] *= 1e6
    return v, torch.tensor([2, 5])


PLAIN = *draw(121, (2, 5, 3)), torch.tensor([2, 4])
LEAKS = mistake(
    "padding-leaks",
    "The padding is multiplied by 0. If it holds NaN or infinity, the product is NaN, and so is "
    "the sum. Replace it by 0, with `masked_fill` or `torch.where`.",
    "你用乘以 0 的办法去掉填充。如果填充里有 NaN 或无穷大，乘积就是 NaN，总和也会是 NaN。请用 "
    "`masked_fill` 或 `torch.where` 把填充换成 0。",
    {"choose": line("v, keep", "v * keep")},
)

EXERCISE = Exercise(
    masked_sum,
    (
        PLAIN,
        (*draw(122, (3, 2, 5)), torch.tensor([1, 2, 1])),
        (*draw(123, (5, 5, 5)), torch.tensor([3, 1, 4, 2, 5])),
        (*draw(124, (1, 7, 2)), torch.tensor([3])),
        _large_padding(),
        (*draw(126, (3, 5, 2)), torch.tensor([4, 0, 5])),
        (*draw(127, (2, 1, 3)), torch.tensor([1, 0])),
        (*draw(128, (3, 2, 1)), torch.tensor([2, 1, 2])),
        (*draw(129, (1, 1, 1)), torch.tensor([1])),
    ),
    MISTAKES,
    (
        hint(
            r"The size of tensor a|broadcastable|Boolean value of Tensor|one element|"
            "only integer tensors|converted to Scalar|shape mismatch|shape of the mask",
            "`lens` has the shape (B,). For `v` of shape (B, P, E) the mask should be (B, P, 1): "
            "compare `torch.arange(P)` with `lens[:, None]`, and give the result a last axis.",
            "`lens` 的形状是 (B,)，`v` 的形状是 (B, P, E)，所以掩码的形状应当是 (B, P, 1)。请把 "
            "`torch.arange(P)` 与 `lens[:, None]` 比较，再在结果的末尾添加一个维度。",
        ),
        hint(
            "stack expects each tensor|Sizes of tensors must match except in dimension",
            "Sentences that were cut to their lengths differ in size and do not fit into one "
            "tensor. Sum each sentence before you stack them, or mask instead of cutting.",
            "各句按长度截断以后，形状不再相同，没法放进同一个张量。请先分别求和再堆叠，或者不截断，"
            "改用掩码。",
        ),
        VIEW_HINT,
        *GRADIENT_HINTS,
    ),
    gradients=((*draw(130, (3, 5, 2)), torch.tensor([2, 5, 3])),),
    hazards=(
        transposed(PLAIN),
        Hazard(
            "spoilt-padding",
            tuple(spoilt(PLAIN, PLAIN[1], x, 0) for x in (torch.nan, torch.inf)),
            (LEAKS,),
            (spoilt(PLAIN, PLAIN[1], torch.nan, 0),),
        ),
    ),
    puzzle=Puzzle(
        """
def masked_sum(v, lens):
    keep = {keep}
    words = v.masked_fill(~keep, 0)
    summed = {total}
    return {divide}
""",
        {
            "keep": ("padding-summed", "one-word-more", "inverted-mask"),
            "total": ("wrong-axis", "axis-too-many"),
            "divide": ("mean",),
        },
    ),
)
