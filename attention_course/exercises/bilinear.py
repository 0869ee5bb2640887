"""Define an exercise of chapter 8: bilinear scores of queries and keys of two sizes."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, transposed
from attention_course.exercises.common.pairs import PAIRS_HINT, RESHAPED, SWAPPED
from attention_course.exercises.common.pooling import PRODUCT_HINT
from attention_course.exercises.engine.exercise import Exercise, Puzzle, draw, hint, mistake
from attention_course.exercises.engine.line import line
from attention_course.exercises.engine.means import no_loop

Pair = Callable[[Tensor, Tensor], Tensor]


def bilinear_scores(
    queries: Tensor,
    keys: Tensor,
    W: Tensor,
    *,
    project: Pair = line("queries, W", "queries @ W"),
    product: Pair = line("projected, keys", "projected @ keys.mT"),
    divisor: Callable[[Tensor], float] = lambda W: 1.0,
    layout: Callable[[Tensor], Tensor] = line("scores", "scores"),
) -> Tensor:
    """Score step by step."""
    return layout(product(project(queries, W), keys) / divisor(W))


EXERCISE = Exercise(
    bilinear_scores,
    (
        draw(101, (2, 3, 5), (2, 7, 11), (5, 11)),
        draw(102, (3, 5, 7), (3, 2, 3), (7, 3)),
        draw(103, (2, 3, 5), (2, 7, 5), (5, 5)),
        draw(104, (5, 5, 5), (5, 5, 5), (5, 5)),
        draw(105, (1, 2, 3), (1, 5, 2), (3, 2)),
        draw(106, (3, 1, 2), (3, 5, 3), (2, 3)),
        draw(107, (2, 3, 2), (2, 1, 3), (2, 3)),
        draw(108, (1, 1, 1), (1, 1, 1), (1, 1)),
    ),
    (
        mistake(
            "transposed-W",
            "`W` is transposed, or meets the keys where it should meet the queries. The score is "
            "qᵀWk, and `W` has the shape (query size, key size): `queries @ W`, or `keys @ W.mT`. "
            "If both sizes are equal, no error warns you.",
            "你把 `W` 转置了，或者本该乘以查询，却乘以了键。分数是 qᵀWk，`W` 的行对应查询的分量，"
            "列对应键的分量，所以应当写 `queries @ W` 或者 `keys @ W.mT`。如果两个维数相等，写错"
            "了也不会报错。",
            {"project": line("queries, W", "queries @ W.mT")},
            {
                "project": lambda queries, W: (queries, W),
                "product": lambda both, keys: both[0] @ (keys @ both[1]).mT,
            },
        ),
        mistake(
            "no-W",
            "`W` plays no part, so the scores are plain dot products. Queries and keys of "
            "different sizes do not even have a dot product.",
            "你没有用到 `W`，算出来的只是点积。如果查询和键的维数不同，连点积也算不了。",
            {"project": line("queries, W", "queries")},
        ),
        mistake(
            "batch-sum",
            "The examples of the batch are added up. Each has scores of its own, so keep the "
            "batch axis.",
            "你把不同样本的分数加在一起了。每个样本的分数要分开计算，所以要保留批量维。",
            {"layout": lambda scores: scores.sum(dim=0)},
            {"layout": lambda scores: scores.sum(dim=0, keepdim=True).expand_as(scores)},
            {"product": lambda projected, keys: projected @ keys.sum(dim=0).mT},
        ),
        mistake(
            "keys-of-first-example",
            "All examples use the keys of the first, but each has keys of its own.",
            "你对所有样本都用了样本 0 的键，可是每个样本的键都不同。",
            {"product": line("projected, keys", "projected @ keys[0].mT")},
        ),
        mistake(
            "weights-not-scores",
            "The softmax turns the scores into weights. Return only the scores here.",
            "你多做了一步 softmax，得到的已经是权重。这里只需要返回分数。",
            {"layout": line("scores", "torch.softmax(scores, dim=-1)")},
        ),
        mistake(
            "root-scale",
            "The scores are divided by the root of a size. The bilinear score is not scaled: its "
            "`W` can learn any factor.",
            "你把分数除以维数的平方根了。双线性评分不需要缩放，合适的倍数可以由 `W` 学到。",
            {"divisor": lambda W: math.sqrt(W.shape[1])},
            {"divisor": lambda W: math.sqrt(W.shape[0])},
        ),
        mistake(
            "tanh",
            "The tanh is one step too many: the bilinear score is linear in the query and in the "
            "key.",
            "你多做了一步 tanh。双线性评分关于查询和键都是线性的，不需要 tanh。",
            {"layout": line("scores", "torch.tanh(scores)")},
            {"project": lambda queries, W: torch.tanh(queries @ W)},
        ),
        SWAPPED,
        mistake(
            *RESHAPED,
            {"product": lambda q, k: q @ k.reshape(k.shape[0], k.shape[2], k.shape[1])},
        ),
    ),
    (
        hint(
            r"einsum\(\)",
            "The letters do not fit the sizes. `W` has the shape (query size, key size): its first "
            "letter is the last of `queries`, its second the last of `keys`.",
            "你写的字母与形状对不上。`W` 的行对应查询的分量，列对应键的分量，所以 `W` 的前一个字母"
            "要与 `queries` 的末尾字母相同，后一个要与 `keys` 的末尾字母相同。",
        ),
        VIEW_HINT,
        PRODUCT_HINT,
        PAIRS_HINT,
        *GRADIENT_HINTS,
    ),
    hazards=(transposed(draw(110, (2, 3, 5), (2, 7, 11), (5, 11))),),
    gradients=(draw(109, (2, 3, 5), (2, 7, 11), (5, 11)),),
    forbids=(no_loop(lambda n: draw(110, (n, n + 1, n + 2), (n, n + 3, n + 4), (n + 2, n + 4))),),
    puzzle=Puzzle(
        """
def bilinear_scores(queries, keys, W):
    projected = {project}
    scores = {product}
    return {layout}
""",
        {
            "project": ("transposed-W", "no-W"),
            "product": ("keys-of-first-example",),
            "layout": ("weights-not-scores", "tanh", "swapped-axes"),
        },
    ),
)
