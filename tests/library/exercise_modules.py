"""Additive attention as modules in which one thing is wrong each."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attention_lib import length_mask, masked_softmax


class Module(nn.Module):
    """Additive attention in which each part can be put wrong."""

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        return self.w_v(torch.tanh(features)).squeeze(-1)

    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        return masked_softmax(scores, valid_lens)

    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        self.attention_weights = weights
        return torch.bmm(self.dropout(weights), values)

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None
    ) -> Any:
        return self.pool(self.weigh(self.score(queries, keys), valid_lens), values)


class Biased(Module):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.W_k = nn.Linear(sizes[0], sizes[2])


class Reversed(Module):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.W_q = nn.Linear(sizes[2], sizes[1], bias=False)


class SizesSwapped(Module):
    def __init__(self, query_size: int, key_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__(key_size, query_size, num_hiddens, dropout)


class Halfway(nn.Module):
    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)


class NoSuper(nn.Module):
    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)


class NoInit(nn.Module):
    pass


class ThreeSizes(nn.Module):
    def __init__(self, key_size: int, query_size: int, num_hiddens: int) -> None:
        super().__init__()


class Bare(Module):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        del self.w_v
        self.w_v = nn.Parameter(torch.ones(sizes[2]))


class Plain:
    def __init__(self, *sizes: Any) -> None:
        pass


class Unfinished(Module):
    def forward(self, *args: Any) -> Any:
        pass


class Multiplied(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        features = self.W_q(queries).unsqueeze(2) * self.W_k(keys).unsqueeze(1)
        return self.w_v(torch.tanh(features)).squeeze(-1)


class Linear(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.w_v(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]).squeeze(-1)


class Unsqueezed(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.w_v(torch.tanh(self.W_q(queries) + self.W_k(keys))).squeeze(-1)


class Unmasked(Module):
    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        return F.softmax(scores, dim=-1)


class UniformWhenEmpty(Module):
    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        if valid_lens is None:
            return F.softmax(scores, dim=-1)
        drop = ~length_mask(valid_lens, *scores.shape[1:])
        return F.softmax(scores.masked_fill(drop, -1e6), dim=-1)


class Mean(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return values.mean(1, keepdim=True).repeat(1, weights.shape[1], 1)


class Both(Module):
    def forward(self, *args: Any) -> Any:
        return super().forward(*args), self.attention_weights


class DroppedAlways(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return F.dropout(weights, self.dropout.p) @ values


class NeverDropped(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return weights @ values


class OutputDropped(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return self.dropout(weights @ values)


class ScoresDropped(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.dropout(super().score(queries, keys))

    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return weights @ values


class StoredAfterwards(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        self.attention_weights = self.dropout(weights)
        return self.attention_weights @ values


class StoredScores(Module):
    def forward(self, queries: Tensor, keys: Tensor, *rest: Any) -> Any:
        output = super().forward(queries, keys, *rest)
        self.attention_weights = self.score(queries, keys)
        return output


class FailsInTraining(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        if self.training:
            raise ValueError("not today")
        return weights @ values
