"""Define an exercise of chapter 13: a pre-norm Transformer block with a causal mask."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises import self_attention
from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, transposed
from attention_course.exercises.common.masks import EXTREME_MISTAKES
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

Norm = Callable[[Tensor], Tensor]


def layer_norm(x: Tensor, correction: int = 0) -> Tensor:
    """Subtract the mean of each vector, and divide by the root of its variance."""
    var, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=correction)
    return (x - mean) / torch.sqrt(var + 1e-5)


def decoder_block(
    x: Tensor,
    W_q: Tensor,
    W_k: Tensor,
    W_v: Tensor,
    W_o: Tensor,
    W_1: Tensor,
    W_2: Tensor,
    *,
    norm: Norm = layer_norm,
    enter: Callable[[Norm, Tensor], Tensor] = line("norm, x", "norm(x)"),
    mix: Callable[[Tensor, Tensor], Tensor] = line("read, W_o", "read @ W_o.T"),
    join: Callable[..., Tensor] = line("norm, x, z, read", "x + read"),
    again: Callable[..., Tensor] = line("norm, x, y", "norm(y)"),
    feed: Callable[..., Tensor] = line("z, W_1, W_2", "torch.relu(z @ W_1.T) @ W_2.T"),
    leave: Callable[..., Tensor] = line("norm, x, y, z, fed", "y + fed"),
    **attention_steps: Any,
) -> Tensor:
    """Read the words, then compute on each, step by step."""
    z = enter(norm, x)
    read = mix(self_attention.self_attention(z, W_q, W_k, W_v, **attention_steps), W_o)
    y = join(norm, x, z, read)
    z = again(norm, x, y)
    return leave(norm, x, y, z, feed(z, W_1, W_2))


_AS_IT_IS = line("norm, x", "x")
_Y_AS_IT_IS = line("norm, x, y", "y")
_SUM_NORMALISED = line("norm, x, z, read", "norm(x + read)")
_ONTO_NORMALISED = line("norm, x, z, read", "z + read")
_FED_ONTO_NORMALISED = line("norm, x, y, z, fed", "z + fed")
_OUTPUT_NORMALISED = line("norm, x, y, z, fed", "norm(y + fed)")
# Mistakes with the attention itself; the others are in the block around it.
_ATTENTION = (
    "one-projection",
    "no-scale",
    "divided-by-d",
    "root-of-word",
    "no-mask",
    "not-itself",
    "one-word-ahead",
    "looks-ahead",
    "mask-after-softmax",
    "mask-added",
    "transposed-scores",
)

MISTAKES = (
    mistake(
        "post-norm",
        "The sums are normalised, as in the first Transformer (post-norm). In a pre-norm block, "
        "attention and the feed-forward network read a normalised copy, and the sums stay as they "
        "are.",
        "你在相加之后才做归一化，这是最早的 Transformer 的做法（post-norm）。"
        "题目要求的是 pre-norm：注意力和前馈网络的输入要先归一化，相加的结果保持原样。",
        {
            "enter": _AS_IT_IS,
            "join": _SUM_NORMALISED,
            "again": _Y_AS_IT_IS,
            "leave": _OUTPUT_NORMALISED,
        },
    ),
    mistake(
        "no-residual-around-attention",
        "The result of the attention replaces x. Add it to x, so that a word is not lost while it "
        "reads the others: y = x + ….",
        "你直接用注意力的结果代替了 x。应当把它加到 x 上，即 y = x + …，这样词读了别的词以后，"
        "自己的信息还在。",
        {"join": line("norm, x, z, read", "read")},
    ),
    mistake(
        "no-residual-around-feed-forward",
        "The result of the feed-forward network replaces y. Add it to y instead.",
        "你直接用前馈网络的结果代替了 y，应当把它加到 y 上。",
        {"leave": line("norm, x, y, z, fed", "fed")},
    ),
    mistake(
        "residual-from-normalised",
        "A result is added to the normalised vector. Add it to the vector before the norm, x or y, "
        "which passes through the block unchanged.",
        "你把结果加到了归一化之后的向量上。应当加到归一化之前的 x 或 y 上，"
        "让 x 和 y 原样传到后面。",
        {"join": _ONTO_NORMALISED},
        {"leave": _FED_ONTO_NORMALISED},
        {"join": _ONTO_NORMALISED, "leave": _FED_ONTO_NORMALISED},
    ),
    mistake(
        "normalised-output",
        "The output of the block is normalised. The norm belongs before the attention and before "
        "the feed-forward network; the block returns the plain sum.",
        "你在块的最后多做了一次归一化。归一化只用在注意力和前馈网络之前，"
        "最后相加完直接返回就可以了。",
        {"leave": _OUTPUT_NORMALISED},
    ),
    mistake(
        "no-first-norm",
        "The attention reads x as it is. Make its queries, keys and values from norm(x).",
        "你没有先把 x 归一化。查询、键和值都应当由 norm(x) 算出。",
        {"enter": _AS_IT_IS},
    ),
    mistake(
        "no-second-norm",
        "The feed-forward network reads y as it is. It should read norm(y).",
        "你没有先把 y 归一化，前馈网络的输入应当是 norm(y)。",
        {"again": _Y_AS_IT_IS},
    ),
    mistake(
        "feed-forward-reads-x",
        "The feed-forward network reads x, which knows nothing of the other words yet. It should "
        "read the sum after the attention, as norm(y).",
        "你给前馈网络输入的是 x，里面还没有别的词的信息。应当用注意力之后的结果，即 norm(y)。",
        {"again": line("norm, x, y", "norm(x)")},
    ),
    mistake(
        "feed-forward-added-to-x",
        "The result of the feed-forward network is added to x, so what the attention has read is "
        "missing from the sum. Add the result to y.",
        "你把前馈网络的结果加到了 x 上，注意力读到的内容就丢了。应当加到 y 上。",
        {"leave": line("norm, x, y, z, fed", "x + fed")},
    ),
    mistake(
        "no-relu",
        "The ReLU is missing. Without it, the products with `W_1` and `W_2` amount to a single "
        "matrix product.",
        "你漏了 ReLU。没有 ReLU 的话，先乘 `W_1` 再乘 `W_2`，等于只乘了一个矩阵。",
        {"feed": line("z, W_1, W_2", "z @ W_1.T @ W_2.T")},
    ),
    mistake(
        "relu-at-the-end",
        "The ReLU comes after `W_2`. It belongs between the two matrices.",
        "你把 ReLU 放在了 `W_2` 之后，应当放在两个矩阵之间。",
        {"feed": line("z, W_1, W_2", "torch.relu(z @ W_1.T @ W_2.T)")},
    ),
    mistake(
        "gelu",
        "Your feed-forward network uses GELU. The formula here uses ReLU.",
        "你用的激活函数是 GELU，题目要求的是 ReLU。",
        {"feed": lambda z, W_1, W_2: torch.nn.functional.gelu(z @ W_1.T) @ W_2.T},
    ),
    mistake(
        "no-output-projection",
        "`W_o` is not used. Multiply what the attention has read by `W_o` before you add it.",
        "你没有用到 `W_o`。注意力的输出要先乘以 `W_o`，再加到 x 上。",
        {"mix": line("read, W_o", "read")},
    ),
    mistake(
        "unbiased-variance",
        "The variance is a sum divided by d − 1, which is the default of `var` and `std`. Layer "
        "norm divides by d: pass `correction=0`.",
        "你求方差时除以了 d − 1，这是 `var` 和 `std` 的默认做法。层归一化应当除以 d，"
        "请加上 `correction=0`。",
        {"norm": lambda x: layer_norm(x, correction=1)},
        {"norm": lambda x: (x - x.mean(-1, keepdim=True)) / (x.std(dim=-1, keepdim=True) + 1e-5)},
    ),
    mistake(
        "mean-not-subtracted",
        "The mean is not subtracted, as in RMS norm. Layer norm subtracts it first.",
        "你没有减去均值，这是 RMS norm 的做法。层归一化要先减去均值。",
        {"norm": lambda x: x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + 1e-5)},
    ),
    mistake(
        "norm-over-words",
        "You compute mean and variance over several words. Normalise each word's vector by "
        "itself, along the last axis.",
        "你把几个词放在一起求了均值和方差。应当沿最后一个轴，对每个词的向量单独做归一化。",
        {"norm": lambda x: layer_norm(x.mT).mT},
        {"norm": lambda x: torch.nn.functional.layer_norm(x, x.shape[1:])},
    ),
    *(one for one in self_attention.MISTAKES if one.name in _ATTENTION),
)


def _case(seed: int, batch: int, n: int, d: int, s: int, v: int, f: int) -> Case:
    shapes = (batch, n, d), (s, d), (s, d), (v, d), (d, v), (f, d), (d, f)
    x, W_q, *others = draw(seed, *shapes)
    # The words are not normalised yet, and the scores so close that no exponential is tiny.
    return 3 * x + 1, W_q / 16, *(W / 2 for W in others)


def _steeper(case: Case, factor: float) -> Case:
    """Make scores that lie far apart."""
    x, W_q, *others = case
    return x, factor * W_q, *others


def _alone(factor: float) -> Case:
    """Make sentences of one word, whose score on itself is far below 0."""
    x, _, W_k, *others = _case(187, 2, 1, 3, 2, 5, 7)
    return x, -factor * W_k, W_k, *others


PLAIN = _case(181, 2, 5, 7, 3, 2, 11)

EXERCISE = Exercise(
    decoder_block,
    (
        PLAIN,
        _case(182, 3, 7, 5, 2, 3, 4),
        _case(183, 4, 4, 4, 4, 4, 4),
        _case(184, 1, 3, 5, 7, 2, 3),
        _case(185, 2, 1, 5, 2, 3, 7),
    ),
    MISTAKES,
    (
        hint(
            r"shapes cannot be multiplied|must match the size|Expected size",
            "All matrices have the shape (size after, size before), as in `nn.Linear`, so "
            "`x @ W.T` maps the rows of x.",
            "矩阵的形状与 `nn.Linear` 的权重一样，都是（输出维数，输入维数），"
            "所以变换应当写成 `x @ W.T`。",
        ),
        VIEW_HINT,
        *GRADIENT_HINTS,
    ),
    puzzle=Puzzle(
        """
def my_block(x, W_q, W_k, W_v, W_o, W_1, W_2):
    def norm(x):
        mean, var = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
        return (x - mean) / torch.sqrt(var + 1e-5)

    z = norm(x)
    scores = z @ W_q.T @ (z @ W_k.T).mT / math.sqrt(W_q.shape[0])
    ahead = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
    weights = torch.softmax(scores.masked_fill(ahead, -torch.inf), dim=-1)
    read = weights @ (z @ W_v.T) @ W_o.T
    y = {join}
    z = {again}
    fed = {feed}
    return {leave}
""",
        {
            "join": ("no-residual-around-attention", "residual-from-normalised", "post-norm"),
            "again": ("no-second-norm",),
            "feed": ("no-relu",),
            "leave": ("no-residual-around-feed-forward", "normalised-output"),
        },
    ),
    gradients=(_case(186, 2, 5, 7, 3, 2, 11),),
    hazards=(
        transposed(PLAIN),
        Hazard(
            "extreme-scores",
            (_steeper(PLAIN, 2.0**12), _steeper(PLAIN, 2.0**60), _alone(2.0**60)),
            EXTREME_MISTAKES,
        ),
    ),
)
