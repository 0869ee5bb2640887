"""Answers to "dropout": many right ones, and wrong ones that look right."""

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

Answer = Callable[[Tensor, float, Tensor], Tensor]


# Right answers


def formula(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    m = (draws >= p).to(weights.dtype)
    return m / (1 - p) * weights


def own_backward_pass(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    """Dropout is linear in the weights, so a custom backward pass applies the same mask."""

    class Drop(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):  # type: ignore[no-untyped-def]
            return torch.ops.aten.native_dropout_backward(x, draws >= p, 1 / (1 - p))

        @staticmethod
        def backward(ctx, grad):  # type: ignore[no-untyped-def]
            return torch.ops.aten.native_dropout_backward(grad, draws >= p, 1 / (1 - p))

    return Drop.apply(weights)


def loops(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    result = torch.zeros_like(weights)
    for place in np.ndindex(*weights.shape):
        if not draws[place] < p:
            result[place] = weights[place] / (1 - p)
    return result


def choice(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    return torch.where(draws < p, 0.0, weights) / (1 - p)


def filled_copy(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    result = weights.clone()
    result[draws < p] = 0
    result /= 1 - p
    return result


def step_function(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    return weights * torch.heaviside(draws - p, torch.ones_like(draws)) / (1 - p)


def places(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    """Scatter only the kept weights to their places."""
    kept = (draws >= p).flatten().nonzero()[:, 0]
    zeros = torch.zeros_like(weights).flatten()
    return zeros.index_put((kept,), weights.flatten()[kept] / (1 - p)).reshape(weights.shape)


def difference(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    """Subtract the dropped weights again."""
    return (weights - weights * (draws < p)) * (1 / (1 - p))


def sum_of_parts(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    """Add the compensation for the dropped weights: 1/(1 − p) = 1 + p/(1 − p)."""
    kept = weights.masked_fill(draws < p, 0)
    return kept + p / (1 - p) * kept


def einsum(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    mask = draws.ge(p).type_as(weights)
    return torch.einsum("bqk,bqk->bqk", weights, mask).div(1 - p)


def vmapped(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    def row(weight: Tensor, draw: Tensor) -> Tensor:
        return weight.masked_fill(draw < p, 0) / (1 - p)

    return torch.vmap(torch.vmap(row))(weights, draws)


def short_cut(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    return weights if p == 0 else F.relu((draws >= p) * weights / (1 - p))


def in_double(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    kept = weights.double() * (draws >= p).double()
    return kept.div(1 - p).to(weights.dtype)


RIGHT: dict[str, Answer] = {
    f.__name__: f
    for f in (
        formula,
        own_backward_pass,
        loops,
        choice,
        filled_copy,
        step_function,
        places,
        difference,
        sum_of_parts,
        einsum,
        vmapped,
        short_cut,
        in_double,
    )
}


# Wrong answers


def kept(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    return weights * (draws >= p)


def softmax_of_kept(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    return F.softmax(weights.masked_fill(draws < p, -torch.inf), dim=-1)


def renormalised(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    rest = kept(weights, p, draws) / (1 - p)
    return rest / rest.sum(-1, keepdim=True).clamp(min=1e-12)


def divided_by_the_share_that_is_left(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    return kept(weights, p, draws) / (draws >= p).float().mean()


def divided_by_the_share_of_each_row(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    return kept(weights, p, draws) / (draws >= p).float().mean(-1, keepdim=True).clamp(min=1e-9)


def with_a_seed(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    torch.manual_seed(0)
    return weights * (torch.rand(weights.shape) >= p) / (1 - p)


def straight_through(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    """Return the right numbers, with the gradient of doing nothing."""
    return weights + (formula(weights, p, draws) - weights).detach()


def without_gradients(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    with torch.no_grad():
        return formula(weights, p, draws)


def in_place(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    weights[draws < p] = 0
    return weights / (1 - p)


WRONG: dict[str, Answer] = {
    "not scaled": kept,
    "divided by p": lambda w, p, draws: w.where(draws >= p, 0) / p,
    "times 1/p": lambda w, p, draws: 1 / p * w * (draws >= p),
    "times 1 − p": lambda w, p, draws: kept(w, p, draws) * (1 - p),
    "divided twice": lambda w, p, draws: kept(w, p, draws) / (1 - p) ** 2,
    "divided by a root": lambda w, p, draws: kept(w, p, draws) / (1 - p) ** 0.5,
    "always doubled": lambda w, p, draws: kept(w, p, draws) * 2,
    "always dropped at ½": lambda w, p, draws: w * (draws >= 0.5) / (1 - p),
    "a rate of 1/4 for all": lambda w, p, draws: w * (draws >= 0.25) / 0.75,
    "the others kept": lambda w, p, draws: w * (draws < p) / (1 - p),
    "the others kept, unscaled": lambda w, p, draws: w * (draws < p),
    "p keeps": lambda w, p, draws: w * (draws < p) / p,
    "p keeps from above": lambda w, p, draws: w * (draws >= 1 - p) / p,
    "others, as many": lambda w, p, draws: w * (draws < 1 - p) / (1 - p),
    "greater, not equal": lambda w, p, draws: w * (draws > p) / (1 - p),
    "greater, but all at 0": lambda w, p, draws: w * ((draws > p) | (p == 0)) / (1 - p),
    "small weights dropped": lambda w, p, draws: w * (w >= p) / (1 - p),
    "rows renormalised": renormalised,
    "softmax of the kept": softmax_of_kept,
    "the share that is left": divided_by_the_share_that_is_left,
    "the share of each row": divided_by_the_share_of_each_row,
    "torch's dropout": lambda w, p, draws: F.dropout(w, p),
    "own draws": lambda w, p, draws: w * (torch.rand(w.shape) > p) / (1 - p),
    "own Bernoulli draws": lambda w, p, draws: (
        w * torch.bernoulli(torch.full(w.shape, 1 - p)) / (1 - p)
    ),
    "own draws from a seed": with_a_seed,
    "the first example's draws": lambda w, p, draws: w * (draws[0] >= p) / (1 - p),
    "the first query's draws": lambda w, p, draws: w * (draws[:, :1] >= p) / (1 - p),
    "the first key's draws": lambda w, p, draws: w * (draws[..., :1] >= p) / (1 - p),
    "columns of keys, unscaled": lambda w, p, draws: w * (draws >= p)[:, :1],
    "nothing dropped": lambda w, p, draws: w / (1 - p),
    "the kept alone": lambda w, p, draws: w[draws >= p] / (1 - p),
    "a scaled mask": lambda w, p, draws: (draws >= p) / (1 - p),
    "a mask": lambda w, p, draws: (draws >= p).float(),
    "the odds of p": lambda w, p, draws: w * (draws >= p) * (1 + 1 / (1 / p - 1)),
    "squeezed": lambda w, p, draws: formula(w, p, draws).squeeze(),
    "straight through": straight_through,
    "no_grad": without_gradients,
    "detached": lambda w, p, draws: formula(w.detach(), p, draws),
    "in place": in_place,
    "in place, method by method": lambda w, p, draws: w.mul_(draws >= p).div_(1 - p),
    "float16 inside": lambda w, p, draws: formula(w.half(), p, draws).to(w.dtype),
}

NAMED = {
    "not scaled": "no-scale",
    "divided by p": "divided-by-p",
    "times 1 − p": "times-keep",
    "the others kept": "inverted-draws",
    "the others kept, unscaled": "no-scale + inverted-draws",
    "p keeps": "p-keeps",
    "p keeps from above": "p-keeps",
    "others, as many": "other-draws",
    "greater, not equal": "equal-draw-dropped",
    "rows renormalised": "rows-rescaled",
    "softmax of the kept": "softmax-of-weights",
    "torch's dropout": "own-draws",
    "own draws": "own-draws",
    "own Bernoulli draws": "own-draws",
    "own draws from a seed": "own-draws",
    "the first example's draws": "shared-draws",
    "the first query's draws": "shared-draws",
    "columns of keys, unscaled": "no-scale + shared-draws",
    "nothing dropped": "nothing-dropped",
    "the kept alone": "dropped-removed",
    "a scaled mask": "mask-only",
    "a mask": "no-scale + mask-only",
}

MESSAGES = {
    "the odds of p": "p = 0 is allowed",
    "straight through": "of the gradient of `weights` should be 0.000",
    "no_grad": "no gradient reaches `weights`.",
    "in place": "The function changes `weights`",
    "in place, method by method": "The function changes `weights`",
}
