"""Answers to "temperature": many right ones, and wrong ones that look right."""

from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

Answer = Callable[[Tensor, float, Tensor], Any]


def sums(logits: Tensor, t: float) -> Tensor:
    return torch.softmax(logits / t, dim=-1).cumsum(dim=-1)


# Right answers


def counted(logits: Tensor, t: float, u: Tensor) -> Tensor:
    return (sums(logits, t) <= u[:, None]).sum(-1)


def first_above(logits: Tensor, t: float, u: Tensor) -> Tensor:
    return (sums(logits, t) > u.unsqueeze(-1)).int().argmax(-1)


def searched(logits: Tensor, t: float, u: Tensor) -> Tensor:
    return torch.searchsorted(sums(logits, t), u[:, None], right=True)[:, 0]


def loops(logits: Tensor, t: float, u: Tensor) -> Tensor:
    drawn = []
    for row, limit in zip(logits, u.tolist(), strict=True):
        total = 0.0
        for i, p in enumerate(F.softmax(row / t, 0).tolist()):
            total += p
            if total > limit:
                drawn.append(i)
                break
    return torch.tensor(drawn)


def accumulated(logits: Tensor, t: float, u: Tensor) -> Tensor:
    rows = torch.softmax(logits / t, -1).tolist()
    pairs = zip(rows, u.tolist(), strict=True)
    return torch.tensor([sum(s <= limit for s in accumulate(row)) for row, limit in pairs])


def triangle(logits: Tensor, t: float, u: Tensor) -> Tensor:
    """Add up by a product with a triangle of ones."""
    p = torch.softmax(logits / t, -1)
    ones = torch.ones(p.shape[-1], p.shape[-1], dtype=p.dtype)
    return (p @ ones.triu() <= u[:, None]).sum(-1)


def subtracted(logits: Tensor, t: float, u: Tensor) -> Tensor:
    """Take each probability off u, until it is below 0."""
    rest, drawn = u, torch.zeros(len(u), dtype=torch.int64)
    for p in torch.softmax(logits / t, -1).unbind(-1):
        rest = rest - p
        drawn = drawn + (rest >= 0)
    return drawn


def array(logits: Tensor, t: float, u: Tensor) -> Tensor:
    """Search row by row with NumPy."""
    rows = sums(logits, t).numpy()
    found = [np.searchsorted(r, x, side="right") for r, x in zip(rows, u.numpy(), strict=True)]
    return torch.tensor(np.array(found))


def vmapped(logits: Tensor, t: float, u: Tensor) -> Tensor:
    def one(row: Tensor, limit: Tensor) -> Tensor:
        return (torch.softmax(row / t, 0).cumsum(0) <= limit).sum()

    return torch.vmap(one)(logits, u)


def logarithms(logits: Tensor, t: float, u: Tensor) -> Tensor:
    """Compare logarithms: those of sums grow as the sums do."""
    totals = torch.logcumsumexp(F.log_softmax(logits / t, -1), -1)
    return (totals.exp() <= u[:, None]).sum(-1)


def scaled_u(logits: Tensor, t: float, u: Tensor) -> Tensor:
    """Multiply u by the sum of the exponentials, instead of dividing by it."""
    terms = (logits / t - (logits / t).amax(-1, keepdim=True)).exp()
    return (terms.cumsum(-1) <= u[:, None] * terms.sum(-1, keepdim=True)).sum(-1)


def small_integers(logits: Tensor, t: float, u: Tensor) -> Tensor:
    return counted(logits, t, u).int()


def last_below(logits: Tensor, t: float, u: Tensor) -> Tensor:
    """Find the last word before whose probability the sum is at most u."""
    before = sums(logits, t).roll(1, -1)
    before[:, 0] = 0
    places = torch.arange(logits.shape[-1])
    return torch.where(before <= u[:, None], places, 0).amax(-1)


RIGHT: dict[str, Answer] = {
    f.__name__: f
    for f in (
        counted,
        first_above,
        searched,
        loops,
        accumulated,
        triangle,
        subtracted,
        array,
        vmapped,
        logarithms,
        scaled_u,
        small_integers,
        last_below,
    )
}


# Wrong answers


def at(
    soften: Callable[[Tensor, float], Tensor] = lambda logits, t: logits / t,
    weigh: Callable[[Tensor, float], Tensor] = lambda x, t: torch.softmax(x, -1),
    add: Callable[[Tensor], Tensor] = lambda p: p.cumsum(-1),
    choose: Callable[[Tensor, Tensor], Tensor] = lambda s, u: (s <= u[:, None]).sum(-1),
) -> Answer:
    """Replace parts of the solution."""
    return lambda logits, t, u: choose(add(weigh(soften(logits, t), t)), u)


