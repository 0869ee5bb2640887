"""Attention scoring functions in PyTorch: small enough to read, strict enough to build on."""

from attention_lib.decomposable import DecomposableAttention
from attention_lib.heatmaps import show_heatmaps
from attention_lib.masking import length_mask, masked_softmax, sequence_mask
from attention_lib.modules import (
    AdditiveAttention,
    Attention,
    BilinearAttention,
    DotProductAttention,
    GaussianAttention,
)
from attention_lib.multi_head import MultiHeadAttention, merge_heads, split_heads
from attention_lib.positions import sinusoidal_positions

__all__ = [
    "AdditiveAttention",
    "Attention",
    "BilinearAttention",
    "DecomposableAttention",
    "DotProductAttention",
    "GaussianAttention",
    "MultiHeadAttention",
    "length_mask",
    "masked_softmax",
    "merge_heads",
    "sequence_mask",
    "show_heatmaps",
    "sinusoidal_positions",
    "split_heads",
]
