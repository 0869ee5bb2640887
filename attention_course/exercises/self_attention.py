"""Define an exercise of chapter 10: a sentence that attends to itself, without looking ahead."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import (
    LOW_LENGTHS,
    LOW_SCORES,
    VIEW_HINT,
    extreme_scores,
    near_the_limit,
    transposed,
)
from attention_course.exercises.common.masks import (
    MASK_MISTAKES,
    WITH_EPSILON,
    fill_with,
    masked_softmax,
    unchanged,
)
from attention_course.exercises.common.pooling import TRANSPOSED, weighted_sum
from attention_course.exercises.engine.exercise import Case, Exercise, Puzzle, draw, hint, mistake
from attention_course.exercises.engine.line import line

Project = Callable[..., Tensor]
_PARTS = "x, W_q, W_k, W_v"


def self_attention(
    x: Tensor,
    W_q: Tensor,
    W_k: Tensor,
    W_v: Tensor,
    *,
    ask: Project = line(_PARTS, "x @ W_q.T"),
    answer: Project = line(_PARTS, "x @ W_k.T"),
    bring: Project = line(_PARTS, "x @ W_v.T"),
    product: Callable[[Tensor, Tensor], Tensor] = line("queries, keys", "queries @ keys.mT"),
    divisor: Callable[[Tensor, Tensor], float] = line("x, keys", "math.sqrt(keys.shape[-1])"),
    lengths: Callable[[int], Tensor] = line("n", "torch.arange(1, n + 1)"),
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    **mask_steps: Any,
) -> Tensor:
    """Attend step by step."""
    parts = x, W_q, W_k, W_v
    queries, keys, values = ask(*parts), answer(*parts), bring(*parts)
    scores = product(queries, keys) / divisor(x, keys)
    batch, n, _ = x.shape
    weights = masked_softmax(scores, lengths(n).expand(batch, n), **mask_steps)
    return pool(weights, values)


MISTAKES = (
    mistake(
        "one-projection",
        "Queries and keys come from the same matrix, so each word's query equals its key. `W_q` "
        "makes the queries and `W_k` the keys.",
        "你用同一个矩阵算了查询和键，每个词的查询就和键一样了。应当用 `W_q` 算查询，用 `W_k` 算键"
        "。",
        {"answer": line(_PARTS, "x @ W_q.T")},
        {"ask": line(_PARTS, "x @ W_k.T")},
    ),
    mistake(
        "raw-values",
        "The words are pooled as they are. A word hands over its value, `x @ W_v.T`.",
        "你直接对词向量加权求和了，应当对值 `x @ W_v.T` 加权求和。",
        {"bring": line(_PARTS, "x")},
    ),
    mistake(
        "keys-for-values",
        "The keys are pooled. A word hands over its value, `x @ W_v.T`.",
        "你把键当成了值，应当对值 `x @ W_v.T` 加权求和。",
        {"bring": line(_PARTS, "x @ W_k.T")},
    ),
    mistake(
        "no-scale",
        "The scores are not divided by √d, where d is the size of a query and of a key.",
        "你忘了把分数除以 √d，这里的 d 是查询和键的维数。",
        {"divisor": line("x, keys", "1.0")},
    ),
    mistake(
        "divided-by-d",
        "The scores are divided by d; divide by the square root of d.",
        "你把分数除以了 d，应当除以 d 的平方根。",
        {"divisor": line("x, keys", "float(keys.shape[-1])")},
    ),
    mistake(
        "root-of-word",
        "You take the square root of a word's size. What makes dot products grow is the size of "
        "queries and keys, after the projection.",
        "你对词向量的维数开了平方，应当用投影以后的维数：查询和键的维数越高，点积越大。",
        {"divisor": line("x, keys", "math.sqrt(x.shape[-1])")},
    ),
    mistake(
        "no-mask",
        "Every word sees the whole sentence. Word i may see words 0 to i, so its length is i + 1.",
        "你没有用掩码，每个词都读到了整句话。词 i 只能读到词 0 到词 i，长度应当是 i + 1。",
        {"lengths": line("n", "torch.full((n,), n)")},
    ),
    mistake(
        "not-itself",
        "A word does not see itself, so the first word sees nothing. Word i may see words 0 to i, "
        "so its length is i + 1; with `torch.triu`, the masked part begins at `diagonal=1`.",
        "你把每个词自己也掩蔽了，所以词 0 什么也读不到。词 i 能读到词 0 到词 i，所以长度应当是 i +"
        " 1；如果用 `torch.triu`，要从 `diagonal=1` 开始掩蔽。",
        {"lengths": line("n", "torch.arange(n)")},
        {"lengths": line("n", "torch.arange(n)"), "after": unchanged},
        {
            "lengths": line("n", "torch.arange(n)"),
            "before": fill_with(-1e9),
            "after": unchanged,
        },
    ),
    mistake(
        "one-word-ahead",
        "Every word also sees the next word. Word i may see words 0 to i, so its length is i + 1.",
        "你让每个词多读了后面一个词。词 i 只能读到词 0 到词 i，所以长度应当是 i + 1。",
        {"lengths": lambda n: torch.arange(2, n + 2).clamp(max=n)},
    ),
    mistake(
        "upside-down",
        "The staircase is upside down: the first word sees all words, and the last sees only the "
        "first.",
        "你把掩码上下颠倒了：最前面的词读到了所有的词，最后一个词只读到最前面的词。",
        {"lengths": line("n", "torch.arange(n, 0, -1)")},
    ),
    mistake(
        "looks-ahead",
        "The mask is the other triangle: word i sees itself and the words after it.",
        "你把掩码的三角形取反了，词 i 读到的是自己和后面的词。",
        {"keep": lambda n, lengths: torch.arange(n) >= lengths[..., None] - 1},
    ),
    mistake(
        "mask-after-softmax",
        "The mask comes after the softmax, so a row no longer sums to 1: the words ahead have "
        "already taken their share. Mask the scores first.",
        "你先算 softmax 再用掩码，后面的词已经分走一部分权重，一行之和就不再是 1 了。请先掩蔽分数"
        "，再算 softmax。",
        {"before": lambda X, keep: X, "after": lambda weights, keep: weights * keep},
    ),
    mistake(
        "transposed-scores",
        "The scores are transposed, or `W_q` and `W_k` have changed places, which comes to the "
        "same. Row i should hold the dot products of word i's query with the keys of all words.",
        "你把分数转置了，或者把 `W_q` 和 `W_k` 用反了，两者结果相同。第 i 行应当是词 i 的查询与所"
        "有键的点积。",
        {"product": line("queries, keys", "keys @ queries.mT")},
        {"ask": line(_PARTS, "x @ W_k.T"), "answer": line(_PARTS, "x @ W_q.T")},
    ),
    TRANSPOSED,
    *(one for one in MASK_MISTAKES if one.name == "mask-added"),
    *WITH_EPSILON,
)


def _case_from_scores(scores: Tensor, lengths: Tensor) -> Case:
    """Make words with query 1, a key and a value, so that every word scores a key alike."""
    (values,) = draw(86, (*scores.shape, 2))
    x = torch.cat([torch.ones_like(scores)[..., None], scores[..., None], values], dim=-1)
    ask, answer, *bring = torch.eye(4, dtype=torch.float32)[:, None]
    return x, ask, answer, torch.cat(bring)


def _grows() -> Case:
    """Make words that grow, where each is its own query, key and value; the last dominates."""
    one = torch.ones(1, 1, dtype=torch.float32)
    return torch.tensor([[[1], [200]]], dtype=torch.float32), one, one, one


EXTREME = extreme_scores(_case_from_scores)

EXERCISE = Exercise(
    self_attention,
    (
        draw(81, (2, 5, 3), (2, 3), (2, 3), (7, 3)),
        draw(82, (3, 7, 2), (5, 2), (5, 2), (3, 2)),
        draw(83, (2, 3, 5), (5, 5), (5, 5), (5, 5)),
        draw(84, (1, 1, 3), (2, 3), (2, 3), (5, 3)),
        _case_from_scores(LOW_SCORES, LOW_LENGTHS),
    ),
    MISTAKES,
    (
        hint(
            r"shapes cannot be multiplied|must match the size|Expected size",
            "`W_q`, `W_k` and `W_v` have the shape (size after, size before), as in `nn.Linear`, "
            "so `x @ W.T` projects the rows of x.",
            "`W_q`、`W_k`、`W_v` 的形状和 `nn.Linear` 的权重一样，是（投影后的维数，投影前的维数）"
            "，所以投影要写成 `x @ W.T`。",
        ),
        VIEW_HINT,
        *GRADIENT_HINTS,
    ),
    puzzle=Puzzle(
        """
def self_attention(x, W_q, W_k, W_v):
    queries, keys, values = x @ W_q.T, {answer}, x @ W_v.T
    scores = queries @ keys.mT / {divisor}
    batch, n, _ = x.shape
    lengths = {lengths}
    weights = masked_softmax(scores, lengths.expand(batch, n))
    return {pool}
""",
        {
            "answer": ("one-projection",),
            "divisor": ("no-scale", "root-of-word"),
            "lengths": ("no-mask", "not-itself", "upside-down"),
            "pool": ("transposed-weights",),
        },
    ),
    gradients=(draw(85, (2, 5, 3), (2, 3), (2, 3), (7, 3)),),
    hazards=(
        replace(EXTREME, cases=(_grows(), *EXTREME.cases)),
        transposed(draw(87, (2, 5, 3), (2, 3), (2, 3), (7, 3))),
        near_the_limit(_case_from_scores, [1, 1]),
    ),
)
