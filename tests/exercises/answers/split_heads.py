"""Answers to "split-heads": many right ones, and wrong ones that look right."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

Answer = Callable[[Tensor, Tensor, Tensor, int], Any]


def apart(x: Tensor, h: int) -> Tensor:
    return x.unflatten(-1, (h, -1)).transpose(1, 2)


def together(x: Tensor) -> Tensor:
    return x.transpose(1, 2).flatten(2)


# Right answers


def of_torch(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    return together(F.scaled_dot_product_attention(*(apart(x, h) for x in (q, k, v))))


def views(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    B, N, d = q.shape
    q, k, v = (x.view(B, N, h, d // h).transpose(1, 2) for x in (q, k, v))
    weights = (q @ k.transpose(-2, -1) / (d / h) ** 0.5).softmax(-1)
    return (weights @ v).transpose(1, 2).contiguous().view(B, N, d)


def head_by_head(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    parts = zip(*(x.chunk(h, dim=-1) for x in (q, k, v)), strict=True)
    heads = [torch.softmax(a @ b.mT / math.sqrt(a.shape[-1]), -1) @ c for a, b, c in parts]
    return torch.cat(heads, dim=-1)


def slices(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    output, s = torch.zeros_like(v), q.shape[-1] // h
    for i in range(h):
        own = slice(i * s, (i + 1) * s)
        scores = q[..., own] @ k[..., own].mT * s**-0.5
        output[..., own] = scores.softmax(-1) @ v[..., own]
    return output


def einsum(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    """Leave the axis of heads where it is, and let letters say what meets what."""
    q, k, v = (x.unflatten(-1, (h, -1)) for x in (q, k, v))
    scores = torch.einsum("bqhs,bkhs->bhqk", q, k) / q.shape[-1] ** 0.5
    return torch.einsum("bhqk,bkhs->bqhs", scores.softmax(-1), v).flatten(2)


def heads_in_the_batch(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    """Make one batch of all heads of all examples."""
    q, k, v = (apart(x, h).flatten(0, 1) for x in (q, k, v))
    output = torch.bmm(torch.softmax(torch.bmm(q, k.mT) / math.sqrt(q.shape[-1]), -1), v)
    return together(output.unflatten(0, (-1, h)))


def heads_first(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    q, k, v = (torch.stack(x.chunk(h, dim=-1)) for x in (q, k, v))  # (h, B, N, s)
    output = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, -1) @ v
    return output.permute(1, 2, 0, 3).reshape(q.shape[1], q.shape[2], -1)


def masked_components(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    """Set the components of other heads to 0 instead of cutting: their products vanish."""
    s = q.shape[-1] // h
    own = torch.arange(q.shape[-1]) // s == torch.arange(h)[:, None]  # (h, h·s)
    q, v = q[:, None] * own[:, None], v[:, None] * own[:, None]
    return (torch.softmax(q @ k[:, None].mT / s**0.5, -1) @ v).sum(1)


def example_by_example(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    def attend(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        q, k, v = (x.reshape(len(x), h, -1).permute(1, 0, 2) for x in (q, k, v))
        weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[2]), 2)
        return torch.cat(list(weights @ v), dim=-1)

    return torch.stack([attend(*each) for each in zip(q, k, v, strict=True)])


def scaled_before(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    root = (q.shape[-1] / h) ** 0.25
    scores = apart(q, h).div(root) @ apart(k, h).div(root).mT
    terms = (scores - scores.amax(-1, keepdim=True)).exp()
    return together(terms @ apart(v, h) / terms.sum(-1, keepdim=True))


def swapped_axes(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    """Transpose first: the components then come before the words, and are cut there."""
    q, k, v = (x.mT.unflatten(1, (h, -1)) for x in (q, k, v))  # (B, h, s, N)
    weights = torch.softmax(q.mT @ k / q.shape[2] ** 0.5, -1)
    return (v @ weights.mT).flatten(1, 2).mT


RIGHT: dict[str, Answer] = {
    f.__name__: f
    for f in (
        of_torch,
        views,
        head_by_head,
        slices,
        einsum,
        heads_in_the_batch,
        heads_first,
        masked_components,
        example_by_example,
        scaled_before,
        swapped_axes,
    )
}


# Wrong answers


def heads(
    split: Callable[[Tensor, int], Tensor] = apart,
    merge: Callable[[Tensor], Tensor] = together,
    root: Callable[[Tensor, int], float] = lambda q, h: q.shape[-1] ** 0.5,
    axis: int = -1,
) -> Answer:
    """Replace parts of the solution."""

    def f(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
        q, k, v = (split(x, h) for x in (q, k, v))
        return merge(torch.softmax(q @ k.mT / root(q, h), axis) @ v)

    return f


def viewed(x: Tensor, h: int) -> Tensor:
    return x.reshape(len(x), h, x.shape[1], -1)


def not_transposed(x: Tensor, h: int) -> Tensor:
    return x.unflatten(-1, (h, -1))


def every_hth(x: Tensor, h: int) -> Tensor:
    return torch.stack([x[..., i::h] for i in range(h)], 1)


def in_order(x: Tensor) -> Tensor:
    return x.reshape(x.shape[0], x.shape[2], -1)


def only_queries_split(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    """Cut the queries and keys right, and the values by `view`."""
    weights = torch.softmax(apart(q, h) @ apart(k, h).mT / (q.shape[-1] / h) ** 0.5, -1)
    return together(weights @ viewed(v, h))


def viewed_after_the_transpose(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    output = F.scaled_dot_product_attention(*(apart(x, h).contiguous() for x in (q, k, v)))
    return output.contiguous().transpose(1, 2).view(q.shape)


def same_weights(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    """Average the weights of the heads, so that all read alike."""
    weights = torch.softmax(apart(q, h) @ apart(k, h).mT / (q.shape[-1] / h) ** 0.5, -1)
    return weights.mean(1) @ v


def without_gradients(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    return of_torch(q, k.detach(), v, h)


def in_place(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    q /= (q.shape[-1] / h) ** 0.5
    return heads(root=lambda q, h: 1.0)(q, k, v, h)


def causal(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    q, k, v = (apart(x, h) for x in (q, k, v))
    return together(F.scaled_dot_product_attention(q, k, v, is_causal=True))


def unshifted(q: Tensor, k: Tensor, v: Tensor, h: int) -> Tensor:
    terms = torch.exp(apart(q, h) @ apart(k, h).mT / (q.shape[-1] / h) ** 0.5)
    return together(terms / terms.sum(-1, keepdim=True) @ apart(v, h))


WRONG: dict[str, Answer] = {
    "view without a transpose": heads(viewed),
    "view there and back": heads(viewed, in_order),
    "merged in order": heads(merge=in_order),
    "merged by view": viewed_after_the_transpose,
    "heads attend to heads": heads(not_transposed, lambda x: x.flatten(2)),
    "every h-th component": heads(every_hth),
    "every h-th component, and back": heads(every_hth, lambda x: x.permute(0, 2, 3, 1).flatten(2)),
    "one head": heads(lambda x, h: x[:, None]),
    "torch's attention alone": lambda q, k, v, h: F.scaled_dot_product_attention(q, k, v),
    "mean of the heads": heads(merge=lambda x: x.mean(1)),
    "heads apart": heads(merge=lambda x: x),
    "root of h · s": heads(root=lambda q, h: (h * q.shape[-1]) ** 0.5),
    "root of h": heads(root=lambda q, h: h**0.5),
    "not scaled": heads(root=lambda q, h: 1.0),
    "by s": heads(root=lambda q, h: q.shape[-1]),
    "over the queries": heads(axis=2),
    "over the heads": heads(axis=1),
    "view, not scaled": heads(viewed, root=lambda q, h: 1.0),
    "values by view": only_queries_split,
    "one average weight": same_weights,
    "causal": causal,
    "detached": without_gradients,
    "in place": in_place,
    "exponentials": unshifted,
}

NAMED = {
    "view without a transpose": "split-without-transpose",
    "view there and back": "split-without-transpose + merged-without-transpose",
    "merged in order": "merged-without-transpose",
    "heads attend to heads": "heads-read-each-other",
    "every h-th component": "interleaved-heads",
    "every h-th component, and back": "interleaved-heads",
    "one head": "one-head",
    "torch's attention alone": "one-head",
    "mean of the heads": "heads-pooled",
    "heads apart": "not-merged",
    "root of h · s": "root-of-all-heads",
    "not scaled": "no-scale",
    "by s": "divided-by-s",
    "over the queries": "softmax-along-queries",
    "over the heads": "softmax-along-heads",
    "view, not scaled": "split-without-transpose + no-scale",
    "exponentials": "overflow",
}

MESSAGES = {
    "merged by view": "`.reshape` copies",
    "detached": "no gradient reaches `k`",
    "in place": "The function changes `q`",
}
