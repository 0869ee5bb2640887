"""Answers to "soft-lookup": one query among keys, at a temperature."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.distributions import Categorical, MultivariateNormal, Normal

from attention_lib import GaussianAttention


def one_key_after_another(
    query: Tensor, keys: Tensor, values: Tensor, temperature: float
) -> Tensor:
    distances = torch.stack([torch.dist(query, key) for key in keys])
    shares = torch.exp((distances.min() ** 2 - distances**2) / (2 * temperature))
    total = torch.zeros(values.shape[1], dtype=values.dtype)
    for share, value in zip(shares, values, strict=True):
        total = total + share / shares.sum() * value
    return total


def attention_of_torch(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    """Attention on q·k with the keys' own norms as a bias: ‖q‖² is the same for all keys."""
    bias = -(keys**2).sum(-1) / (2 * temperature)
    args = query[None, None], keys[None], values[None]
    scale = 1 / temperature
    return F.scaled_dot_product_attention(*args, attn_mask=bias[None, None], scale=scale)[0, 0]


def in_one_pass(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    """Read each key once, and rescale the sums whenever a higher score appears."""
    highest, below, above = torch.tensor(-torch.inf), torch.zeros(()), torch.zeros(())
    for key, value in zip(keys, values, strict=True):
        score = -(query - key).square().sum() / (2 * temperature)
        level = torch.maximum(highest, score)
        share, rescale = torch.exp(score - level), torch.exp(highest - level)
        above, below, highest = above * rescale + share * value, below * rescale + share, level
    return above / below


def merged_in_pairs(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    """Two groups of keys share the weight by the sigmoid of the difference of their scores."""
    scores = -torch.einsum("kd,kd->k", keys - query, keys - query) / (2 * temperature)
    groups = list(zip(scores, values, strict=True))
    while len(groups) > 1:
        (s, v), (t, u), *rest = groups
        groups = [*rest, (torch.logaddexp(s, t), torch.lerp(u, v, torch.sigmoid(s - t)))]
    return groups[0][1]


def gradient_of_the_soft_maximum(
    query: Tensor, keys: Tensor, values: Tensor, temperature: float
) -> Tensor:
    # The softmax is the gradient of logsumexp.
    scores = -(torch.cdist(query[None], keys)[0] ** 2) / 2 / temperature
    scores.requires_grad_()
    (weights,) = torch.autograd.grad(torch.logsumexp(scores, 0), scores, create_graph=True)
    return torch.mv(values.T, weights)


def mapped_over_the_keys(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    def score(key: Tensor) -> Tensor:
        return -(torch.linalg.vector_norm(query - key) ** 2) / (2 * temperature)

    return torch.vmap(score)(keys).softmax(0).matmul(values)


def each_weight_from_all_differences(
    query: Tensor, keys: Tensor, values: Tensor, temperature: float
) -> Tensor:
    # A weight is 1 over the sum of the exponentials of all score differences.
    squares = F.mse_loss(keys, query.expand_as(keys), reduction="none").sum(1)
    weights = 1 / torch.exp((squares[:, None] - squares) / (2 * temperature)).sum(1)
    return torch.einsum("k,kv->v", weights, values)


def by_bayes(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    """Which key has the query strayed from? Temperature is the variance of the normal errors."""
    errors = MultivariateNormal(keys, temperature * torch.eye(len(query), dtype=query.dtype))
    return Categorical(logits=errors.log_prob(query)).probs @ values


def with_densities(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    """Without any shift: the densities themselves, component by component."""
    densities = Normal(keys, temperature**0.5).log_prob(query).sum(-1).double().exp()
    return F.normalize(densities, p=1, dim=0, eps=0).to(values.dtype) @ values


def sorted_and_in_double(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    order = torch.argsort(torch.linalg.norm(keys - query, dim=-1))
    near, own = keys[order].double(), values[order].double()
    energy = torch.stack([(a - b) ** 2 for a, b in zip(near.T, query.double(), strict=True)])
    logs = F.log_softmax(energy.sum(0) / (-2 * temperature), dim=-1)
    return (logs.exp()[:, None] * own).sum(dim=0).to(values.dtype)


def with_numbers_of_python(
    query: Tensor, keys: Tensor, values: Tensor, temperature: float
) -> Tensor:
    squares = [
        sum((a - b) ** 2 for a, b in zip(key, query.tolist(), strict=True)) for key in keys.tolist()
    ]
    scores = torch.tensor([-s / (2 * temperature) for s in squares], dtype=values.dtype)
    return torch.softmax(scores, dim=0) @ values


def with_the_package(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    attention = GaussianAttention(temperature**-0.5).to(query.dtype)
    return attention(query[None, None], keys[None], values[None])[0, 0]


RIGHT: dict[str, Callable[..., Any]] = {
    "one key after another": one_key_after_another,
    "attention of torch": attention_of_torch,
    "in one pass": in_one_pass,
    "merged in pairs": merged_in_pairs,
    "gradient of the soft maximum": gradient_of_the_soft_maximum,
    "a score mapped over the keys": mapped_over_the_keys,
    "each weight from all differences": each_weight_from_all_differences,
    "by Bayes": by_bayes,
    "densities without a shift": with_densities,
    "sorted and in float64": sorted_and_in_double,
    "with the package": with_the_package,
}


def look_up(
    score: Callable[[Tensor], Tensor] = lambda u: -u.square().sum(-1) / 2,
    weigh: Callable[[Tensor, float], Tensor] = lambda s, t: F.softmax(s / t, dim=0),
    pool: Callable[[Tensor, Tensor], Tensor] = lambda weights, values: weights @ values,
) -> Callable[..., Tensor]:
    """Make a wrong answer by replacing one part."""
    return lambda query, keys, values, temperature: pool(
        weigh(score(keys - query), temperature), values
    )


def exponentials(scores: Tensor, temperature: float) -> Tensor:
    return torch.exp(scores / temperature)


def raised_a_little(scores: Tensor, temperature: float) -> Tensor:
    kernels = exponentials(scores, temperature)
    return kernels / (kernels.sum() + 1e-6)


def around_the_mean(scores: Tensor, temperature: float) -> Tensor:
    kernels = exponentials(scores - scores.mean(), temperature)
    return kernels / kernels.sum()


def the_best_three(scores: Tensor, temperature: float) -> Tensor:
    best = scores.topk(min(3, len(scores))).indices
    drop = torch.ones_like(scores, dtype=torch.bool).index_fill(0, best, False)
    return (scores / temperature).masked_fill(drop, -torch.inf).softmax(0)


def in_the_plane(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    away = torch.hypot(keys[:, 0] - query[0], keys[:, -1] - query[-1])
    return torch.softmax(-(away**2) / (2 * temperature), dim=0) @ values


def careless(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    keys -= query
    return torch.softmax(-keys.pow(2).sum(1) / (2 * temperature), dim=0) @ values


def squeezed(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    squares = ((keys - query) ** 2).sum(-1, keepdim=True).squeeze()
    return torch.softmax(-squares / (2 * temperature), dim=-1) @ values


def without_the_value_axis(
    query: Tensor, keys: Tensor, values: Tensor, temperature: float
) -> Tensor:
    weights = F.softmax(-(keys - query).square().sum(-1) / (2 * temperature), dim=0)
    return (weights[None] @ values).squeeze()


def cosine(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    near = F.normalize(keys, dim=-1) - F.normalize(query, dim=-1)
    return torch.softmax(-near.square().sum(-1) / (2 * temperature), dim=-1) @ values


def from_root_and_back(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    """Take a root and square it: the gradient is NaN where the query is a key."""
    squares = (keys - query).square().sum(1).sqrt() ** 2
    return F.softmax(-squares / (2 * temperature), dim=0) @ values


WRONG: dict[str, Callable[..., Any]] = {
    "with numbers of Python": with_numbers_of_python,
    "weights detached": look_up(weigh=lambda s, t: F.softmax(s / t, dim=0).detach()),
    "root and back": from_root_and_back,
    "the temperature is a bandwidth": look_up(weigh=lambda s, t: F.softmax(s / t**2, dim=0)),
    "the root of the temperature": look_up(weigh=lambda s, t: F.softmax(s / t**0.5, dim=0)),
    "no temperature below 1": look_up(weigh=lambda s, t: F.softmax(s / max(t, 1), dim=0)),
    "no temperature below 0.1": look_up(weigh=lambda s, t: F.softmax(s / max(t, 0.1), dim=0)),
    "half of the ½": look_up(lambda u: -u.square().sum(-1) / 4),
    "no ½": look_up(lambda u: -u.square().sum(-1)),
    "divided by √d": look_up(lambda u: -u.square().sum(-1) / 2 / u.shape[-1] ** 0.5),
    "distances": look_up(lambda u: -u.norm(dim=-1) / 2),
    "the largest component": look_up(lambda u: -(u.abs().amax(-1) ** 2) / 2),
    "a number added to the sum": look_up(weigh=raised_a_little),
    "shifted by the mean": look_up(weigh=around_the_mean),
    "the best three": look_up(weigh=the_best_three),
    "the softmax twice": look_up(weigh=lambda s, t: F.softmax(F.softmax(s / t, 0), 0)),
    "base 2": look_up(weigh=lambda s, t: torch.exp2(s / t) / torch.exp2(s / t).sum()),
    "half precision": look_up(weigh=lambda s, t: (s / t).half().softmax(0).float()),
    "weights of two decimals": look_up(weigh=lambda s, t: F.softmax(s / t, 0).round(decimals=2)),
    "a row too many": look_up(pool=lambda weights, values: weights[None] @ values),
    "keys in the plane": in_the_plane,
    "an argument changed": careless,
    "scores squeezed": squeezed,
    "output squeezed": without_the_value_axis,
    "vectors of length 1": cosine,
    "no minus": look_up(lambda u: u.square().sum(-1) / 2),
    "no ½ and no minus": look_up(lambda u: u.square().sum(-1)),
    "distances, and no ½": look_up(lambda u: -u.norm(dim=-1)),
    "components along the keys": look_up(lambda u: -u.square().sum(0) / 2),
    "everything in one sum": look_up(lambda u: -u.square().sum() / 2),
    "times the temperature": look_up(weigh=lambda s, t: F.softmax(s * t, dim=0)),
    "no temperature": look_up(weigh=lambda s, t: F.softmax(s, dim=0)),
    "weights at a temperature": look_up(weigh=lambda s, t: F.softmax(s, dim=0) / t),
    "exponentials": look_up(weigh=exponentials),
    "scores": look_up(weigh=lambda s, t: s / t),
    "shares of the scores": look_up(weigh=lambda s, t: s / s.sum()),
    "a dot product": lambda q, k, v, t: F.softmax(k @ q / t, dim=0) @ v,
    "the plain mean": lambda q, k, v, t: v.mean(0),
    "the nearest": lambda q, k, v, t: v[(k - q).norm(dim=1).argmin()],
    "weights": look_up(pool=lambda weights, values: weights),
    "not summed": look_up(pool=lambda weights, values: weights[:, None] * values),
    "the mean of what is weighted": look_up(pool=lambda w, v: (w[:, None] * v).mean(0)),
    "entry by entry": look_up(pool=torch.mul),
}

NAMED = {
    "root and back": "root-and-back",
    "the temperature is a bandwidth": "squared-temperature",
    "no ½": "no-half",
    "divided by √d": "root-scale",
    "distances": "root",
    "a number added to the sum": "sum-off-zero",
    "no minus": "no-minus",
    "no ½ and no minus": "no-half-no-minus",
    "distances, and no ½": "no-half + root",
    "components along the keys": "wrong-axis-of-squares",
    "times the temperature": "times-temperature",
    "no temperature": "no-temperature",
    "weights at a temperature": "temperature-on-weights",
    "exponentials": "no-division",
    "scores": "no-softmax",
    "shares of the scores": "no-exponential",
    "a dot product": "dot-product",
    "the plain mean": "plain-mean",
    "the nearest": "largest-weight-only",
    "weights": "no-values",
    "not summed": "no-sum-over-keys",
    "the mean of what is weighted": "mean-over-keys",
}

MESSAGES = {
    "with numbers of Python": "no gradient reaches `query`, `keys`",
    "weights detached": "no gradient reaches `query`, `keys`",
    "shifted by the mean": "yours is nan",
    "scores squeezed": "`squeeze()` removes every axis of size 1",
    "everything in one sum": "A sum without `dim` adds everything up",
    "an argument changed": "The function changes `keys`",
    "output squeezed": "the result should have the shape (1,); yours has ().",
    "entry by entry": "`keys` (K, d), `values` (K, V)",
}
