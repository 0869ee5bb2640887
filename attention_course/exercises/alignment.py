"""Define an exercise of chapter 9: align each word of a sentence softly with another."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import (
    CLEAN,
    LOW_LENGTHS,
    LOW_SCORES,
    VIEW_HINT,
    near_the_limit,
    spoilt_padding,
    transposed,
)
from attention_course.exercises.common.masks import (
    DROWNED,
    LENGTH_HINTS,
    MASK_MISTAKES,
    Clean,
    as_given,
    masked_softmax,
)
from attention_course.exercises.common.pairs import RESHAPED
from attention_course.exercises.common.pooling import (
    ALONG_QUERIES,
    POOLING_MISTAKES,
    PRODUCT_HINT,
    weighted_sum,
)
from attention_course.exercises.engine.exercise import (
    Case,
    Exercise,
    Puzzle,
    draw,
    hint,
    mistake,
)
from attention_course.exercises.engine.line import line
from attention_course.translated import Text


def soft_alignment(
    a: Tensor,
    b: Tensor,
    b_lens: Tensor,
    *,
    sides: Callable[[Tensor, Tensor], tuple[Tensor, ...]] = line("a, b", "a, b, b"),
    divisor: Callable[[Tensor], float] = lambda a: 1.0,
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    clean_keys: Clean = as_given,
    clean_values: Clean = as_given,
    **mask_steps: Any,
) -> Tensor:
    """Align step by step."""
    queries, keys, values = sides(a, b)
    keys, values = clean_keys(keys, b_lens), clean_values(values, b_lens)
    scores = queries @ keys.mT / divisor(a)  # (B, P, H)
    return pool(masked_softmax(scores, b_lens, **mask_steps), values)


def _unmasked(x: Tensor, keep: Tensor) -> Tensor:
    return x


UNMASKED = {"before": _unmasked, "after": _unmasked}

ALONG_A = Text(
    "The softmax runs along the words of `a`, as in the alignment in the other direction. Here "
    "each word of `a` shares its weight out among the words of `b`: that is the last axis.",
    "你沿 `a` 的词做了 softmax，那是反方向的对齐。这里 `a` 的每个词要把权重分给 `b` 的词，"
    "所以应当沿最后一个维度做 softmax。",
)

MISTAKES = (
    mistake(
        "a-with-itself",
        "`a` is aligned with itself. Each word of `a` looks for similar words in the other "
        "sentence: score with `b`, and average `b`.",
        "你把 `a` 和自己对齐了。`a` 的每个词要到另一句里找相近的词，所以应当与 `b` 的词计算分数，"
        "再对 `b` 的词求加权平均。",
        {"sides": line("a, b", "a, a, a")},
        {"sides": lambda a, b: (a, a, a), **UNMASKED},
    ),
    mistake(
        "other-way-round",
        "The alignment runs in the wrong direction: you align the words of `b` with `a`. The "
        "result should hold a vector for each word of `a`.",
        "你把对齐的方向弄反了，是在 `a` 里为 `b` 的每个词找对应的词。应当为 `a` 的每个词算出一个"
        "向量。",
        {"sides": line("a, b", "b, a, a")},
        {"sides": lambda a, b: (b, a, a), **UNMASKED},
    ),
    mistake(
        "words-of-a",
        "You average the words of `a`, but the weights belong to the words of `b`.",
        "你求的是 `a` 的词的加权平均，可是权重属于 `b` 的词，应当对 `b` 的词求平均。",
        {"sides": line("a, b", "a, b, a")},
    ),
    mistake(
        "root-scale",
        "The scores are divided by the root of a size. Here they are plain dot products.",
        "你把分数除以了维数的平方根。这里的分数就是点积，不用缩放。",
        {"divisor": lambda a: math.sqrt(a.shape[-1])},
    ),
    mistake(
        *RESHAPED,
        {"sides": lambda a, b: (a, b.reshape(b.shape[0], b.shape[2], b.shape[1]).mT, b)},
    ),
    *POOLING_MISTAKES,
    *(
        replace(one, words=ALONG_A)
        if one.name == ALONG_QUERIES.name
        else one.beside(CLEAN)
        if one.name in ("zero-fill", "one-key-more", DROWNED.name)
        else one
        for one in MASK_MISTAKES
    ),
)

PLAIN = draw(111, (2, 3, 5), (2, 7, 5))
LENGTHS = torch.tensor([2, 6])


def _large_padding() -> Case:
    a, b = (x.clone() for x in PLAIN)
    b[0, 2:] *= 500
    return a, b, LENGTHS


def _steep(step: float, lens: list[int]) -> Case:
    """Make scores of step, 2 · step, 3 · step and 4 · step, and of 0 for the other words.

    Their softmax is 1 for one word, so rounding cannot change it, however it is computed.
    """
    size = abs(step) ** 0.5
    a, b = PLAIN[0].new_zeros(2, 3, 5), PLAIN[1].new_zeros(2, 7, 5)
    a[:, :, 0], b[:, :4, 0] = size, step / size * torch.arange(1, 5)
    b[:, :, 1] = PLAIN[1][:, :, 1]
    return a, b, torch.tensor(lens)


def _low_scores() -> Case:
    """Make all scores low, without padding, so that no fill exceeds them."""
    a, b, _ = _steep(-(2.0**100), [4, 4])
    return a, b[:, :4], torch.tensor([4, 4])


def _case_from_scores(scores: Tensor, lengths: Tensor) -> Case:
    """Make words of `b` whose first component is the score."""
    (rest,) = draw(120, (*scores.shape, 3))
    a = torch.eye(4, dtype=torch.float32)[:1].expand(len(scores), 2, 4)
    return a, torch.cat([scores[..., None], rest], dim=-1), lengths


PAIRS_HINT = hint(
    # 3 and 7 words: the sentences of the first case.
    r"\((3|7)\) must match the size of tensor b \((3|7)\)|zip\(\) argument",
    "The two sentences differ in length: every word of `a` meets every word of `b`. The matrix "
    "product `a @ b.mT` makes all pairs.",
    "两个句子的词数可以不同，`a` 的每个词都要和 `b` 的每个词配对。用矩阵乘法 `a @ b.mT` 就能得到所"
    "有的配对。",
)

LENS_HINT = hint(
    r"b_lens \[.*(The size of tensor a|broadcastable|Boolean value of Tensor|one element|"
    "only integer tensors|converted to Scalar)",
    "`b_lens` has the shape (B,). For scores of shape (B, P, H) the mask should be (B, 1, H): "
    "compare `torch.arange(H)` with `b_lens[:, None, None]`.",
    "`b_lens` 的形状是 (B,)，分数的形状是 (B, P, H)，所以掩码的形状应当是 (B, 1, H)：请比较 "
    "`torch.arange(H)` 和 `b_lens[:, None, None]`。",
)

EXERCISE = Exercise(
    soft_alignment,
    (
        (*PLAIN, LENGTHS),
        (*draw(112, (3, 5, 2), (3, 2, 2)), torch.tensor([1, 2, 1])),
        (*draw(113, (5, 5, 5), (5, 5, 5)), torch.tensor([2, 4, 1, 3, 5])),
        (*draw(114, (1, 2, 3), (1, 5, 3)), torch.tensor([3])),
        (*draw(115, (2, 2, 3), (2, 7, 3)), torch.tensor([3, 5])),
        _large_padding(),
        _case_from_scores(LOW_SCORES, LOW_LENGTHS),
        _steep(-4e6, [2, 3]),
        _steep(-(2.0**100), [2, 3]),
        _low_scores(),
        _steep(4e6, [4, 5]),
        (*draw(116, (3, 1, 2), (3, 5, 2)), torch.tensor([4, 1, 5])),
        (*draw(117, (2, 3, 2), (2, 1, 2)), torch.tensor([1, 0])),
        (*draw(118, (1, 1, 1), (1, 1, 1)), torch.tensor([1])),
        (*PLAIN, torch.tensor([0, 4])),
    ),
    MISTAKES,
    (
        VIEW_HINT,
        PRODUCT_HINT,
        LENGTH_HINTS[0],
        PAIRS_HINT,
        LENS_HINT,
        *GRADIENT_HINTS,
    ),
    gradients=((*draw(119, (3, 2, 5), (3, 7, 5)), torch.tensor([6, 0, 3])),),
    hazards=(
        transposed((*PLAIN, LENGTHS)),
        near_the_limit(_case_from_scores, [1, 0]),
        spoilt_padding((*PLAIN, LENGTHS), LENGTHS, 1),
    ),
    puzzle=Puzzle(
        """
def soft_alignment(a, b, b_lens):
    queries, keys, values = {sides}
    def clean(x):
        padding = torch.arange(x.shape[1]) >= b_lens[:, None]
        return x.masked_fill(padding[..., None], 0)
    keys, values = clean(keys), clean(values)
    X = queries @ keys.mT
    n, lengths = X.shape[-1], b_lens[:, None]
    keep = {keep}
    scores = {before}
    weights = torch.softmax(scores, dim=-1)
    return {after} @ values
""",
        {
            "sides": ("a-with-itself", "other-way-round", "words-of-a"),
            "keep": ("one-key-more",),
            "before": ("zero-fill",),
            "after": ("empty-row-nan",),
        },
        (masked_softmax,),
    ),
)
