"""Answers to "additive-scores": many right ones, and wrong ones that look right."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

Pair = Callable[[Tensor, Tensor], Tensor]
Answer = Callable[..., Any]


def features(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor) -> Tensor:
    return torch.tanh((queries @ W_q.T)[:, :, None] + (keys @ W_k.T)[:, None])


# Right answers


def linear(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    sums = F.linear(queries, W_q).unsqueeze(2) + F.linear(keys, W_k).unsqueeze(1)
    return F.linear(torch.tanh(sums), w_v).squeeze(-1)


def perceptron(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """One hidden layer on the concatenation of each query with each key."""
    shape = queries.shape[0], queries.shape[1], keys.shape[1], -1
    both = [queries[:, :, None].expand(shape), keys[:, None].expand(shape)]
    hidden = torch.tanh(torch.cat(both, -1) @ torch.cat([W_q, W_k], 1).T)
    return (hidden * w_v).sum(-1)


def einsum(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    hidden_queries = torch.einsum("bqd,hd->bqh", queries, W_q)
    hidden_keys = torch.einsum("bkd,hd->bkh", keys, W_k)
    sums = hidden_queries.unsqueeze(2) + hidden_keys.unsqueeze(1)
    return torch.einsum("bqkh,oh->bqk", sums.tanh(), w_v)


def loops(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    scores = queries.new_zeros(len(queries), queries.shape[1], keys.shape[1])
    for b, q, k in np.ndindex(*scores.shape):
        scores[b, q, k] = torch.dot(w_v[0], torch.tanh(W_q @ queries[b, q] + W_k @ keys[b, k]))
    return scores


def vmapped(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Write the formula for one pair, and let vmap loop."""

    def score(query: Tensor, key: Tensor) -> Tensor:
        return w_v[0] @ torch.tanh(W_q @ query + W_k @ key)

    over_keys = torch.vmap(score, in_dims=(None, 0))
    return torch.vmap(torch.vmap(over_keys, in_dims=(0, None)))(queries, keys)


