"""Answers to "decoder-block": many right ones, and wrong ones that look right."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attention_lib import DotProductAttention, masked_softmax

Answer = Callable[..., Any]


def norm(x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:])


def attention(z: Tensor, *weights: Tensor) -> Tensor:
    q, k, v = (z @ W.T for W in weights)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def fed(z: Tensor, W_1: Tensor, W_2: Tensor) -> Tensor:
    return F.relu(z @ W_1.T) @ W_2.T


# Right answers


def with_torch(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    y = x + attention(norm(x), W_q, W_k, W_v) @ W_o.T
    return y + fed(norm(y), W_1, W_2)


def modules(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    """Use the library's attention with lengths, and a module for the norm."""
    normed = nn.LayerNorm(x.shape[-1], elementwise_affine=False)
    lengths = torch.arange(1, x.shape[1] + 1).expand(x.shape[:2])
    z = normed(x)
    y = x + DotProductAttention()(z @ W_q.T, z @ W_k.T, z @ W_v.T, lengths) @ W_o.T
    return y + normed(y).matmul(W_1.T).clamp(min=0).matmul(W_2.T)


def by_hand(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    def normed(x: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5)

    z = normed(x)
    ahead = torch.triu(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool), diagonal=1)
    scores = (z @ W_q.T) @ (z @ W_k.T).mT / math.sqrt(len(W_q))
    y = x + scores.masked_fill(ahead, -math.inf).softmax(-1) @ (z @ W_v.T) @ W_o.T
    return y + torch.maximum(normed(y) @ W_1.T, y.new_zeros(())) @ W_2.T


