"""Chapter 3: Gaussian scores of a batch, and pooling with any scores."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_lib.exercises.exercise import Exercise, draw, hint, mistake
from attention_lib.exercises.lookup import DISTANCE_MISTAKES, FACTOR_MISTAKES, squared
from attention_lib.exercises.pooling import (
    POOLING_MISTAKES,
    PRODUCT_HINT,
    SOFTMAX_MISTAKES,
    TRANSPOSED,
    weighted_sum,
)

PAIRS_HINT = hint(
    r"The size of tensor a|zip\(\) argument|out of bounds|must have the same",
    "There are not as many queries as keys: every query meets every key of its example. Give them "
    "different axes, (B, Q, 1, d) and (B, 1, K, d), and broadcasting makes all the pairs.",
    "查询和键的个数并不相同：同一样本里，每个查询都要和每个键配对。"
    "让它们各占一个轴，(B, Q, 1, d) 和 (B, 1, K, d)，广播就会配出所有的对。",
)

ZIPPED = (
    "Query i meets key i only, and the longer of the two lists is cut: so does `zip`. Every query "
    "meets every key.",
    "第 i 个查询只和第 i 个键配了对，多出来的都丢掉了，`zip` 就会这样。每个查询都要和每个键配对。",
)

SWAPPED = mistake(
    "The axes are swapped: the result has the shape (B, K, Q) instead of (B, Q, K).",
    "轴的次序反了：结果的形状是 (B, K, Q)，应为 (B, Q, K)。",
    {"layout": lambda scores: scores.mT},
)


def gaussian_score(
    queries: Tensor,
    keys: Tensor,
    *,
    distance: Callable[[Tensor], Tensor] = squared,
    factor: float = -0.5,
    pairs: Callable[[Tensor, Tensor], Tensor] = lambda queries, keys: (
        queries[:, :, None] - keys[:, None]
    ),
    layout: Callable[[Tensor], Tensor] = lambda scores: scores,
) -> Tensor:
    """Score step by step."""
    return layout(factor * distance(pairs(queries, keys)))


def _zipped(queries: Tensor, keys: Tensor) -> Tensor:
    pairs = min(queries.shape[1], keys.shape[1])
    return queries[:, :pairs] - keys[:, :pairs]


GAUSSIAN = Exercise(
    gaussian_score,
    (
        draw(41, (2, 3, 5), (2, 7, 5)),
        draw(42, (3, 5, 2), (3, 2, 2)),
        draw(43, (1, 2, 3), (1, 5, 3)),
        draw(44, (5, 5, 5), (5, 5, 5)),
    ),
    (
        *FACTOR_MISTAKES,
        *DISTANCE_MISTAKES,
        SWAPPED,
        mistake(
            "All examples get the scores of the first: each has keys of its own.",
            "所有样本用的都是第一个样本的键，而每个样本各有各的键。",
            {"pairs": lambda queries, keys: queries[:, :, None] - keys[:1, None]},
        ),
        mistake(*ZIPPED, {"pairs": _zipped}),
        mistake(
            "Only as many keys are scored as there are queries: one number is used for both.",
            "查询有多少个，就只给多少个键打了分：两者用了同一个数。",
            {"pairs": lambda q, k: q[:, :, None] - k[:, None, : q.shape[1]]},
        ),
        mistake(
            "That is qᵀk, a dot product. −½‖q − k‖² holds −½‖q‖² and −½‖k‖² as well.",
            "这是点积 qᵀk。−½‖q − k‖² 里还有 −½‖q‖² 和 −½‖k‖²。",
            {
                "pairs": lambda queries, keys: queries[:, :, None] * keys[:, None],
                "distance": lambda product: product.sum(dim=-1),
                "factor": 1.0,
            },
        ),
        mistake(
            "Those are weights, not scores: exp and softmax come later.",
            "这已经是权重，不是分数了：exp 和 softmax 都是后面的事。",
            {"layout": torch.exp},
            {"layout": lambda scores: torch.softmax(scores, dim=-1)},
        ),
        mistake(
            "The scores are divided by √d, which the Gaussian score does not do.",
            "分数除以了 √d，高斯分数里没有这一步。",
            {"distance": lambda difference: squared(difference) / difference.shape[-1] ** 0.5},
        ),
    ),
    (PRODUCT_HINT, PAIRS_HINT),
)


def _share(x: Tensor) -> Tensor:
    return x / x.sum(dim=-1, keepdim=True)


def attention_pooling(
    scores: Tensor,
    values: Tensor,
    *,
    normalise: Callable[[Tensor], Tensor] = lambda scores: torch.softmax(scores, dim=-1),
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
) -> Tensor:
    """Softmax, then the weighted sum."""
    return pool(normalise(scores), values)


ATTENTION_POOLING = Exercise(
    attention_pooling,
    (
        draw(51, (2, 3, 5), (2, 5, 7)),
        draw(52, (3, 7, 2), (3, 2, 5)),
        draw(53, (1, 2, 3), (1, 3, 5)),
        draw(54, (5, 5, 5), (5, 5, 5)),
        (1000 * draw(55, (2, 3, 5))[0], *draw(56, (2, 5, 7))),
    ),
    (
        *SOFTMAX_MISTAKES,
        *POOLING_MISTAKES,
        TRANSPOSED,
        mistake(
            "The scores are divided by their sum without an exponential; a sum near 0 or negative "
            "scores make nonsense of that.",
            "没有取指数，就把分数除以了总和。分数有正有负，和可能接近 0，这样除没有意义。",
            {"normalise": _share},
        ),
        mistake(
            "The formula is right, but the exponentials of large scores overflow, and ∞/∞ is NaN. "
            "Softmax sees only differences: subtract the largest score of each row first.",
            "公式没错，可是分数很大时，指数值会溢出，∞/∞ 得到 NaN。"
            "softmax 只看分数之差：请先减去每行最大的分数。",
            {"normalise": lambda scores: _share(scores.exp())},
        ),
        mistake(
            "The largest of all scores is subtracted. In a row far below it every exponential "
            "rounds to 0, and 0/0 is NaN: subtract the largest of each row.",
            "减去的是所有分数中最大的。远低于它的行里，指数值全都舍入成 0，0/0 得到 NaN。"
            "应当减去每行各自的最大值。",
            {"normalise": lambda scores: _share((scores - scores.max()).exp())},
        ),
    ),
    (
        PRODUCT_HINT,
        hint(
            r"tensor a \(5\) must match the size of tensor b \(3\)",  # K and Q of the first case
            "Is a maximum or a sum over the keys (B, Q) there, where scores are (B, Q, K)? With "
            "`keepdim=True` it is (B, Q, 1), and fits.",
            "是不是拿 (B, Q, K) 的分数，去配形状为 (B, Q) 的最大值或总和了？"
            "求它们时加上 `keepdim=True`，形状就是 (B, Q, 1)，正好配得上。",
        ),
        hint(
            "The size of tensor a",
            "Weights (B, Q, K) and values (B, K, V) do not meet entry by entry. A matrix product "
            "multiplies and sums over the keys at once.",
            "权重 (B, Q, K) 和值 (B, K, V) 不能逐元素相乘。矩阵乘法会一边相乘，一边对各个键求和。",
        ),
    ),
)
