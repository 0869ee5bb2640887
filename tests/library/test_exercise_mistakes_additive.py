"""Classic mistakes as people write them are named: additive scores, and the module."""

from collections.abc import Callable
from typing import Any

import exercise_modules as m
import pytest
import torch
import torch.nn.functional as F
from exercise_answers import both
from torch import Tensor

from attention_lib import AdditiveAttention
from attention_lib.exercises import check

Pair = Callable[[Tensor, Tensor], Tensor]


def scores(
    combine: Pair = lambda q, k: torch.tanh(q + k),
    read: Pair = lambda x, w_v: (x @ w_v.T).squeeze(-1),
    pair: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]] = lambda q, k: (
        q.unsqueeze(2),
        k.unsqueeze(1),
    ),
) -> Callable[..., Tensor]:
    def f(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
        return read(combine(*pair(queries @ W_q.T, keys @ W_k.T)), w_v)

    return f


def swapped(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return scores()(queries, keys, W_k, W_q, w_v)


def not_transposed(q: Tensor, k: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    return torch.tanh((q @ W_q)[:, :, None] + (k @ W_k)[:, None]) @ w_v[0]


SCORES: list[tuple[Callable[..., Any], str]] = [
    (scores(lambda q, k: torch.tanh(q * k)), "are multiplied"),
    (scores(lambda q, k: torch.tanh(q - k)), "is subtracted"),
    (scores(lambda q, k: q + k), "tanh is missing"),
    (scores(lambda q, k: torch.sigmoid(q + k)), "is not tanh"),
    (scores(lambda q, k: F.relu(q + k)), "is not tanh"),
    (scores(lambda q, k: torch.tanh(q) + torch.tanh(k)), "each projection alone"),
    (scores(torch.add, lambda x, w_v: torch.tanh(x @ w_v[0])), "comes after `w_v`"),
    (scores(read=lambda x, w_v: x.sum(-1)), "`w_v` should weigh them"),
    (scores(read=lambda x, w_v: x), "`w_v` is still to come"),
    (scores(read=lambda x, w_v: x @ w_v.T), "The last axis of size 1"),
    (scores(read=lambda x, w_v: x @ w_v), "transpose"),
    (scores(read=lambda x, w_v: x @ w_v[0] / x.shape[-1] ** 0.5), "does not scale"),
    (scores(read=lambda x, w_v: F.softmax(x @ w_v[0], -1)), "weights, not scores"),
    (scores(pair=lambda q, k: (q[:, None], k[:, :, None])), "The axes are swapped"),
    (scores(pair=lambda q, k: (q, k)), "every query meets every key"),
    (scores(pair=lambda q, k: (q[:, : k.shape[1]], k[:, : q.shape[1]])), "meets key i only"),
    (swapped, "`W_q` and `W_k` are swapped"),
    (not_transposed, "transpose"),
]


MODULES: list[tuple[type, str]] = [
    (m.Biased, "`W_k` has a bias"),
    (m.Reversed, "the weight of `W_q` should have the shape (13, 5); yours has (5, 13)"),
    (m.SizesSwapped, "the weight of `W_q` should have the shape (13, 5); yours has (13, 11)"),
    (m.Halfway, "has no `W_q`, `w_v` yet"),
    (m.NoSuper, "Call `super().__init__()` first"),
    (m.NoInit, "The class needs an `__init__` that takes these four"),
    (m.ThreeSizes, "The class needs an `__init__` that takes these four"),
    (m.Bare, "`w_v` should be an `nn.Linear` without bias; it is of type `Parameter`"),
    (m.Plain, "yours makes an object of type `Plain`"),
    (m.Unfinished, "Nothing came back."),
    (m.Multiplied, "are multiplied"),
    (m.Linear, "tanh is missing"),
    (m.Unsqueezed, "every query meets every key"),
    (m.Unmasked, "The padding is kept"),
    (m.UniformWhenEmpty, "spread evenly over padding"),
    (m.Mean, "plain mean"),
    (m.Both, "Return only the tensor"),
    (m.DroppedAlways, "still at work after `eval()`"),
    (m.NeverDropped, "`dropout` does nothing"),
    (m.OutputDropped, "dropout acts in the wrong place"),
    (m.ScoresDropped, "dropout acts in the wrong place"),
    (m.StoredAfterwards, "holds the weights after dropout"),
    (m.StoredScores, "should hold the weights of the last call"),
    (m.FailsInTraining, "With `train()` and no lengths: your code raised `ValueError`: not today"),
]


@pytest.mark.parametrize(
    ("slug", "wrong", "words"),
    [("additive-scores", *pair) for pair in SCORES]
    + [("additive-attention", *pair) for pair in MODULES],
)
def test_a_classic_mistake_is_named(slug: str, wrong: Callable[..., Any], words: str) -> None:
    assert words in both(slug, wrong)


def test_the_module_in_which_nothing_is_wrong_passes() -> None:
    assert check("additive-attention", m.Module)


def test_an_instance_is_told_from_a_class() -> None:
    words = "Give it the class, without parentheses."
    assert words in repr(check("additive-attention", AdditiveAttention(2, 3, 5)))


def test_a_factory_will_do_for_a_class() -> None:
    assert check("additive-attention", lambda *sizes: AdditiveAttention(*sizes))
