"""Answers to "gaussian-score": −½‖q − k‖² for every query and key of a batch."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.distributions import Independent, MultivariateNormal, Normal

from attention_lib import GaussianAttention, scores


def with_distances(queries: Tensor, keys: Tensor) -> Tensor:
    return -(torch.cdist(queries, keys) ** 2) / 2


def in_loops(queries: Tensor, keys: Tensor) -> Tensor:
    scores = torch.zeros(queries.shape[0], queries.shape[1], keys.shape[1], dtype=keys.dtype)
    for b, q, k in np.ndindex(*scores.shape):
        scores[b, q, k] = -(torch.dist(queries[b, q], keys[b, k]) ** 2) / 2
    return scores


def multiplied_out(queries: Tensor, keys: Tensor) -> Tensor:
    squares = queries.pow(2).sum(-1)[:, :, None] + keys.pow(2).sum(-1)[:, None]
    return torch.einsum("bqd,bkd->bqk", queries, keys) - squares / 2


def one_longer_dot_product(queries: Tensor, keys: Tensor) -> Tensor:
    """(q, −½‖q‖², 1) · (k, 1, −½‖k‖²)."""
    q, k = (x.square().sum(-1, keepdim=True) / -2 for x in (queries, keys))
    one = [torch.ones_like(x) for x in (q, k)]
    return torch.bmm(torch.cat([queries, q, one[0]], -1), torch.cat([keys, one[1], k], -1).mT)


def mapped_three_times(queries: Tensor, keys: Tensor) -> Tensor:
    def score(q: Tensor, k: Tensor) -> Tensor:
        return -torch.dot(q - k, q - k) / 2

    over_keys = torch.vmap(score, in_dims=(None, 0))
    return torch.vmap(torch.vmap(over_keys, in_dims=(0, None)))(queries, keys)


def component_by_component(queries: Tensor, keys: Tensor) -> Tensor:
    scores = queries.new_zeros(queries.shape[0], queries.shape[1], keys.shape[1])
    for q, k in zip(queries.unbind(-1), keys.unbind(-1), strict=True):
        scores = scores - 0.5 * (q[:, :, None] - k[:, None, :]) ** 2
    return scores


def normal_density(queries: Tensor, keys: Tensor) -> Tensor:
    # The logarithm of the standard normal density around the key, up to a constant.
    around = Independent(Normal(keys[:, None], 1.0), 1)
    return around.log_prob(queries[:, :, None]) + keys.shape[-1] / 2 * math.log(2 * math.pi)


def density_at_the_key(queries: Tensor, keys: Tensor) -> Tensor:
    # The logarithm of a density over its maximum.
    d = queries.shape[-1]
    around = MultivariateNormal(queries.new_zeros(d), torch.eye(d, dtype=queries.dtype))
    pairs = queries.repeat_interleave(keys.shape[1], 1) - keys.repeat(1, queries.shape[1], 1)
    logs = around.log_prob(pairs) - around.log_prob(queries.new_zeros(d))
    return logs.reshape(len(queries), queries.shape[1], keys.shape[1])


def by_the_parallelogram(queries: Tensor, keys: Tensor) -> Tensor:
    """‖q − k‖² = 2‖q‖² + 2‖k‖² − ‖q + k‖²."""
    sums = torch.linalg.vector_norm(queries[:, :, None] + keys[:, None], dim=-1) ** 2
    own = queries.square().sum(-1).unsqueeze(2) + keys.square().sum(-1).unsqueeze(1)
    return sums / 2 - own


def mean_squares(queries: Tensor, keys: Tensor) -> Tensor:
    q, k = torch.broadcast_tensors(queries.unsqueeze(2), keys.unsqueeze(1))
    return F.mse_loss(q, k, reduction="none").mean(-1) * (-0.5 * queries.shape[-1])


def key_by_key(queries: Tensor, keys: Tensor) -> Tensor:
    columns = [-((queries - key.unsqueeze(1)) ** 2).sum(-1) / 2 for key in keys.unbind(1)]
    return torch.stack(columns, dim=-1)


def with_the_package(queries: Tensor, keys: Tensor) -> Tensor:
    return GaussianAttention().to(queries.dtype).score(queries, keys)


RIGHT: dict[str, Callable[..., Any]] = {
    "distances": with_distances,
    "loops": in_loops,
    "multiplied out": multiplied_out,
    "one longer dot product": one_longer_dot_product,
    "mapped three times": mapped_three_times,
    "component by component": component_by_component,
    "a normal density": normal_density,
    "a density over that at its top": density_at_the_key,
    "by the parallelogram": by_the_parallelogram,
    "mean squares": mean_squares,
    "key by key": key_by_key,
}

FORBIDDEN = {
    "the package": (
        with_the_package,
        "without `attention_lib`, and your code calls `GaussianAttention`",
    ),
    "its function": (
        lambda queries, keys: scores.gaussian(queries, keys),
        "without `attention_lib`, and your code calls `gaussian`",
    ),
}


def differences(queries: Tensor, keys: Tensor) -> Tensor:
    return queries[:, :, None] - keys[:, None]


def squares(queries: Tensor, keys: Tensor) -> Tensor:
    return differences(queries, keys).square().sum(-1)


def root_of_the_product(queries: Tensor, keys: Tensor) -> Tensor:
    # Rounding makes the square of a small distance negative, and its root NaN.
    own = queries.pow(2).sum(-1)[:, :, None] + keys.pow(2).sum(-1)[:, None]
    return -(torch.sqrt(own - 2 * queries @ keys.mT) ** 2) / 2


def through_the_kernel(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.exp(-squares(queries, keys) / 2).log()


def kept_off_zero(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.log(torch.exp(-squares(queries, keys) / 2) + 1e-9)


def as_many_as_queries(queries: Tensor, keys: Tensor) -> Tensor:
    rows = [-(queries - key.unsqueeze(1)).pow(2).sum(-1) / 2 for key in keys.unbind(1)]
    return torch.stack(rows[: queries.shape[1]], dim=-1)


def neighbour_in_the_batch(queries: Tensor, keys: Tensor) -> Tensor:
    return -squares(queries, keys.roll(1, 0)) / 2


def squeezed(queries: Tensor, keys: Tensor) -> Tensor:
    return -differences(queries, keys).squeeze().square().sum(-1) / 2


def result_squeezed(queries: Tensor, keys: Tensor) -> Tensor:
    return -(torch.cdist(queries, keys).squeeze() ** 2) / 2


def argument_changed(queries: Tensor, keys: Tensor) -> Tensor:
    return -torch.stack([keys.sub_(q).square().sum(-1) for q in queries.unbind(1)], 1) / 2


def numbers_of_python(queries: Tensor, keys: Tensor) -> Tensor:
    rows = [
        [[-sum((a - b) ** 2 for a, b in zip(q, k)) / 2 for k in own[1]] for q in own[0]]  # noqa: B905
        for own in zip(queries.tolist(), keys.tolist(), strict=True)
    ]
    return torch.tensor(rows, dtype=queries.dtype)


def one_number_of_both(queries: Tensor, keys: Tensor) -> Tensor:
    scores = torch.zeros(len(queries), queries.shape[1], queries.shape[1])
    for b, q, k in np.ndindex(*scores.shape):
        scores[b, q, k] = -(queries[b, q] - keys[b, k]).pow(2).sum() / 2
    return scores


def zipped(strict: bool) -> Callable[..., Tensor]:
    """Pair each query with one key."""

    def score(queries: Tensor, keys: Tensor) -> Tensor:
        examples = [zip(*both, strict=strict) for both in zip(queries, keys, strict=True)]
        rows = [[-(q - k).square().sum() / 2 for q, k in pairs] for pairs in examples]
        return torch.stack([torch.stack(row) for row in rows])

    return score


def from_root_and_back(queries: Tensor, keys: Tensor) -> Tensor:
    """Take a root and square it: the gradient is NaN where a query is a key."""
    return -((queries[:, :, None] - keys[:, None]).square().sum(-1).sqrt() ** 2) / 2


WRONG: dict[str, Callable[..., Any]] = {
    "root and back": from_root_and_back,
    "no ½": lambda q, k: -squares(q, k),
    "a quarter": lambda q, k: -squares(q, k) / 4,
    "divided by √d": lambda q, k: -squares(q, k) / 2 / q.shape[-1] ** 0.5,
    "divided by d": lambda q, k: -squares(q, k) / 2 / q.shape[-1],
    "half of the distance, squared": lambda q, k: -((differences(q, k).norm(dim=-1) / 2) ** 2),
    "distances": lambda q, k: -torch.cdist(q, k) / 2,
    "absolute differences, squared": lambda q, k: -(torch.cdist(q, k, p=1) ** 2) / 2,
    "the largest component": lambda q, k: -(torch.cdist(q, k, p=torch.inf) ** 2) / 2,
    "without the norm of the key": lambda q, k: q @ k.mT - q.square().sum(-1)[..., None] / 2,
    "without the norm of the query": lambda q, k: q @ k.mT - k.square().sum(-1)[:, None] / 2,
    "lengths of 1": lambda q, k: -squares(F.normalize(q, dim=-1), F.normalize(k, dim=-1)) / 2,
    "the best score is 0": lambda q, k: (squares(q, k).amin(-1, keepdim=True) - squares(q, k)) / 2,
    "queries across keys": lambda q, k: -squares(k, q) / 2,
    "a root of what rounding made negative": root_of_the_product,
    "a logarithm of what was rounded to 0": through_the_kernel,
    "kept off zero": kept_off_zero,
    "as many keys as queries": as_many_as_queries,
    "keys of the neighbour": neighbour_in_the_batch,
    "far away is all the same": lambda q, k: -squares(q, k).clamp(max=100) / 2,
    "half precision": lambda q, k: (-squares(q.half(), k.half()) / 2).to(q.dtype),
    "gradients of keys alone": lambda q, k: -squares(q.detach(), k) / 2,
    "numbers of Python": numbers_of_python,
    "differences squeezed": squeezed,
    "result squeezed": result_squeezed,
    "an argument changed": argument_changed,
    "no minus": lambda q, k: squares(q, k) / 2,
    "a dot product": lambda q, k: q @ k.mT,
    "a product without a transpose": lambda q, k: q @ k,
    "the kernel": lambda q, k: torch.exp(-squares(q, k) / 2),
    "weights": lambda q, k: F.softmax(-squares(q, k) / 2, -1),
    "query i and key i": lambda q, k: -(q - k).pow(2).sum(-1) / 2,
    "a mean squared error": lambda q, k: -F.mse_loss(q, k, reduction="none") / 2,
    "one number of both": one_number_of_both,
    "zipped": zipped(strict=False),
    "zipped strictly": zipped(strict=True),
    "keys of the first": lambda q, k: -squares(q, k[:1]) / 2,
    "through NumPy": lambda q, k: torch.from_numpy(-squares(q, k).numpy() / 2),
}

NAMED = {
    "root and back": "root-and-back",
    "no ½": "no-half",
    "divided by √d": "root-scale",
    "divided by d": "mean-of-squares",
    "distances": "root",
    "queries across keys": "swapped-axes",
    "as many keys as queries": "as-many-keys-as-queries",
    "no minus": "no-minus",
    "a dot product": "dot-product",
    "the kernel": "weights-not-scores",
    "weights": "weights-not-scores",
    "one number of both": "as-many-keys-as-queries",
    "zipped": "zipped",
    "keys of the first": "keys-of-first-example",
}

MESSAGES = {
    "a product without a transpose": "Is a transpose missing",
    "query i and key i": "every query meets every key",
    "a mean squared error": "every query meets every key",
    "zipped strictly": "The numbers of queries and keys differ",
    "a root of what rounding made negative": "yours is nan",
    "a logarithm of what was rounded to 0": "yours is -inf",
    "gradients of keys alone": "no gradient reaches `queries`.",
    "numbers of Python": "no gradient reaches `queries`, `keys`.",
    "through NumPy": "NumPy does not track gradients",
    "result squeezed": "the result should have the shape (1, 2, 5); yours has (2, 5).",
}
