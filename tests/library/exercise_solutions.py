"""Right answers to the exercises: in loops and in batches, without the package's own steps."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from exercise_solutions_late import LATE
from torch import Tensor, nn

from attention_lib import AdditiveAttention, DotProductAttention, length_mask, masked_softmax


def look_up_in_a_loop(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    distances = torch.stack([torch.dist(query, key) for key in keys])
    shares = torch.exp((distances.min() ** 2 - distances**2) / (2 * temperature))
    total = torch.zeros(values.shape[1], dtype=values.dtype)
    for share, value in zip(shares, values, strict=True):
        total += share / shares.sum() * value
    return total


def look_up_with_torch(query: Tensor, keys: Tensor, values: Tensor, temperature: float) -> Tensor:
    """Attention on q·k with the keys' own norms as a bias: ‖q‖² is the same for all keys."""
    bias = -(keys**2).sum(-1) / (2 * temperature)
    args = query[None, None], keys[None], values[None]
    scale = 1 / temperature
    return F.scaled_dot_product_attention(*args, attn_mask=bias[None, None], scale=scale)[0, 0]


def kernel_regression(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    density = torch.distributions.Normal(keys[:, None], 1 / w)
    kernels = density.log_prob(queries).exp()  # (K, Q)
    return (kernels * values[:, None]).sum(0) / kernels.sum(0)


def smooth_with_torch(queries: Tensor, keys: Tensor, values: Tensor, w: float) -> Tensor:
    scores = -torch.cdist(queries[:, None] * w, keys[:, None] * w).square() / 2
    return F.softmax(scores, -1).mv(values)


def leave_out_with_a_mask(x: Tensor) -> Tensor:
    n = len(x)
    return x.repeat(n, 1)[~torch.eye(n, dtype=torch.bool)].reshape(n, n - 1)


def leave_out_with_numpy(x: Tensor) -> Tensor:
    return torch.from_numpy(np.stack([np.delete(x.numpy(), i) for i in range(len(x))]))


def gaussian_with_cdist(queries: Tensor, keys: Tensor) -> Tensor:
    return -(torch.cdist(queries, keys) ** 2) / 2


def gaussian_in_loops(queries: Tensor, keys: Tensor) -> Tensor:
    scores = torch.zeros(queries.shape[0], queries.shape[1], keys.shape[1], dtype=keys.dtype)
    for b, q, k in np.ndindex(*scores.shape):
        scores[b, q, k] = -(torch.dist(queries[b, q], keys[b, k]) ** 2) / 2
    return scores


def gaussian_multiplied_out(queries: Tensor, keys: Tensor) -> Tensor:
    squares = queries.pow(2).sum(-1)[:, :, None] + keys.pow(2).sum(-1)[:, None]
    return torch.einsum("bqd,bkd->bqk", queries, keys) - squares / 2


def pool_with_torch(scores: Tensor, values: Tensor) -> Tensor:
    nothing = torch.zeros_like(scores[:, :, :1])
    keys = torch.zeros_like(values[:, :, :1])
    return F.scaled_dot_product_attention(nothing, keys, values, attn_mask=scores)


def pool_in_loops(scores: Tensor, values: Tensor) -> Tensor:
    outputs = []
    for rows, table in zip(scores, values, strict=True):
        outputs.append(torch.stack([F.softmax(row, 0) @ table for row in rows]))
    return torch.stack(outputs)


def masked_in_loops(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    weights = torch.zeros_like(X)
    for b, q in np.ndindex(*X.shape[:2]):
        n = X.shape[2]
        if valid_lens is not None:
            n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, q])
        weights[b, q, :n] = torch.softmax(X[b, q, :n], 0)
    return weights


def masked_with_nan_to_num(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    if valid_lens is None:
        return X.softmax(-1)
    keep = length_mask(valid_lens, X.shape[1], X.shape[2])
    return X.masked_fill(~keep, float("-inf")).softmax(-1).nan_to_num(0)


def masked_with_torch(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    mask = None if valid_lens is None else length_mask(valid_lens, X.shape[1], X.shape[2])
    bias = X if mask is None else X.masked_fill(~mask, -torch.inf)
    pick = torch.eye(X.shape[2], dtype=X.dtype).expand(len(X), -1, -1)
    return F.scaled_dot_product_attention(
        torch.zeros_like(X[:, :, :1]), pick[..., :1], pick, attn_mask=bias
    )


def additive_with_unsqueeze(
    queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor
) -> Tensor:
    sums = F.linear(queries, W_q).unsqueeze(2) + F.linear(keys, W_k).unsqueeze(1)
    return F.linear(torch.tanh(sums), w_v).squeeze(-1)


def additive_as_a_perceptron(
    queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor
) -> Tensor:
    """One hidden layer on the concatenation of each query with each key."""
    shape = queries.shape[0], queries.shape[1], keys.shape[1], -1
    both = [queries[:, :, None].expand(shape), keys[:, None].expand(shape)]
    hidden = torch.tanh(torch.cat(both, -1) @ torch.cat([W_q, W_k], 1).T)
    return (hidden * w_v).sum(-1)


def dot_with_torch(
    queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
) -> Tensor:
    mask = None if valid_lens is None else length_mask(valid_lens, queries.shape[1], keys.shape[1])
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


def dot_in_loops(
    queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
) -> Tensor:
    outputs = queries.new_zeros(*queries.shape[:2], values.shape[2])
    for b, q in np.ndindex(*queries.shape[:2]):
        n = keys.shape[1]
        if valid_lens is not None:
            n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, q])
        scores = keys[b, :n] @ queries[b, q] / queries.shape[2] ** 0.5
        outputs[b, q] = F.softmax(scores, 0) @ values[b, :n]
    return outputs


class Plain(nn.Module):
    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__()
        self.W_k, self.W_q, self.w_v = self.layers(key_size, query_size, num_hiddens)
        self.drop = nn.Dropout(dropout)

    def layers(self, key_size: int, query_size: int, num_hiddens: int) -> list[nn.Module]:
        sizes = (key_size, num_hiddens), (query_size, num_hiddens), (num_hiddens, 1)
        return [nn.Linear(*size, bias=False) for size in sizes]

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None
    ) -> Tensor:
        features = torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None])
        return self.drop(masked_softmax(self.w_v(features)[..., 0], valid_lens)) @ values


class Lazy(Plain):
    def layers(self, key_size: int, query_size: int, num_hiddens: int) -> list[nn.Module]:
        return [nn.LazyLinear(n, bias=False) for n in (num_hiddens, num_hiddens, 1)]


SOLUTIONS: dict[str, list[Callable[..., Any]]] = {
    "soft-lookup": [look_up_in_a_loop, look_up_with_torch],
    "nadaraya-watson": [smooth_with_torch],
    "leave-one-out": [leave_out_with_a_mask, leave_out_with_numpy],
    "gaussian-score": [gaussian_with_cdist, gaussian_in_loops, gaussian_multiplied_out],
    "attention-pooling": [pool_with_torch, pool_in_loops],
    "masked-softmax": [masked_softmax, masked_in_loops, masked_with_nan_to_num, masked_with_torch],
    "additive-scores": [additive_with_unsqueeze, additive_as_a_perceptron],
    "additive-attention": [AdditiveAttention, Plain, Lazy],
    "scaled-dot-product-attention": [dot_with_torch, dot_in_loops, DotProductAttention().eval()],
    **LATE,
}