def renormalised(p: Tensor, t: float) -> Tensor:
    divided = torch.softmax(p, -1) / t
    return divided / divided.sum(-1, keepdim=True)


def exponentials(x: Tensor, t: float) -> Tensor:
    return x.exp() / x.exp().sum(-1, keepdim=True)


def in_place(logits: Tensor, t: float, u: Tensor) -> Tensor:
    logits /= t
    return counted(logits, 1.0, u)


def drawn(logits: Tensor, t: float, u: Tensor) -> Tensor:
    return torch.multinomial(torch.softmax(logits / t, -1), 1)[:, 0]


def gumbel(logits: Tensor, t: float, u: Tensor) -> Tensor:
    """Draw rightly, but by noise of its own."""
    return F.gumbel_softmax(logits, t, hard=True).argmax(-1)


WRONG: dict[str, Answer] = {
    "multiplied": at(lambda logits, t: logits * t),
    "no temperature": at(lambda logits, t: logits),
    "renormalised": at(lambda logits, t: logits, renormalised),
    "probabilities divided": at(lambda logits, t: logits, lambda x, t: torch.softmax(x, -1) / t),
    "twice": at(lambda logits, t: logits / t / t),
    "square root": at(lambda logits, t: logits / t**0.5),
    "along the batch": at(weigh=lambda x, t: torch.softmax(x, 0)),
    "logits added up": at(weigh=lambda x, t: x),
    "not added up": at(add=lambda p: p),
    "not added up, first above": at(
        add=lambda p: p, choose=lambda p, u: (p > u[:, None]).int().argmax(-1)
    ),
    "added up along the batch": at(add=lambda p: p.cumsum(0)),
    "the likeliest": lambda logits, t, u: logits.argmax(-1),
    "the likeliest after all": lambda logits, t, u: torch.softmax(logits / t, -1).max(-1).indices,
    "at least u": at(choose=lambda s, u: (s >= u[:, None]).int().argmax(-1)),
    "searched from the left": at(
        choose=lambda s, u: torch.searchsorted(s, u[:, None].contiguous())[:, 0]
    ),
    "one more": at(choose=lambda s, u: (s <= u[:, None]).sum(-1) + 1),
    "one less": at(choose=lambda s, u: (s <= u[:, None]).sum(-1) - 1),
    "from the end": at(choose=lambda s, u: (s <= 1 - u[:, None]).sum(-1)),
    "counted above": at(choose=lambda s, u: (s > u[:, None]).sum(-1)),
    "one u for all": at(choose=lambda s, u: (s <= u[0]).sum(-1)),
    "u along the words": at(choose=lambda s, u: (s <= u).sum(-1)),
    "own draws": drawn,
    "Gumbel noise": gumbel,
    "exponentials": at(weigh=exponentials),
    "exponentials, multiplied": at(lambda logits, t: logits * t, exponentials),
    "not divided": at(weigh=lambda x, t: x.exp()),
    "a column": at(choose=lambda s, u: (s <= u[:, None]).sum(-1, keepdim=True)),
    "decimals": lambda logits, t, u: counted(logits, t, u).to(logits.dtype),
    "the probability": lambda logits, t, u: torch.softmax(logits / t, -1).gather(
        -1, counted(logits, t, u)[:, None].clamp(max=logits.shape[-1] - 1)
    )[:, 0],
    "a mask": lambda logits, t, u: sums(logits, t) > u[:, None],
    "a list": lambda logits, t, u: counted(logits, t, u).tolist(),
    "in place": in_place,
}

NAMED = {
    "multiplied": "multiplied",
    "no temperature": "without-temperature",
    "renormalised": "without-temperature",
    "probabilities divided": "probabilities-divided",
    "twice": "applied-twice",
    "along the batch": "softmax-along-batch",
    "logits added up": "logits-added-up",
    "not added up": "not-added-up",
    "not added up, first above": "not-added-up",
    "added up along the batch": "added-up-along-batch",
    "the likeliest": "argmax",
    "the likeliest after all": "argmax",
    "at least u": "equal-counts",
    "searched from the left": "equal-counts",
    "one more": "one-too-far",
    "one less": "one-too-few",
    "from the end": "from-the-end",
    "one u for all": "first-draw-for-all",
    "u along the words": "draws-along-words",
    "own draws": "own-draws",
    "exponentials": "overflow",
    "exponentials, multiplied": "multiplied",
    "not divided": "no-division",
}

MESSAGES = {
    "a column": "should have the shape (11,); yours has (11, 1)",
    "decimals": "An index needs an integer type",
    "a mask": "should have the shape (11,)",
    "a list": "yours is of type `list`",
    "in place": "The function changes `logits`",
    "counted above": "should be 0, but yours is 7.",
}
