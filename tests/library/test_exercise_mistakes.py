"""Classic mistakes as people write them are named: functions on one query or one batch."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from exercise_answers import both
from torch import Tensor

Answers = list[tuple[str, Callable[..., Any], str]]


def squares(queries: Tensor, keys: Tensor) -> Tensor:
    return ((queries.unsqueeze(2) - keys.unsqueeze(1)) ** 2).sum(-1)


def look_up(score: Callable[[Tensor], Tensor], weigh: Callable[..., Tensor]) -> Any:
    def f(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
        return weigh(score(keys - query), temperature) @ values

    return f


def half(u: Tensor) -> Tensor:
    return -u.pow(2).sum(1) / 2


def hot(scores: Tensor, temperature: float) -> Tensor:
    return F.softmax(scores / temperature, dim=0)


LOOK_UPS: Answers = [
    ("soft-lookup", look_up(lambda u: -u.pow(2).sum(1), hot), "The ½ is missing"),
    ("soft-lookup", look_up(lambda u: u.pow(2).sum(1) / 2, hot), "The minus sign is missing"),
    ("soft-lookup", look_up(lambda u: u.pow(2).sum(1), hot), "Both the ½ and the minus"),
    ("soft-lookup", look_up(lambda u: -u.norm(dim=1) / 2, hot), "the squared distance."),
    ("soft-lookup", look_up(lambda u: -u.norm(dim=1), hot), "the squared distance."),
    ("soft-lookup", look_up(half, lambda s, t: F.softmax(s * t, dim=0)), "multiplied by the temp"),
    ("soft-lookup", look_up(half, lambda s, t: F.softmax(s, dim=0)), "temperature plays no part"),
    ("soft-lookup", look_up(half, lambda s, t: torch.exp(s / t)), "not divided by their sum"),
    ("soft-lookup", look_up(half, lambda s, t: s / t), "There is no softmax"),
    ("soft-lookup", look_up(half, lambda s, t: F.softmax(s, dim=0) / t), "divides the weights"),
    ("soft-lookup", lambda q, k, v, t: v.mean(0), "plain mean"),
    ("soft-lookup", lambda q, k, v, t: v[(k - q).norm(dim=1).argmin()], "largest weight"),
    ("soft-lookup", lambda q, k, v, t: hot(half(k - q), t), "Those are the weights"),
    ("soft-lookup", lambda q, k, v, t: hot(half(k - q), t)[:, None] * v, "not yet summed"),
    ("soft-lookup", lambda q, k, v, t: (hot(half(k - q), t)[:, None] * v).mean(0), "once too"),
    ("soft-lookup", lambda q, k, v, t: hot(k @ q, t) @ v, "a dot product"),
    ("soft-lookup", lambda q, k, v, t: hot(half(k - q), t) * v, "(K, V)"),
    ("soft-lookup", lambda q, k, v, t: hot(-(k - q).pow(2).sum(0) / 2, t) @ v, "last axis"),
]


def smooth(scores: Callable[[Tensor, float], Tensor], dim: int = 1) -> Any:
    def f(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
        return torch.softmax(scores(queries.reshape(-1, 1) - keys, w), dim) @ values

    return f


KERNELS: Answers = [
    ("nadaraya-watson", smooth(lambda u, w: -((u * w) ** 2)), "The ½ is missing"),
    ("nadaraya-watson", smooth(lambda u, w: (u * w) ** 2 / 2), "The minus sign is missing"),
    ("nadaraya-watson", smooth(lambda u, w: -(u**2) * w / 2), "outside the square"),
    ("nadaraya-watson", smooth(lambda u, w: -((u / w) ** 2) / 2), "divided by `w`"),
    ("nadaraya-watson", smooth(lambda u, w: -(u**2) / 2), "`w` plays no part"),
    ("nadaraya-watson", smooth(lambda u, w: -(u * w).abs() / 2), "not squared"),
    ("nadaraya-watson", smooth(lambda u, w: -((u * w) ** 2) / 2, dim=0), "along the queries"),
    ("nadaraya-watson", lambda q, k, v, w: v.mean().repeat(len(q)), "average pooling"),
    ("nadaraya-watson", lambda q, k, v, w: v.mean(), "average pooling"),
    (
        "nadaraya-watson",
        lambda q, k, v, w: F.softmax(-((q - k) * w).pow(2) / 2, 0) @ v,
        "each query meets every key",
    ),
    (
        "nadaraya-watson",
        lambda q, k, v, w: torch.exp(-((q[:, None] - k) * w).pow(2) / 2) @ v,
        "not divided by their sum",
    ),
    (
        "nadaraya-watson",
        lambda q, k, v, w: F.softmax(-((q[:, None] - k[None]) * w).pow(2) / 2, 1),
        "Those are the weights",
    ),
    (
        "nadaraya-watson",
        lambda q, k, v, w: F.softmax(-((k[:, None] - q) * w).pow(2) / 2, 0) @ v,
        "The weights are transposed",
    ),
    ("leave-one-out", lambda x: x.repeat(len(x), 1), "attends to itself"),
    ("leave-one-out", lambda x: torch.stack([x] * len(x)), "attends to itself"),
    ("leave-one-out", lambda x: x[:-1].repeat(len(x), 1), "last entry"),
    ("leave-one-out", lambda x: x[1:].expand(len(x), -1), "first entry"),
    ("leave-one-out", lambda x: x * (1 - torch.eye(len(x))), "replaced by 0"),
    ("leave-one-out", lambda x: torch.stack([x[x != a] for a in x]), "Equal values"),
    (
        "leave-one-out",
        lambda x: x.repeat(len(x), 1)[~torch.eye(len(x), dtype=torch.bool)],
        "one long row",
    ),
    (
        "leave-one-out",
        lambda x: torch.stack([torch.cat([x[:i], x[i:]]) for i in range(len(x))]),
        "attends to itself",
    ),
    (
        "leave-one-out",
        lambda x: torch.stack([torch.roll(x, -i)[1:] for i in range(len(x))]),
        "in another order",
    ),
    (
        "leave-one-out",
        lambda x: (
            x.repeat_interleave(len(x))
            .reshape(len(x), -1)[~torch.eye(len(x), dtype=torch.bool)]
            .reshape(len(x), -1)
        ),
        "holds nothing but x[i]",
    ),
]


def by_hand(shift: Callable[[Tensor], Tensor], dim: int = -1) -> Callable[..., Tensor]:
    def f(scores: Tensor, values: Tensor) -> Tensor:
        exponentials = torch.exp(shift(scores))
        return exponentials / exponentials.sum(dim, keepdim=True) @ values

    return f


def in_loops(queries: Tensor, keys: Tensor) -> Tensor:
    scores = torch.zeros(len(queries), queries.shape[1], queries.shape[1])
    for b, q, k in np.ndindex(*scores.shape):
        scores[b, q, k] = -(queries[b, q] - keys[b, k]).pow(2).sum() / 2
    return scores


def zipped(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.stack(
        [
            torch.stack([-(q - k).pow(2).sum() / 2 for q, k in zip(*both)])  # noqa: B905
            for both in zip(queries, keys, strict=True)
        ]
    )


def zipped_strictly(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.stack(
        [
            torch.stack([-(q - k).pow(2).sum() / 2 for q, k in zip(*both, strict=True)])
            for both in zip(queries, keys, strict=True)
        ]
    )


SCORES: Answers = [
    ("gaussian-score", lambda q, k: -squares(q, k), "The ½ is missing"),
    ("gaussian-score", lambda q, k: squares(q, k) / 2, "The minus sign is missing"),
    ("gaussian-score", lambda q, k: -torch.cdist(q, k) / 2, "the squared distance."),
    ("gaussian-score", lambda q, k: -squares(k, q) / 2, "The axes are swapped"),
    ("gaussian-score", lambda q, k: q @ k.mT, "a dot product"),
    ("gaussian-score", lambda q, k: q @ k, "transpose"),
    ("gaussian-score", lambda q, k: torch.exp(-squares(q, k) / 2), "weights, not scores"),
    ("gaussian-score", lambda q, k: F.softmax(-squares(q, k) / 2, -1), "weights, not scores"),
    ("gaussian-score", lambda q, k: -(q - k).pow(2).sum(-1) / 2, "every query meets every key"),
    ("gaussian-score", lambda q, k: -F.mse_loss(q, k, reduction="none") / 2, "every query meets"),
    ("gaussian-score", in_loops, "one number is used for both"),
    ("gaussian-score", zipped, "meets key i only"),
    ("gaussian-score", zipped_strictly, "There are not as many queries as keys"),
    ("gaussian-score", lambda q, k: -squares(q, k[:1]) / 2, "of the first"),
    ("attention-pooling", lambda s, v: F.softmax(s, dim=1) @ v, "along the queries"),
    ("attention-pooling", lambda s, v: F.softmax(s, dim=0) @ v, "along the batch"),
    ("attention-pooling", lambda s, v: F.softmax(s) @ v, "along the batch"),
    ("attention-pooling", by_hand(lambda s: s), "subtract the largest score of each row"),
    ("attention-pooling", by_hand(lambda s: s - s.max()), "The largest of all scores"),
    ("attention-pooling", by_hand(lambda s: s, dim=1), "along the queries"),
    ("attention-pooling", torch.bmm, "There is no softmax"),
    ("attention-pooling", lambda s, v: torch.exp(s) @ v, "not divided by their sum"),
    ("attention-pooling", lambda s, v: s / s.sum(-1, keepdim=True) @ v, "without an exponential"),
    ("attention-pooling", lambda s, v: s.softmax(-1), "Those are the weights"),
    ("attention-pooling", lambda s, v: s.softmax(-1).mT @ v, "weights are transposed"),
    ("attention-pooling", lambda s, v: s.mT.softmax(-1) @ v, "transpose"),
    ("attention-pooling", lambda s, v: s.softmax(-1) @ v.mT, "transpose"),
    ("attention-pooling", lambda s, v: s.softmax(-1) * v, "entry by entry"),
    ("attention-pooling", lambda s, v: s.exp() / s.exp().sum(-1) @ v, "keepdim=True"),
    ("attention-pooling", lambda s, v: (s - s.amax(-1)).softmax(-1) @ v, "keepdim=True"),
    ("attention-pooling", lambda s, v: v.mean(1, keepdim=True).repeat(1, s.shape[1], 1), "plain"),
    ("attention-pooling", lambda s, v: (s.softmax(-1)[..., None] * v[:, None]).mean(2), "once too"),
]


@pytest.mark.parametrize(("slug", "wrong", "words"), [*LOOK_UPS, *KERNELS, *SCORES])
def test_a_classic_mistake_is_named(slug: str, wrong: Callable[..., Any], words: str) -> None:
    assert words in both(slug, wrong)
