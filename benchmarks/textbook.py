"""Implement masked softmax and additive attention in the textbook form, as baselines.

The results are equal on ordinary scores. But it overwrites its argument, and fails for low scores,
in float16, and on empty rows, as the chapter on masked softmax shows.
"""

import torch
from torch import Tensor

from attention_lib import AdditiveAttention


def masked_softmax(X: Tensor, valid_lens: Tensor) -> Tensor:
    """(B, Q, K) scores, (B,) or (B, Q) lengths → (B, Q, K). Overwrites the padding in X."""
    if valid_lens.dim() == 1:
        valid_lens = valid_lens.repeat_interleave(X.shape[1])
    rows = X.reshape(-1, X.shape[2])  # a view of X
    keep = torch.arange(X.shape[2])[None, :] < valid_lens.reshape(-1)[:, None]
    rows[~keep] = -1e6
    return torch.softmax(rows.reshape(X.shape), dim=-1)


def additive_attention(
    weights: AdditiveAttention, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor
) -> Tensor:
    """Attend with the matrices and the dropout of `weights`."""
    queries, keys = weights.W_q(queries), weights.W_k(keys)
    features = queries.unsqueeze(2) + keys.unsqueeze(1)  # (B, Q, K, H)
    features = torch.tanh(features)
    scores = weights.w_v(features).squeeze(-1)
    return torch.bmm(weights.dropout(masked_softmax(scores, valid_lens)), values)
