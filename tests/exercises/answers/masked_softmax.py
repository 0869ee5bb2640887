"""Answers to "masked-softmax": weights for the keys within the valid lengths, 0 for all others."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from attention_lib import length_mask, masked_softmax


def keep(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    # The mask in full, (B, Q, K), True where a key counts.
    if valid_lens is None:
        return torch.ones_like(X, dtype=torch.bool)
    return length_mask(valid_lens, X.shape[1], X.shape[2]).expand_as(X)


def in_loops(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    weights = torch.zeros_like(X)
    for b, q in np.ndindex(*X.shape[:2]):
        n = X.shape[2]
        if valid_lens is not None:
            n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, q])
        weights[b, q, :n] = torch.softmax(X[b, q, :n], 0)
    return weights


def nan_to_nothing(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    if valid_lens is None:
        return X.softmax(-1)
    return X.masked_fill(~keep(X, valid_lens), float("-inf")).softmax(-1).nan_to_num(0)


def attention_of_torch(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    bias = X.masked_fill(~keep(X, valid_lens), -torch.inf)
    pick = torch.eye(X.shape[2], dtype=X.dtype).expand(len(X), -1, -1)
    return F.scaled_dot_product_attention(
        torch.zeros_like(X[:, :, :1]), pick[..., :1], pick, attn_mask=bias
    )


def cut_and_padded(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Cut each row, take its softmax, and pad it again."""
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    lengths = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None].repeat(1, X.shape[1])
    rows = zip(X.flatten(0, 1), lengths.flatten().tolist(), strict=True)
    return torch.stack([F.pad(row[:n].softmax(0), (0, len(row) - n)) for row, n in rows]).unflatten(
        0, X.shape[:2]
    )


