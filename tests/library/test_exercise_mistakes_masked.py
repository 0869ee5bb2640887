"""Classic mistakes as people write them are named: masks, and attention with valid lengths."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from exercise_answers import both
from torch import Tensor

from attention_lib import length_mask
from attention_lib.exercises import EXERCISES

Answers = list[tuple[str, Callable[..., Any], str]]
Mask = Callable[[Tensor, Tensor], Tensor]


def keep(X: Tensor, valid_lens: Tensor) -> Tensor:
    return length_mask(valid_lens, X.shape[1], X.shape[2])


def masked(f: Mask) -> Callable[..., Tensor]:
    """Leave the case without lengths out, where nothing can go wrong."""

    def weigh(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        return X.softmax(-1) if valid_lens is None else f(X, valid_lens)

    return weigh


def filled(fill: float, zero: bool = False) -> Callable[..., Tensor]:
    def weigh(X: Tensor, valid_lens: Tensor) -> Tensor:
        weights = F.softmax(X.masked_fill(~keep(X, valid_lens), fill), dim=-1)
        return weights * keep(X, valid_lens) if zero else weights

    return masked(weigh)


def textbook(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Write a large negative number through a view, as much teaching code does."""
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    lens = valid_lens.repeat_interleave(X.shape[1]) if valid_lens.dim() == 1 else valid_lens
    rows = X.reshape(-1, X.shape[-1])
    rows[torch.arange(X.shape[-1])[None] >= lens.reshape(-1)[:, None]] = -1e6
    return F.softmax(rows.reshape(X.shape), dim=-1)


def repeated(X: Tensor, valid_lens: Tensor) -> Tensor:
    lens = valid_lens.repeat(X.shape[1]) if valid_lens.dim() == 1 else valid_lens.flatten()
    drop = torch.arange(X.shape[-1])[None] >= lens[:, None]
    weights = X.clone().reshape(-1, X.shape[-1]).masked_fill(drop, -torch.inf).softmax(-1)
    return weights.reshape(X.shape).nan_to_num(0)


def shared_after(X: Tensor, valid_lens: Tensor) -> Tensor:
    kept = X.softmax(-1) * keep(X, valid_lens)
    return kept / kept.sum(-1, keepdim=True)


def cut_in_a_loop(X: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.stack([x[:, :n].softmax(-1) for x, n in zip(X, valid_lens, strict=True)])


def only_per_example(X: Tensor, valid_lens: Tensor) -> Tensor:
    drop = torch.arange(X.shape[2]) >= valid_lens[:, None, None]
    return X.masked_fill(drop, -torch.inf).softmax(-1).nan_to_num(0)


def with_an_if(X: Tensor, valid_lens: Tensor) -> Tensor:
    return X * 0 if valid_lens == 0 else filled(-torch.inf)(X, valid_lens)


def low(X: Tensor, drop: Tensor) -> Tensor:
    return F.softmax(X.masked_fill(drop, -torch.inf), dim=-1).nan_to_num(0)


MASKS: Answers = [
    ("masked-softmax", lambda X, valid_lens: X.softmax(-1), "The padding is kept"),
    ("masked-softmax", masked(lambda X, n: X.softmax(-1) * keep(X, n)), "no longer sums to 1"),
    ("masked-softmax", masked(shared_after), "nothing but 0/0"),
    ("masked-softmax", masked(lambda X, n: shared_after(X, n).nan_to_num(0)), "but 0/0"),
    ("masked-softmax", masked(lambda X, n: low(X, keep(X, n))), "wrong way round"),
    (
        "masked-softmax",
        masked(lambda X, n: X.masked_fill(keep(X, n), -torch.inf).softmax(-1)),
        "wrong way round",
    ),
    (
        "masked-softmax",
        masked(lambda X, n: low(X, torch.arange(X.shape[2]) > n.reshape(len(n), -1, 1))),
        "One key too many",
    ),
    (
        "masked-softmax",
        masked(lambda X, n: low(X, torch.arange(X.shape[2]) >= n.reshape(len(n), -1, 1) - 1)),
        "One key too few",
    ),
    ("masked-softmax", filled(-1e6), "The fill is a finite number"),
    ("masked-softmax", filled(-1e4), "The fill is a finite number"),
    ("masked-softmax", filled(-1e9), "The fill is a finite number"),
    ("masked-softmax", filled(-1e12, zero=True), "The fill is a finite number"),
    ("masked-softmax", masked(lambda X, n: (X + ~keep(X, n) * -1e9).softmax(-1)), "finite number"),
    ("masked-softmax", masked(lambda X, n: (X + ~keep(X, n) * -1e6).softmax(-1)), "finite number"),
    ("masked-softmax", masked(lambda X, n: (X - ~keep(X, n) * torch.inf).softmax(-1)), "0 · (−∞)"),
    ("masked-softmax", filled(torch.finfo(torch.float32).min), "spread evenly over padding"),
    ("masked-softmax", filled(-torch.inf), "becomes NaN"),
    ("masked-softmax", filled(0.0), "A fill of 0 does not hide"),
    ("masked-softmax", filled(1e-9), "A fill of 0 does not hide"),
    ("masked-softmax", masked(lambda X, n: (X * keep(X, n)).softmax(-1)), "A fill of 0"),
    ("masked-softmax", textbook, "The fill is a finite number"),
    ("masked-softmax", textbook, "The function changes `X`"),
    ("masked-softmax", masked(repeated), "`repeat` goes round the whole list"),
    ("masked-softmax", masked(cut_in_a_loop), "Rows that were cut to their valid lengths"),
    ("masked-softmax", masked(only_per_example), "`valid_lens` may have the shape (B,) or (B, Q)"),
    ("masked-softmax", masked(with_an_if), "`valid_lens` may have the shape (B,) or (B, Q)"),
    ("masked-softmax", only_per_example, "`valid_lens` may"),
    ("masked-softmax", lambda X, n: low(X, ~keep(X, n)), "`valid_lens` may be `None`"),
    (
        "masked-softmax",
        lambda X, n: F.softmax(X if n is None else X.masked_fill(~keep(X, n), -torch.inf), dim=1),
        "along the queries",
    ),
    (
        "masked-softmax",
        lambda X, n: F.softmax(X if n is None else X.masked_fill(~keep(X, n), -torch.inf), dim=0),
        "along the batch",
    ),
    ("masked-softmax", masked(lambda X, n: X * keep(X, n)), "There is no softmax"),
    ("masked-softmax", masked(lambda X, n: X.exp() * keep(X, n)), "not divided by their sum"),
]


@pytest.mark.parametrize(("slug", "wrong", "words"), MASKS)
def test_a_classic_mistake_is_named(slug: str, wrong: Callable[..., Any], words: str) -> None:
    assert words in both(slug, wrong)


def test_scores_lie_below_any_usual_fill_and_padding_is_large() -> None:
    scores = [X for X, _ in EXERCISES["masked-softmax"].cases]
    assert min(float(X.min()) for X in scores) < -1e30
    assert any(np.isclose(float(X.min()), -2e6, rtol=1e-3) for X in scores)
    assert max(float(X.max()) for X in scores) >= 5000
