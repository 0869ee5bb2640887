"""Answers to "nadaraya-watson": the regression with a Gaussian kernel of width w."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.distributions import Categorical, Normal


def with_pairs_of_distances(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    scores = -torch.cdist(queries[:, None] * w, keys[:, None] * w).square() / 2
    return F.softmax(scores, -1).mv(values)


def density_over_density(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    """As Nadaraya and Watson wrote it; far from all keys it is 0/0."""
    kernels = Normal(keys[:, None], 1 / w).log_prob(queries).exp()  # (K, Q)
    return (kernels * values[:, None]).sum(0) / kernels.sum(0)


def largest_of_all_taken_off(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    """Safe for one query, but not for two that are far apart."""
    scores = -((queries.outer(torch.ones_like(keys)) - keys) ** 2) / (2 * w**-2)
    kernels = torch.exp(scores - scores.max())
    return kernels @ values / kernels.sum(1)


def one_query_after_another(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    estimates = torch.empty_like(queries)
    for i, x in enumerate(queries):
        squares = ((x - keys) * w) ** 2
        shares = torch.exp((squares.min() - squares) / 2)
        estimates[i] = torch.dot(shares, values) / shares.sum()
    return estimates


def attention_of_torch(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    # The dot product of (x, 1) and (xᵢ, −½xᵢ²) is the score, up to a part without keys.
    q = torch.stack([queries, torch.ones_like(queries)], -1)
    k = torch.stack([keys, -(keys**2) / 2], -1)
    return F.scaled_dot_product_attention(q[None], k[None], values[None, :, None], scale=w * w)[
        0, :, 0
    ]


def best_constant(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    # The estimate is the constant with the least squares, weighted by the kernel.
    logs = -((w * (queries[:, None] - keys)) ** 2) / 4
    roots = torch.exp(logs - logs.amax(1, keepdim=True))[..., None]  # (Q, K, 1)
    return torch.linalg.lstsq(roots, roots * values[:, None]).solution[:, 0, 0]


def key_after_key(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    """Move each estimate towards the next value, by its share of the weight so far."""
    estimate, total = torch.zeros_like(queries), torch.full_like(queries, -math.inf)
    for x, y in zip(keys, values, strict=True):
        score = -0.5 * (queries - x).mul(w).square()
        total = torch.logaddexp(total, score)
        estimate = torch.lerp(estimate, y.expand_as(estimate), torch.exp(score - total))
    return estimate


def in_logarithms(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    # Positive and negative values are summed separately.
    scores = -torch.pow(torch.sub(queries[:, None], keys), 2) * w**2 / 2
    below = torch.logsumexp(scores, 1)
    above = [torch.logsumexp(scores + part.clamp(min=0).log(), 1) for part in (values, -values)]
    return (above[0] - below).exp() - (above[1] - below).exp()


def mapped(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    def estimate(x: Tensor) -> Tensor:
        return F.softmin((x - keys).mul(w).square() / 2, dim=0) @ values

    return torch.vmap(estimate)(queries)


def who_made_this_point(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    components = Normal(keys, torch.full_like(keys, 1 / w))
    weights = Categorical(logits=components.log_prob(queries[:, None])).probs
    return torch.einsum("qk,k->q", weights, values)


def slope_of_the_soft_maximum(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    # The derivative of logsumexp when each score moves along its value.
    scores = -((queries.unsqueeze(1) - keys.unsqueeze(0)) ** 2) * (w**2 / 2)
    return torch.func.jvp(lambda x: x.logsumexp(1), (scores,), (values.expand_as(scores),))[1]


def sorted_and_in_double(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    keys, order = keys.double().sort()
    x, y = torch.meshgrid(queries.double(), keys, indexing="ij")
    kernels = torch.exp(-((x - y) ** 2) * w**2 / 2)
    above, below = ((kernels * v).cumsum(1)[:, -1] for v in (values[order].double(), 1))
    return (above / below).to(values.dtype)


RIGHT: dict[str, Callable[..., Any]] = {
    "distances of pairs": with_pairs_of_distances,
    "density over density": density_over_density,
    "the largest of all taken off": largest_of_all_taken_off,
    "one query after another": one_query_after_another,
    "attention of torch": attention_of_torch,
    "the best constant": best_constant,
    "key after key": key_after_key,
    "in logarithms": in_logarithms,
    "mapped": mapped,
    "who made this point": who_made_this_point,
    "slope of the soft maximum": slope_of_the_soft_maximum,
    "sorted and in float64": sorted_and_in_double,
}


def smooth(
    exponent: Callable[[Tensor, float], Tensor] = lambda u, w: -((u * w) ** 2) / 2,
    weigh: Callable[[Tensor], Tensor] = lambda scores: scores.softmax(1),
) -> Callable[..., Tensor]:
    """Make a wrong answer by replacing one part."""
    return lambda queries, keys, values, w: weigh(exponent(queries[:, None] - keys, w)) @ values


def raised_a_little(scores: Tensor) -> Tensor:
    return scores.exp() / (scores.exp().sum(1, keepdim=True) + 1e-6)


def kept_off_zero(scores: Tensor) -> Tensor:
    return scores.exp() / scores.exp().sum(1, keepdim=True).clamp(min=1e-8)


def shifted_by_the_mean(scores: Tensor) -> Tensor:
    kernels = torch.exp(scores - scores.mean(1, keepdim=True))
    return kernels / kernels.sum(1, keepdim=True)


def without_itself(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    """Leave out a key that is the query: right for training, wrong for prediction."""
    u = queries[:, None] - keys
    scores = (-((u * w) ** 2) / 2).masked_fill(u == 0, -torch.inf)
    return scores.softmax(1).nan_to_num(0) @ values


def as_an_integral(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    """Weight each key by the width of its gaps, as an integral does."""
    keys, order = keys.sort()
    kernels = torch.exp(-(((queries[:, None] - keys) * w) ** 2) / 2)
    return torch.trapezoid(kernels * values[order], keys) / torch.trapezoid(kernels, keys)


def local_line(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    u = queries[:, None] - keys
    roots = torch.exp(-((u * w) ** 2) / 4)
    table = torch.stack([roots, roots * u], -1)
    return torch.linalg.lstsq(table, (roots * values)[..., None], driver="gelsd").solution[:, 0, 0]


def of_sorted_queries(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    return smooth()(queries.sort().values, keys, values, w)


def squeezed(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    return (smooth()(queries, keys, torch.eye(len(keys)), w) @ values[:, None]).squeeze()


def scores_squeezed(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    u = (queries.reshape(-1, 1) - keys.reshape(1, -1)).squeeze()
    return torch.softmax(-((u * w) ** 2) / 2, dim=-1) @ values


def argument_changed(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    queries *= w
    return torch.softmax(-((queries[:, None] - keys * w) ** 2) / 2, dim=1) @ values


def exponentials_shared(scores: Tensor) -> Tensor:
    return scores.exp() / scores.exp().sum(1, keepdim=True)


WRONG: dict[str, Callable[..., Any]] = {
    "w outside the square and no ½": smooth(lambda u, w: -(u**2) * w),
    "w outside the square": smooth(lambda u, w: -(u**2) * w / 2),
    "w as a bandwidth": smooth(lambda u, w: -((u / w) ** 2) / 2),
    "w squared twice": smooth(lambda u, w: -((u * w**2) ** 2) / 2),
    "2w": smooth(lambda u, w: -((u * 2 * w) ** 2) / 2),
    "the kernel of Laplace": smooth(lambda u, w: -(u * w).abs()),
    "the kernel of Cauchy": smooth(lambda u, w: -torch.log1p((u * w) ** 2 / 2)),
    "cut off at three": smooth(
        lambda u, w: (-((u * w) ** 2) / 2).masked_fill((u * w).abs() > 3, -1e9)
    ),
    "a number added to the sum": smooth(weigh=raised_a_little),
    "the sum kept off zero": smooth(weigh=kept_off_zero),
    "shifted by the mean": smooth(weigh=shifted_by_the_mean),
    "half precision": smooth(weigh=lambda scores: scores.half().softmax(1).float()),
    "along the queries": smooth(weigh=lambda scores: scores.softmax(0)),
    "without itself": without_itself,
    "as an integral": as_an_integral,
    "a line instead of a constant": local_line,
    "queries sorted": of_sorted_queries,
    "output squeezed": squeezed,
    "scores squeezed": scores_squeezed,
    "an argument changed": argument_changed,
    "no ½": smooth(lambda u, w: -((u * w) ** 2)),
    "no minus": smooth(lambda u, w: (u * w) ** 2 / 2),
    "no minus, and no shift": smooth(lambda u, w: (u * w) ** 2 / 2, exponentials_shared),
    "no w": smooth(lambda u, w: -(u**2) / 2),
    "distances": smooth(lambda u, w: -(u * w).abs() / 2),
    "differences": smooth(lambda u, w: -(u * w) / 2),
    "exponentials": smooth(weigh=torch.exp),
    "scores": smooth(weigh=lambda scores: scores),
    "weights": lambda q, k, v, w: smooth()(q, k, torch.eye(len(k)), w),
    "queries and keys the other way round": lambda q, k, v, w: (
        F.softmax(-(((k[:, None] - q) * w) ** 2) / 2, 0) @ v
    ),
    "the mean everywhere": lambda q, k, v, w: v.mean().repeat(len(q)),
    "the mean once": lambda q, k, v, w: v.mean(),
    "the mean of what is weighted": lambda q, k, v, w: smooth()(q, k, v / len(k), w),
    "a column": lambda q, k, v, w: smooth()(q, k, v[:, None], w),
    "query i and key i": lambda q, k, v, w: F.softmax(-(((q - k) * w) ** 2) / 2, 0) @ v,
}

NAMED = {
    "w outside the square and no ½": "no-half + w-outside-square",
    "w outside the square": "w-outside-square",
    "w as a bandwidth": "divided-by-w",
    "the kernel of Laplace": "no-half + no-square",
    "a number added to the sum": "sum-off-zero",
    "the sum kept off zero": "sum-off-zero",
    "along the queries": "softmax-along-queries",
    "no ½": "no-half",
    "no minus": "no-minus",
    "no minus, and no shift": "no-minus",
    "no w": "no-w",
    "distances": "no-square",
    "differences": "no-square",
    "exponentials": "no-division",
    "scores": "no-softmax",
    "weights": "no-values",
    "queries and keys the other way round": "transposed-weights",
    "the mean everywhere": "average-pooling",
    "the mean once": "average-pooling",
    "the mean of what is weighted": "mean-over-keys",
    "a column": "axis-too-many",
}

MESSAGES = {
    "shifted by the mean": "yours is nan",
    "output squeezed": "the result should have the shape (1,); yours has ().",
    "an argument changed": "The function changes `queries`",
    "query i and key i": "each query meets every key",
}
