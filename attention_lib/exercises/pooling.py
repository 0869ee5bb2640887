"""Softmax and weighted sums, and how they go wrong: shared by all exercises that pool."""

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


ALONG_QUERIES = mistake(
    "The softmax runs along the queries. Each query shares its weight out among the keys: that "
    "is the last axis.",
    "softmax 沿查询轴做了。每个查询是把权重分给各个键，应当沿最后一个轴。",
    {"normalise": lambda scores: torch.softmax(scores, dim=1)},
)
ALONG_BATCH = mistake(
    "The softmax runs along the batch, so that examples compete with each other. It belongs on "
    "the last axis, that of the keys.",
    "softmax 沿批量轴做了，不同的样本互相争起权重来。它应当沿最后一个轴，也就是键的轴。",
    {"normalise": lambda scores: torch.softmax(scores, dim=0)},
)
UNDIVIDED = mistake(
    "The scores are exponentiated but not divided by their sum: the rows do not sum to 1.",
    "分数取了指数，却没有除以总和：各行的和不是 1。",
    {"normalise": torch.exp},
)
NO_SOFTMAX = mistake(
    "There is no softmax: scores are not weights yet.",
    "少了 softmax：分数还不是权重。",
    {"normalise": lambda scores: scores},
)
SOFTMAX_MISTAKES = (ALONG_QUERIES, ALONG_BATCH, UNDIVIDED, NO_SOFTMAX)

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