def by_units(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Loop over the hidden units, so that no tensor has four axes."""
    scores: Any = 0
    for for_query, for_key, weight in zip(W_q, W_k, w_v[0], strict=True):
        scores = scores + weight * torch.tanh(
            (queries @ for_query)[:, :, None] + (keys @ for_key)[:, None]
        )
    return scores


def by_queries(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    hidden_keys = keys @ W_k.mT
    rows = [torch.tanh(x[:, None] @ W_q.mT + hidden_keys) @ w_v.mT for x in queries.unbind(1)]
    return torch.cat(rows, dim=2).mT


def listed_pairs(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """All pairs as one long list, folded at the end."""
    (batch, n, _), m = queries.shape, keys.shape[1]
    left = queries.repeat_interleave(m, dim=1).flatten(0, 1)
    right = keys.repeat(1, n, 1).flatten(0, 1)
    return (torch.tanh(left @ W_q.T + right @ W_k.T) @ w_v.T).reshape(batch, n, m)


def with_sigmoid(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Use tanh x = 2σ(2x) − 1."""
    sums = (queries @ W_q.T)[:, :, None] + (keys @ W_k.T)[:, None]
    return (2 * torch.sigmoid(2 * sums) - 1) @ w_v[0]


def by_the_addition_theorem(
    queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor
) -> Tensor:
    """With e(x) = exp(−2|x|), tanh of the sum as a quotient that cannot overflow."""
    sums = (queries @ W_q.T)[:, :, None] + (keys @ W_k.T)[:, None]
    small = torch.exp(-2 * sums.abs())
    return (sums.sign() * (1 - small) / (1 + small)) @ w_v[0]


def keys_first(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    scores = torch.tanh((keys @ W_k.T)[:, :, None] + (queries @ W_q.T)[:, None]) @ w_v[0]
    return scores.transpose(1, 2)


def units_in_front(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Treat hidden units as channels of an image, and apply a convolution of size 1."""
    image = (W_q @ queries.mT)[..., None] + (W_k @ keys.mT)[:, :, None]
    return F.conv2d(torch.tanh(image), w_v[..., None, None])[:, 0]


def in_double(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    inside = (x.double() for x in (queries, keys, W_q, W_k, w_v))
    return einsum(*inside).to(queries.dtype)


RIGHT: dict[str, Answer] = {
    f.__name__: f
    for f in (
        linear,
        perceptron,
        einsum,
        loops,
        vmapped,
        by_units,
        by_queries,
        listed_pairs,
        with_sigmoid,
        by_the_addition_theorem,
        keys_first,
        units_in_front,
        in_double,
    )
}


# Wrong answers


def scores(
    combine: Pair = lambda q, k: torch.tanh(q + k),
    read: Pair = lambda x, w_v: (x @ w_v.T).squeeze(-1),
    pair: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]] = lambda q, k: (
        q.unsqueeze(2),
        k.unsqueeze(1),
    ),
    project: Pair = lambda x, W: x @ W.T,
) -> Answer:
    """Replace parts of the solution."""

    def f(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
        return read(combine(*pair(project(queries, W_q), project(keys, W_k))), w_v)

    return f


def quotient(x: Tensor) -> Tensor:
    return (torch.exp(x) - torch.exp(-x)) / (torch.exp(x) + torch.exp(-x))


def squeeze_the_weights(
    queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor
) -> Tensor:
    return features(queries, keys, W_q, W_k) @ w_v.squeeze()


def without_gradients(
    queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor
) -> Tensor:
    with torch.no_grad():
        return linear(queries, keys, W_q, W_k, w_v)


def detached_keys(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return linear(queries, keys.detach(), W_q, W_k, w_v)


def copied_weights(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Layers with these weights, in which the weights are copies."""
    layers = [torch.nn.Linear(*W.shape[::-1], bias=False, dtype=W.dtype) for W in (W_q, W_k, w_v)]
    with torch.no_grad():
        for layer, W in zip(layers, (W_q, W_k, w_v), strict=True):
            layer.weight.copy_(W)
    sums = layers[0](queries)[:, :, None] + layers[1](keys)[:, None]
    return layers[2](sums.tanh())[..., 0]


def folded_in_the_wrong_order(
    queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor
) -> Tensor:
    """`listed_pairs`, with the two kinds of repeating confused."""
    (batch, n, _), m = queries.shape, keys.shape[1]
    left = (queries @ W_q.T).repeat(1, m, 1)
    right = (keys @ W_k.T).repeat_interleave(n, dim=1)
    return (torch.tanh(left + right) @ w_v[0]).view(batch, n, m)


def first_example_of_keys(
    queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor
) -> Tensor:
    return linear(queries, keys[:1].expand_as(keys), W_q, W_k, w_v)


def in_half(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    inside = (x.bfloat16() for x in (queries, keys, W_q, W_k, w_v))
    return linear(*inside).to(queries.dtype)


def in_place(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    result = linear(queries, keys, W_q, W_k, w_v)
    W_q.t_().t_().mul_(0)
    return result


def seeded(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    torch.manual_seed(0)
    return linear(queries, keys, W_q, W_k, w_v)


def swapped(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return linear(queries, keys, W_k, W_q, w_v)


def remembering() -> Answer:
    """Reuse the projected keys of the first call for keys of the same shape."""
    kept: dict[tuple[int, ...], Tensor] = {}

    def f(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
        shape = (*keys.shape, *queries.shape)
        hidden_keys = kept.setdefault(shape, (keys @ W_k.T).detach().clone())
        return torch.tanh((queries @ W_q.T)[:, :, None] + hidden_keys[:, None]) @ w_v[0]

    return f


WRONG: dict[str, Answer] = {
    "multiplied": scores(lambda q, k: torch.tanh(q * k)),
    "subtracted": scores(lambda q, k: torch.tanh(q - k)),
    "no tanh": scores(torch.add),
    "sigmoid": scores(lambda q, k: torch.sigmoid(q + k)),
    "relu": scores(lambda q, k: F.relu(q + k)),
    "hardtanh": scores(lambda q, k: F.hardtanh(q + k)),
    "softsign": scores(lambda q, k: F.softsign(q + k)),
    "tanh of each": scores(lambda q, k: q.tanh() + k.tanh()),
    "tanh at the end": scores(torch.add, lambda x, w_v: torch.tanh(x @ w_v[0])),
    "tanh twice": scores(read=lambda x, w_v: torch.tanh(x) @ w_v[0]),
    "a quotient that overflows": scores(lambda q, k: quotient(q + k)),
    "units summed": scores(read=lambda x, w_v: x.sum(-1)),
    "units left": scores(read=lambda x, w_v: x),
    "an axis left": scores(read=lambda x, w_v: x @ w_v.T),
    "w_v not transposed": scores(read=lambda x, w_v: x @ w_v),
    "scaled by √H": scores(read=lambda x, w_v: x @ w_v[0] / x.shape[-1] ** 0.5),
    "mean of the units": scores(read=lambda x, w_v: (x * w_v).mean(-1)),
    "softmax": scores(read=lambda x, w_v: F.softmax(x @ w_v[0], -1)),
    "all axes of 1 squeezed": scores(read=lambda x, w_v: (x @ w_v.T).squeeze()),
    "w_v squeezed": squeeze_the_weights,
    "axes swapped": scores(pair=lambda q, k: (q[:, None], k[:, :, None])),
    "axes swapped, then reshaped": scores(
        pair=lambda q, k: (q[:, None], k[:, :, None]),
        read=lambda x, w_v: (x @ w_v[0]).reshape(len(x), x.shape[2], x.shape[1]),
    ),
    "no pairs": scores(pair=lambda q, k: (q, k)),
    "zipped": scores(pair=lambda q, k: (q[:, : k.shape[1]], k[:, : q.shape[1]])),
    "weights not transposed": scores(project=torch.matmul),
    "transposed where square": scores(
        project=lambda x, W: x @ (W if W.shape[0] == W.shape[1] else W.T)
    ),
    "weights swapped": swapped,
    "folded in the wrong order": folded_in_the_wrong_order,
    "the first example's keys": first_example_of_keys,
    "bfloat16 inside": in_half,
    "no_grad": without_gradients,
    "keys detached": detached_keys,
    "weights copied": copied_weights,
    "an argument overwritten": in_place,
    "keys remembered": remembering(),
    "a seed set": seeded,
}

NAMED = {
    "multiplied": "product",
    "subtracted": "minus",
    "no tanh": "no-tanh",
    "sigmoid": "other-activation",
    "relu": "other-activation",
    "hardtanh": "other-activation",
    "softsign": "other-activation",
    "tanh of each": "tanh-before-sum",
    "tanh at the end": "tanh-after-w_v",
    "units summed": "no-w_v",
    "units left": "w_v-to-come",
    "an axis left": "axis-too-many",
    "scaled by √H": "root-scale",
    "softmax": "weights-not-scores",
    "axes swapped": "swapped-axes",
    "zipped": "zipped",
    "weights not transposed": "transposed-weights",
    "weights swapped": "swapped-weights",
}

MESSAGES = {
    "a seed set": "sets the seed of torch's random numbers",
    "a quotient that overflows": "but yours is nan",
    "w_v not transposed": "Is a transpose missing, or one too many?",
    "all axes of 1 squeezed": "should have the shape (1, 2, 5); yours has (2, 5)",
    "no pairs": "every query meets every key",
    "no_grad": "no gradient reaches `queries`, `keys`, `W_q`, `W_k`, `w_v`",
    "keys detached": "no gradient reaches `keys`.",
    "weights copied": "no gradient reaches `W_q`, `W_k`, `w_v`.",
    "an argument overwritten": "The function changes `W_q`",
}
