"""Answers to "attention-pooling": softmax of any scores, and the weighted sum."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.distributions import Categorical

from attention_lib import masked_softmax


def attention_of_torch(scores: Tensor, values: Tensor) -> Tensor:
    nothing = torch.zeros_like(scores[:, :, :1])
    keys = torch.zeros_like(values[:, :, :1])
    return F.scaled_dot_product_attention(nothing, keys, values, attn_mask=scores)


def row_by_row(
    scores: Tensor, values: Tensor, softmax: Callable[..., Tensor] = F.softmax
) -> Tensor:
    outputs = []
    for rows, table in zip(scores, values, strict=True):
        outputs.append(torch.stack([softmax(row, 0) @ table for row in rows]))
    return torch.stack(outputs)


def softmax_of_a_row(row: Tensor, dim: int) -> Tensor:
    exponentials = (row - max(row)).exp()
    return exponentials / exponentials.sum(dim)


def largest_taken_off(scores: Tensor, values: Tensor) -> Tensor:
    exponentials = torch.exp(scores - scores.max(-1, keepdim=True)[0])
    return exponentials / exponentials.sum(-1, keepdim=True) @ values


def divided_at_the_end(scores: Tensor, values: Tensor) -> Tensor:
    """Get the sum of the exponentials from the same product, by a value that is always 1."""
    shares = torch.exp(scores - torch.amax(scores, -1, True))
    above = torch.bmm(shares, torch.cat([values, torch.ones_like(values[..., :1])], -1))
    return above[..., :-1] / above[..., -1:]


def block_by_block(scores: Tensor, values: Tensor) -> Tensor:
    """Read two keys at a time and rescale the sums, as fast kernels do."""
    highest = torch.full_like(scores[..., :1], -torch.inf)
    below, above = torch.zeros_like(highest), values.new_zeros(*scores.shape[:2], values.shape[2])
    for s, v in zip(scores.split(2, -1), values.split(2, 1), strict=True):
        level = torch.maximum(highest, s.amax(-1, keepdim=True))
        shares, rescale = torch.exp(s - level), torch.exp(highest - level)
        below = below * rescale + shares.sum(-1, keepdim=True)
        above, highest = above * rescale + shares @ v, level
    return above / below


def through_logarithms(scores: Tensor, values: Tensor) -> Tensor:
    weights = torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
    return torch.einsum("bqk,bkv->bqv", weights, values)


def merged_in_pairs(scores: Tensor, values: Tensor) -> Tensor:
    groups = list(zip(scores.unbind(-1), values[:, None].unbind(2), strict=True))
    while len(groups) > 1:
        (s, v), (t, u) = groups.pop(), groups.pop()
        share = torch.sigmoid(s - t)[..., None]
        groups.insert(0, (torch.logaddexp(s, t), share * v + (1 - share) * u))
    return groups[0][1].expand(*scores.shape[:2], -1)


def each_weight_from_all_differences(scores: Tensor, values: Tensor) -> Tensor:
    differences = scores[..., None, :] - scores[..., :, None]  # (B, Q, K, K)
    return torch.matmul(1 / differences.clamp(max=80).exp().sum(-1), values)


def expected_value(scores: Tensor, values: Tensor) -> Tensor:
    weights = Categorical(logits=scores).probs
    return torch.sum(weights.unsqueeze(-1) * values.unsqueeze(1), dim=2)


def slope_of_the_soft_maximum(scores: Tensor, values: Tensor) -> Tensor:
    level = scores.clone() if scores.requires_grad else scores.clone().requires_grad_()
    top = torch.logsumexp(level, -1).sum()
    return torch.autograd.grad(top, level, create_graph=True)[0] @ values


def from_the_lowest(scores: Tensor, values: Tensor) -> Tensor:
    """Sorted scores, of which the last is the largest."""
    rising, order = scores.sort(-1)
    shares = torch.exp2((rising - rising[..., -1:]) * 1.4426950408889634)
    own = shares.gather(-1, order.argsort(-1))
    return own @ values / own.sum(-1, keepdim=True)


def divided_by_the_norm(scores: Tensor, values: Tensor) -> Tensor:
    shares = scores.sub(scores.amax(-1, keepdim=True)).exp()
    return F.normalize(shares, p=1, dim=-1) @ values


def on_the_other_side(scores: Tensor, values: Tensor) -> Tensor:
    return torch.baddbmm(
        torch.zeros_like(values.mT[:, :, :1]), values.mT, nn.Softmax(dim=1)(scores.mT)
    ).mT


def sorted_in_double(scores: Tensor, values: Tensor) -> Tensor:
    rising, order = scores.double().sort(-1)
    weights = F.softmin(rising[..., -1:] - rising, dim=-1)
    index = order[..., None].expand(-1, -1, -1, values.shape[-1])
    sorted_values = values[:, None].expand(-1, scores.shape[1], -1, -1).gather(2, index)
    return (weights[..., None] * sorted_values).sum(2).to(values.dtype)


RIGHT: dict[str, Callable[..., Any]] = {
    "attention of torch": attention_of_torch,
    "row by row": lambda scores, values: row_by_row(scores, values, softmax_of_a_row),
    "the largest taken off": largest_taken_off,
    "divided at the end": divided_at_the_end,
    "block by block": block_by_block,
    "through logarithms": through_logarithms,
    "merged in pairs": merged_in_pairs,
    "each weight from all differences": each_weight_from_all_differences,
    "slope of the soft maximum": slope_of_the_soft_maximum,
    "from the lowest": from_the_lowest,
    "divided by the norm": divided_by_the_norm,
}

FORBIDDEN = {
    "the softmax": (
        lambda scores, values: scores.softmax(-1) @ values,
        "without `torch.softmax` and its relatives, and your code calls `softmax`",
    ),
    "row by row, by torch": (row_by_row, "calls `softmax`"),
    "an expected value": (expected_value, "calls `softmax`"),
    "on the other side": (on_the_other_side, "calls `softmax`"),
    "sorted in float64": (sorted_in_double, "calls `softmin`"),
    "its logarithm": (lambda s, v: s.log_softmax(-1).exp() @ v, "calls `log_softmax`"),
    "the package": (lambda s, v: masked_softmax(s, None) @ v, "calls `softmax`"),
}


def by_hand(shift: Callable[[Tensor], Tensor], dim: int = -1) -> Callable[..., Tensor]:
    def pool(scores: Tensor, values: Tensor) -> Tensor:
        exponentials = torch.exp(shift(scores))
        return exponentials / exponentials.sum(dim, keepdim=True) @ values

    return pool


def weighed(weigh: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    return lambda scores, values: weigh(scores) @ values


def largest_per_example(scores: Tensor) -> Tensor:
    return scores - scores.amax((1, 2), keepdim=True)


def the_best_two(scores: Tensor) -> Tensor:
    best = scores.topk(min(2, scores.shape[-1])).values[..., -1:]
    return scores.masked_fill(scores < best, -torch.inf).softmax(-1)


def in_double_without_a_shift(scores: Tensor) -> Tensor:
    exponentials = scores.double().exp()
    return (exponentials / exponentials.sum(-1, keepdim=True)).to(scores.dtype)


def nan_to_nothing(scores: Tensor) -> Tensor:
    exponentials = scores.exp()
    return (exponentials / exponentials.sum(-1, keepdim=True)).nan_to_num(0)


def sparse(scores: Tensor) -> Tensor:
    # The nearest point of the simplex instead of the softmax.
    falling = scores.sort(-1, descending=True).values
    count = torch.arange(1, scores.shape[-1] + 1)
    levels = (falling.cumsum(-1) - 1) / count
    support = (falling > levels).sum(-1, keepdim=True)
    return (scores - levels.gather(-1, support - 1)).clamp(min=0)


def argument_changed(scores: Tensor, values: Tensor) -> Tensor:
    scores -= scores.amax(-1, keepdim=True)
    return scores.softmax(-1) @ values


def squeezed(scores: Tensor, values: Tensor) -> Tensor:
    return (scores.softmax(-1).squeeze() @ values.squeeze()).reshape(*scores.shape[:2], -1)


def result_squeezed(scores: Tensor, values: Tensor) -> Tensor:
    return torch.einsum("bqk,bkv->bqv", scores.softmax(-1), values).squeeze()


def by_key(scores: Tensor, values: Tensor) -> Tensor:
    """Score along the wrong axis, which runs where there are as many queries as keys."""
    return torch.einsum("bkq,bkv->bqv", scores.softmax(-1), values)


WRONG: dict[str, Callable[..., Any]] = {
    "no shift": by_hand(lambda s: s),
    "the largest of all": by_hand(lambda s: s - s.max()),
    "the largest of an example": by_hand(largest_per_example),
    "the largest of a column": by_hand(lambda s: s - s.amax(1, keepdim=True)),
    "the largest size": by_hand(lambda s: s - s.abs().amax(-1, keepdim=True)),
    "shifted by the mean": by_hand(lambda s: s - s.mean(-1, keepdim=True)),
    "shifted by the first": by_hand(lambda s: s - s[..., :1]),
    "cut at 50": by_hand(lambda s: s.clamp(-50, 50)),
    "divided by the largest": by_hand(lambda s: s / s.abs().amax(-1, keepdim=True)),
    "float64 without a shift": weighed(in_double_without_a_shift),
    "NaN to 0": weighed(nan_to_nothing),
    "along the queries": weighed(lambda s: s.softmax(1)),
    "along both": weighed(lambda s: s.flatten(1).softmax(1).reshape(s.shape)),
    "divided by √K": weighed(lambda s: (s / s.shape[-1] ** 0.5).softmax(-1)),
    "divided by √V": lambda s, v: (s / v.shape[-1] ** 0.5).softmax(-1) @ v,
    "the softmax twice": weighed(lambda s: s.softmax(-1).softmax(-1)),
    "the best two": weighed(the_best_two),
    "a sparse softmax": weighed(sparse),
    "base 2": weighed(lambda s: (s * 0.6931472).softmax(-1)),
    "sigmoids": weighed(lambda s: s.sigmoid() / s.sigmoid().sum(-1, keepdim=True)),
    "by key": by_key,
    "half precision": weighed(lambda s: s.half().softmax(-1).to(s.dtype)),
    "gradients cut": weighed(lambda s: s.softmax(-1).detach()),
    "an argument changed": argument_changed,
    "squeezed": squeezed,
    "result squeezed": result_squeezed,
    "along the batch": weighed(lambda s: s.softmax(0)),
    "a softmax without dim": lambda s, v: F.softmax(s) @ v,
    "shared by hand along the queries": by_hand(lambda s: s, dim=1),
    "scores": torch.bmm,
    "exponentials": weighed(torch.exp),
    "shares of the scores": weighed(lambda s: s / s.sum(-1, keepdim=True)),
    "weights": lambda s, v: s.softmax(-1),
    "weights transposed": lambda s, v: s.softmax(-1).mT @ v,
    "scores transposed": lambda s, v: s.mT.softmax(-1) @ v,
    "values transposed": lambda s, v: s.softmax(-1) @ v.mT,
    "entry by entry": lambda s, v: s.softmax(-1) * v,
    "a sum without its axis": lambda s, v: s.exp() / s.exp().sum(-1) @ v,
    "a maximum without its axis": lambda s, v: (s - s.amax(-1)).softmax(-1) @ v,
    "the plain mean": lambda s, v: v.mean(1, keepdim=True).repeat(1, s.shape[1], 1),
    "the mean of what is weighted": lambda s, v: (s.softmax(-1)[..., None] * v[:, None]).mean(2),
}

NAMED = {
    "no shift": "overflow",
    "the largest of all": "maximum-of-many-rows",
    "the largest of an example": "maximum-of-many-rows",
    "the largest of a column": "maximum-of-many-rows",
    "shifted by the mean": "overflow",
    "float64 without a shift": "overflow",
    "NaN to 0": "overflow",
    "along the queries": "softmax-along-queries",
    "shared by hand along the queries": "softmax-along-queries + overflow",
    "along the batch": "softmax-along-batch",
    "a softmax without dim": "softmax-along-batch",
    "scores": "no-softmax",
    "exponentials": "no-division",
    "shares of the scores": "no-exponential",
    "weights": "no-values",
    "weights transposed": "transposed-weights",
    "scores transposed": "softmax-along-queries + transposed-weights",
    "the plain mean": "plain-mean",
    "the mean of what is weighted": "mean-over-keys",
}

MESSAGES = {
    "values transposed": "Is a transpose missing",
    "entry by entry": "entry by entry",
    "a sum without its axis": "keepdim=True",
    "a maximum without its axis": "keepdim=True",
    "gradients cut": "no gradient reaches `scores`.",
    "an argument changed": "The function changes `scores`",
    "result squeezed": "the result should have the shape (1, 2, 5); yours has (2, 5).",
}
