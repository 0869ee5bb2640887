"""Classic mistakes as people write them are named: dropout, bilinear scores, alignment, sums."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from exercise_answers import both
from torch import Tensor

from attention_lib import masked_softmax
from attention_lib.exercises import check

Answers = list[tuple[Callable[..., Any], str]]


def softmax_of_kept(w: Tensor, p: float, draws: Tensor) -> Tensor:
    return F.softmax(w.masked_fill(draws < p, -torch.inf), dim=-1)


def renormalised(w: Tensor, p: float, draws: Tensor) -> Tensor:
    kept = torch.where(draws >= p, w, 0) / (1 - p)
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-12)


def drop_columns(w: Tensor, p: float, draws: Tensor) -> Tensor:
    return w * (draws >= p)[:, :1]


DROPS: Answers = [
    (lambda w, p, draws: w * (draws >= p), "not divided by 1 − p"),
    (lambda w, p, draws: w.where(draws >= p, 0) / p, "divided by p. p is the share"),
    (lambda w, p, draws: w * (draws >= p) * (1 - p), "multiplied by 1 − p"),
    (lambda w, p, draws: w * (draws < p) / (1 - p), "The wrong ones are kept"),
    (lambda w, p, draws: w.masked_fill(draws >= p, 0) / (1 - p), "The wrong ones are kept"),
    (lambda w, p, draws: w * (draws < p) / p, "taken for the probability of keeping"),
    (lambda w, p, draws: w * (draws > p) / (1 - p), "A draw that equals p"),
    (lambda w, p, draws: w * (draws >= 1 - p) / p, "taken for the probability of keeping"),
    (lambda w, p, draws: w * (draws < 1 - p) / (1 - p), "but not the ones asked for"),
    (renormalised, "divided by their sum"),
    (softmax_of_kept, "a softmax of weights"),
    (lambda w, p, draws: F.dropout(w, p), "random numbers are your own"),
    (lambda w, p, draws: torch.nn.Dropout(p)(w), "random numbers are your own"),
    (lambda w, p, draws: w * (torch.rand(w.shape) > p) / (1 - p), "random numbers are your own"),
    (lambda w, p, draws: w * torch.bernoulli(torch.full(w.shape, 1 - p)) / (1 - p), "your own"),
    (lambda w, p, draws: w * (draws[0] >= p) / (1 - p), "serves several rows"),
    (lambda w, p, draws: w / (1 - p), "still there"),
    (lambda w, p, draws: w[draws >= p] / (1 - p), "gone from the tensor"),
    (lambda w, p, draws: (draws >= p) / (1 - p), "That is the mask"),
    (lambda w, p, draws: (draws >= p).float(), "That is the mask"),
    (lambda w, p, draws: 1 / p * w * (draws >= p), "divided by p. p is the share"),
    (lambda w, p, draws: w * (draws >= p) * (1 + 1 / (1 / p - 1)), "p = 0 is allowed"),
    (lambda w, p, draws: w.mul_(draws >= p).div_(1 - p), "The function changes `weights`"),
]

BILINEARS: Answers = [
    (lambda q, k, W: q @ W.T @ k.mT, "`W` is transposed"),
    (lambda q, k, W: q @ (k @ W).mT, "`W` is transposed"),
    (lambda q, k, W: torch.bmm(q, torch.matmul(k, W).transpose(1, 2)), "`W` is transposed"),
    (lambda q, k, W: F.linear(q, W) @ k.mT, "`W` is transposed"),
    (lambda q, k, W: torch.einsum("bqd,ed,bke->bqk", q, W, k), "The letters do not fit"),
    (lambda q, k, W: q @ k.mT, "`W` plays no part"),
    (lambda q, k, W: torch.einsum("bqd,de,bke->qk", q, W, k), "are added up"),
    (lambda q, k, W: torch.einsum("bqd,de,cke->bqk", q, W, k), "are added up"),
    (lambda q, k, W: q @ W @ k[0].T, "of the first"),
    (lambda q, k, W: F.softmax(q @ W @ k.mT, dim=-1), "weights, not scores"),
    (lambda q, k, W: q @ W @ k.mT / k.shape[-1] ** 0.5, "root of a size"),
    (lambda q, k, W: torch.tanh(q @ W) @ k.mT, "There is a tanh"),
    (lambda q, k, W: k @ W.T @ q.mT, "The axes are swapped"),
    (lambda q, k, W: q @ W @ k, "transpose"),
    (lambda q, k, W: (q @ W * k).sum(-1), "every query meets every key"),
]


def align(weigh: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    return lambda a, b, n: weigh(a @ b.mT, n) @ b


def padding(s: Tensor, n: Tensor) -> Tensor:
    return torch.arange(s.shape[2]) >= n[:, None, None]


def filled(fill: float, dim: int = -1) -> Callable[..., Tensor]:
    return align(lambda s, n: F.softmax(s.masked_fill(padding(s, n), fill), dim=dim))


def cut(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    pairs = zip(a, b, b_lens, strict=True)
    return torch.stack([F.softmax(x @ y.T, -1)[:, :n] for x, y, n in pairs])


ALIGNMENTS: Answers = [
    (align(lambda s, n: s.softmax(-1)), "The padding is kept"),
    (align(lambda s, n: masked_softmax(s.mT, None).mT), "along the words of `a`"),
    (filled(-torch.inf, dim=1), "along the words of `a`"),
    (align(lambda s, n: s.softmax(0)), "along the batch"),
    (lambda a, b, n: masked_softmax(a @ b.mT, n), "Those are the weights"),
    (lambda a, b, n: masked_softmax(a @ a.mT, n.clamp(max=a.shape[1])) @ a, "with itself"),
    (lambda a, b, n: F.softmax(a @ a.mT, -1) @ a, "with itself"),
    (lambda a, b, n: F.softmax(b @ a.mT, -1) @ a, "the other way round"),
    (lambda a, b, n: masked_softmax(a @ b.mT, n) @ a, "of the words of `a`. The weights"),
    (lambda a, b, n: masked_softmax(a @ b.mT / math.sqrt(a.shape[-1]), n) @ b, "root of a size"),
    (align(lambda s, n: s.softmax(-1) * ~padding(s, n)), "The mask comes after the softmax"),
    (align(lambda s, n: F.softmax(s * ~padding(s, n), -1)), "A fill of 0"),
    (filled(-torch.inf), "becomes NaN"),
    (filled(-1e6), "The fill is a finite number"),
    (filled(-1e9), "The fill is a finite number"),
    (filled(torch.finfo(torch.float32).min), "spread evenly over padding"),
    (align(lambda s, n: F.softmax(s.masked_fill(~padding(s, n), -torch.inf), -1)), "wrong way"),
    (align(lambda s, n: masked_softmax(s, (n + 1).clamp(max=s.shape[2]))), "One key too many"),
    (align(lambda s, n: masked_softmax(s, (n - 1).clamp(min=0))), "One key too few"),
    (align(lambda s, n: s), "There is no softmax"),
    (lambda a, b, n: b.mean(1, keepdim=True).expand_as(a), "plain mean"),
    (lambda a, b, n: F.softmax(a @ b, -1) @ b, "transpose"),
    (cut, "Rows that were cut"),
    (align(lambda s, n: s.masked_fill(torch.arange(s.shape[2]) >= n, 0)), "`b_lens` has the shape"),
    (lambda a, b, n: F.softmax((a * b).sum(-1), -1) @ b, "every word of `a` meets"),
]


def keep(v: Tensor, n: Tensor) -> Tensor:
    return torch.arange(v.shape[1]) < n[:, None]


def cut_and_stacked(v: Tensor, lens: Tensor) -> Tensor:
    return torch.stack([words[:n] for words, n in zip(v, lens, strict=True)]).sum(1)


SUMS: Answers = [
    (lambda v, lens: v.sum(1), "The padding is summed too"),
    (lambda v, lens: v.mean(1), "That is a mean"),
    (lambda v, lens: (v * keep(v, lens)[..., None]).mean(1), "That is a mean"),
    (lambda v, lens: (v * keep(v, lens)[..., None]).sum(1) / lens[:, None], "That is a mean"),
    (lambda v, lens: (v * keep(v, lens)[..., None]).sum(-1), "along the wrong axis"),
    (lambda v, lens: (v * keep(v, lens)[..., None]).sum(0), "along the wrong axis"),
    (lambda v, lens: (v * keep(v, lens)[..., None]).sum(), "along the wrong axis"),
    (lambda v, lens: v * keep(v, lens)[..., None], "not yet summed"),
    (lambda v, lens: (v * keep(v, lens)[..., None]).sum(1, keepdim=True), "An axis of size 1"),
    (lambda v, lens: (v * keep(v, lens + 1)[..., None]).sum(1), "One word too many"),
    (lambda v, lens: (v * keep(v, lens - 1)[..., None]).sum(1), "One word too few"),
    (lambda v, lens: (v * ~keep(v, lens)[..., None]).sum(1), "wrong way round"),
    (lambda v, lens: v[:, : lens[0]].sum(1), "one and the same length"),
    (lambda v, lens: v[:, : lens.max()].sum(1), "one and the same length"),
    (
        lambda v, lens: v.masked_fill(torch.arange(v.shape[2]) >= lens[:, None, None], 0).sum(1),
        "along the components",
    ),
    (lambda v, lens: (v * keep(v, lens)).sum(1), "`lens` has the shape (B,)"),
    (lambda v, lens: (v * keep(v, lens)[:, None]).sum(1), "`lens` has the shape (B,)"),
    (lambda v, lens: v[keep(v, lens).any(0)].sum(1), "`lens` has the shape (B,)"),
    (lambda v, lens: v[:, torch.arange(v.shape[1]) < lens].sum(1), "along the words instead"),
    (lambda v, lens: v[:, :lens].sum(1), "`lens` has the shape (B,)"),
    (cut_and_stacked, "Sum each before you stack them"),
]


@pytest.mark.parametrize(
    ("slug", "wrong", "words"),
    [("dropout", *pair) for pair in DROPS]
    + [("bilinear-scores", *pair) for pair in BILINEARS]
    + [("soft-alignment", *pair) for pair in ALIGNMENTS]
    + [("masked-sum", *pair) for pair in SUMS],
)
def test_a_classic_mistake_is_named(slug: str, wrong: Callable[..., Any], words: str) -> None:
    assert words in both(slug, wrong)


@pytest.mark.parametrize(
    ("slug", "wrong", "told"),
    [
        ("dropout", lambda w, p, draws: w * (draws < p), ["wrong ones are kept", "not divided"]),
        ("dropout", drop_columns, ["serves several rows", "not divided"]),
        (
            "bilinear-scores",
            lambda q, k, W: F.softmax(q @ W @ k.mT / k.shape[-1] ** 0.5, dim=-1),
            ["root of a size", "weights, not scores"],
        ),
        (
            "soft-alignment",
            lambda a, b, n: F.softmax(a @ b.mT / a.shape[-1] ** 0.5, dim=-1) @ b,
            ["root of a size", "The padding is kept"],
        ),
        (
            "soft-alignment",
            lambda a, b, n: masked_softmax(b @ a.mT / a.shape[-1] ** 0.5, None) @ a,
            ["the other way round", "root of a size"],
        ),
        ("masked-sum", lambda v, lens: v.sum(2), ["padding is summed", "wrong axis"]),
    ],
)
def test_two_mistakes_are_named_together(
    slug: str, wrong: Callable[..., Any], told: list[str]
) -> None:
    answer = repr(check(slug, wrong))
    assert all(words in answer for words in told), answer
