"""Answers to "decoder-context": the context that a decoder reads at one step."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from answers.cleaning import cleaned
from attention_lib import DotProductAttention, masked_softmax, scores, sequence_mask

Answer = Callable[[Tensor, Tensor, Tensor], Tensor]


def keep(states: Tensor, lens: Tensor) -> Tensor:
    return torch.arange(states.shape[1]) < lens[:, None]


# Right answers


def package(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    return DotProductAttention()(state[:, None], states, states, lens)[:, 0]


def attention_of_torch(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    mask = keep(states, lens)[:, None]
    return F.scaled_dot_product_attention(state[:, None], states, states, attn_mask=mask)[:, 0]


def einsum(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    fit = torch.einsum("bd,bkd->bk", state, states) / state.shape[-1] ** 0.5
    weights = torch.softmax(fit.masked_fill(~keep(states, lens), -torch.inf), dim=-1)
    return torch.einsum("bk,bkd->bd", weights, states)


def sentence_by_sentence(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    contexts = []
    for query, keys, n in zip(state, states, lens.tolist(), strict=True):
        fit = keys[:n] @ query / math.sqrt(len(query))
        contexts.append(fit.softmax(dim=0) @ keys[:n])
    return torch.stack(contexts)


def columns(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    """Scores stand in a column, and the sum runs down."""
    fit = states @ state[..., None] / math.sqrt(state.shape[1])
    weights = fit.masked_fill(~keep(states, lens)[..., None], -torch.inf).softmax(dim=1)
    return (weights * states).sum(dim=1)


def scaled_before(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    query = state.unsqueeze(1) / math.sqrt(state.shape[-1])
    return torch.bmm(masked_softmax(scores.dot(query, states), lens), states).squeeze(1)


def exponentials(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    fit = (states * state[:, None]).sum(-1) / math.sqrt(state.shape[-1])
    kept = fit.masked_fill(~keep(states, lens), -torch.inf)
    shares = (fit - kept.amax(dim=1, keepdim=True)).exp().where(keep(states, lens), 0)
    return ((shares / shares.sum(1, keepdim=True))[..., None] * states).sum(1)


def with_a_bias(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    bias = torch.zeros(states.shape[:2], dtype=state.dtype).masked_fill(
        ~keep(states, lens), -torch.inf
    )
    fit = torch.baddbmm(bias[:, None], state[:, None], states.mT, alpha=state.shape[1] ** -0.5)
    return (fit.softmax(-1) @ states)[:, 0]


def vmapped(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    def one(query: Tensor, keys: Tensor, n: Tensor) -> Tensor:
        fit = keys @ query / len(query) ** 0.5
        fit = torch.where(torch.arange(len(keys)) < n, fit, -torch.inf)
        return fit.softmax(0) @ keys

    return torch.vmap(one)(state, states, lens)


def logarithms(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    fit = torch.matmul(states, state[:, :, None])[..., 0] * state.shape[-1] ** -0.5
    fit = fit.masked_fill(~keep(states, lens), -torch.inf)
    weights = (fit - fit.logsumexp(dim=-1, keepdim=True)).exp()
    return torch.bmm(weights[:, None], states)[:, 0]


RIGHT: dict[str, Answer] = {
    f.__name__: cleaned(f, 1)
    for f in (
        package,
        attention_of_torch,
        einsum,
        sentence_by_sentence,
        columns,
        scaled_before,
        exponentials,
        with_a_bias,
        vmapped,
        logarithms,
    )
}


# Wrong answers


def look(
    ask: Callable[[Tensor, Tensor], Tensor] = lambda state, states: state[:, None],
    root: Callable[[Tensor], float] = lambda states: math.sqrt(states.shape[-1]),
    weigh: Callable[[Tensor, Tensor], Tensor] = masked_softmax,
    pool: Callable[[Tensor, Tensor], Tensor] = lambda weights, states: (weights @ states)[:, 0],
) -> Answer:
    """Make a wrong answer by replacing one part."""
    return lambda state, states, lens: pool(
        weigh(ask(state, states) @ states.mT / root(states), lens), states
    )


def no_gradient(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    return package(state.detach(), states, lens)


def zeroed(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    """Set padding to 0, which still has a score of 0."""
    states = sequence_mask(states, lens)
    return look(weigh=lambda fit, _: fit.softmax(-1))(state, states, lens)


def masked_exponentials(state: Tensor, states: Tensor, lens: Tensor) -> Tensor:
    """Subtract the largest of all scores, padding included."""
    fit = (states * state[:, None]).sum(-1) / math.sqrt(state.shape[-1])
    shares = (fit - fit.amax(dim=1, keepdim=True)).exp() * keep(states, lens)
    return ((shares / shares.sum(1, keepdim=True))[..., None] * states).sum(1)


WRONG: dict[str, Answer] = {
    "padding not cleared": look(),
    "the last state asks": look(ask=lambda state, states: states[:, -1:]),
    "the first state asks": look(ask=lambda state, states: states[:, :1]),
    "the mean asks": look(ask=lambda state, states: states.mean(1, keepdim=True)),
    "undivided": look(root=lambda states: 1.0),
    "divided by d": look(root=lambda states: states.shape[-1]),
    "by the number of states": look(root=lambda states: states.shape[1] ** 0.5),
    "no mask": look(weigh=lambda fit, _: fit.softmax(-1)),
    "a state less": look(weigh=lambda fit, lens: masked_softmax(fit, lens - 1)),
    "masked afterwards": look(
        weigh=lambda fit, lens: fit.softmax(-1) * keep(fit.mT, lens)[:, None]
    ),
    "an axis left": look(pool=lambda weights, states: weights @ states),
    "the weights": look(pool=lambda weights, states: weights[:, 0]),
    "the heaviest state": look(
        pool=lambda weights, states: states[torch.arange(len(states)), weights[:, 0].argmax(-1)]
    ),
    "the mean state": lambda state, states, lens: states.mean(1),
    "padding as zeros": zeroed,
    "no gradient to the state": no_gradient,
    "masked exponentials": masked_exponentials,
}

NAMED = {
    "padding not cleared": "padding-leaks",
    "the last state asks": "last-state-asks",
    "the first state asks": "first-state-asks",
    "undivided": "no-scale",
    "divided by d": "divided-by-d",
    "by the number of states": "root-of-count",
    "no mask": "no-mask",
    "masked afterwards": "mask-after-softmax",
    "an axis left": "axis-too-many",
    "the weights": "no-values",
    "the heaviest state": "largest-weight-only",
    "the mean state": "plain-mean",
    "masked exponentials": "mask-after-softmax-rescaled",
}

MESSAGES = {"no gradient to the state": "no gradient reaches `state`"}
