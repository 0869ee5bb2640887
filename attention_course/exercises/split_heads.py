"""Define an exercise of chapter 13: split vectors into heads, attend in each, and merge."""

from collections.abc import Callable

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, far_from_zero, transposed
from attention_course.exercises.common.masks import last_axis
from attention_course.exercises.common.pooling import (
    ALONG_QUERIES,
    NO_SOFTMAX,
    UNDIVIDED,
    weighted_sum,
)
from attention_course.exercises.engine.exercise import Case, Exercise, Puzzle, draw, hint, mistake
from attention_course.exercises.engine.line import line

_SPLIT = "x, batch, n, num_heads"
_MERGE = "output, batch, n, num_heads"


def split_heads(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    num_heads: int,
    *,
    split: Callable[[Tensor, int, int, int], Tensor] = line(
        _SPLIT, "x.reshape(batch, n, num_heads, -1).transpose(1, 2)"
    ),
    product: Callable[[Tensor, Tensor], Tensor] = line("q, k", "q @ k.mT"),
    divisor: Callable[[Tensor, int], float] = line("q, num_heads", "math.sqrt(q.shape[-1])"),
    normalise: Callable[[Tensor], Tensor] = last_axis,
    pool: Callable[[Tensor, Tensor], Tensor] = weighted_sum,
    merge: Callable[[Tensor, int, int, int], Tensor] = line(
        _MERGE, "output.transpose(1, 2).reshape(batch, n, -1)"
    ),
) -> Tensor:
    """Split, attend and merge step by step."""
    batch, n, _ = q.shape
    q, k, v = (split(x, batch, n, num_heads) for x in (q, k, v))
    weights = normalise(product(q, k) / divisor(q, num_heads))
    return merge(pool(weights, v), batch, n, num_heads)


_SLICED = line(_SPLIT, "x.reshape(batch, num_heads, n, -1)")
_WITHOUT_TRANSPOSE = line(_SPLIT, "x.reshape(batch, n, num_heads, -1)")
_KEPT_ORDER = line(_MERGE, "output.reshape(batch, n, -1)")


def _interleaved(x: Tensor, batch: int, n: int, num_heads: int) -> Tensor:
    """Give head i the components i, i + h, i + 2h and so on."""
    return x.reshape(batch, n, -1, num_heads).permute(0, 3, 1, 2)


def _interleave(output: Tensor, batch: int, n: int, num_heads: int) -> Tensor:
    return output.permute(0, 2, 3, 1).reshape(batch, n, -1)


