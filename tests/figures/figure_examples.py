"""Figures for the tests: the chapter's examples, and figures in random states."""

from pathlib import Path

import torch

import attention_lib.figures
from attention_lib import AdditiveAttention, DotProductAttention
from attention_lib.figures import AttentionFigure, MaskedSoftmaxFigure

SOURCES = Path(attention_lib.figures.__file__).parent / "js"
START = [
    [[0.8, 0.2, 0.9, 0.4], [0.1, 0.7, 0.3, 0.5]],
    [[0.6, 0.2, 0.7, 0.1], [0.9, 0.8, 0.3, 0.4]],
]


def steps(lang: str = "en", step: int = 5) -> MaskedSoftmaxFigure:
    """Return the chapter's example."""
    return MaskedSoftmaxFigure(torch.tensor(START), [2, 3], lang=lang, step=step)


def pipeline(seed: int = 0, lang: str = "en") -> AttentionFigure:
    """Return a small additive figure with three choices of num_hiddens."""
    torch.manual_seed(seed)
    modules = [AdditiveAttention(3, 5, hiddens) for hiddens in (1, 4, 16)]
    inputs = torch.randn(2, 2, 5), torch.randn(2, 4, 3), torch.randn(2, 4, 2)
    return AttentionFigure(modules, *inputs, [2, 3], lang=lang)


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
