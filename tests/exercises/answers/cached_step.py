"""Answers to "cached-step": many right ones, and wrong ones that look right."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_lib import DotProductAttention

Answer = Callable[..., Any]


def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1) @ v


def longer(x: Tensor, W_k: Tensor, W_v: Tensor, keys: Tensor, values: Tensor) -> list[Tensor]:
    return [torch.cat([keys, x @ W_k.T], 1), torch.cat([values, x @ W_v.T], 1)]


# Right answers


def with_torch(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    keys, values = longer(x, W_k, W_v, keys, values)
    return F.scaled_dot_product_attention(x @ W_q.T, keys, values), keys, values


def module(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    keys, values = longer(x, W_k, W_v, keys, values)
    return DotProductAttention()(x @ W_q.T, keys, values), keys, values


def a_list(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Return a list in place of a tuple."""
    keys, values = longer(x, W_k, W_v, keys, values)
    return [attend(x @ W_q.T, keys, values), keys, values]


class Step(NamedTuple):
    output: Tensor
    keys: Tensor
    values: Tensor


def named(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    keys, values = longer(x, W_k, W_v, keys, values)
    return Step(attend(x @ W_q.T, keys, values), keys, values)


def allocated(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Make room for one word more, and write the words there."""
    batch, past, size = keys.shape
    caches = []
    for old, W in ((keys, W_k), (values, W_v)):
        cache = old.new_zeros(batch, past + 1, size)
        cache[:, :past] = old
        cache[:, past] = x[:, 0] @ W.T
        caches.append(cache)
    return attend(x @ W_q.T, *caches), *caches


def padded(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Pad the cache with 0, and add the new word in the last place."""
    place = F.one_hot(torch.tensor(keys.shape[1]), keys.shape[1] + 1).to(x.dtype)[:, None]
    caches = [F.pad(c, (0, 0, 0, 1)) + place * (x @ W.T) for c, W in ((keys, W_k), (values, W_v))]
    return attend(x @ W_q.T, *caches), *caches


def stacked(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    word = x.squeeze(1)
    keys = torch.stack([*keys.unbind(1), word @ W_k.T], 1)
    values = torch.stack([*values.unbind(1), word @ W_v.T], 1)
    weights = torch.einsum("bs,bks->bk", word @ W_q.T, keys).div(W_q.shape[0] ** 0.5).softmax(-1)
    return torch.einsum("bk,bks->bs", weights, values).unsqueeze(1), keys, values


def merged(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Attend to the old words and to the new one apart, and merge by the sums."""
    query, key, value = (x @ W.T for W in (W_q, W_k, W_v))
    old = query @ keys.mT / len(W_q) ** 0.5
    own = query @ key.mT / len(W_q) ** 0.5
    share = torch.sigmoid(own - old.logsumexp(-1, keepdim=True))
    output = torch.lerp(old.softmax(-1) @ values, value, share)
    return output, torch.cat([keys, key], 1), torch.cat([values, value], 1)


def one_product(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Compute all three projections by one product."""
    query, key, value = (x @ torch.cat([W_q, W_k, W_v]).T).chunk(3, -1)
    keys, values = torch.hstack([keys, key]), torch.hstack([values, value])
    return attend(query, keys, values), keys, values


def with_a_mask(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Mask nothing, as the last row of a causal mask does."""
    keys, values = longer(x, W_k, W_v, keys, values)
    mask = torch.ones(1, keys.shape[1], dtype=torch.bool)
    return F.scaled_dot_product_attention(x @ W_q.T, keys, values, attn_mask=mask), keys, values


def sentence_by_sentence(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    done = []
    for word, own_keys, own_values in zip(x, keys, values, strict=True):
        k = torch.vstack([own_keys, F.linear(word, W_k)])
        v = torch.vstack([own_values, F.linear(word, W_v)])
        done.append((attend(F.linear(word, W_q), k, v), k, v))
    return tuple(map(torch.stack, zip(*done, strict=True)))


RIGHT: dict[str, Answer] = {
    f.__name__: f
    for f in (
        with_torch,
        module,
        a_list,
        named,
        allocated,
        padded,
        stacked,
        merged,
        one_product,
        with_a_mask,
        sentence_by_sentence,
    )
}


# Wrong answers


def step(
    key: Callable[..., Tensor] = lambda x, W_q, W_k, W_v: x @ W_k.T,
    value: Callable[..., Tensor] = lambda x, W_q, W_k, W_v: x @ W_v.T,
    ask: Callable[..., Tensor] = lambda x, W_q, W_k, W_v: x @ W_q.T,
    append: Callable[[Tensor, Tensor], Tensor] = lambda old, new: torch.cat([old, new], 1),
    attend: Callable[..., Tensor] = attend,
) -> Answer:
    """Replace parts of the solution."""

    def f(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
        parts = x, W_q, W_k, W_v
        keys, values = append(keys, key(*parts)), append(values, value(*parts))
        return attend(ask(*parts), keys, values), keys, values

    return f


def not_itself(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    return attend(x @ W_q.T, keys, values), *longer(x, W_k, W_v, keys, values)


def forgets(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    return attend(x @ W_q.T, *longer(x, W_k, W_v, keys, values)), keys, values


def only_the_new(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    return attend(x @ W_q.T, *longer(x, W_k, W_v, keys, values)), x @ W_k.T, x @ W_v.T


def values_first(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    keys, values = longer(x, W_k, W_v, keys, values)
    return attend(x @ W_q.T, keys, values), values, keys


def itself_alone(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Read the new word alone, whose weight is then 1."""
    return x @ W_v.T, *longer(x, W_k, W_v, keys, values)


def in_place(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Lengthen the caller's cache, as `list.append` does."""
    new_keys, new_values = longer(x, W_k, W_v, keys, values)
    keys.data, values.data = new_keys, new_values
    return attend(x @ W_q.T, new_keys, new_values), new_keys, new_values


def over_the_last(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    """Write the new word over the last one of the cache."""
    keys[:, -1:], values[:, -1:] = x @ W_k.T, x @ W_v.T
    return attend(x @ W_q.T, keys, values), keys, values


def without_gradients(x, W_q, W_k, W_v, keys, values):  # type: ignore[no-untyped-def]
    keys, values = longer(x, W_k, W_v, keys.detach(), values)
    return attend(x @ W_q.T, keys, values), keys, values


WRONG: dict[str, Answer] = {
    "not itself": not_itself,
    "the old cache": forgets,
    "only the new": only_the_new,
    "values first": values_first,
    "itself alone": itself_alone,
    "in front": step(append=lambda old, new: torch.cat([new, old], 1)),
    "without the oldest": step(append=lambda old, new: torch.cat([old[:, 1:], new], 1)),
    "along the size": step(append=lambda old, new: torch.cat([old, new], -1)),
    "exchanged": step(lambda x, q, k, v: x @ v.T, lambda x, q, k, v: x @ k.T),
    "a value as key": step(lambda x, q, k, v: x @ v.T),
    "a key as value": step(value=lambda x, q, k, v: x @ k.T),
    "a query as key": step(lambda x, q, k, v: x @ q.T),
    "a query as value": step(value=lambda x, q, k, v: x @ q.T),
    "the word as key": step(lambda x, q, k, v: x),
    "the word as both": step(lambda x, q, k, v: x, lambda x, q, k, v: x),
    "the key asks": step(ask=lambda x, q, k, v: x @ k.T),
    "is_causal": step(
        attend=lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True)
    ),
    "not scaled": step(attend=lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=1.0)),
    "key asks, not scaled": step(
        ask=lambda x, q, k, v: x @ k.T,
        attend=lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=1.0),
    ),
    "exponentials": step(attend=lambda q, k, v: summed((q @ k.mT / q.shape[-1] ** 0.5).exp(), v)),
    "not transposed": step(lambda x, q, k, v: x @ k, lambda x, q, k, v: x @ v),
    "the output alone": lambda *parts: with_torch(*parts)[0],
    "a dictionary": lambda *parts: dict(zip("okv", with_torch(*parts), strict=True)),
    "an axis lost": lambda *parts: (with_torch(*parts)[0][:, 0], *with_torch(*parts)[1:]),
    "in place": in_place,
    "over the last": over_the_last,
    "detached": without_gradients,
}


def summed(terms: Tensor, v: Tensor) -> Tensor:
    return terms / terms.sum(-1, keepdim=True) @ v


NAMED = {
    "not itself": "not-itself",
    "the old cache": "cache-not-returned",
    "only the new": "only-the-new",
    "values first": "values-first",
    "in front": "in-front",
    "exchanged": "exchanged",
    "a value as key": "value-for-key",
    "a key as value": "key-for-value",
    "a query as key": "query-for-key",
    "the word as key": "raw-word",
    "the word as both": "raw-word",
    "the key asks": "key-asks",
    "is_causal": "first-key-alone",
    "not scaled": "no-scale",
    "key asks, not scaled": "key-asks + no-scale",
    "exponentials": "overflow",
}

MESSAGES = {
    "along the size": "`torch.cat([…], dim=1)`",
    "not transposed": "`x @ W.T`",
    "the output alone": "Return three tensors",
    "a dictionary": "Yours is of type `dict`",
    "in place": "The function changes `keys`, `values`",
    "over the last": "The function changes `keys`, `values`",
    "detached": "no gradient reaches `keys`",
}
