"""Answers to "scaled-dot-product-attention": right ones, and wrong ones that look right."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from answers.cleaning import cleaned
from attention_lib import DotProductAttention, masked_softmax

Answer = Callable[..., Any]
Weigh = Callable[[Tensor, Tensor | None], Tensor]


def keep(X: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.arange(X.shape[2]) < valid_lens.reshape(len(X), -1, 1)


def share(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    if valid_lens is None:
        return X.softmax(-1)
    kept = keep(X, valid_lens)
    return X.where(kept, torch.finfo(X.dtype).min).softmax(-1) * kept


def scaled(q: Tensor, k: Tensor) -> Tensor:
    return torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])


# Right answers


def with_torch(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    mask = None if valid_lens is None else keep(q @ k.mT, valid_lens)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def loops(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    outputs = q.new_zeros(*q.shape[:2], v.shape[2])
    for b, i in np.ndindex(*q.shape[:2]):
        n = k.shape[1]
        if valid_lens is not None:
            n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, i])
        scores = k[b, :n] @ q[b, i] / q.shape[2] ** 0.5
        outputs[b, i] = F.softmax(scores, 0) @ v[b, :n]
    return outputs


def chapter(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    scores = q / q.shape[-1] ** 0.5 @ k.mT
    if valid_lens is None:
        return torch.softmax(scores, dim=-1) @ v
    lengths = valid_lens.reshape(len(valid_lens), -1, 1)  # (B, 1 or Q, 1)
    kept = torch.arange(k.shape[1]) < lengths
    fill = torch.where(lengths == 0, 0.0, -torch.inf)  # no row all -inf
    weights = torch.softmax(torch.where(kept, scores, fill), dim=-1)
    return (weights * kept) @ v


def einsum(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    scores = torch.einsum("bqd,bkd->bqk", q, k) * q.size(-1) ** -0.5
    return torch.einsum("bqk,bkv->bqv", share(scores, valid_lens), v)


def own_softmax(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Shifted by the largest valid score; the sum is divided by at the very end."""
    scores = scaled(q, k)
    kept = torch.ones_like(scores) if valid_lens is None else keep(scores, valid_lens).to(q)
    kept = kept.expand_as(scores).bool()
    low = torch.finfo(q.dtype).min
    top = scores.masked_fill(~kept, low).amax(-1, keepdim=True).detach()
    shares = torch.exp((scores - top).masked_fill(~kept, -torch.inf))
    return (shares @ v) / shares.sum(-1, keepdim=True).clamp(min=0.5)


