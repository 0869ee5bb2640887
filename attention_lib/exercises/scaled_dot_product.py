"""Chapter 6: scaled dot-product attention with valid lengths."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attention_lib.exercises.exercise import Case, Exercise, draw, hint, mistake
from attention_lib.exercises.mask_mistakes import MASK_MISTAKES
from attention_lib.exercises.mask_steps import masked_softmax
from attention_lib.exercises.masking import LENGTH_HINTS, padded
from attention_lib.exercises.pooling import (
    POOLING_MISTAKES,
    PRODUCT_HINT,
    TRANSPOSED,
    weighted_sum,
)
from attention_lib.exercises.scoring import PAIRS_HINT


def scaled_dot_product_attention(
    queries: Tensor,
    keys: Tensor,
    values: Tensor,
    valid_lens: Tensor | None = None,
    *,
    product: Callable[[Tensor, Tensor], Tensor] = lambda queries, keys: queries @ keys.mT,
    divisor: Callable[[Tensor, Tensor], float] = lambda queries, keys: math.sqrt(keys.shape[-1]),
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    finish: Callable[[Tensor, int], Tensor] = lambda output, d: output,
    **mask_steps: Any,
) -> Tensor:
    """Attend step by step."""
    scores = product(queries, keys) / divisor(queries, keys)
    weights = masked_softmax(scores, valid_lens, **mask_steps)
    return finish(pool(weights, values), queries.shape[-1])


def _one(queries: Tensor, keys: Tensor) -> float:
    return 1.0


MISTAKES = (
    mistake(
        "The scores are not divided by √d, d being the size of a query and of a key.",
        "分数没有除以 √d，其中 d 是查询和键的维数。",
        {"divisor": _one},
    ),
    mistake(
        "The scores are divided by d; divide by its square root.",
        "分数除以了 d，应该除以它的平方根。",
        {"divisor": lambda queries, keys: float(keys.shape[-1])},
    ),
    mistake(
        "The root is taken of a number of keys or queries. It is d, the size of a query and of a "
        "key, that makes dot products large.",
        "开方的是键或查询的个数。让点积变大的是 d，也就是查询和键的维数。",
        {"divisor": lambda queries, keys: math.sqrt(keys.shape[1])},
        {"divisor": lambda queries, keys: math.sqrt(queries.shape[1])},
    ),
    mistake(
        "The scores are multiplied by √d; divide by it.",
        "分数乘上了 √d，应该除以 √d。",
        {"divisor": lambda queries, keys: 1 / math.sqrt(keys.shape[-1])},
    ),
    mistake(
        "The division by √d comes after the softmax. It belongs to the scores; the weights sum to "
        "1 as they are.",
        "除以 √d 放到了 softmax 之后。该除的是分数，权重的和本来就是 1。",
        {"divisor": _one, "finish": lambda output, d: output / math.sqrt(d)},
    ),
    mistake(
        "The scores are transposed: row q should hold the products of query q with all keys.",
        "分数转置了：第 q 行应是查询 q 与所有键的点积。",
        {"product": lambda queries, keys: keys @ queries.mT},
    ),
    TRANSPOSED,
    *POOLING_MISTAKES,
    *MASK_MISTAKES,
)


PLAIN = draw(61, (2, 3, 5), (2, 7, 5), (2, 7, 11))
LENGTHS = torch.tensor([2, 6])


def _far(size: float) -> Case:
    """Make queries and keys that point away from each other: scores of −size²/2."""
    queries, keys = PLAIN[0].new_zeros(2, 3, 4), PLAIN[1].new_zeros(2, 7, 4)
    queries[:, :, 0], keys[:, :4, 0] = size, -size
    return queries, keys, PLAIN[2], torch.tensor([2, 3])


DEFAULT_HINT = hint(
    "missing 1 required positional argument",
    "Without lengths all keys count: give `valid_lens` the default `None`.",
    "不给长度，就是所有的键都算数：请让 `valid_lens` 默认为 `None`。",
)

EXERCISE = Exercise(
    scaled_dot_product_attention,
    (
        PLAIN,
        draw(63, (5, 5, 5), (5, 5, 5), (5, 5, 5)),
        (*PLAIN, LENGTHS),
        (*draw(64, (2, 2, 3), (2, 7, 3), (2, 7, 5)), torch.tensor([3, 5])),
        (*draw(62, (1, 5, 3), (1, 2, 3), (1, 2, 7)), torch.tensor([1])),
        (*PLAIN, torch.tensor([[1, 7, 3], [4, 2, 5]])),
        padded(PLAIN, LENGTHS),
        _far(2000.0),
        _far(2.0**50),
        (*PLAIN, torch.tensor([0, 4])),
        (*PLAIN, torch.tensor([[0, 7, 3], [4, 0, 5]])),
    ),
    MISTAKES,
    (DEFAULT_HINT, PRODUCT_HINT, *LENGTH_HINTS, PAIRS_HINT),
)
