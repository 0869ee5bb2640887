"""Define an exercise of chapter 13: one step of generation, with a cache of keys and values."""

from collections.abc import Callable
from functools import wraps
from types import EllipsisType
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.common.gradients import GRADIENT_HINTS
from attention_course.exercises.common.hazards import VIEW_HINT, far_from_zero, transposed
from attention_course.exercises.common.masks import last_axis
from attention_course.exercises.common.pooling import NO_SOFTMAX, PRODUCT_HINT, UNDIVIDED
from attention_course.exercises.engine.exercise import (
    Case,
    Exercise,
    Function,
    Outcome,
    Puzzle,
    Returned,
    draw,
    hint,
    mistake,
)
from attention_course.exercises.engine.line import line
from attention_course.exercises.engine.running import type_name
from attention_course.exercises.engine.verdict import refusal
from attention_course.translated import Text

THREE = Text(
    "Return three tensors: the output, all keys and all values. Yours is of type `{type}`.",
    "请依次返回三个张量：输出、全部的键、全部的值。你返回的是 `{type}` 类型。",
)

_PARTS = "x, W_q, W_k, W_v, keys, values"
_CACHES = "keys, values, all_keys, all_values"
_ATTEND = f"attend, query, {_CACHES}"


def cached_step(
    x: Tensor,
    W_q: Tensor,
    W_k: Tensor,
    W_v: Tensor,
    keys: Tensor,
    values: Tensor,
    *,
    ask: Callable[..., Tensor] = line(_PARTS, "x @ W_q.T"),
    append_key: Callable[..., Tensor] = line(_PARTS, "torch.cat([keys, x @ W_k.T], dim=1)"),
    append_value: Callable[..., Tensor] = line(_PARTS, "torch.cat([values, x @ W_v.T], dim=1)"),
    read: Callable[..., Tensor] = line(_ATTEND, "attend(query, all_keys, all_values)"),
    divisor: Callable[[Tensor, Tensor], float] = line("x, query", "math.sqrt(query.shape[-1])"),
    normalise: Callable[[Tensor], Tensor] = last_axis,
    keep: Callable[..., tuple[Tensor, Tensor]] = line(_CACHES, "(all_keys, all_values)"),
) -> Outcome:
    """Append, attend and return step by step."""

    def attend(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        return normalise(query @ keys.mT / divisor(x, query)) @ values

    parts = x, W_q, W_k, W_v, keys, values
    caches = keys, values, append_key(*parts), append_value(*parts)
    output = read(attend, ask(*parts), *caches)
    return Outcome(output, dict(zip(("keys", "values"), keep(*caches), strict=True)))


def _prepare(answer: Function) -> Function:
    """Compare the returned cache as well as the output."""

    @wraps(answer)
    def step(*case: Any) -> Any:
        returned = answer(*case)
        match returned:
            case (output, keys, values):
                return Outcome(output, {"keys": keys, "values": values})
            case None | EllipsisType() | Outcome():  # nothing yet, or the solution itself
                return returned
        return refusal(THREE.filled(type=type_name(returned)))

    return step


_OLD_ALONE = line(_ATTEND, "attend(query, keys, values)")
_KEY_IN_FRONT = line(_PARTS, "torch.cat([x @ W_k.T, keys], dim=1)")
_VALUE_IN_FRONT = line(_PARTS, "torch.cat([x @ W_v.T, values], dim=1)")
_VALUE_AS_KEY = line(_PARTS, "torch.cat([keys, x @ W_v.T], dim=1)")
_KEY_AS_VALUE = line(_PARTS, "torch.cat([values, x @ W_k.T], dim=1)")
_WORD_AS_KEY = line(_PARTS, "torch.cat([keys, x], dim=1)")
_WORD_AS_VALUE = line(_PARTS, "torch.cat([values, x], dim=1)")

MISTAKES = (
    mistake(
        "not-itself",
        "The new word reads only the words before it. First append its own key and value to the "
        "cache, and then let its query read all P + 1 words.",
        "你只让新词读了前面的词。应当先把新词的键和值接到缓存末尾，"
        "再用新词的查询读全部 P + 1 个词。",
        {"read": _OLD_ALONE},
    ),
    mistake(
        "cache-not-returned",
        "Your function returns the old cache, in which the next word would not find this one. "
        "Return the keys and values with the new ones at the end.",
        "你返回的还是旧缓存，下一个词就读不到这个新词了。请把新的键和值接在后面，再返回缓存。",
        {"keep": line(_CACHES, "(keys, values)")},
        {"keep": line(_CACHES, "(keys, values)"), "read": _OLD_ALONE},
    ),
    mistake(
        "only-the-new",
        "Only the new key and value are returned. Return the whole cache: the old keys and values "
        "first, and then the new ones.",
        "你只返回了新的键和值。应当返回整个缓存，旧的在前，新的在后。",
        {"keep": lambda keys, values, all_keys, all_values: (all_keys[:, -1:], all_values[:, -1:])},
    ),
    mistake(
        "in-front",
        "The new word is put in front of the cache. It is the last word so far, so its key and its "
        "value belong at the end.",
        "你把新词接到了缓存的最前面。新词是最后一个词，键和值应当接在末尾。",
        {"append_key": _KEY_IN_FRONT, "append_value": _VALUE_IN_FRONT},
        {"append_key": _KEY_IN_FRONT},
        {"append_value": _VALUE_IN_FRONT},
    ),
    mistake(
        "exchanged",
        "Key and value are swapped: `W_k` makes the key and `W_v` the value.",
        "你把键和值弄反了。`W_k` 用来算键，`W_v` 才用来算值。",
        {"append_key": _VALUE_AS_KEY, "append_value": _KEY_AS_VALUE},
    ),
    mistake(
        "values-first",
        "The values are returned before the keys. The order is output, keys, values.",
        "你把值放在了键的前面。返回的次序应当是输出、键、值。",
        {"keep": line(_CACHES, "(all_values, all_keys)")},
    ),
    mistake(
        "value-for-key",
        "The new key is made with `W_v`. The old keys come from `W_k`, and the query can only be "
        "compared with keys made by `W_k`.",
        "你用 `W_v` 算出了新的键。旧的键都是用 `W_k` 算的，新的键也要用 `W_k`，才能与查询比较。",
        {"append_key": _VALUE_AS_KEY},
    ),
    mistake(
        "key-for-value",
        "The new value is made with `W_k`. What a word hands over is its value, `x @ W_v.T`.",
        "你用 `W_k` 算出了新的值，应当用 `x @ W_v.T` 计算。",
        {"append_value": _KEY_AS_VALUE},
    ),
    mistake(
        "query-for-key",
        "The query is appended to the keys. Later words compare their queries with the key of this "
        "word, `x @ W_k.T`.",
        "你把查询当作键接到了缓存里。应当接上这个词的键 `x @ W_k.T`，后面的词提问时要用到它。",
        {"append_key": line(_PARTS, "torch.cat([keys, x @ W_q.T], dim=1)")},
    ),
    mistake(
        "raw-word",
        "The word itself is appended. The cache holds keys and values, which `W_k` and `W_v` make "
        "from the word.",
        "你接到缓存里的是词向量本身。缓存里应当存键和值，请先用 `W_k` 和 `W_v` 算出来。",
        {"append_key": _WORD_AS_KEY},
        {"append_value": _WORD_AS_VALUE},
        {"append_key": _WORD_AS_KEY, "append_value": _WORD_AS_VALUE},
    ),
    mistake(
        "key-asks",
        "You use the key of the new word as its query. Make the query with `W_q`.",
        "你把新词的键当作了查询。查询应当用 `W_q` 计算。",
        {"ask": line(_PARTS, "x @ W_k.T")},
    ),
    mistake(
        "first-key-alone",
        "The query reads key 0 alone. Torch aligns the mask of `is_causal=True` with the upper "
        "left corner, so query 0 may read only key 0. No word comes after the new one, so leave "
        "the mask out.",
        "你的查询只读到了键 0。torch 的 `is_causal=True` 掩码对齐左上角，所以查询 0 只能读键 0。"
        "新词后面没有别的词，不需要掩码。",
        {
            "read": lambda attend, query, keys, values, all_keys, all_values: attend(
                query, all_keys[:, :1], all_values[:, :1]
            )
        },
    ),
    mistake(
        "no-scale",
        "The scores are not divided by √s, where s is the size of a query and of a key.",
        "你忘了把分数除以 √s，这里 s 是查询和键的维数。",
        {"divisor": line("x, query", "1.0")},
    ),
    mistake(
        "root-of-word",
        "The divisor is the root of the size of a word's vector. Dot products grow with the size "
        "of a query and of a key, after the projection.",
        "你对词向量的维数开了平方。点积的大小取决于查询和键的维数，应当用投影以后的维数。",
        {"divisor": line("x, query", "math.sqrt(x.shape[-1])")},
    ),
    UNDIVIDED,
    NO_SOFTMAX,
)


def _case(seed: int, batch: int, past: int, d: int, s: int) -> Case:
    return draw(seed, (batch, 1, d), *[(s, d)] * 3, *[(batch, past, s)] * 2)


def _case_from_scores(scores: Tensor) -> Case:
    """Make a word whose query is 1, so that the scores are the keys; its own score comes last."""
    batch, n = scores.shape
    (values,) = draw(166, (batch, n - 1, 1))
    x = torch.stack([torch.ones(batch), scores[:, -1], torch.ones(batch)], dim=-1).float()
    return x[:, None], *torch.eye(3, dtype=torch.float32)[:, None], scores[:, :-1, None], values


EXERCISE = Exercise(
    cached_step,
    (
        _case(161, 2, 5, 7, 3),
        _case(162, 3, 2, 2, 5),
        _case(163, 2, 3, 4, 4),
        _case(164, 1, 1, 3, 2),
        _case(167, 3, 3, 3, 3),
    ),
    MISTAKES,
    (
        hint(
            r"shapes cannot be multiplied|Expected size for first",
            "`W_q`, `W_k` and `W_v` have the shape (s, d), as in `nn.Linear`, so `x @ W.T` makes a "
            "query, a key or a value of size s.",
            "`W_q`、`W_k`、`W_v` 的形状与 `nn.Linear` 的权重一样，都是 (s, d)，"
            "所以要用 `x @ W.T` 算出 s 维的查询、键或值。",
        ),
        hint(
            r"Sizes of tensors must match except in dimension|same number of dimensions",
            "The cache (B, P, s) grows along the axis of the words: `torch.cat([…], dim=1)` with "
            "one more row for each sentence, (B, 1, s).",
            "缓存的形状是 (B, P, s)，新词要沿词的轴接上去。请用 `torch.cat([…], dim=1)`，"
            "在每个句子的末尾接上一行，形状为 (B, 1, s)。",
        ),
        VIEW_HINT,
        PRODUCT_HINT,
        *GRADIENT_HINTS,
    ),
    prepare=_prepare,
    returned=Returned(("keys", "values"), THREE),
    puzzle=Puzzle(
        """
def my_cached_step(x, W_q, W_k, W_v, keys, values):
    def attend(query, keys, values):
        scores = query @ keys.mT / math.sqrt(query.shape[-1])
        return torch.softmax(scores, dim=-1) @ values

    query = {ask}
    all_keys = {append_key}
    all_values = {append_value}
    output = {read}
    return output, all_keys, all_values
""",
        {
            "ask": ("key-asks",),
            "append_key": ("in-front", "query-for-key", "value-for-key"),
            "append_value": ("in-front", "key-for-value"),
            "read": ("not-itself",),
        },
    ),
    gradients=(_case(165, 2, 5, 7, 3),),
    hazards=(transposed(_case(168, 2, 5, 7, 3)), far_from_zero(_case_from_scores)),
)