def packed(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    # A list of the kept parts of rows, which torch pads with zeros.
    mask = keep(X, valid_lens).flatten(0, 1)
    rows = [row[kept].softmax(0) for row, kept in zip(X.flatten(0, 1), mask, strict=True)]
    padded = pad_sequence([torch.zeros(X.shape[2], dtype=X.dtype), *rows], batch_first=True)
    return padded[1:].reshape(X.shape)


def exponentials_of_what_counts(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Avoid −∞ in a softmax: subtract the largest kept score, and never divide by 0."""
    mask = keep(X, valid_lens)
    lowest = torch.finfo(X.dtype).min
    largest = torch.where(mask, X, lowest).amax(-1, keepdim=True)
    shares = torch.where(mask, X - largest, -torch.inf).exp()
    return shares / shares.sum(-1, keepdim=True).clamp(min=1)


def in_logarithms(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    drop = ~keep(X, valid_lens)
    total = X.masked_fill(drop, -torch.inf).logsumexp(-1, keepdim=True)
    logs = X - total.masked_fill(total == -torch.inf, 0)
    return torch.exp(logs.masked_fill(drop, -torch.inf))


def with_a_place_for_nobody(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    # An empty row gives its weight to an extra key, which is cut off afterwards.
    mask = keep(X, valid_lens)
    nobody = torch.where(mask.any(-1, keepdim=True), -torch.inf, 0.0).to(X.dtype)
    return torch.cat([X.masked_fill(~mask, -torch.inf), nobody], -1).softmax(-1)[..., :-1]


def length_by_length(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Process all rows of the same length at once."""
    weights, counts = torch.zeros_like(X), keep(X, valid_lens).sum(-1)
    for n in counts.unique().tolist():
        rows = counts == n
        weights[rows] = F.pad(X[rows][:, :n].softmax(-1), (0, X.shape[2] - n))
    return weights


def prefix_by_prefix(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Read the sum of the first n exponentials off the running sums of logarithms."""
    counts = keep(X, valid_lens).sum(-1, keepdim=True)  # (B, Q, 1)
    totals = torch.logcumsumexp(X, -1).gather(-1, (counts - 1).clamp(min=0))
    places = torch.arange(X.shape[-1])
    return torch.where(places < counts, X - totals, -torch.inf).exp()


def added_mask(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Add 0 or −∞, but nothing to rows that are cleared in the end."""
    mask = keep(X, valid_lens)
    some = mask.any(-1, keepdim=True)
    bias = torch.zeros_like(X).masked_fill(~mask & some, -torch.inf)
    return torch.where(some, torch.softmax(X + bias, -1), 0)


def with_the_lowest_number(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    # The lowest number of the dtype is as good as −∞ if the remaining weights are cleared.
    mask = keep(X, valid_lens)
    filled = X.where(mask, torch.tensor(torch.finfo(X.dtype).min, dtype=X.dtype))
    return F.softmax(filled, dim=-1) * mask


def sparse(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    # A sparse tensor holds the kept scores, and its softmax ignores the rest.
    mask = keep(X, valid_lens).flatten(0, 1)
    counts = X.flatten(0, 1)[mask].double()
    scores = torch.sparse_coo_tensor(mask.nonzero().T, counts, mask.shape, check_invariants=True)
    return torch.sparse.softmax(scores, 1).to_dense().reshape(X.shape).to(X.dtype)


RIGHT: dict[str, Callable[..., Any]] = {
    "the package": masked_softmax,
    "loops": in_loops,
    "NaN to nothing": nan_to_nothing,
    "attention of torch": attention_of_torch,
    "cut and padded": cut_and_padded,
    "packed": packed,
    "exponentials of what counts": exponentials_of_what_counts,
    "in logarithms": in_logarithms,
    "a place for nobody": with_a_place_for_nobody,
    "length by length": length_by_length,
    "prefix by prefix": prefix_by_prefix,
    "the lowest number": with_the_lowest_number,
    "sparse": sparse,
}


def with_lengths(f: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """Skip the case without lengths, where the mistake has no effect."""

    def weigh(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        return X.softmax(-1) if valid_lens is None else f(X, valid_lens)

    return weigh


def filled(fill: float, clear: bool = False) -> Callable[..., Tensor]:
    def weigh(X: Tensor, valid_lens: Tensor) -> Tensor:
        weights = F.softmax(X.masked_fill(~keep(X, valid_lens), fill), dim=-1)
        return weights * keep(X, valid_lens) if clear else weights

    return with_lengths(weigh)


def below_the_lowest(X: Tensor, valid_lens: Tensor) -> Tensor:
    # A number below every score, but by less than large scores are rounded.
    drop = ~keep(X, valid_lens)
    fill = X.amin(-1, keepdim=True) - 1e4
    return torch.where(drop, fill, X).softmax(-1).masked_fill(drop, 0)


def share(X: Tensor, valid_lens: Tensor, largest: Callable[[Tensor], Tensor | float]) -> Tensor:
    """Take exponentials after a shift, and mask by multiplication."""
    kept = torch.exp(X - largest(X)) * keep(X, valid_lens)
    return kept / kept.sum(-1, keepdim=True)


def through_a_view(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Write a large negative number through a view, as much teaching code does."""
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    lens = valid_lens.repeat_interleave(X.shape[1]) if valid_lens.dim() == 1 else valid_lens
    rows = X.reshape(-1, X.shape[-1])
    rows[torch.arange(X.shape[-1])[None] >= lens.reshape(-1)[:, None]] = -1e6
    return F.softmax(rows.reshape(X.shape), dim=-1)


def lengths_repeated(X: Tensor, valid_lens: Tensor) -> Tensor:
    lens = valid_lens.repeat(X.shape[1]) if valid_lens.dim() == 1 else valid_lens.flatten()
    drop = torch.arange(X.shape[-1])[None] >= lens[:, None]
    weights = X.clone().reshape(-1, X.shape[-1]).masked_fill(drop, -torch.inf).softmax(-1)
    return weights.reshape(X.shape).nan_to_num(0)


def low(X: Tensor, drop: Tensor) -> Tensor:
    return F.softmax(X.masked_fill(drop, -torch.inf), dim=-1).nan_to_num(0)


def along_the_queries(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Broadcast lengths (B,) along the queries where there are as many as examples."""
    lens = valid_lens[None, :, None] if valid_lens.dim() == 1 else valid_lens[..., None]
    if lens.shape[1] not in (1, X.shape[1]):
        lens = lens.mT
    return low(X, torch.arange(X.shape[2]) >= lens)


def never_empty(X: Tensor, valid_lens: Tensor) -> Tensor:
    return masked_softmax(X, valid_lens.clamp(min=1))


def longest_of_an_example(X: Tensor, valid_lens: Tensor) -> Tensor:
    return masked_softmax(X, valid_lens if valid_lens.dim() == 1 else valid_lens.amax(1))


def uniform_where_empty(X: Tensor, valid_lens: Tensor) -> Tensor:
    return low(X, ~keep(X, valid_lens)) + ~keep(X, valid_lens).any(-1, keepdim=True) / X.shape[-1]


def spoilt_gradient(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Clear NaN from the weights, but not from the gradient of the scores."""
    return (X + torch.log(keep(X, valid_lens).to(X.dtype))).softmax(-1).nan_to_num(0)


def in_float32(X: Tensor, valid_lens: Tensor) -> Tensor:
    # The lowest number of float32 does not fit into float16.
    drop = ~keep(X, valid_lens)
    return X.masked_fill(drop, torch.finfo(torch.float32).min).softmax(-1).masked_fill(drop, 0)


def squeezed(X: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.stack(
        [low(x, drop) for x, drop in zip(X, ~keep(X, valid_lens), strict=True)]
    ).squeeze()


def lengths_squeezed(X: Tensor, valid_lens: Tensor) -> Tensor:
    lens = valid_lens.squeeze()
    return masked_softmax(X, lens if lens.dim() else lens[None])


def lengths_forgotten(X: Tensor, valid_lens: Tensor) -> Tensor:
    return low(X, torch.arange(X.shape[2]) >= valid_lens[:, None, None])


def only_none(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    if not isinstance(valid_lens, Tensor) or not valid_lens.all():
        return X.softmax(-1)
    return masked_softmax(X, valid_lens)


def lowest_left(X: Tensor, valid_lens: Tensor) -> Tensor:
    return X.masked_fill(~keep(X, valid_lens), torch.finfo(X.dtype).min).softmax(-1)


def cut_in_a_loop(X: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.stack([x[:, :n].softmax(-1) for x, n in zip(X, valid_lens, strict=True)])


def softmax_in_place(X: Tensor, valid_lens: Tensor) -> Tensor:
    weights = X.masked_fill(~keep(X, valid_lens), -torch.inf).softmax(-1)
    weights[~keep(X, valid_lens)] = 0
    return weights


def lowest_added(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Add the lowest number of the dtype, which turns a low score in float16 into −∞."""
    mask = keep(X, valid_lens)
    return F.softmax(X + (~mask).to(X.dtype) * torch.finfo(X.dtype).min, dim=-1) * mask


def floored(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Bound the maximum and the sum of an empty row away from −∞ and 0."""
    scores = X.masked_fill(~keep(X, valid_lens), -torch.inf)
    shares = torch.exp(scores - scores.amax(-1, keepdim=True).clamp(min=-1e4))
    return shares / shares.sum(-1, keepdim=True).clamp(min=1e-9)


def through_data(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Write −∞ through `.data`, which the gradient does not see."""
    scores = X * 1
    scores.data.masked_fill_(~keep(X, valid_lens), -torch.inf)
    return F.softmax(scores, dim=-1).nan_to_num(0)


def queries_masked(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Compare the lengths with query indices, except where each query has its own length."""
    if valid_lens.dim() == 2:
        return low(X, ~keep(X, valid_lens))
    return low(X, torch.arange(X.shape[1])[:, None] >= valid_lens[:, None, None])


WRONG: dict[str, Callable[..., Any]] = {
    "an added mask": added_mask,
    "the lowest number added": with_lengths(lowest_added),
    "the maximum and the sum clamped": with_lengths(floored),
    "−∞ through .data": with_lengths(through_data),
    "the queries masked": with_lengths(queries_masked),
    "a mask of 0 and 1 added": with_lengths(lambda X, n: (X + keep(X, n)).softmax(-1)),
    "no mask": lambda X, valid_lens: X.softmax(-1),
    "the mask afterwards": with_lengths(lambda X, n: X.softmax(-1) * keep(X, n)),
    "a fill of −1e4": filled(-1e4),
    "a fill of −1e9, cleared": filled(-1e9, clear=True),
    "a fill of −50": filled(-50),
    "−1e6 added": with_lengths(lambda X, n: (X + ~keep(X, n) * -1e6).softmax(-1)),
    "a fill below the lowest": with_lengths(below_the_lowest),
    "divided by the rest": with_lengths(lambda X, n: share(X, n, lambda X: X.amax(-1, True))),
    "the largest of all": with_lengths(lambda X, n: share(X, n, torch.max)),
    "no shift": with_lengths(lambda X, n: share(X, n, lambda X: 0.0)),
    "NaN where empty": filled(-torch.inf),
    "uniform where empty": with_lengths(uniform_where_empty),
    "never empty": with_lengths(never_empty),
    "through a view": through_a_view,
    "lengths repeated": with_lengths(lengths_repeated),
    "lengths along the queries": with_lengths(along_the_queries),
    "the longest of an example": with_lengths(longest_of_an_example),
    "one length per example only": with_lengths(lengths_forgotten),
    "one key too many": with_lengths(
        lambda X, n: low(X, torch.arange(X.shape[2]) > n.reshape(len(n), -1, 1))
    ),
    "from the end": with_lengths(lambda X, n: low(X, ~keep(X, n).flip(-1))),
    "the spoilt gradient": with_lengths(spoilt_gradient),
    "gradients cut": lambda X, n: masked_softmax(X, n).detach(),
    "float32 only": with_lengths(in_float32),
    "squeezed": with_lengths(squeezed),
    "lengths squeezed": with_lengths(lengths_squeezed),
    "no lengths where one is 0": only_none,
    "a fill of −1e6": filled(-1e6),
    "a fill of −1e9": filled(-1e9),
    "a fill of −1e12, cleared": filled(-1e12, clear=True),
    "−1e9 added": with_lengths(lambda X, n: (X + ~keep(X, n) * -1e9).softmax(-1)),
    "a mask times −∞": with_lengths(lambda X, n: (X - ~keep(X, n) * torch.inf).softmax(-1)),
    "the lowest number left": with_lengths(lowest_left),
    "a fill of 0": filled(0.0),
    "a fill near 0": filled(1e-9),
    "a product with the mask": with_lengths(lambda X, n: (X * keep(X, n)).softmax(-1)),
    "the padding": with_lengths(lambda X, n: low(X, keep(X, n))),
    "the padding, NaN where full": with_lengths(
        lambda X, n: X.masked_fill(keep(X, n), -torch.inf).softmax(-1)
    ),
    "divided by the rest, NaN to 0": with_lengths(
        lambda X, n: share(X, n, lambda X: X.amax(-1, True)).nan_to_num(0)
    ),
    "one key too few": with_lengths(
        lambda X, n: low(X, torch.arange(X.shape[2]) >= n.reshape(len(n), -1, 1) - 1)
    ),
    "along the queries": lambda X, n: F.softmax(X.masked_fill(~keep(X, n), -torch.inf), dim=1),
    "along the batch": lambda X, n: F.softmax(X.masked_fill(~keep(X, n), -torch.inf), dim=0),
    "scores": lambda X, n: X * keep(X, n),
    "exponentials": lambda X, n: X.exp().masked_fill(~keep(X, n), 0),
    "cut in a loop": with_lengths(cut_in_a_loop),
    "an if": with_lengths(
        lambda X, n: X * 0 if n == 0 else X.masked_fill(~keep(X, n), -torch.inf).softmax(-1)
    ),
    "no None": lambda X, n: low(X, ~length_mask(n, X.shape[1], X.shape[2])),
    "no None, no queries": lengths_forgotten,
    "the softmax in place": softmax_in_place,
}

NAMED = {
    "an added mask": "padding-leaks",
    "the lowest number added": "lowest-number-added",
    "the maximum and the sum clamped": "maximum-with-a-floor",
    "−∞ through .data": "empty-row-gradient",
    "the queries masked": "mask-along-queries",
    "a mask of 0 and 1 added": "mask-added",
    "no mask": "no-mask",
    "the mask afterwards": "mask-after-softmax",
    "a fill of −1e4": "finite-fill",
    "a fill of −1e9, cleared": "finite-fill",
    "−1e6 added": "finite-fill",
    "divided by the rest": "mask-after-softmax-rescaled",
    "the largest of all": "no-row-maximum",
    "no shift": "no-row-maximum",
    "NaN where empty": "empty-row-nan",
    "uniform where empty": "empty-row-uniform",
    "never empty": "never-empty",
    "through a view": "finite-fill",
    "lengths repeated": "repeated-lengths",
    "one key too many": "one-key-more",
    "from the end": "mask-from-end",
    "the spoilt gradient": "empty-row-gradient",
    "a fill of −1e6": "finite-fill",
    "a fill of −1e9": "finite-fill",
    "a fill of −1e12, cleared": "finite-fill",
    "−1e9 added": "finite-fill",
    "a mask times −∞": "zero-times-infinity",
    "the lowest number left": "empty-row-uniform",
    "a fill of 0": "zero-fill",
    "a fill near 0": "zero-fill",
    "a product with the mask": "zero-fill",
    "the padding": "inverted-mask",
    "the padding, NaN where full": "inverted-mask",
    "divided by the rest, NaN to 0": "mask-after-softmax-rescaled",
    "one key too few": "one-key-less",
    "along the queries": "softmax-along-queries",
    "along the batch": "softmax-along-batch",
    "scores": "no-softmax",
    "exponentials": "no-division",
}

MESSAGES = {
    "through a view": "The function changes `X`",
    "cut in a loop": "Rows that were cut to their valid lengths",
    "one length per example only": "`valid_lens` may have the shape (B,) or (B, Q)",
    "lengths along the queries": "`valid_lens` may have the shape (B,) or (B, Q)",
    "an if": "`valid_lens` may have the shape (B,) or (B, Q)",
    "no None": "`valid_lens` may be `None`",
    "no None, no queries": "`valid_lens` may",
    "gradients cut": "no gradient reaches `X`.",
    "the softmax in place": "such as the result of a softmax",
    "float32 only": "the lowest finite number of float16 is −65,504",
    "squeezed": "the result should have the shape (1, 3, 5); yours has (3, 5).",
}
