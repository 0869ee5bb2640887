"""Answers to "bilinear-scores": many right ones, and wrong ones that look right."""

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

Answer = Callable[[Tensor, Tensor, Tensor], Tensor]


# Right answers


def products(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return queries @ W @ keys.mT


def torch_bilinear(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    pairs = queries.shape[0], queries.shape[1], keys.shape[1], -1
    q = queries[:, :, None].expand(pairs).contiguous()
    k = keys[:, None].expand(pairs).contiguous()
    return F.bilinear(q, k, W[None])[..., 0]


def on_the_keys(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return torch.bmm(queries, F.linear(keys, W).mT)


def einsum(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return torch.einsum("bqd,de,bke->bqk", queries, W, keys)


def loops(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    scores = queries.new_zeros(len(queries), queries.shape[1], keys.shape[1])
    for b, q, k in np.ndindex(*scores.shape):
        scores[b, q, k] = queries[b, q] @ W @ keys[b, k]
    return scores


def outer_products(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    """Take the inner product of W with the outer product of each pair."""
    pairs = queries[:, :, None, :, None] * keys[:, None, :, None, :]
    return (pairs * W).sum(dim=(-2, -1))


def entry_by_entry(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    scores = queries.new_zeros(len(queries), queries.shape[1], keys.shape[1])
    for d, e in np.ndindex(*W.shape):
        scores = scores + W[d, e] * queries[:, :, None, d] * keys[:, None, :, e]
    return scores


def example_by_example(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return torch.stack([q @ W @ k.T for q, k in zip(queries, keys, strict=True)])


def as_a_derivative(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    """Differentiate along the query: a linear function is its own derivative."""

    def rows(query: Tensor, key: Tensor) -> Tensor:
        _, along = torch.func.jvp(lambda x: x @ W @ key, (torch.zeros_like(query),), (query,))
        return along

    over_keys = torch.vmap(rows, in_dims=(None, 0))
    return torch.vmap(torch.vmap(over_keys, in_dims=(0, None)))(queries, keys)


def keys_first(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return (keys @ W.T @ queries.transpose(1, 2)).transpose(1, 2)


def one_long_product(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    """Score all queries with all keys of all examples, and keep the diagonal blocks."""
    every = queries.flatten(0, 1) @ W @ keys.flatten(0, 1).T
    blocks = every.reshape(len(queries), queries.shape[1], len(keys), keys.shape[1])
    return blocks.diagonal(dim1=0, dim2=2).permute(2, 0, 1)


def singular_values(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    """Rotate both sides, so that a weighted dot product remains."""
    U, S, V = torch.linalg.svd(W.double(), full_matrices=False)
    left, right = queries.double() @ U * S, keys.double() @ V.T
    return (left @ right.mT).to(queries.dtype)


def with_a_layer(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    layer = torch.nn.Linear(*W.shape, bias=False, device="meta")
    projected = torch.func.functional_call(layer, {"weight": W.T}, (queries,))
    return projected.matmul(keys.permute(0, 2, 1))


def summed_by_baddbmm(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    nothing = queries.new_zeros(1, 1, 1)
    return torch.baddbmm(nothing, torch.tensordot(queries, W, dims=1), keys.mT, beta=0)


RIGHT: dict[str, Answer] = {
    f.__name__: f
    for f in (
        products,
        torch_bilinear,
        on_the_keys,
        einsum,
        outer_products,
        as_a_derivative,
        keys_first,
        one_long_product,
        singular_values,
        with_a_layer,
        summed_by_baddbmm,
    )
}

LOOP = "the task asks you to do it without a loop"
FORBIDDEN = {
    "loops": (loops, LOOP),
    "entry by entry": (entry_by_entry, LOOP),
    "example by example": (example_by_example, LOOP),
}


# Wrong answers


def cosine(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return F.normalize(queries @ W, dim=-1) @ F.normalize(keys, dim=-1).mT


def transposed_where_square(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return queries @ (W.T if W.shape[0] == W.shape[1] else W) @ keys.mT


def symmetric(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    if W.shape[0] != W.shape[1]:
        return queries @ W @ keys.mT
    return queries @ ((W + W.T) / 2) @ keys.mT


def swapped_where_as_many(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    scores = queries @ W @ keys.mT
    return scores.mT if queries.shape[1] == keys.shape[1] else scores


def reshaped_keys(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return queries @ W @ keys.reshape(len(keys), keys.shape[2], keys.shape[1])


def reshaped_weight(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return queries @ W.T.reshape(W.shape) @ keys.mT


def without_gradients(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    with torch.no_grad():
        return products(queries, keys, W)


def built_from_numbers(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    pairs = zip(queries, keys, strict=True)
    scores = [[[(q @ W @ k).item() for k in y] for q in x] for x, y in pairs]
    return torch.tensor(scores, dtype=queries.dtype)


def with_numpy(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return torch.from_numpy(queries.numpy() @ W.numpy() @ keys.mT.numpy())


def in_bfloat16(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return products(queries.bfloat16(), keys.bfloat16(), W.bfloat16()).to(queries.dtype)


def zipped(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    n = min(queries.shape[1], keys.shape[1])
    return (queries[:, :n] @ W * keys[:, :n]).sum(-1)


def overwritten(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    result = products(queries, keys, W)
    queries.mul_(2)
    return result


WRONG: dict[str, Answer] = {
    "transposed": lambda q, k, W: q @ W.T @ k.mT,
    "on the wrong side": lambda q, k, W: q @ (k @ W).mT,
    "on the wrong side, by bmm": lambda q, k, W: torch.bmm(q, (k @ W).transpose(1, 2)),
    "a linear layer's order": lambda q, k, W: F.linear(q, W) @ k.mT,
    "letters that do not fit": lambda q, k, W: torch.einsum("bqd,ed,bke->bqk", q, W, k),
    "transposed where square": transposed_where_square,
    "the symmetric part": symmetric,
    "the weight reshaped": reshaped_weight,
    "no W": lambda q, k, W: q @ k.mT,
    "W where sizes differ": lambda q, k, W: (
        q @ k.mT if q.shape[-1] == k.shape[-1] else q @ W @ k.mT
    ),
    "the batch summed": lambda q, k, W: torch.einsum("bqd,de,bke->qk", q, W, k),
    "the keys' batch summed": lambda q, k, W: torch.einsum("bqd,de,cke->bqk", q, W, k),
    "the first example's keys": lambda q, k, W: q @ W @ k[0].T,
    "softmax": lambda q, k, W: F.softmax(q @ W @ k.mT, dim=-1),
    "scaled": lambda q, k, W: q @ W @ k.mT / k.shape[-1] ** 0.5,
    "scaled by the query size": lambda q, k, W: q @ W @ k.mT / q.shape[-1] ** 0.5,
    "scaled, softmax": lambda q, k, W: F.softmax(q @ W @ k.mT / k.shape[-1] ** 0.5, dim=-1),
    "mean for sum": lambda q, k, W: ((q @ W)[:, :, None] * k[:, None]).mean(-1),
    "tanh": lambda q, k, W: torch.tanh(q @ W) @ k.mT,
    "cosine": cosine,
    "axes swapped": lambda q, k, W: k @ W.T @ q.mT,
    "axes swapped where as many": swapped_where_as_many,
    "keys not transposed": lambda q, k, W: q @ W @ k,
    "keys reshaped": reshaped_keys,
    "no pairs": lambda q, k, W: (q @ W * k).sum(-1),
    "zipped": zipped,
    "squeezed": lambda q, k, W: products(q, k, W).squeeze(),
    "squeezed products": lambda q, k, W: (
        (q @ W).squeeze()[..., None, :] * k.squeeze()[:, None]
    ).sum(-1),
    "no_grad": without_gradients,
    "W detached": lambda q, k, W: q @ W.detach() @ k.mT,
    "keys' data": lambda q, k, W: q @ W @ k.data.mT,
    "built from numbers": built_from_numbers,
    "NumPy": with_numpy,
    "bfloat16 inside": in_bfloat16,
    "an argument overwritten": overwritten,
}

NAMED = {
    "transposed": "transposed-W",
    "on the wrong side": "transposed-W",
    "on the wrong side, by bmm": "transposed-W",
    "a linear layer's order": "transposed-W",
    "letters that do not fit": "transposed-W",
    "no W": "no-W",
    "the batch summed": "batch-sum",
    "the keys' batch summed": "batch-sum",
    "the first example's keys": "keys-of-first-example",
    "softmax": "weights-not-scores",
    "scaled": "root-scale",
    "scaled by the query size": "root-scale",
    "scaled, softmax": "weights-not-scores + root-scale",
    "tanh": "tanh",
    "axes swapped": "swapped-axes",
    "keys reshaped": "reshaped-keys",
}

MESSAGES = {
    "NumPy": "NumPy does not track gradients",
    "keys not transposed": "Is a transpose missing, or one too many?",
    "no pairs": "every query meets every key",
    "squeezed": "should have the shape (1, 2, 5); yours has (2, 5)",
    "W detached": "no gradient reaches `W`.",
    "keys' data": "no gradient reaches `keys`.",
    "built from numbers": "no gradient reaches `queries`, `keys`, `W`.",
    "an argument overwritten": "The function changes `queries`",
}
