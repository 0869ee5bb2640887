"""Figures in random states, each from a seed."""

import torch

from attention_lib import AdditiveAttention, DotProductAttention
from attention_lib.figures import (
    AttentionFigure,
    ComparisonFigure,
    DropoutFigure,
    KernelFigure,
    MaskedSoftmaxFigure,
    PoolingFigure,
    ScalingFigure,
    ScoreFigure,
)


def random_attention(seed: int) -> AttentionFigure:
    """Return a figure of random kind, sizes, numbers and lengths, empty rows among them."""
    torch.manual_seed(seed)
    batch, num_queries, num_keys, size = torch.randint(1, 8, (4,)).tolist()
    scale = 10 ** torch.empty(1).uniform_(-2, 2)
    query_size = size if seed % 2 else size + 3
    module = (
        DotProductAttention() if seed % 2 else AdditiveAttention(size, query_size, 1 + seed % 7)
    )
    shape = (batch,) if seed % 3 else (batch, num_queries)
    return AttentionFigure(
        module,
        scale * torch.randn(batch, num_queries, query_size),
        scale * torch.randn(batch, num_keys, size),
        torch.randn(batch, num_keys, 3),
        torch.randint(0, num_keys + 1, shape),
    )


def random_softmax(seed: int) -> MaskedSoftmaxFigure:
    """Return scores of random size, small and huge."""
    torch.manual_seed(seed)
    batch, num_queries, num_keys = torch.randint(1, 8, (3,)).tolist()
    lengths = torch.randint(0, num_keys + 1, (batch, num_queries) if seed % 2 else (batch,))
    scores = torch.randn(batch, num_queries, num_keys) * 10 ** (seed % 7 - 2)
    return MaskedSoftmaxFigure(scores, lengths)


def random_look_up(seed: int) -> PoolingFigure:
    """Return a figure in a random state; in some, all keys are equally far from each query."""
    torch.manual_seed(seed)
    num_queries, num_keys = torch.randint(1, 8, (2,)).tolist()
    temperature = [0, 0.01, 1000, 10 ** torch.empty(1).uniform_(-2, 3).item()][seed % 4]
    queries, keys = torch.randn(1, num_queries, 2), torch.randn(1, num_keys, 2)
    if seed % 3 == 0:
        ring = torch.tensor([[0.7, 0.1], [0.5, 0.5], [-0.1, 0.7], [0.5, -0.5]])
        queries, keys = torch.zeros(1, num_queries, 2), ring[torch.arange(num_keys) % 4][None]
    scale = 10 ** (seed % 3)
    return PoolingFigure(scale * queries, scale * keys, torch.randn(1, num_keys, 1), temperature)


def random_regression(seed: int) -> KernelFigure:
    """Return a figure in a random state: queries out of reach and single keys among them."""
    torch.manual_seed(seed)
    num_keys = int(torch.randint(1, 16, ()))
    keys = 5 * torch.rand(1, num_keys, 1)
    query = keys[:, :1] if seed % 7 == 0 else 3 * torch.randn(1, 1, 1)
    if seed % 8 == 0:  # whole numbers: some keys at the very edge of the reach
        keys, query = keys.round(), query.round()
    w = [1, 0, 1000, 10 ** torch.empty(1).uniform_(-1, 2).item()][seed % 4]
    kernel = ["gaussian", "boxcar", "epanechnikov", "triangular", "linear"][seed % 5]
    values = 10 ** (seed % 3) * torch.randn(1, num_keys, 1)
    return KernelFigure(keys, values, query, kernel, w)


def random_scoring(seed: int) -> ScoreFigure:
    """Return a figure in a random state, some with zero vectors, large numbers or one of all."""
    torch.manual_seed(seed)
    num_keys, size, value_size, hiddens = torch.randint(1, 7, (4,)).tolist()
    if seed % 11 == 0:
        num_keys, size = 1, 1
    scale = [1.0, 0.01, 30.0][seed % 3]
    queries, keys = scale * torch.randn(1, 1, size), scale * torch.randn(1, num_keys, size)
    keys[:, :: 2 + seed % 5] *= seed % 4 > 0  # a fourth of the figures have zero vectors
    return ScoreFigure(
        queries if seed % 7 else 0 * queries,
        keys,
        torch.randn(1, num_keys, value_size),
        torch.randn(hiddens, size),
        torch.randn(hiddens, size),
        torch.randn(1, hiddens),
        torch.randn(size, size),
        score=["dot", "scaled_dot", "additive", "gaussian", "cosine", "bilinear"][seed % 6],
    )


def random_scaling(seed: int) -> ScalingFigure:
    """Return a figure in a random state, some with d = 1, with huge or equal scores, or ties."""
    torch.manual_seed(seed)
    num_queries, num_keys = torch.randint(1, 7, (2,)).tolist()
    size = [1, 2, 3, 8, 20][seed % 5]
    scale = [1, 1, 30, 0][seed % 4]
    queries = scale * torch.randn(1, num_queries + (num_keys == 1), size)
    keys = torch.randn(1, num_keys, size)
    if seed % 3 == 0:  # products such as 0.25, on the edges of the histogram's bars
        queries, keys = (2 * queries).round() / 2, (2 * keys).round() / 2
    figure = ScalingFigure(queries, keys, scaled=seed % 2 == 0)
    figure.d = figure.sizes[seed % len(figure.sizes)]
    return figure


def random_dropout(seed: int) -> DropoutFigure:
    """Return a figure in a random state: huge scores, p on the very draws, no training."""
    torch.manual_seed(seed)
    num_queries, num_keys, value_size, number = torch.randint(1, 7, (4,)).tolist()
    draws = torch.rand(number, num_queries, num_keys)
    p = [0, 0.9, 0.3, float(torch.rand(())) * 0.9][seed % 4]
    if seed % 5 == 0:  # twentieths, as the slider has them: some equal to p
        draws, p = (20 * draws).floor() / 20, round(20 * p) / 20
    return DropoutFigure(
        10 ** (seed % 3) * torch.randn(1, num_queries, num_keys),
        torch.randn(1, num_keys, value_size),
        draws,
        p,
        training=seed % 7 > 0,
        draw=int(torch.randint(number, ())) + 1,
    )


def random_comparison(seed: int) -> ComparisonFigure:
    """Return a figure in a random state, some with zero vectors or large numbers."""
    torch.manual_seed(seed)
    num_keys, hiddens = torch.randint(1, 9, (2,)).tolist()
    scale = [1.0, 0.01, 30.0][seed % 3]
    queries, keys = scale * torch.randn(1, 1, 2), scale * torch.randn(1, num_keys, 2)
    return ComparisonFigure(
        queries if seed % 7 else 0 * queries,
        keys if seed % 5 else keys * (torch.arange(num_keys) % 2)[:, None],
        torch.randn(hiddens, 2),
        torch.randn(hiddens, 2),
        torch.randn(1, hiddens),
        torch.randn(2, 2),
    )
