"""Answers to "self-attention": many right ones, and wrong ones that look right."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_lib import DotProductAttention, masked_softmax

Answer = Callable[..., Any]


def projected(x: Tensor, *weights: Tensor) -> list[Tensor]:
    return [x @ W.T for W in weights]


def lengths(x: Tensor) -> Tensor:
    return torch.arange(1, x.shape[1] + 1).expand(x.shape[:2])


def scaled(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / q.shape[-1] ** 0.5


# Right answers


def with_torch(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    q, k, v = projected(x, W_q, W_k, W_v)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def module(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    return DotProductAttention()(*projected(x, W_q, W_k, W_v), lengths(x))


def triangle(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    q, k, v = projected(x, W_q, W_k, W_v)
    ahead = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
    return scaled(q, k).masked_fill(ahead, -math.inf).softmax(-1) @ v


def added(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    q, k, v = projected(x, W_q, W_k, W_v)
    bias = torch.full((x.shape[1],) * 2, -math.inf).triu(1)
    return (scaled(q, k) + bias).softmax(-1) @ v


def linear(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    q, k, v = (F.linear(x, W) for W in (W_q, W_k, W_v))
    return masked_softmax(scaled(q, k), lengths(x)) @ v


def word_by_word(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    """Process one word at a time with the words so far, as in generation."""
    rows = []
    for i in range(x.shape[1]):
        seen = x[:, : i + 1]
        scores = (x[:, i] @ W_q.T)[:, None] @ (seen @ W_k.T).mT / math.sqrt(len(W_q))
        rows.append(scores.softmax(-1) @ (seen @ W_v.T))
    return torch.cat(rows, 1)


def loops(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    output = x.new_zeros(*x.shape[:2], len(W_v))
    for b, sentence in enumerate(x):
        for i, word in enumerate(sentence):
            scores = torch.stack([(W_q @ word) @ (W_k @ other) for other in sentence[: i + 1]])
            weights = torch.softmax(scores / len(W_q) ** 0.5, 0)
            for weight, other in zip(weights, sentence, strict=False):
                output[b, i] += weight * (W_v @ other)
    return output


def one_matrix(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    """Multiply both matrices into one, which gives a bilinear score."""
    scores = x @ (W_q.T @ W_k) @ x.mT / len(W_k) ** 0.5
    return masked_softmax(scores, lengths(x)) @ x @ W_v.T


def pooled_first(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    """Project after the weighted sum, since that is linear too."""
    q, k = projected(x, W_q, W_k)
    return masked_softmax(scaled(q, k), lengths(x)) @ x @ W_v.T


def joined(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    """Compute all three projections by one product, as PyTorch's module does."""
    q, k, v = (x @ torch.cat([W_q, W_k, W_v]).T).split([len(W_q), len(W_k), len(W_v)], -1)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def einsum(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    q, k, v = (torch.einsum("bnd,hd->bnh", x, W) for W in (W_q, W_k, W_v))
    scores = torch.einsum("bqh,bkh->bqk", q, k) * W_q.shape[0] ** -0.5
    return torch.einsum("bqk,bkv->bqv", masked_softmax(scores, lengths(x)), v)


RIGHT: dict[str, Answer] = {
    f.__name__: f
    for f in (
        with_torch,
        module,
        triangle,
        added,
        linear,
        word_by_word,
        loops,
        one_matrix,
        pooled_first,
        joined,
        einsum,
    )
}


# Wrong answers


def attend(
    project: Callable[..., list[Tensor]] = projected,
    scale: Callable[[Tensor, Tensor], float] = lambda x, q: q.shape[-1] ** 0.5,
    ends: Callable[[Tensor], Tensor | None] = lengths,
) -> Answer:
    """Replace parts of the solution."""

    def f(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
        q, k, v = project(x, W_q, W_k, W_v)
        return masked_softmax(q @ k.mT / scale(x, q), ends(x)) @ v

    return f


def masked_afterwards(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    q, k, v = projected(x, W_q, W_k, W_v)
    return scaled(q, k).softmax(-1).tril() @ v


def without_projections(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    """Take the sentence as its own queries, keys and values."""
    return masked_softmax(scaled(x, x), lengths(x)) @ x


def causal_over_the_batch(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    """One length for each example, not for each query."""
    q, k, v = projected(x, W_q, W_k, W_v)
    return masked_softmax(scaled(q, k), torch.arange(1, len(x) + 1).clamp(max=x.shape[1])) @ v


def zeros_for_the_future(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    """Give later words the score 0, which does not mask them."""
    q, k, v = projected(x, W_q, W_k, W_v)
    return scaled(q, k).tril().softmax(-1) @ v


def upper_triangle(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    q, k, v = projected(x, W_q, W_k, W_v)
    ahead = torch.ones(x.shape[1], x.shape[1]).tril(-1).bool()
    return scaled(q, k).masked_fill(ahead, -math.inf).softmax(-1) @ v


def without_gradients(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    with torch.no_grad():
        q, k = projected(x, W_q, W_k)
    return masked_softmax(scaled(q, k), lengths(x)) @ (x @ W_v.T)


def rescaled(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
    """Zero the future after the softmax, and divide by the rest."""
    q, k, v = projected(x, W_q, W_k, W_v)
    seen = scaled(q, k).softmax(-1).tril()
    return seen / seen.sum(-1, keepdim=True) @ v


def strict_triangle(fill: float) -> Answer:
    """Mask with plain `triu`, which includes the diagonal."""

    def f(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
        q, k, v = projected(x, W_q, W_k, W_v)
        ahead = torch.ones(x.shape[1], x.shape[1]).triu().bool()
        return scaled(q, k).masked_fill(ahead, fill).softmax(-1) @ v

    return f


def future_filled(fill: float) -> Answer:
    def f(x: Tensor, W_q: Tensor, W_k: Tensor, W_v: Tensor) -> Tensor:
        q, k, v = projected(x, W_q, W_k, W_v)
        ahead = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        return scaled(q, k).masked_fill(ahead, fill).softmax(-1) @ v

    return f


WRONG: dict[str, Answer] = {
    "zeroed and rescaled": rescaled,
    "no diagonal=1": strict_triangle(-math.inf),
    "no diagonal=1, −1e9": strict_triangle(-1e9),
    "a fill of −1e4": future_filled(-1e4),
    "a fill of −1e9": future_filled(-1e9),
    "one matrix for both": attend(lambda x, W_q, W_k, W_v: projected(x, W_q, W_q, W_v)),
    "the other for both": attend(lambda x, W_q, W_k, W_v: projected(x, W_k, W_k, W_v)),
    "matrices swapped": attend(lambda x, W_q, W_k, W_v: projected(x, W_k, W_q, W_v)),
    "words for values": attend(lambda x, W_q, W_k, W_v: [*projected(x, W_q, W_k), x]),
    "keys for values": attend(lambda x, W_q, W_k, W_v: projected(x, W_q, W_k, W_k)),
    "not transposed": attend(lambda x, *weights: [x @ W for W in weights]),
    "unscaled": attend(scale=lambda x, q: 1.0),
    "by d": attend(scale=lambda x, q: q.shape[-1]),
    "by the words' size": attend(scale=lambda x, q: x.shape[-1] ** 0.5),
    "no mask": attend(ends=lambda x: None),
    "not itself": attend(ends=lambda x: lengths(x) - 1),
    "one ahead": attend(ends=lambda x: (lengths(x) + 1).clamp(max=x.shape[1])),
    "upside down": attend(ends=lambda x: lengths(x).flip(-1)),
    "masked afterwards": masked_afterwards,
    "no projections": without_projections,
    "a length for each example": causal_over_the_batch,
    "zeros for the future": zeros_for_the_future,
    "the upper triangle": upper_triangle,
    "no_grad": without_gradients,
}

NAMED = {
    "zeroed and rescaled": "mask-after-softmax-rescaled",
    "no diagonal=1": "not-itself",
    "no diagonal=1, −1e9": "not-itself",
    "a fill of −1e4": "finite-fill",
    "a fill of −1e9": "finite-fill",
    "one matrix for both": "one-projection",
    "the other for both": "one-projection",
    "matrices swapped": "transposed-scores",
    "words for values": "raw-values",
    "keys for values": "keys-for-values",
    "unscaled": "no-scale",
    "by d": "divided-by-d",
    "by the words' size": "root-of-word",
    "no mask": "no-mask",
    "not itself": "not-itself",
    "one ahead": "one-word-ahead",
    "upside down": "upside-down",
    "masked afterwards": "mask-after-softmax",
    "the upper triangle": "looks-ahead",
}

MESSAGES = {"not transposed": "`x @ W.T`", "no_grad": "no gradient reaches"}
