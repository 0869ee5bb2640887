"""Right answers to the exercises of chapters 7 to 9, by other ways than the package's own steps."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from attention_lib import length_mask, masked_softmax


def drop_with_torch(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    """Dropout is linear in what it drops from, so its own backward pass applies a given mask."""
    return torch.ops.aten.native_dropout_backward(weights, draws >= p, 1 / (1 - p))


def drop_in_loops(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    result = torch.zeros_like(weights)
    for place in np.ndindex(*weights.shape):
        if not draws[place] < p:
            result[place] = weights[place] / (1 - p)
    return result


def drop_by_choice(weights: Tensor, p: float, draws: Tensor) -> Tensor:
    return torch.where(draws < p, 0.0, weights) / (1 - p)


def bilinear_with_torch(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    pairs = queries.shape[0], queries.shape[1], keys.shape[1], -1
    q = queries[:, :, None].expand(pairs).contiguous()
    k = keys[:, None].expand(pairs).contiguous()
    return F.bilinear(q, k, W[None])[..., 0]


def bilinear_on_the_keys(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return torch.bmm(queries, F.linear(keys, W).mT)


def bilinear_with_einsum(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    return torch.einsum("bqd,de,bke->bqk", queries, W, keys)


def align_with_torch(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    mask = length_mask(b_lens, a.shape[1], b.shape[1])
    return F.scaled_dot_product_attention(a, b, b, attn_mask=mask, scale=1.0)


def align_in_loops(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    result = torch.zeros_like(a)
    for i, j in np.ndindex(*a.shape[:2]):
        words = b[i, : b_lens[i]]
        result[i, j] = F.softmax(words.mv(a[i, j]), 0) @ words
    return result


def align_with_masked_softmax(a: Tensor, b: Tensor, b_lens: Tensor) -> Tensor:
    return masked_softmax(a @ b.mT, b_lens) @ b


def sum_with_cut(v: Tensor, lens: Tensor) -> Tensor:
    return torch.stack([words[:n].sum(0) for words, n in zip(v, lens, strict=True)])


def sum_with_a_product(v: Tensor, lens: Tensor) -> Tensor:
    mask = (torch.arange(v.shape[1]) < lens[:, None]).to(v.dtype)
    return torch.bmm(mask[:, None], v)[:, 0]


def sum_with_torch(v: Tensor, lens: Tensor) -> Tensor:
    """Packed sentences hold no padding; bags of their words are summed."""
    words = torch.cat([v[i, :n] for i, n in enumerate(lens.tolist())])
    places, starts = torch.arange(len(words)), lens.cumsum(0) - lens
    return F.embedding_bag(places, words, starts, mode="sum")


LATE: dict[str, list[Callable[..., Any]]] = {
    "dropout": [drop_with_torch, drop_in_loops, drop_by_choice],
    "bilinear-scores": [bilinear_with_torch, bilinear_on_the_keys, bilinear_with_einsum],
    "soft-alignment": [align_with_torch, align_in_loops, align_with_masked_softmax],
    "masked-sum": [sum_with_cut, sum_with_a_product, sum_with_torch],
}