def in_place_sums(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    """Add to a copy, one result after the other."""
    stream = x.clone()
    stream += attention(norm(x), W_q, W_k, W_v) @ W_o.T
    stream = stream + fed(norm(stream), W_1, W_2)
    return stream


def word_by_word(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    """Process one word at a time with a cache, as in generation."""
    keys, values, rows = [], [], []
    for word in x.unbind(1):
        z = norm(word)
        keys.append(z @ W_k.T)
        values.append(z @ W_v.T)
        scores = torch.stack([(z @ W_q.T * key).sum(-1) for key in keys], -1)
        weights = (scores / len(W_q) ** 0.5).softmax(-1)
        read = sum(w[:, None] * v for w, v in zip(weights.unbind(-1), values, strict=True))
        y = word + read @ W_o.T
        rows.append(y + fed(norm(y), W_1, W_2))
    return torch.stack(rows, 1)


def values_mixed_first(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    """Multiply W_v and W_o into one matrix, and W_q and W_k."""
    z = norm(x)
    scores = z @ (W_q.T @ W_k) @ z.mT / W_q.shape[0] ** 0.5
    lengths = torch.arange(1, x.shape[1] + 1).expand(x.shape[:2])
    y = x + masked_softmax(scores, lengths) @ z @ (W_o @ W_v).T
    return y + fed(norm(y), W_1, W_2)


def columns(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    """Keep words in columns, as formulas do."""

    def normed(x: Tensor) -> Tensor:
        var, mean = torch.var_mean(x, dim=1, keepdim=True, correction=0)
        return (x - mean) / (var + 1e-5).sqrt()

    stream = x.mT
    z = normed(stream)
    scores = (W_k @ z).mT @ (W_q @ z) / len(W_k) ** 0.5  # (B, keys, queries)
    ahead = torch.ones(x.shape[1], x.shape[1]).tril(-1).bool()
    stream = stream + W_o @ (W_v @ z) @ scores.masked_fill(ahead, -torch.inf).softmax(1)
    return (stream + W_2 @ (W_1 @ normed(stream)).relu()).mT


def vmapped(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    def sentence(x: Tensor) -> Tensor:
        z = norm(x)
        bias = torch.full((len(x), len(x)), -torch.inf).triu(1)
        scores = z @ W_q.T @ (z @ W_k.T).T / len(W_q) ** 0.5 + bias
        y = x + scores.softmax(-1) @ z @ W_v.T @ W_o.T
        return y + fed(norm(y), W_1, W_2)

    return torch.vmap(sentence)(x)


def without_epsilon(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    """Leave out the 1e-5, which no result shows as long as the variance is not tiny."""

    def normed(x: Tensor) -> Tensor:
        return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True, correction=0)

    y = x + attention(normed(x), W_q, W_k, W_v) @ W_o.T
    return y + fed(normed(y), W_1, W_2)


def einsum(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    z = norm(x)
    scores = torch.einsum("bqd,sd,se,bke->bqk", z, W_q, W_k, z) * len(W_q) ** -0.5
    seen = torch.arange(x.shape[1]) <= torch.arange(x.shape[1])[:, None]
    weights = torch.where(seen, scores, -torch.inf).softmax(-1)
    y = x + torch.einsum("bqk,bkd,vd,ev->bqe", weights, z, W_v, W_o)
    hidden = torch.einsum("bnd,fd->bnf", norm(y), W_1)
    return y + torch.einsum("bnf,df->bnd", hidden * (hidden > 0), W_2)


def linear(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    """Add both results at the end, and normalise the sum that is not yet needed otherwise."""
    read = F.linear(attention(norm(x), W_q, W_k, W_v), W_o)
    return sum((x, read, F.linear(F.linear(norm(x + read), W_1).relu(), W_2)))


RIGHT: dict[str, Answer] = {
    f.__name__: f
    for f in (
        with_torch,
        modules,
        by_hand,
        in_place_sums,
        word_by_word,
        values_mixed_first,
        columns,
        vmapped,
        without_epsilon,
        einsum,
        linear,
    )
}


# Wrong answers


def block(
    norm: Callable[[Tensor], Tensor] = norm,
    attend: Callable[..., Tensor] = attention,
    join: Callable[..., Tensor] = lambda x, z, read: x + read,
    again: Callable[..., Tensor] = lambda norm, x, y: norm(y),
    feed: Callable[..., Tensor] = fed,
    leave: Callable[..., Tensor] = lambda norm, x, y, z, out: y + out,
    enter: Callable[..., Tensor] = lambda norm, x: norm(x),
) -> Answer:
    """Replace parts of the solution."""

    def f(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
        z = enter(norm, x)
        y = join(x, z, attend(z, W_q, W_k, W_v) @ W_o.T)
        z = again(norm, x, y)
        return leave(norm, x, y, z, feed(z, W_1, W_2))

    return f


def uncausal(z: Tensor, *weights: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(*(z @ W.T for W in weights))


def unscaled(z: Tensor, *weights: Tensor) -> Tensor:
    q, k, v = (z @ W.T for W in weights)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=1.0)


def below_the_diagonal(z: Tensor, *weights: Tensor) -> Tensor:
    q, k, v = (z @ W.T for W in weights)
    ahead = torch.ones(z.shape[1], z.shape[1]).triu().bool()
    return (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(ahead, -torch.inf).softmax(-1) @ v


def filled(number: float) -> Callable[..., Tensor]:
    def attend(z: Tensor, *weights: Tensor) -> Tensor:
        q, k, v = (z @ W.T for W in weights)
        ahead = torch.ones(z.shape[1], z.shape[1]).triu(1).bool()
        return (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(ahead, number).softmax(-1) @ v

    return attend


def post_norm(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    y = norm(x + attention(x, W_q, W_k, W_v) @ W_o.T)
    return norm(y + fed(y, W_1, W_2))


def not_projected(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    """Leave out W_o, which fits only where the sizes are equal."""
    y = x + attention(norm(x), W_q, W_k, W_v)
    return y + fed(norm(y), W_1, W_2)


def values_not_normalised(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    z = norm(x)
    q, k, v = z @ W_q.T, z @ W_k.T, x @ W_v.T
    y = x + F.scaled_dot_product_attention(q, k, v, is_causal=True) @ W_o.T
    return y + fed(norm(y), W_1, W_2)


def in_place(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    x += attention(norm(x), W_q, W_k, W_v) @ W_o.T
    return x + fed(norm(x), W_1, W_2)


def without_gradients(x, W_q, W_k, W_v, W_o, W_1, W_2):  # type: ignore[no-untyped-def]
    with torch.no_grad():
        read = attention(norm(x), W_q, W_k, W_v)
    y = x + read @ W_o.T
    return y + fed(norm(y), W_1, W_2)


def by_standard_deviation(x: Tensor) -> Tensor:
    """Divide by `std`, which divides by d − 1 unless told otherwise."""
    return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-5)


def by_variance(x: Tensor) -> Tensor:
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, correction=0) + 1e-5)


WRONG: dict[str, Answer] = {
    "post-norm": post_norm,
    "attention replaces x": block(join=lambda x, z, read: read),
    "feed-forward replaces y": block(leave=lambda norm, x, y, z, out: out),
    "no residual": block(join=lambda x, z, read: read, leave=lambda norm, x, y, z, out: out),
    "onto the normalised words": block(join=lambda x, z, read: z + read),
    "onto the normalised sums": block(leave=lambda norm, x, y, z, out: z + out),
    "output normalised": block(leave=lambda norm, x, y, z, out: norm(y + out)),
    "one norm": block(again=lambda norm, x, y: y),
    "no first norm": block(enter=lambda norm, x: x),
    "no norm": block(norm=lambda x: x),
    "side by side": block(again=lambda norm, x, y: norm(x)),
    "onto x": block(leave=lambda norm, x, y, z, out: x + out),
    "no ReLU": block(feed=lambda z, W_1, W_2: z @ W_1.T @ W_2.T),
    "ReLU last": block(feed=lambda z, W_1, W_2: F.relu(z @ W_1.T @ W_2.T)),
    "GELU": block(feed=lambda z, W_1, W_2: F.gelu(z @ W_1.T) @ W_2.T),
    "leaky ReLU": block(feed=lambda z, W_1, W_2: F.leaky_relu(z @ W_1.T) @ W_2.T),
    "no mask": block(attend=uncausal),
    "no mask, no ReLU": block(attend=uncausal, feed=lambda z, W_1, W_2: z @ W_1.T @ W_2.T),
    "not itself": block(attend=below_the_diagonal),
    "not scaled": block(attend=unscaled),
    "a fill of −1e4": block(attend=filled(-1e4)),
    "a fill of −1e9": block(attend=filled(-1e9)),
    "no W_o": not_projected,
    "words as they are for values": values_not_normalised,
    "by std": block(norm=by_standard_deviation),
    "by variance": block(norm=by_variance),
    "RMS norm": block(norm=lambda x: x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()),
    "norm of a sentence": block(norm=lambda x: F.layer_norm(x, x.shape[1:])),
    "norm along the words": block(norm=lambda x: norm(x.mT).mT),
    "in place": in_place,
    "no_grad": without_gradients,
}

NAMED = {
    "post-norm": "post-norm",
    "attention replaces x": "no-residual-around-attention",
    "feed-forward replaces y": "no-residual-around-feed-forward",
    "no residual": "no-residual-around-attention + no-residual-around-feed-forward",
    "onto the normalised words": "residual-from-normalised",
    "onto the normalised sums": "residual-from-normalised",
    "output normalised": "normalised-output",
    "one norm": "no-second-norm",
    "no first norm": "no-first-norm",
    "no norm": "no-first-norm + no-second-norm",
    "side by side": "feed-forward-reads-x",
    "onto x": "feed-forward-added-to-x",
    "no ReLU": "no-relu",
    "ReLU last": "relu-at-the-end",
    "GELU": "gelu",
    "no mask": "no-mask",
    "no mask, no ReLU": "no-relu + no-mask",
    "not itself": "not-itself",
    "not scaled": "no-scale",
    "a fill of −1e4": "finite-fill",
    "a fill of −1e9": "finite-fill",
    "no W_o": "no-output-projection",
    "by std": "unbiased-variance",
    "RMS norm": "mean-not-subtracted",
    "norm of a sentence": "norm-over-words",
    "norm along the words": "norm-over-words",
}

MESSAGES = {"in place": "The function changes `x`", "no_grad": "no gradient reaches"}
