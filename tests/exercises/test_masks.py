"""Every exercise with a mask refuses what the others call wrong, and says what it is."""

from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import Tensor

from attention_lib.exercises import EXERCISES
from attention_lib.exercises.engine.judging import judge_function

Weigh = Callable[[Tensor, Tensor], Tensor]  # scores and mask (B, Q, K) to weights

MASKED = (
    "masked-softmax",
    "additive-attention",
    "scaled-dot-product-attention",
    "soft-alignment",
    "self-attention",
    "decoder-context",
)


def _softmax(X: Tensor, keep: Tensor) -> Tensor:
    """Be right but for what is done to the scores."""
    return X.softmax(-1).masked_fill(~keep, 0)


def _unshifted(X: Tensor, keep: Tensor) -> Tensor:
    kept = X.exp().masked_fill(~keep, 0)
    return torch.where(keep.any(-1, keepdim=True), kept / kept.sum(-1, keepdim=True), 0)


def _filled(number: float) -> Weigh:
    return lambda X, keep: _softmax(X.masked_fill(~keep, number), keep)


def _added(number: float) -> Weigh:
    return lambda X, keep: _softmax(X + number * ~keep, keep)


WAYS: dict[str, tuple[Weigh, ...]] = {
    "mask-after-softmax": (lambda X, keep: X.softmax(-1) * keep,),
    "finite-fill": (_filled(-1e4), _filled(-1e6), _filled(-1e9), _added(-1e4), _added(-1e9)),
    "no-row-maximum": (_unshifted,),
}


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("slug", MASKED)
def test_a_mistake_of_the_mask_is_named_wherever_it_is_made(slug: str, name: str) -> None:
    for way in WAYS[name]:
        wrong = partial(EXERCISES[slug].solution, whole=way)
        assert judge_function(EXERCISES[slug], wrong).mistakes == (name,)
