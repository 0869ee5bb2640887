"""Define an exercise of chapter 6: scaled dot-product attention with valid lengths."""

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
    FINITE_FILL,
    LENGTH_HINTS,
    MASK_MISTAKES,
    Clean,
    as_given,
    masked_softmax,
    padded,
    without_padding,
)
from attention_course.exercises.common.pairs import PAIRS_HINT, RESHAPED
from attention_course.exercises.common.pooling import (
    POOLING_MISTAKES,
    PRODUCT_HINT,
    TRANSPOSED,
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
from attention_course.exercises.engine.means import NO_LIBRARY, no_loop

_SIDES = "queries, keys, values"


def scaled_dot_product_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    valid_lens: Tensor | None = None,
    *,
    product: Callable[[Tensor, Tensor], Tensor] = line("queries, keys", "queries @ keys.mT"),
    divisor: Callable[[Tensor, Tensor, Tensor], float] = line(_SIDES, "math.sqrt(keys.shape[-1])"),
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    finish: Callable[[Tensor, int], Tensor] = lambda output, d: output,
    clean_keys: Clean = as_given,
    clean_values: Clean = as_given,
    **mask_steps: Any,
) -> Tensor:
    """Attend step by step."""
    keys, values = clean_keys(keys, valid_lens), clean_values(values, valid_lens)
    scores = product(queries, keys) / divisor(queries, keys, values)
    weights = masked_softmax(scores, valid_lens, **mask_steps)
    return finish(pool(weights, values), queries.shape[-1])


_one = line(_SIDES, "1.0")
_reshaped = line("queries, keys", "queries @ keys.reshape(len(keys), -1, keys.shape[1])")


MISTAKES = (
    mistake(
        "no-scale",
        "The scores are not divided by √d, where d is the size of a query and of a key.",
        "你忘了把分数除以 √d，d 是查询和键的维数。",
        {"divisor": _one},
    ),
    mistake(
        "divided-by-d",
        "The scores are divided by d; divide by its square root.",
        "你把分数除以了 d，应该除以 √d 才对。",
        {"divisor": line(_SIDES, "float(keys.shape[-1])")},
    ),
    mistake(
        "root-of-count",
        "You take the root of the number of keys or queries. Dot products grow with d, the size "
        "of a query and of a key: take the root of d.",
        "你开方的是键或查询的个数。点积随查询和键的维数 d 增大，所以应该对 d 开方。",
        {"divisor": line(_SIDES, "math.sqrt(keys.shape[1])")},
        {"divisor": lambda q, k, v: math.sqrt(q.shape[1])},
    ),
    mistake(
        "root-of-values",
        "You take the root of the size of a value. Dot products grow with d, the size of a query "
        "and of a key: take the root of d.",
        "你开方的是值的维数。点积随查询和键的维数 d 增大，所以应该对 d 开方。",
        {"divisor": line(_SIDES, "math.sqrt(values.shape[-1])")},
    ),
    mistake(
        "times-root",
        "The scores are multiplied by √d; divide by it.",
        "你把分数乘以了 √d，应该除以 √d。",
        {"divisor": lambda q, k, v: 1 / math.sqrt(k.shape[-1])},
    ),
    mistake(
        "scale-after-softmax",
        "The division by √d comes after the softmax. Divide the scores instead: the weights "
        "already sum to 1.",
        "你做完 softmax 才除以 √d，权重之和就不是 1 了。应该除的是分数。",
        {"divisor": _one, "finish": lambda output, d: output / math.sqrt(d)},
    ),
    mistake(
        "transposed-scores",
        "The scores are transposed: row q should hold the products of query q with all the keys.",
        "你把分数的行和列弄反了，第 q 行应该是查询 q 与所有键的点积。",
        {"product": line("queries, keys", "keys @ queries.mT")},
    ),
    mistake(
        *RESHAPED,
        {"product": _reshaped},
        {"product": _reshaped, "clean_keys": without_padding},
    ),
    TRANSPOSED,
    *POOLING_MISTAKES,
    # If a program zeroes its padding, the weight on filled scores only reaches zeros.
    *(
        one.beside(CLEAN)
        if one is DROWNED or one.name == "zero-fill"
        else replace(one, variants=(*one.variants, *({**v, **CLEAN} for v in one.variants[:2])))
        if one is FINITE_FILL
        else one
        for one in MASK_MISTAKES
    ),
)


PLAIN = draw(61, (2, 3, 5), (2, 7, 5), (2, 7, 11))
LENGTHS = torch.tensor([2, 6])
PER_QUERY = torch.tensor([[1, 7, 3], [4, 2, 5]])


def _steep(step: float, lens: list[int]) -> Case:
    """Make scores of step, 2 · step, 3 · step and 4 · step, and of 0 for the other keys.

    Their softmax is 1 for one key, so rounding cannot change it, however it is computed.
    """
    size = abs(step) ** 0.5
    queries, keys = PLAIN[0].new_zeros(2, 3, 4), PLAIN[1].new_zeros(2, 7, 4)
    queries[:, :, 0], keys[:, :4, 0] = size, 2 * step / size * torch.arange(1, 5)  # √d is 2
    return queries, keys, PLAIN[2], torch.tensor(lens)


