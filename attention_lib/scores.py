r"""Scoring functions: how well each key fits each query, before any softmax.

Every function takes queries (B, Q, query size) and keys (B, K, key size) of one floating dtype on
one device, and returns scores (B, Q, K) of that dtype. B batch, Q queries, K keys, d a size that
queries and keys share, H hidden units. All raise ValueError for shapes and devices and TypeError
for dtypes that do not fit, and say what was expected and what came.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_lib._checks import check_alike, check_floating, check_pair, check_same_size
from attention_lib._chunks import by_queries, perceptron


def dot(queries: Tensor, keys: Tensor) -> Tensor:
    r"""Dot product $q^\top k$: (B, Q, d), (B, K, d) → (B, Q, K).

    Source: Luong, Pham and Manning, *Effective Approaches to Attention-based Neural Machine
    Translation*, EMNLP 2015 (their score "dot").

    >>> dot(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[2.0, 1.0], [4.0, 2.0]]]))
    tensor([[[4., 8.]]])
    """
    check_same_size(queries, keys)
    return torch.bmm(queries, keys.mT)


def scaled_dot(queries: Tensor, keys: Tensor) -> Tensor:
    r"""Scaled dot product $q^\top k / \sqrt{d}$: (B, Q, d), (B, K, d) → (B, Q, K).

    Source: Vaswani et al., *Attention Is All You Need*, NeurIPS 2017.

    >>> scaled_dot(torch.ones(1, 1, 4), torch.tensor([[[2.0, 2.0, 2.0, 2.0]]]))
    tensor([[[4.]]])
    """
    check_same_size(queries, keys)
    # Dividing the queries first keeps large products in the range of float16.
    return torch.bmm(queries / math.sqrt(queries.shape[-1]), keys.mT)


def gaussian(queries: Tensor, keys: Tensor) -> Tensor:
    r"""Exponent of a Gaussian kernel, $-\tfrac12 \|q - k\|^2$: (B, Q, d), (B, K, d) → (B, Q, K).

    Never positive, and 0 only where key and query are equal. Made from the differences
    themselves: $q^\top k - \tfrac12\|q\|^2 - \tfrac12\|k\|^2$ loses its digits where vectors are
    long and close.

    Source: Nadaraya, *On Estimating Regression*, and Watson, *Smooth Regression Analysis*, both
    1964, for the pooling that softmax makes of it.

    >>> gaussian(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[1.0, 2.0], [4.0, 6.0]]]))
    tensor([[[  0.0000, -12.5000]]])
    """
    check_same_size(queries, keys)
    # Halving one factor is exact, and keeps large squares in the range of float16; turning one
    # around makes equal vectors score 0, which a minus sign would turn into -0.
    return by_queries(lambda q, k: ((k - q) * ((q - k) / 2)).sum(dim=-1), queries, keys)


def cosine(queries: Tensor, keys: Tensor) -> Tensor:
    r"""Cosine of the angle, $q^\top k / (\|q\| \|k\|)$: (B, Q, d), (B, K, d) → (B, Q, K).

    Between -1 and 1, up to rounding; 0 where a vector is zero and has no angle. d is at least 1.

    Source: Graves, Wayne and Danihelka, *Neural Turing Machines*, 2014, arXiv:1410.5401.

    >>> cosine(torch.tensor([[[3.0, 4.0]]]), torch.tensor([[[6.0, 8.0], [-4.0, 3.0], [0.0, 0.0]]]))
    tensor([[[1., 0., 0.]]])
    """
    check_same_size(queries, keys)
    if not queries.shape[-1]:
        raise ValueError(f"queries must have at least 1 number each; got {tuple(queries.shape)}")
    return torch.bmm(_unit(queries), _unit(keys).mT)


def bilinear(queries: Tensor, keys: Tensor, W: Tensor) -> Tensor:
    r"""Dot product after a learned map, $q^\top W k$: W (query size, key size) → (B, Q, K).

    Source: Luong, Pham and Manning, *Effective Approaches to Attention-based Neural Machine
    Translation*, EMNLP 2015 (their score "general").

    >>> W = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]])
    >>> bilinear(torch.tensor([[[1.0, 10.0]]]), torch.tensor([[[1.0, 1.0, 1.0]]]), W)
    tensor([[[13.]]])
    """
    check_pair(queries, keys)
    _check_parameter("W", W, "(query size, key size)", (queries.shape[-1], keys.shape[-1]), queries)
    return torch.bmm(queries @ W, keys.mT)


def additive(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    r"""Small perceptron, $w_v^\top \tanh(W_q q + W_k k)$: (B, Q, query size), … → (B, Q, K).

    The matrices have the shapes of the weights of `torch.nn.Linear`: W_q (H, query size), W_k
    (H, key size), w_v (1, H).

    Source: Bahdanau, Cho and Bengio, *Neural Machine Translation by Jointly Learning to Align
    and Translate*, ICLR 2015.

    >>> W_q, W_k, w_v = torch.ones(8, 2), torch.ones(8, 3), torch.ones(1, 8)
    >>> additive(torch.zeros(1, 1, 2), torch.tensor([[[0.0, 0, 0], [9, 9, 9]]]), W_q, W_k, w_v)
    tensor([[[0., 8.]]])
    """
    check_pair(queries, keys)
    check_floating("W_q", W_q, "(H, query size)")
    H = W_q.shape[0]
    _check_parameter("W_q", W_q, "(H, query size)", (H, queries.shape[-1]), queries)
    _check_parameter("W_k", W_k, "(H, key size)", (H, keys.shape[-1]), queries)
    _check_parameter("w_v", w_v, "(1, H)", (1, H), queries)
    return perceptron(F.linear(queries, W_q), F.linear(keys, W_k), lambda x: F.linear(x, w_v))


class Score(NamedTuple):
    """A scoring function, and the shapes of what it takes besides queries and keys, by name."""

    function: Callable[..., Tensor]
    parameters: dict[str, tuple[str, str]]


# All of them; figures, benchmarks and tests read this table.
SCORES = {
    "dot": Score(dot, {}),
    "scaled_dot": Score(scaled_dot, {}),
    "additive": Score(
        additive, {"W_q": ("H", "query size"), "W_k": ("H", "key size"), "w_v": ("1", "H")}
    ),
    "gaussian": Score(gaussian, {}),
    "cosine": Score(cosine, {}),
    "bilinear": Score(bilinear, {"W": ("query size", "key size")}),
}


def _unit(x: Tensor) -> Tensor:
    # Divided by its largest component, any vector but zero has a norm of at least 1: nothing
    # over- or underflows in any dtype, and a norm limited to 1 from below leaves zeros zero.
    largest = x.detach().abs().amax(dim=-1, keepdim=True)
    return F.normalize(x / largest.where(largest > 0, 1), dim=-1, eps=1.0)


def _check_parameter(name: str, x: Tensor, symbols: str, shape: tuple[int, int], q: Tensor) -> None:
    check_floating(name, x, symbols)
    check_alike(name, x, "queries", q)
    if tuple(x.shape) != shape:
        raise ValueError(f"{name} must have shape {symbols} = {shape}; got {tuple(x.shape)}")
