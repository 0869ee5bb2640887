"""Weighted sums of values, and how they go wrong: shared by all exercises that pool."""

import torch
from torch import Tensor

from attention_lib.exercises.exercise import hint, mistake


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """Pool (…, Q, K) and (…, K, V) to (…, Q, V)."""
    return weights @ values


def _mean(weights: Tensor, values: Tensor) -> Tensor:
    """Plain mean of the values, for every query."""
    mean = values.mean(dim=-2, keepdim=weights.dim() > 1)
    return mean.expand(*weights.shape[:-1], values.shape[-1])


def _best(weights: Tensor, values: Tensor) -> Tensor:
    chosen = torch.nn.functional.one_hot(weights.argmax(-1), weights.shape[-1])
    return chosen.to(values.dtype) @ values


POOLING_MISTAKES = (
    mistake(
        "That is the plain mean of the values: the weights play no part.",
        "这是值的普通平均，权重没有起作用。",
        {"pool": _mean},
    ),
    mistake(
        "Only the value with the largest weight is returned. All values take part, each by its "
        "weight.",
        "只返回了权重最大的那个值。所有的值都要参与，各按自己的权重。",
        {"pool": _best},
    ),
    mistake(
        "Those are the weights. The values are still to be averaged with them.",
        "这是权重。还要用它们对值求加权和。",
        {"pool": lambda weights, values: weights},
    ),
    mistake(
        "The weighted values are not yet summed over the keys.",
        "值已经乘上了权重，但还没有对各个键求和。",
        {"pool": lambda weights, values: weights[..., None] * values[..., None, :, :]},
        {"pool": lambda weights, values: weights[..., None] * values},
    ),
    mistake(
        "Divided by the number of keys once too often: the weights sum to 1 already, so take the "
        "sum, not the mean.",
        "多除了一次键的个数：权重的和已经是 1，应当求和，而不是求平均。",
        {"pool": lambda weights, values: weights @ values / weights.shape[-1]},
    ),
)

TRANSPOSED = mistake(
    "The weights are transposed: a row of weights belongs to a query, and its entries go with the "
    "values in order.",
    "权重转置了：一行权重属于一个查询，行里的各项依次对应各个值。",
    {"pool": lambda weights, values: weights.mT @ values},
)

PRODUCT_HINT = hint(
    "shapes cannot be multiplied|size mismatch, got|first two dimensions of batch2|"
    "inconsistent tensor size|expected size for first|Expected size",
    "The sizes do not fit for a matrix product: (n, m) takes (m, p). Is a transpose missing, or "
    "one too many?",
    "尺寸不合矩阵乘法的要求：(n, m) 后面要接 (m, p)。是不是少了一次转置，或者多了一次？",
)