def _growing(n: int) -> Case:
    inputs = draw(58, (n, n + 1, n + 2), (n, n + 3, n + 2), (n, n + 3, n + 4))
    return *inputs, torch.arange(n)


def _low_scores() -> Case:
    """Make all scores low, without padding, so that no fill exceeds them."""
    queries, keys, values, _ = _steep(-(2.0**100), [4, 4])
    return queries, keys[:, :4], values[:, :4], torch.tensor([4, 4])


def _case_from_scores(scores: Tensor, lengths: Tensor) -> Case:
    """Make keys whose first component is the score after the division by √d = 2."""
    rest, values = draw(57, (*scores.shape, 3), (*scores.shape, 5))
    queries = torch.eye(4, dtype=torch.float32)[:1].expand(len(scores), 2, 4)
    return queries, torch.cat([2 * scores[..., None], rest], dim=-1), values, lengths


DEFAULT_HINT = hint(
    "missing 1 required positional argument",
    "If no lengths are given, all keys are valid: give `valid_lens` the default `None`.",
    "没有传入长度，就表示所有的键都有效。请把 `valid_lens` 的默认值设为 `None`。",
)

EXERCISE = Exercise(
    scaled_dot_product_attention,
    (
        PLAIN,
        draw(65, (2, 3, 5), (2, 7, 5), (2, 7, 11)),
        draw(63, (5, 5, 5), (5, 5, 5), (5, 5, 5)),
        (*PLAIN, LENGTHS),
        (*draw(64, (2, 2, 3), (2, 7, 3), (2, 7, 5)), torch.tensor([3, 5])),
        (*draw(66, (3, 5, 2), (3, 5, 2), (3, 5, 2)), torch.tensor([2, 4, 1])),
        (*draw(62, (1, 5, 3), (1, 2, 3), (1, 2, 7)), torch.tensor([1])),
        (*draw(67, (3, 1, 2), (3, 5, 2), (3, 5, 7)), torch.tensor([4, 1, 5])),
        (*draw(68, (2, 3, 2), (2, 1, 2), (2, 1, 5)), torch.tensor([1, 1])),
        (*draw(69, (1, 1, 3), (1, 1, 3), (1, 1, 1)), torch.tensor([1])),
        (*PLAIN, torch.tensor([[1, 7, 3], [4, 2, 5]])),
        (*draw(70, (3, 1, 2), (3, 5, 2), (3, 5, 7)), torch.tensor([[4], [1], [5]])),
        padded(PLAIN, LENGTHS),
        _case_from_scores(LOW_SCORES, LOW_LENGTHS),
        _steep(-4e6, [2, 3]),
        _steep(-(2.0**100), [2, 3]),
        _low_scores(),
        _steep(4e6, [4, 5]),
        (*PLAIN, torch.tensor([0, 4])),
        (*PLAIN, torch.tensor([[0, 7, 3], [4, 0, 5]])),
    ),
    MISTAKES,
    (DEFAULT_HINT, VIEW_HINT, PRODUCT_HINT, *LENGTH_HINTS, PAIRS_HINT, *GRADIENT_HINTS),
    forbids=(NO_LIBRARY, no_loop(_growing)),
    puzzle=Puzzle(
        """
def attention(queries, keys, values, valid_lens=None):
    if valid_lens is not None:  # 0 · NaN is NaN, so padding becomes 0
        longest = valid_lens.reshape(len(keys), -1).amax(dim=1)
        padding = torch.arange(keys.shape[1]) >= longest[:, None]
        keys, values = (x.masked_fill(padding[..., None], 0) for x in (keys, values))
    products = {product}
    X = products / {divisor}
    if valid_lens is None:
        return torch.softmax(X, dim=-1) @ values
    lengths = valid_lens.reshape(len(X), -1, 1)
    keep = torch.arange(X.shape[-1]) < lengths
    scores = {before}
    weights = torch.softmax(scores, dim=-1)
    return {after} @ values
""",
        {
            "product": ("reshaped-keys",),
            "divisor": ("no-scale", "divided-by-d", "root-of-count"),
            "before": ("finite-fill", "zero-fill"),
            "after": ("empty-row-nan",),
        },
        (masked_softmax,),
    ),
    gradients=(
        draw(59, (2, 3, 5), (2, 7, 5), (2, 7, 11)),
        (*draw(60, (2, 3, 5), (2, 7, 5), (2, 7, 11)), torch.tensor([[0, 7, 3], [4, 0, 5]])),
    ),
    hazards=(
        transposed((*PLAIN, PER_QUERY)),
        near_the_limit(_case_from_scores, [[1, 3], [0, 3]]),
        spoilt_padding((*PLAIN, LENGTHS), LENGTHS, 1, 2),
    ),
)