MISTAKES = (
    mistake(
        "split-without-transpose",
        "`view(B, h, N, s)` or `reshape(B, h, N, s)` gives each head only some words: of two "
        "heads, head 0 gets the first half of the sentence. A head needs a slice of each word's "
        "vector. Cut the last axis into (h, s), and then transpose the axes of words and heads.",
        "用 `view(B, h, N, s)` 或 `reshape(B, h, N, s)` 拆分，其实是把词分给了各个头。"
        "例如有两个头时，头 0 得到的是句子的前一半。每个头应当得到每个词的向量中的一段，"
        "所以要先把最后一个轴拆成 (h, s)，再交换词和头的轴。",
        {"split": _SLICED},
    ),
    mistake(
        "merged-without-transpose",
        "The outputs are merged in the order (h, N, s), so the parts of a vector come from "
        "different words. Transpose first: the outputs of one word's heads have to lie side by "
        "side.",
        "你按 (h, N, s) 的次序直接合并，一个向量里就混进了不同词的输出。请先转置，"
        "把同一个词在各个头的输出排到一起，再合并。",
        {"merge": _KEPT_ORDER},
    ),
    mistake(
        "heads-read-each-other",
        "The last axis but one is that of the heads, so the heads of one word read each other, and "
        "no word reads another. Transpose to (B, h, N, s) before the product.",
        "现在倒数第二个轴是头，所以你比较的是同一个词的几个头，词与词之间反而没有比较。"
        "请先转置成 (B, h, N, s)，再相乘。",
        {"split": _WITHOUT_TRANSPOSE, "merge": _KEPT_ORDER},
        {"split": _WITHOUT_TRANSPOSE},
    ),
    mistake(
        "interleaved-heads",
        "The last axis is cut into (s, h), so head i gets every h-th component. Head i should get "
        "the components i · s to (i + 1) · s − 1: cut into (h, s).",
        "你把最后一个轴拆成了 (s, h)，头 i 每 h 个分量才取一个。头 i 应当取第 i × s 到第"
        " (i + 1) × s − 1 个分量，请拆成 (h, s)。",
        {"split": _interleaved},
        {"split": _interleaved, "merge": _interleave},
        {"merge": _interleave},
    ),
    mistake(
        "one-head",
        "The whole vectors are compared, as with a single head. With h heads, each head compares "
        "slices of size s and has weights of its own.",
        "你用整个向量做了点积，相当于只有一个头。如果有 h 个头，每个头只用其中 s 个分量，"
        "各算各的权重。",
        {"split": lambda x, batch, n, num_heads: x[:, None]},
    ),
    mistake(
        "heads-pooled",
        "The heads are summed or averaged. Put their outputs side by side: h outputs of size s "
        "make a vector of size h · s.",
        "你把各个头的输出相加或者取了平均。应当拼接起来，把 h 个 s 维的输出拼成一个 h × s 维的向"
        "量。",
        {"merge": lambda output, batch, n, num_heads: output.mean(1)},
        {"merge": lambda output, batch, n, num_heads: output.sum(1)},
    ),
    mistake(
        "not-merged",
        "The output still has an axis of heads. Merge it to (B, N, h · s).",
        "输出里还留着头的轴，请合并成 (B, N, h × s)。",
        {"merge": line(_MERGE, "output")},
        {"merge": lambda output, batch, n, num_heads: output.transpose(1, 2)},
    ),
    mistake(
        "root-of-all-heads",
        "The scores are divided by √(h · s). A head multiplies slices of size s, so its scores "
        "grow with √s.",
        "你把分数除以了 √(h × s)。在一个头里，点积只有 s 项，所以应当除以 √s。",
        {"divisor": line("q, num_heads", "math.sqrt(num_heads * q.shape[-1])")},
    ),
    mistake(
        "no-scale",
        "The scores are not divided by √s, where s is the size of a head's slice.",
        "你忘了把分数除以 √s，这里 s 是每个头的维数。",
        {"divisor": line("q, num_heads", "1.0")},
    ),
    mistake(
        "divided-by-s",
        "The scores are divided by s; divide by its square root.",
        "你把分数除以了 s，应当除以 s 的平方根。",
        {"divisor": line("q, num_heads", "q.shape[-1]")},
    ),
    mistake(
        ALONG_QUERIES.name,
        ALONG_QUERIES.words.en,
        ALONG_QUERIES.words.zh,
        {"normalise": line("scores", "torch.softmax(scores, dim=-2)")},
    ),
    mistake(
        "softmax-along-heads",
        "The softmax runs along the heads, so the heads compete for each key. Each head should "
        "share its weight out among the keys, along the last axis.",
        "你沿头的轴做了 softmax，结果几个头在分配同一个键的权重。应当沿最后一个轴做，让每个头各自"
        "给所有的键分配权重。",
        {"normalise": line("scores", "torch.softmax(scores, dim=1)")},
    ),
    UNDIVIDED,
    NO_SOFTMAX,
    mistake(
        "transposed-scores",
        "The scores are transposed: row i should hold the products of query i with every key.",
        "你把分数转置了。第 i 行应当是查询 i 与每个键的点积。",
        {"product": line("q, k", "k @ q.mT")},
    ),
)


def _case_from_scores(scores: Tensor) -> Case:
    """Make two heads of size 4, in which every query scores the keys alike."""
    batch, n = scores.shape
    (v,) = draw(155, (batch, n, 8))
    first = torch.eye(4, dtype=torch.float32)[0].repeat(2)
    return first.expand(batch, n, 8), 2 * scores[..., None] * first, v, 2


def _case(seed: int, num_heads: int, *shape: int) -> Case:
    return *draw(seed, shape, shape, shape), num_heads


EXERCISE = Exercise(
    split_heads,
    (
        _case(151, 2, 3, 5, 14),
        _case(152, 3, 2, 7, 6),
        _case(153, 5, 1, 2, 15),
        _case(154, 2, 4, 4, 8),
        _case(156, 2, 2, 2, 4),
        _case(157, 1, 3, 4, 5),
        _case(158, 3, 2, 1, 6),
    ),
    MISTAKES,
    (
        VIEW_HINT,
        hint(
            r"is invalid for input of size",
            "The new sizes do not multiply to the number of entries. (B, N, h · s) becomes "
            "(B, N, h, s), and s is the last size divided by h with `//`.",
            "新形状的元素个数与原来对不上。(B, N, h × s) 应当变成 (B, N, h, s)，"
            "s 等于最后一维的长度除以 h，注意要用 `//` 计算。",
        ),
        *GRADIENT_HINTS,
    ),
    puzzle=Puzzle(
        """
def my_multi_head(q, k, v, num_heads):
    def split(x):
        return {split}

    batch, n, _ = q.shape
    q, k, v = split(q), split(k), split(v)
    scores = q @ k.mT / {divisor}
    weights = {normalise}
    output = weights @ v
    return {merge}
""",
        {
            "split": ("split-without-transpose", "heads-read-each-other"),
            "divisor": ("root-of-all-heads", "no-scale"),
            "normalise": ("softmax-along-heads",),
            "merge": ("merged-without-transpose", "not-merged"),
        },
    ),
    gradients=(_case(159, 2, 3, 5, 14),),
    hazards=(transposed(_case(160, 2, 3, 5, 14)), far_from_zero(_case_from_scores)),
)
