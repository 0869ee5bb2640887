"""Classic mistakes as people write them are named: scaled dot-product attention."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from exercise_answers import both
from test_exercise_mistakes_masked import cut_in_a_loop, filled, keep, masked, only_per_example
from torch import Tensor

from attention_lib import masked_softmax
from attention_lib.exercises import check


def attend(
    scale: Callable[[Tensor, Tensor], float] = lambda q, k: math.sqrt(q.shape[-1]),
    weigh: Callable[..., Tensor] = masked_softmax,
) -> Callable[..., Tensor]:
    def f(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
        return torch.bmm(weigh(torch.bmm(q, k.transpose(1, 2)) / scale(q, k), valid_lens), v)

    return f


def attend_without_default(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None) -> Tensor:
    return attend()(q, k, v, valid_lens)


def attend_with_dropout(
    q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None
) -> Tensor:
    return F.dropout(masked_softmax(q @ k.mT / math.sqrt(q.shape[-1]), valid_lens), 0.1) @ v


def scale_afterwards(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    return masked_softmax(q @ k.mT, valid_lens) / math.sqrt(q.shape[-1]) @ v


def forget(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    return X.softmax(-1)


def unscaled(q: Tensor, k: Tensor) -> float:
    return 1.0


SDPA = "scaled-dot-product-attention"
DOTS: list[tuple[str, Callable[..., Any], str]] = [
    (SDPA, attend(unscaled), "not divided by √d"),
    (SDPA, attend(lambda q, k: q.shape[-1]), "divided by d; divide by its square root"),
    (SDPA, attend(lambda q, k: k.shape[1] ** 0.5), "number of keys or queries"),
    (SDPA, attend(lambda q, k: q.shape[-1] ** -0.5), "multiplied by √d"),
    (SDPA, attend(lambda q, k: q.shape[1] ** 0.5), "number of keys or queries"),
    (SDPA, scale_afterwards, "comes after the softmax"),
    (SDPA, lambda q, k, v, n=None: F.softmax(k @ q.mT / 5**0.5, -1) @ v, "transposed"),
    (SDPA, lambda q, k, v, n=None: F.softmax(q @ k / 5**0.5, -1) @ v, "transpose"),
    (SDPA, lambda q, k, v, n=None: F.softmax((q * k).sum(-1), -1) @ v, "every query meets every"),
    (SDPA, attend(weigh=forget), "The padding is kept"),
    (SDPA, attend(weigh=filled(-1e6)), "The fill is a finite number"),
    (SDPA, attend(weigh=filled(-torch.inf)), "becomes NaN"),
    (SDPA, attend(weigh=masked(lambda X, n: X.softmax(-1) * keep(X, n))), "no longer sums"),
    (SDPA, attend(weigh=lambda X, n: X.softmax(1)), "along the queries"),
    (SDPA, attend(weigh=lambda X, n: X.softmax(0)), "along the batch"),
    (SDPA, attend(weigh=lambda X, n: X), "There is no softmax"),
    (SDPA, attend_without_default, "give `valid_lens` the default `None`"),
    (SDPA, lambda q, k, v, valid_lens=None: v.mean(1, keepdim=True).expand(-1, q.shape[1], -1),
     "plain mean"),
    (SDPA, attend_with_dropout, "changes from call to call"),
    (SDPA, attend(weigh=masked(cut_in_a_loop)), "Rows that were cut"),
    (SDPA, attend(weigh=masked(only_per_example)), "`valid_lens` may have the shape"),
]  # fmt: skip


@pytest.mark.parametrize(("slug", "wrong", "words"), DOTS)
def test_a_classic_mistake_is_named(slug: str, wrong: Callable[..., Any], words: str) -> None:
    assert words in both(slug, wrong)


def test_two_mistakes_are_named_together() -> None:
    both = repr(check(SDPA, attend(unscaled, forget)))
    assert "not divided by √d" in both
    assert "The padding is kept" in both
    both = repr(check(SDPA, attend(unscaled, lambda X, n: X.softmax(1))))
    assert "not divided by √d" in both
    assert "along the queries" in both
    both = repr(check(SDPA, attend(lambda q, k: q.shape[-1], filled(-1e6))))
    assert "divided by d" in both
    assert "finite number" in both


def test_of_three_mistakes_the_first_to_show_is_named() -> None:
    many = attend(unscaled, masked(lambda X, n: F.softmax(X * keep(X, n), dim=1)))
    assert "not divided by √d" in repr(check(SDPA, many))