def log_sum_exp(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    scores = scaled(q, k)
    if valid_lens is None:
        return torch.exp(scores - scores.logsumexp(-1, keepdim=True)) @ v
    kept = keep(scores, valid_lens)
    scores = scores.masked_fill(~kept, torch.finfo(q.dtype).min)
    return (torch.exp(scores - scores.logsumexp(-1, keepdim=True)) * kept) @ v


def key_by_key(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """One key after the other, with a running maximum, as fused kernels do it."""
    lengths = torch.tensor(k.shape[1]) if valid_lens is None else valid_lens
    lengths = lengths.reshape(-1, 1) if lengths.dim() < 2 else lengths
    top = q.new_full((*q.shape[:2], 1), -torch.inf)
    total, pooled = torch.zeros_like(top), q.new_zeros(*q.shape[:2], v.shape[2])
    for j in range(k.shape[1]):
        scores = (q * k[:, j, None]).sum(-1, keepdim=True) / q.shape[-1] ** 0.5
        scores = scores.where((j < lengths)[..., None], -torch.inf)
        higher = torch.maximum(top, scores).detach()
        finite = higher.clamp(min=torch.finfo(q.dtype).min)
        old, new = torch.exp(top - finite), torch.exp(scores - finite)
        total, pooled, top = total * old + new, pooled * old + new * v[:, j, None], higher
    return pooled / total.where(total > 0, 1)


def scaled_on_both_sides(
    q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None
) -> Tensor:
    """Divide queries and keys by the fourth root of d each."""
    root = q.shape[-1] ** 0.25
    return share((q / root).matmul((k / root).permute(0, 2, 1)), valid_lens) @ v


def vmapped(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Write the formula for one query, and let vmap loop."""
    every = torch.full(q.shape[:2], k.shape[1]) if valid_lens is None else valid_lens
    if every.dim() == 1:
        every = every[:, None].expand(q.shape[:2])

    def attend(query: Tensor, keys: Tensor, values: Tensor, n: Tensor) -> Tensor:
        valid = torch.arange(len(keys)) < n
        scores = (keys @ query / len(query) ** 0.5).masked_fill(~valid, -torch.inf)
        return scores.softmax(0).masked_fill(~valid, 0) @ values

    over_queries = torch.vmap(attend, in_dims=(0, None, None, 0))
    return torch.vmap(over_queries)(q, k, v, every)


def with_a_sink(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Add a key with value 0, which only an empty row attends to."""
    scores = scaled(q, k)
    kept = torch.ones_like(scores, dtype=torch.bool)
    if valid_lens is not None:
        kept = keep(scores, valid_lens).expand_as(scores)
    empty = ~kept.any(-1, keepdim=True)
    sink = torch.where(empty, 0.0, -torch.inf).to(q)
    weights = torch.cat([scores.masked_fill(~kept, -torch.inf), sink], -1).softmax(-1)
    return weights @ F.pad(v, (0, 0, 0, 1))


def powers_of_two(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Use that e to the x is 2 to the x/ln 2."""
    scores = scaled(q, k)
    if valid_lens is not None:
        scores = scores.masked_fill(~keep(scores, valid_lens), -torch.inf)
    top = scores.amax(-1, keepdim=True).detach().clamp(min=torch.finfo(q.dtype).min)
    shares = torch.exp2((scores - top) / math.log(2))
    total = shares.sum(-1, keepdim=True)
    return shares / total.where(total > 0, 1) @ v


def in_double(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    return einsum(q.double(), k.double(), v.double(), valid_lens).to(q.dtype)


def flat_batch(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Use one matrix for all examples, and mask the keys of other examples."""
    (B, Q, d), K = q.shape, k.shape[1]
    scores = (q.reshape(-1, d) @ k.reshape(-1, d).T / d**0.5).reshape(B, Q, B, K)
    own = torch.eye(B, dtype=torch.bool)[:, None, :, None].expand(B, Q, B, K)
    if valid_lens is not None:
        own = own & keep(q @ k.mT, valid_lens).expand(B, Q, K)[:, :, None]
    weights = scores.masked_fill(~own, -torch.inf).reshape(B, Q, B * K).softmax(-1)
    weights = weights.masked_fill(~own.reshape(B, Q, B * K), 0)
    return (weights.reshape(B * Q, -1) @ v.reshape(-1, v.shape[-1])).reshape(B, Q, -1)


def positional(*args: Any, **named: Any) -> Tensor:
    """Accept positional and keyword arguments."""
    return einsum(*args, **named)


def with_the_library(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    return masked_softmax(scaled(q, k), valid_lens) @ v


def mask_in_a_loop(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """No function of torch is called in the loop."""
    scores = scaled(q, k)
    if valid_lens is None:
        return scores.softmax(-1) @ v
    lens = valid_lens.reshape(len(q), -1, 1).expand(*q.shape[:2], 1).squeeze(-1).tolist()
    kept = torch.tensor([[[j < n for j in range(k.shape[1])] for n in row] for row in lens])
    return scores.where(kept, torch.finfo(q.dtype).min).softmax(-1) * kept @ v


RIGHT: dict[str, Answer] = {
    f.__name__: cleaned(f, 1, 2)
    for f in (
        with_torch,
        chapter,
        einsum,
        own_softmax,
        log_sum_exp,
        scaled_on_both_sides,
        vmapped,
        with_a_sink,
        powers_of_two,
        in_double,
        flat_batch,
        positional,
    )
}

LIBRARY = "the task asks you to do it without `attention_lib`, and your code calls "
LOOP = "the task asks you to do it without a loop"
FORBIDDEN = {
    "the library's module": (DotProductAttention().eval(), LIBRARY + "`DotProductAttention`."),
    "with_the_library": (cleaned(with_the_library, 1, 2), LIBRARY + "`masked_softmax`."),
    "loops": (cleaned(loops, 1, 2), LOOP),
    "key_by_key": (cleaned(key_by_key, 1, 2), LOOP),
    "mask_in_a_loop": (cleaned(mask_in_a_loop, 1, 2), LOOP),
}


# Wrong answers


def attend(
    scale: Callable[[Tensor, Tensor], float] = lambda q, k: math.sqrt(q.shape[-1]),
    weigh: Weigh = masked_softmax,
    product: Callable[[Tensor, Tensor], Tensor] = lambda q, k: torch.bmm(q, k.transpose(1, 2)),
    pool: Callable[[Tensor, Tensor], Tensor] = torch.bmm,
) -> Answer:
    """Replace parts of the solution."""

    def f(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
        return pool(weigh(product(q, k) / scale(q, k), valid_lens), v)

    return f


def unscaled(q: Tensor, k: Tensor) -> float:
    return 1.0


def forget(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    return X.softmax(-1)


def masked(f: Callable[[Tensor, Tensor], Tensor]) -> Weigh:
    """Skip the case without lengths, where the mistake has no effect."""
    return lambda X, valid_lens: X.softmax(-1) if valid_lens is None else f(X, valid_lens)


def filled(fill: float) -> Weigh:
    return masked(lambda X, n: F.softmax(X.masked_fill(~keep(X, n), fill), dim=-1))


def cut_in_a_loop(X: Tensor, valid_lens: Tensor) -> Tensor:
    return torch.stack([x[:, :n].softmax(-1) for x, n in zip(X, valid_lens, strict=True)])


def only_per_example(X: Tensor, valid_lens: Tensor) -> Tensor:
    drop = torch.arange(X.shape[2]) >= valid_lens[:, None, None]
    return X.masked_fill(drop, -torch.inf).softmax(-1).nan_to_num(0)


def first_query_decides(X: Tensor, valid_lens: Tensor) -> Tensor:
    return masked_softmax(X, valid_lens if valid_lens.dim() == 1 else valid_lens[:, 0])


def lengths_along_queries(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Broadcast lengths along the queries where there are as many queries as examples."""
    if valid_lens.dim() == 1 and len(valid_lens) == X.shape[1]:
        valid_lens = valid_lens.expand(len(X), -1)
    return masked_softmax(X, valid_lens)


def broadcast_along_queries(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Broadcast (B, K) against (B, Q, K) as (Q, K), which raises unless B equals Q."""
    drop = torch.arange(X.shape[2]) >= valid_lens[..., None]
    return X.masked_fill(drop, -torch.inf).softmax(-1).nan_to_num(0)


def queries_masked_too(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Use the lengths of the keys for the queries as well, where there are as many."""
    weights = masked_softmax(X, valid_lens)
    if X.shape[1] != X.shape[2] or valid_lens.dim() == 2:
        return weights
    return weights * (torch.arange(X.shape[1]) < valid_lens[:, None])[..., None]


def exponentials(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Use plain exponentials, which overflow or underflow for large scores."""
    shares = X.exp() if valid_lens is None else X.exp() * keep(X, valid_lens)
    return (shares / shares.sum(-1, keepdim=True)).nan_to_num(0)


def shifted_by_the_largest_of_all(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    shares = torch.exp(X - X.max())
    if valid_lens is not None:
        shares = shares.masked_fill(~keep(X, valid_lens), 0)
    return shares / shares.sum(-1, keepdim=True).clamp(min=1e-30)


def softly_divided(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Add an epsilon against 0/0, so that a row of weights sums to less than 1."""
    shares = torch.exp(X - X.amax(-1, keepdim=True))
    if valid_lens is not None:
        shares = shares * keep(X, valid_lens)
    return shares / (shares.sum(-1, keepdim=True) + 1e-2)


def bias_of_logarithms(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Hide the padding by log 0 = −∞, which makes the gradients of an empty row NaN."""
    return (X + keep(X, valid_lens).to(X).log()).softmax(-1).nan_to_num(0)


def without_gradients(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    with torch.no_grad():
        scores = scaled(q, k)
    return masked_softmax(scores, valid_lens) @ v


def cleared_in_place(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Write into the result of a softmax, which its gradient is computed from."""
    drop = ~keep(X, valid_lens).expand_as(X)
    weights = X.masked_fill(drop, -torch.inf).softmax(-1)
    weights[drop] = 0
    return weights


def without_autograd(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Disable gradients globally and never enable them again."""
    torch.set_grad_enabled(False)
    return einsum(q, k, v, valid_lens)


def without_default(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None) -> Tensor:
    return attend()(q, k, v, valid_lens)


def with_dropout(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    return F.dropout(masked_softmax(scaled(q, k), valid_lens), 0.1) @ v


def causal(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    weights = masked_softmax(scaled(q, k), valid_lens)
    return (weights.tril(k.shape[1] - q.shape[1]) if q.shape[1] == k.shape[1] else weights) @ v


def scaled_afterwards(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    return masked_softmax(q @ k.mT, valid_lens) / math.sqrt(q.shape[-1]) @ v


def scaled_by_the_values(
    q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None
) -> Tensor:
    return masked_softmax(q @ k.mT / v.shape[-1] ** 0.5, valid_lens) @ v


def squeezed_scores(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    """Squeeze the scores, so that an axis of size 1 is lost."""
    scores = (q.unsqueeze(2) @ k.unsqueeze(1).mT).squeeze() / q.shape[-1] ** 0.5
    return torch.einsum("bqk,bkv->bqv", masked_softmax(scores, valid_lens), v)


def squeezed_queries(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    return attend()(q, k, v, valid_lens).squeeze(1)


def in_place(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    q /= q.shape[-1] ** 0.5
    return masked_softmax(q @ k.mT, valid_lens) @ v


def in_bfloat16(q: Tensor, k: Tensor, v: Tensor, valid_lens: Tensor | None = None) -> Tensor:
    return einsum(q.bfloat16(), k.bfloat16(), v.bfloat16(), valid_lens).to(q.dtype)


WRONG: dict[str, Answer] = {
    "padding not cleared": chapter,
    "unscaled": attend(unscaled),
    "divided by d": attend(lambda q, k: q.shape[-1]),
    "root of K": attend(lambda q, k: k.shape[1] ** 0.5),
    "root of Q": attend(lambda q, k: q.shape[1] ** 0.5),
    "root of the values' size": scaled_by_the_values,
    "root of 64": attend(lambda q, k: 8.0),
    "multiplied by the root": attend(lambda q, k: q.shape[-1] ** -0.5),
    "scaled afterwards": scaled_afterwards,
    "scores transposed": attend(product=lambda q, k: k @ q.mT),
    "not transposed": lambda q, k, v, n=None: F.softmax(q @ k / 5**0.5, -1) @ v,
    "no pairs": lambda q, k, v, n=None: F.softmax((q * k).sum(-1), -1) @ v,
    "keys reshaped": attend(product=lambda q, k: q @ k.reshape(len(k), k.shape[2], -1)),
    "transposed where as many": attend(
        product=lambda q, k: k @ q.mT if q.shape == k.shape else q @ k.mT
    ),
    "weights transposed where square": attend(
        pool=lambda w, v: (w.mT if w.shape[1] == w.shape[2] else w) @ v
    ),
    "padding kept": attend(weigh=forget),
    "unscaled, padding kept": attend(unscaled, forget),
    "a fill of -1e6": attend(weigh=filled(-1e6)),
    "divided by d, a fill of -1e6": attend(lambda q, k: q.shape[-1], filled(-1e6)),
    "a fill of -1e9": attend(weigh=filled(-1e9)),
    "a fill of 0": attend(weigh=filled(0.0)),
    "the lowest number": attend(weigh=filled(torch.finfo(torch.float32).min)),
    "NaN when empty": attend(weigh=filled(-torch.inf)),
    "a key when empty": attend(weigh=masked(lambda X, n: masked_softmax(X, n.clamp(min=1)))),
    "masked afterwards": attend(weigh=masked(lambda X, n: X.softmax(-1) * keep(X, n))),
    "masked twice over": attend(
        weigh=masked(lambda X, n: F.softmax(X * keep(X, n), dim=-1) * keep(X, n))
    ),
    "a key too many": attend(
        weigh=masked(lambda X, n: masked_softmax(X, (n + 1).clamp(max=X.shape[2])))
    ),
    "per example only": attend(weigh=masked(only_per_example)),
    "the first query decides": attend(weigh=masked(first_query_decides)),
    "lengths along the queries": attend(weigh=masked(lengths_along_queries)),
    "lengths broadcast along the queries": attend(weigh=masked(broadcast_along_queries)),
    "queries masked too": attend(weigh=masked(queries_masked_too)),
    "cut in a loop": attend(weigh=masked(cut_in_a_loop)),
    "causal where square": causal,
    "along the queries": attend(weigh=lambda X, n: X.softmax(1)),
    "unscaled, along the queries": attend(unscaled, lambda X, n: X.softmax(1)),
    "along the batch": attend(weigh=lambda X, n: X.softmax(0)),
    "three mistakes": attend(unscaled, masked(lambda X, n: F.softmax(X * keep(X, n), dim=1))),
    "no softmax": attend(weigh=lambda X, n: X),
    "own exponentials": attend(weigh=exponentials),
    "shifted by the largest of all": attend(weigh=shifted_by_the_largest_of_all),
    "a sum with a little more": attend(weigh=softly_divided),
    "no default": without_default,
    "plain mean": lambda q, k, v, n=None: v.mean(1, keepdim=True).expand(-1, q.shape[1], -1),
    "weights": attend(pool=lambda w, v: w),
    "with dropout": with_dropout,
    "squeezed": lambda q, k, v, n=None: einsum(q, k, v, n).squeeze(),
    "scores squeezed": squeezed_scores,
    "a single query squeezed": squeezed_queries,
    "scores without gradients": without_gradients,
    "gradients turned off": without_autograd,
    "weights detached": attend(weigh=lambda X, n: masked_softmax(X, n).detach()),
    "keys detached": attend(product=lambda q, k: q @ k.detach().mT),
    "values detached": attend(pool=lambda w, v: w @ v.detach()),
    "cleared in place": attend(weigh=masked(cleared_in_place)),
    "NaN gradients when empty": attend(weigh=masked(bias_of_logarithms)),
    "in place": in_place,
    "bfloat16 inside": in_bfloat16,
}

NAMED = {
    "padding not cleared": "padding-leaks",
    "unscaled": "no-scale",
    "divided by d": "divided-by-d",
    "root of K": "root-of-count",
    "root of Q": "root-of-count",
    "multiplied by the root": "times-root",
    "scaled afterwards": "scale-after-softmax",
    "padding kept": "no-mask",
    "unscaled, padding kept": "no-scale + no-mask",
    "a fill of -1e6": "finite-fill",
    "divided by d, a fill of -1e6": "divided-by-d + finite-fill",
    "a fill of -1e9": "finite-fill",
    "a fill of 0": "zero-fill",
    "the lowest number": "empty-row-uniform",
    "NaN when empty": "empty-row-nan",
    "masked afterwards": "mask-after-softmax",
    "a key too many": "one-key-more",
    "scores transposed": "transposed-scores",
    "along the queries": "no-mask + softmax-along-queries",
    "along the batch": "no-mask + softmax-along-batch",
    "no softmax": "no-mask + no-softmax",
    "plain mean": "plain-mean",
    "keys reshaped": "reshaped-keys",
    "root of the values' size": "root-of-values",
    "weights": "no-values",
    "a key when empty": "never-empty",
    "own exponentials": "no-row-maximum",
    "shifted by the largest of all": "no-row-maximum",
    "NaN gradients when empty": "empty-row-gradient",
}

MESSAGES = {
    "gradients turned off": "The function changes what the whole program shares",
    "cleared in place": "has been modified by an inplace operation",
    "not transposed": "Is a transpose missing, or one too many?",
    "no pairs": "every query meets every key",
    "per example only": "`valid_lens` may have the shape (B,) or (B, Q)",
    "cut in a loop": "Rows that were cut",
    "lengths broadcast along the queries": "`valid_lens` may have the shape (B,) or (B, Q)",
    "no default": "give `valid_lens` the default `None`",
    "with dropout": "The result changes from call to call",
    "squeezed": "should have the shape (1, 5, 7); yours has (5, 7)",
    "scores without gradients": "no gradient reaches `queries`, `keys`.",
    "values detached": "no gradient reaches `values`.",
    "in place": "The function changes `queries`",
    "keys detached": "no gradient reaches `keys`.",
}
