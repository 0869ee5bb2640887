"""Answers to "additive-attention": many right modules, and wrong ones that look right."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from answers.cleaning import clean
from attention_lib import AdditiveAttention, length_mask, masked_softmax


class Module(nn.Module):
    """Additive attention whose parts can be replaced."""

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

    def drop(self, weights: Tensor) -> Tensor:
        return self.dropout(weights)

    def pool(self, weights: Tensor, values: Tensor) -> Any:
        self.attention_weights = weights
        return torch.bmm(self.drop(weights), values)

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Any:
        keys, values = clean(keys, valid_lens), clean(values, valid_lens)
        return self.pool(self.weigh(self.score(queries, keys), valid_lens), values)


# Right answers


class Plain(nn.Module):
    """Stores no weights."""

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__()
        self.W_k, self.W_q, self.w_v = self.layers(key_size, query_size, num_hiddens)
        self.drop = nn.Dropout(dropout)

    def layers(self, key_size: int, query_size: int, num_hiddens: int) -> list[nn.Module]:
        sizes = (key_size, num_hiddens), (query_size, num_hiddens), (num_hiddens, 1)
        return [nn.Linear(*size, bias=False) for size in sizes]

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Tensor:
        keys, values = clean(keys, valid_lens), clean(values, valid_lens)
        features = torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None])
        return self.drop(masked_softmax(self.w_v(features)[..., 0], valid_lens)) @ values


class Lazy(Plain):
    """Layers that learn their sizes from the first call."""

    def layers(self, key_size: int, query_size: int, num_hiddens: int) -> list[nn.Module]:
        return [nn.LazyLinear(n, bias=False) for n in (num_hiddens, num_hiddens, 1)]


class Einsums(Module):
    """The layers' weights alone."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        hidden_queries = torch.einsum("bqd,hd->bqh", queries, self.W_q.weight)
        hidden_keys = torch.einsum("bkd,hd->bkh", keys, self.W_k.weight)
        features = torch.tanh(hidden_queries[:, :, None] + hidden_keys[:, None])
        return torch.einsum("bqkh,h->bqk", features, self.w_v.weight[0])

    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        self.attention_weights = weights
        return torch.einsum("bqk,bkv->bqv", self.dropout(weights), values)


class Perceptron(Module):
    """One hidden layer on the concatenation of each query with each key."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        shape = queries.shape[0], queries.shape[1], keys.shape[1], -1
        both = [queries[:, :, None].expand(shape), keys[:, None].expand(shape)]
        weight = torch.cat([self.W_q.weight, self.W_k.weight], dim=1)
        return self.w_v(F.linear(torch.cat(both, -1), weight).tanh()).flatten(2)


class Functional(Module):
    """`F.dropout` with the mode as an argument, and no dropout layer."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        del self.dropout
        self.p = sizes[-1]

    def drop(self, weights: Tensor) -> Tensor:
        return F.dropout(weights, self.p, training=self.training)


class OwnMask(Module):
    """Its own Bernoulli draws, as in the chapter on dropout."""

    def drop(self, weights: Tensor) -> Tensor:
        p = self.dropout.p
        if not self.training or p == 0:
            return weights
        return weights * (torch.rand_like(weights) >= p) / (1 - p)


class MaskOfOnes(Module):
    """The layer drops from a tensor of ones, which then multiplies the weights."""

    def drop(self, weights: Tensor) -> Tensor:
        return weights * self.dropout(torch.ones_like(weights))


class OwnGenerator(Module):
    """Draws from its own generator, which is not reset between calls."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.generator = torch.Generator().manual_seed(42)

    def drop(self, weights: Tensor) -> Tensor:
        p = self.dropout.p
        if not self.training:
            return weights
        draws = torch.rand(weights.shape, generator=self.generator).to(weights.dtype)
        return weights.masked_fill(draws < p, 0) / (1 - p)


class InTheLogarithm(Module):
    """Weights as exponentials of logarithms, dropped there by −∞."""

    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        if valid_lens is None:
            return scores.log_softmax(-1).exp()
        keep = length_mask(valid_lens, *scores.shape[1:])
        low = scores.masked_fill(~keep, torch.finfo(scores.dtype).min)
        return low.log_softmax(-1).exp() * keep

    def drop(self, weights: Tensor) -> Tensor:
        gone = self.dropout(torch.ones_like(weights)) == 0
        factor = 1 / (1 - self.dropout.p) if self.training else 1.0
        return torch.where(gone, 0, weights * factor)


class ExampleByExample(Module):
    """A loop over the batch, with attention and dropout per example."""

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Tensor:
        keys, values = clean(keys, valid_lens), clean(values, valid_lens)
        lengths = [None] * len(queries) if valid_lens is None else valid_lens.split(1)
        weights, outputs = [], []
        for q, k, v, n in zip(queries, keys, values, lengths, strict=True):
            weights.append(self.weigh(self.score(q[None], k[None]), n)[0])
            outputs.append(self.drop(weights[-1]) @ v)
        self.attention_weights = torch.stack(weights)
        return torch.stack(outputs)


class Fused(Module):
    """torch's own attention, to which the additive scores are a bias."""

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Tensor:
        keys, values = clean(keys, valid_lens), clean(values, valid_lens)
        bias = self.score(queries, keys)
        empty = bias.new_zeros(bias.shape, dtype=torch.bool)
        if valid_lens is not None:
            keep = length_mask(valid_lens, *bias.shape[1:])
            empty = ~keep.any(-1, keepdim=True)
            bias = bias.masked_fill(~keep & ~empty, -torch.inf)
        nothing = queries.new_zeros(*bias.shape[:2], 1), keys.new_zeros(*keys.shape[:2], 1)
        p = self.dropout.p if self.training else 0.0
        pooled = F.scaled_dot_product_attention(*nothing, values, bias, p)
        return pooled.masked_fill(empty.any(-1, keepdim=True), 0)


class Property(Module):
    """Weights behind a property, without their graph, for heatmaps."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self._kept: Tensor | None = None

    @property
    def attention_weights(self) -> Tensor | None:
        return self._kept

    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        self._kept = weights.detach().clone()
        return self.drop(weights) @ values


class Buffer(Module):
    """Weights in a buffer that is not saved with the parameters."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.register_buffer("attention_weights", None, persistent=False)


class InDouble(Module):
    """Scores and softmax in float64 for any input dtype."""

    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        return masked_softmax(scores.double(), valid_lens).to(scores.dtype)


class ListedParts(nn.Module):
    """Nested modules: the layers belong to another module, and are also attributes here."""

    class Score(nn.Module):
        def __init__(self, key_size: int, query_size: int, num_hiddens: int) -> None:
            super().__init__()
            self.keys = nn.Linear(key_size, num_hiddens, bias=False)
            self.queries = nn.Linear(query_size, num_hiddens, bias=False)
            self.read = nn.Sequential(nn.Tanh(), nn.Linear(num_hiddens, 1, bias=False))

        def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
            sums = self.queries(queries)[:, :, None] + self.keys(keys)[:, None]
            return self.read(sums).squeeze(-1)

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__()
        self.score = self.Score(key_size, query_size, num_hiddens)
        self.W_k, self.W_q, self.w_v = self.score.keys, self.score.queries, self.score.read[1]
        self.regularise = nn.Sequential(nn.Identity(), nn.Dropout(dropout))

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, *lens: Any) -> Tensor:
        valid_lens = lens[0] if lens else None
        keys, values = clean(keys, valid_lens), clean(values, valid_lens)
        weights = masked_softmax(self.score(queries, keys), valid_lens)
        return self.regularise(weights).matmul(values)


RIGHT: dict[str, Callable[..., Any]] = {
    "the library's": AdditiveAttention,
    "a factory": lambda *sizes: AdditiveAttention(*sizes),
    **{
        module.__name__: module
        for module in (
            Module,
            Plain,
            Lazy,
            Einsums,
            Perceptron,
            Functional,
            OwnMask,
            MaskOfOnes,
            OwnGenerator,
            InTheLogarithm,
            ExampleByExample,
            Fused,
            Property,
            Buffer,
            InDouble,
            ListedParts,
        )
    },
}


# Wrong answers: the layers


class Biased(Module):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.W_k = nn.Linear(sizes[0], sizes[2])


class ExtraBias(Module):
    """A bias that starts at 0, and is a parameter of its own."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.b = nn.Parameter(torch.zeros(sizes[2]))

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        sums = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1) + self.b
        return self.w_v(torch.tanh(sums)).squeeze(-1)


class ExtraScale(Module):
    """A scale that starts at 1."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.scale = nn.Parameter(torch.ones(()))

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.scale * super().score(queries, keys)


class NoDefault(Module):
    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Any) -> Any:
        return super().forward(queries, keys, values, valid_lens)


class Leaking(Module):
    """Rely on weights of 0 to hide the padding."""

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Any:
        return self.pool(self.weigh(self.score(queries, keys), valid_lens), values)


class LeakingKeys(Module):
    """Clear the values and not the keys."""

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Any:
        weights = self.weigh(self.score(queries, keys), valid_lens)
        return self.pool(weights, clean(values, valid_lens))


class FarBelow(Module):
    """A fill of −1e9, which is low enough for plain scores."""

    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        if valid_lens is None:
            return F.softmax(scores, dim=-1)
        drop = ~length_mask(valid_lens, *scores.shape[1:])
        return F.softmax(scores.masked_fill(drop, -1e9), dim=-1) * ~drop


class Viewed(Module):
    """Lay the batch out flat by `view`, which transposed inputs do not allow."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        flat = keys.view(-1, keys.shape[-1]).view(keys.shape)
        return super().score(queries, flat)


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


class NoModule:
    def __init__(self, *sizes: Any) -> None:
        pass


class Unfinished(Module):
    def forward(self, *args: Any) -> Any:
        pass


class WidthOf13(Module):
    """A width that was meant for one example."""

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__(key_size, query_size, 13, dropout)


class Frozen(Module):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.W_k.requires_grad_(False)


class SharedSizes(Module):
    """One layer for both, where queries and keys have the same size."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        if queries.shape[-1] != keys.shape[-1]:
            return super().score(queries, keys)
        features = self.W_q(queries).unsqueeze(2) + self.W_q(keys).unsqueeze(1)
        return self.w_v(torch.tanh(features)).squeeze(-1)


# Wrong answers: the scores


class Multiplied(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        features = self.W_q(queries).unsqueeze(2) * self.W_k(keys).unsqueeze(1)
        return self.w_v(torch.tanh(features)).squeeze(-1)


class NoTanh(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.w_v(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]).squeeze(-1)


class NoPairs(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.w_v(torch.tanh(self.W_q(queries) + self.W_k(keys))).squeeze(-1)


class Scaled(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return super().score(queries, keys) / math.sqrt(self.w_v.in_features)


class AxesSwapped(Module):
    """Keys along the queries' axis; only where there are as many is no error raised."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        scores = super().score(queries, keys)
        return scores.mT if queries.shape[1] == keys.shape[1] else scores


class Squeezed(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        return self.w_v(torch.tanh(features)).squeeze()


class UnitsSqueezed(Module):
    """Squeeze before `w_v`, which does nothing unless H is 1."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        return torch.tanh(features) @ self.w_v.weight.squeeze()


class ScoresWithoutGradients(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        with torch.no_grad():
            return super().score(queries, keys)


class ParametersWithoutGradients(Module):
    """`.data` has the same numbers, but gets no gradient."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        sums = F.linear(queries, self.W_q.weight.data)[:, :, None] + self.W_k(keys)[:, None]
        return self.w_v(sums.tanh())[..., 0]


class InHalf(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return super().score(queries, keys).bfloat16().to(queries.dtype)


# Wrong answers: the weights


class Unmasked(Leaking):
    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        return F.softmax(scores, dim=-1)


class UniformWhenEmpty(Leaking):
    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        if valid_lens is None:
            return F.softmax(scores, dim=-1)
        drop = ~length_mask(valid_lens, *scores.shape[1:])
        return F.softmax(scores.masked_fill(drop, -1e6), dim=-1)


class MaskedAfterwards(Leaking):
    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        weights = F.softmax(scores, dim=-1)
        if valid_lens is None:
            return weights
        return weights * length_mask(valid_lens, *scores.shape[1:])


class NaNGradients(Leaking):
    """log 0 = −∞ hides the padding, but an empty row makes all gradients NaN."""

    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        if valid_lens is None:
            return F.softmax(scores, dim=-1)
        keep = length_mask(valid_lens, *scores.shape[1:]).to(scores.dtype)
        return F.softmax(scores + keep.log(), dim=-1).nan_to_num(0)


class Detached(Module):
    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        return masked_softmax(scores, valid_lens).detach()


class FirstMask(Module):
    """Reuse the mask of the first call in later calls."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.lens: Tensor | None = None

    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        if self.lens is None:
            self.lens = valid_lens
        return masked_softmax(scores, self.lens)


class FirstQueryDecides(Module):
    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        if valid_lens is not None and valid_lens.dim() == 2:
            valid_lens = valid_lens[:, 0]
        return masked_softmax(scores, valid_lens)


class Remembered(Module):
    """Reuse the scores of the first call for later calls of the same shape."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.known: dict[torch.Size, Tensor] = {}

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        scores = super().score(queries, keys)
        return self.known.setdefault(scores.shape, scores)


# Wrong answers: the output


class Mean(Leaking):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return values.mean(1, keepdim=True).repeat(1, weights.shape[1], 1)


class Both(Module):
    def forward(self, *args: Any) -> Any:
        return super().forward(*args), self.attention_weights


class OutputSqueezed(Module):
    def forward(self, *args: Any) -> Any:
        return super().forward(*args).squeeze(1)


class ValuesOverwritten(Module):
    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Any:
        output = super().forward(queries, keys, values, valid_lens)
        values.zero_()
        return output


class Noisy(Module):
    """A little noise, in training and in evaluation mode."""

    def pool(self, weights: Tensor, values: Tensor) -> Any:
        return super().pool(weights + 0.01 * torch.randn_like(weights), values)


# Wrong answers: dropout


class DroppedAlways(Module):
    def drop(self, weights: Tensor) -> Tensor:
        return F.dropout(weights, self.dropout.p)


class NeverDropped(Module):
    def drop(self, weights: Tensor) -> Tensor:
        return weights


class NotDroppedWithLengths(Module):
    """Dropout is only in one of two branches."""

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Any:
        keys, values = clean(keys, valid_lens), clean(values, valid_lens)
        weights = self.weigh(self.score(queries, keys), valid_lens)
        if valid_lens is None:
            return self.pool(weights, values)
        self.attention_weights = weights
        return weights @ values


class OutputDropped(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return self.dropout(weights @ values)


class ValuesDropped(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return weights @ self.dropout(values)


class ScoresDropped(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        return self.dropout(super().score(queries, keys))

    def drop(self, weights: Tensor) -> Tensor:
        return weights


class FeaturesDropped(Module):
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        return self.w_v(self.dropout(torch.tanh(features))).squeeze(-1)

    def drop(self, weights: Tensor) -> Tensor:
        return weights


class DroppedBeforeSoftmax(Module):
    """Dropped keys leave the softmax, so that the others share all the weight."""

    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        gone = self.dropout(torch.ones_like(scores)) == 0
        return masked_softmax(scores.masked_fill(gone, -1e4), valid_lens)

    def drop(self, weights: Tensor) -> Tensor:
        return weights


class DroppedTwice(Module):
    def drop(self, weights: Tensor) -> Tensor:
        return self.dropout(self.dropout(weights))


class RateOfATenth(Module):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.dropout = nn.Dropout(0.1)


class RateOfAHalf(Module):
    """The default of `nn.Dropout`."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.dropout = nn.Dropout()


class RateOfKeeping(Module):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.dropout = nn.Dropout(1 - sizes[-1])


class Masked(Module):
    """Multiplies by a mask in training; each mask below is wrong in a different way."""

    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (torch.rand_like(weights) >= p) / (1 - p)

    def drop(self, weights: Tensor) -> Tensor:
        p = self.dropout.p
        return weights * self.mask(weights, p) if self.training and p else weights


class RateOfAQuarter(Module):
    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.dropout = nn.Dropout(0.25)


class EverythingDropped(Module):
    def drop(self, weights: Tensor) -> Tensor:
        return weights * 0 if self.training else weights


class HalfDropped(Masked):
    """Drops half of the weights, but scales for p."""

    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (torch.rand_like(weights) >= 0.5) / (1 - p)


class ScaledForAHalf(Masked):
    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (torch.rand_like(weights) >= p) * 2.0


class NotScaled(Masked):
    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (torch.rand_like(weights) >= p).to(weights.dtype)


class ScaledByP(Masked):
    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (torch.rand_like(weights) >= p) / p


class Renormalised(Masked):
    def drop(self, weights: Tensor) -> Tensor:
        rest = super().drop(weights)
        return rest / rest.sum(-1, keepdim=True).clamp(min=1e-9) if self.training else rest


class ScaledAfterwards(Masked):
    """The oldest form of dropout: no scale in training, smaller weights in evaluation."""

    def drop(self, weights: Tensor) -> Tensor:
        p = self.dropout.p
        return weights * (torch.rand_like(weights) >= p) if self.training else weights * (1 - p)


class OneMaskForTheBatch(Masked):
    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (torch.rand_like(weights[:1]) >= p) / (1 - p)


class OneMaskForAllQueries(Masked):
    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (torch.rand_like(weights[:, :1]) >= p) / (1 - p)


class OneMaskForAllKeys(Masked):
    """Drops a row as a whole or not at all."""

    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (torch.rand_like(weights[..., :1]) >= p) / (1 - p)


class RowsDropped(Module):
    """`nn.Dropout1d` drops whole channels, which are the queries here."""

    def __init__(self, *sizes: Any) -> None:
        super().__init__(*sizes)
        self.dropout = nn.Dropout1d(sizes[-1])


class AsManyInEveryRow(Masked):
    """Drops the same number of keys in each row: p · K, rounded down."""

    def mask(self, weights: Tensor, p: float) -> Tensor:
        ranks = torch.rand_like(weights).argsort(-1).argsort(-1)
        return (ranks >= int(p * weights.shape[-1])) / (1 - p)


class InPairs(Masked):
    """Two neighbouring keys share a draw."""

    def mask(self, weights: Tensor, p: float) -> Tensor:
        draws = torch.rand_like(weights[..., ::2]).repeat_interleave(4, dim=-1)
        return (draws[..., : weights.shape[-1]] >= p) / (1 - p)


class Seeded(Masked):
    def mask(self, weights: Tensor, p: float) -> Tensor:
        torch.manual_seed(0)
        return super().mask(weights, p)


class SeededAside(Masked):
    """Its own generator, seeded again in every call; torch's default one is not used."""

    def mask(self, weights: Tensor, p: float) -> Tensor:
        generator = torch.Generator().manual_seed(0)
        return (torch.rand(weights.shape, generator=generator) >= p) / (1 - p)


class SmallestDropped(Masked):
    def mask(self, weights: Tensor, p: float) -> Tensor:
        return (weights > weights.quantile(p, dim=-1, keepdim=True)) / (1 - p)


class DividedByZero(Masked):
    """The mask is divided by itself."""

    def mask(self, weights: Tensor, p: float) -> Tensor:
        keep = (torch.rand_like(weights) >= p).to(weights.dtype)
        return keep / keep / (1 - p)


class WholeNumbersInTraining(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Any:
        output = super().pool(weights, values)
        return output.long() if self.training else output


class NoEvaluation(Module):
    """Fails when the mode is set."""

    def train(self, mode: bool = True) -> Any:
        raise RuntimeError("no mode")


class DroppedInPlace(Module):
    """Writes into the result of a softmax, which its gradient is computed from."""

    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        weights = super().weigh(scores, valid_lens)
        self.attention_weights = weights.clone()
        return weights

    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        return F.dropout(weights, self.dropout.p, self.training, inplace=True) @ values


class ValuesOverwrittenInTraining(Module):
    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Any:
        output = super().forward(queries, keys, values.clone(), valid_lens)
        if self.training:
            values.zero_()
        return output


class SeedsWhatFollows(Module):
    """Sets the seed after its own draws, which affects all later draws."""

    def drop(self, weights: Tensor) -> Tensor:
        rest = self.dropout(weights)
        if self.training:
            torch.manual_seed(0)
        return rest


class SeedsAlways(Module):
    def forward(self, *args: Any) -> Any:
        torch.manual_seed(0)
        return super().forward(*args)


class SeedsWhenBuilt(Module):
    def __init__(self, *sizes: Any) -> None:
        torch.manual_seed(0)
        super().__init__(*sizes)


class SeedsWhenDefined(Module):
    with torch.random.fork_rng(devices=[]):  # keep the random numbers of the tests
        torch.manual_seed(0)

    def drop(self, weights: Tensor) -> Tensor:
        return self.dropout(weights)


class DefaultOfDoubles(Module):
    def drop(self, weights: Tensor) -> Tensor:
        if self.training:
            torch.set_default_dtype(torch.float64)
        return self.dropout(weights)


class DetachedInTraining(Module):
    def drop(self, weights: Tensor) -> Tensor:
        return self.dropout(weights.detach()) if self.training else weights


class DoubledGradient(Module):
    """The right weights with twice their gradient."""

    def drop(self, weights: Tensor) -> Tensor:
        rest = self.dropout(weights)
        return 2 * rest - rest.detach() if self.training else rest


class SilentInTraining(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Any:
        return None if self.training else super().pool(weights, values)


class FailsInTraining(Module):
    def drop(self, weights: Tensor) -> Tensor:
        if self.training:
            raise ValueError("not today {0}")
        return weights


class FailsInTrainingWithLengths(Module):
    def weigh(self, scores: Tensor, valid_lens: Tensor | None) -> Tensor:
        if self.training and valid_lens is not None:
            raise ValueError("not today")
        return super().weigh(scores, valid_lens)


# Wrong answers: what is stored


class StoredAfterwards(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        self.attention_weights = self.drop(weights)
        return self.attention_weights @ values


class StoredInEvaluation(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        if not self.training:
            self.attention_weights = weights
        return self.drop(weights) @ values


class StoredScores(Module):
    def forward(self, queries: Tensor, keys: Tensor, *rest: Any) -> Any:
        output = super().forward(queries, keys, *rest)
        self.attention_weights = self.score(queries, keys)
        return output


class StoredUnmasked(Module):
    def forward(self, queries: Tensor, keys: Tensor, *rest: Any) -> Any:
        output = super().forward(queries, keys, *rest)
        self.attention_weights = self.score(queries, keys).softmax(-1)
        return output


class StoredOnce(Module):
    """Stored in the first call only."""

    def pool(self, weights: Tensor, values: Tensor) -> Tensor:
        if not hasattr(self, "attention_weights"):
            self.attention_weights = weights
        return self.drop(weights) @ values


class StoredOfTheFirstExample(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Any:
        output = super().pool(weights, values)
        self.attention_weights = weights[0]
        return output


class StoredTransposed(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Any:
        output = super().pool(weights, values)
        self.attention_weights = weights.mT
        return output


class StoredAsAList(Module):
    def pool(self, weights: Tensor, values: Tensor) -> Any:
        output = super().pool(weights, values)
        self.attention_weights = weights.tolist()
        return output


class StoredWithoutLengths(Module):
    """Weights are not stored in calls with lengths, so those of an earlier call remain."""

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Any:
        weights = self.weigh(self.score(queries, keys), valid_lens)
        if valid_lens is None:
            self.attention_weights = weights
        return self.drop(weights) @ values


WRONG: dict[str, Callable[..., Any]] = {
    "AnInstance": AdditiveAttention(2, 3, 5),
    **{
        module.__name__: module
        for module in (
            Biased,
            ExtraBias,
            ExtraScale,
            NoDefault,
            Leaking,
            LeakingKeys,
            FarBelow,
            Viewed,
            Reversed,
            SizesSwapped,
            Halfway,
            NoSuper,
            NoInit,
            ThreeSizes,
            Bare,
            NoModule,
            Unfinished,
            WidthOf13,
            Frozen,
            SharedSizes,
            Multiplied,
            NoTanh,
            NoPairs,
            Scaled,
            AxesSwapped,
            Squeezed,
            UnitsSqueezed,
            ScoresWithoutGradients,
            ParametersWithoutGradients,
            InHalf,
            Unmasked,
            UniformWhenEmpty,
            MaskedAfterwards,
            NaNGradients,
            Detached,
            FirstMask,
            FirstQueryDecides,
            Remembered,
            Mean,
            Both,
            OutputSqueezed,
            ValuesOverwritten,
            Noisy,
            DroppedAlways,
            NeverDropped,
            NotDroppedWithLengths,
            OutputDropped,
            ValuesDropped,
            ScoresDropped,
            FeaturesDropped,
            DroppedBeforeSoftmax,
            DroppedTwice,
            RateOfATenth,
            RateOfAHalf,
            RateOfAQuarter,
            RateOfKeeping,
            EverythingDropped,
            HalfDropped,
            ScaledForAHalf,
            NotScaled,
            ScaledByP,
            Renormalised,
            ScaledAfterwards,
            OneMaskForTheBatch,
            OneMaskForAllQueries,
            OneMaskForAllKeys,
            RowsDropped,
            AsManyInEveryRow,
            InPairs,
            Seeded,
            SeededAside,
            SmallestDropped,
            DividedByZero,
            WholeNumbersInTraining,
            NoEvaluation,
            DroppedInPlace,
            ValuesOverwrittenInTraining,
            SeedsWhatFollows,
            SeedsAlways,
            SeedsWhenBuilt,
            SeedsWhenDefined,
            DefaultOfDoubles,
            DetachedInTraining,
            DoubledGradient,
            SilentInTraining,
            FailsInTraining,
            FailsInTrainingWithLengths,
            StoredAfterwards,
            StoredInEvaluation,
            StoredScores,
            StoredUnmasked,
            StoredOnce,
            StoredOfTheFirstExample,
            StoredTransposed,
            StoredAsAList,
            StoredWithoutLengths,
        )
    },
}

NAMED = {
    "Leaking": "padding-leaks",
    "LeakingKeys": "padding-leaks-into-gradients",
    "FarBelow": "finite-fill",
    "Multiplied": "product",
    "NoTanh": "no-tanh",
    "Scaled": "root-scale",
    "Unmasked": "no-mask",
    "UniformWhenEmpty": "empty-row-uniform",
    "MaskedAfterwards": "mask-after-softmax",
    "Mean": "plain-mean",
    "NaNGradients": "empty-row-gradient",
}

MESSAGES = {
    "ExtraBias": "further parameters: `b`",
    "ExtraScale": "further parameters: `scale`",
    "NoDefault": "give `valid_lens` the default `None`",
    "Viewed": "`.reshape` copies them",
    "AnInstance": "Give it the class, without parentheses.",
    "Biased": "`W_k` has a bias",
    "Reversed": "the weight of `W_q` should have the shape (13, 5); yours has (5, 13)",
    "SizesSwapped": "the weight of `W_q` should have the shape (13, 5); yours has (13, 11)",
    "Halfway": "has no `W_q`, `w_v` yet",
    "NoSuper": "Call `super().__init__()` first",
    "NoInit": "The class needs an `__init__` that takes these four",
    "ThreeSizes": "The class needs an `__init__` that takes these four",
    "Bare": "`w_v` should be an `nn.Linear` without bias, but it is of type `Parameter`",
    "NoModule": "yours makes an object of type `NoModule`",
    "Unfinished": "nothing came back. Every path through",
    "WidthOf13": "With key_size 5, query_size 5 and num_hiddens 5",
    "Frozen": "no gradient reaches `W_k`.",
    "NoPairs": "every query meets every key",
    "ParametersWithoutGradients": "no gradient reaches `W_q`.",
    "Detached": "no gradient reaches `queries`, `keys`, `W_q`, `W_k`, `w_v`.",
    "Both": "Return only the tensor",
    "ValuesOverwritten": "The function changes `values`",
    "DroppedAlways": "still at work after `eval()`",
    "NeverDropped": "`dropout` does nothing",
    "NotDroppedWithLengths": "In your module 0% become 0, and the others are multiplied by 1.000",
    "OutputDropped": "every weight should either become 0 or be divided by 1 − 0.25",
    "ValuesDropped": "every weight should either become 0 or be divided by 1 − 0.25",
    "ScoresDropped": "every weight should either become 0 or be divided by 1 − 0.25",
    "FeaturesDropped": "every weight should either become 0 or be divided by 1 − 0.25",
    "DroppedBeforeSoftmax": "every weight should either become 0 or be divided by 1 − 0.25",
    "Renormalised": "every weight should either become 0 or be divided by 1 − 0.25",
    "RateOfATenth": "10% become 0, and the others are multiplied by 1.111",
    "RateOfAHalf": "others are multiplied by 2.000",
    "RateOfAQuarter": "With `train()`, dropout 0.6 and no lengths",
    "RateOfKeeping": "others are multiplied by 4.000",
    "HalfDropped": "others are multiplied by 1.333",
    "ScaledForAHalf": "others are multiplied by 2.000",
    "NotScaled": "others are multiplied by 1.000",
    "EverythingDropped": "every single weight becomes 0",
    "ScaledAfterwards": "With dropout 0 all outputs are right, but with dropout 0.25 they are not",
    "OneMaskForTheBatch": "they share one mask",
    "OneMaskForAllQueries": "they share one mask",
    "OneMaskForAllKeys": "loses all of its weights or none",
    "RowsDropped": "loses all of its weights or none",
    "AsManyInEveryRow": "from a row varies far less than it would by chance",
    "InPairs": "varies far more than it would by chance",
    "Seeded": "Two calls in training drop exactly the same weights",
    "SeededAside": "Two calls in training drop exactly the same weights",
    "SmallestDropped": "Two calls in training drop exactly the same weights",
    "DividedByZero": "acts as if it were nan",
    "WholeNumbersInTraining": "floating-point numbers, torch.float32; yours holds torch.int64",
    "NoEvaluation": "your code raised `RuntimeError`: no mode",
    "DroppedInPlace": "computing gradients raised",
    "ValuesOverwrittenInTraining": "The function changes `values`",
    "SeedsWhatFollows": "the function sets the seed of torch's random numbers",
    "SeedsAlways": "the function sets the seed of torch's random numbers",
    "SeedsWhenBuilt": "the class sets the seed of torch's random numbers",
    "SeedsWhenDefined": "the class sets the seed of torch's random numbers",
    "DefaultOfDoubles": "The function changes what the whole program shares",
    "DetachedInTraining": "no gradient reaches `queries`, `keys`, `W_q`, `W_k`, `w_v`.",
    "DoubledGradient": "the output is right, but the gradient of `queries`",
    "FailsInTraining": "dropout 0.25 and no lengths: your code raised `ValueError`: not today {0}",
    "FailsInTrainingWithLengths": "dropout 0.25 and a length per example: your code raised",
    "SilentInTraining": "no lengths: the result should be a tensor of shape (6, 8, 16)",
    "StoredAfterwards": "holds the weights after dropout",
    "StoredInEvaluation": "`attention_weights` does not hold the weights of the last call",
    "StoredScores": "of `attention_weights` should be",
    "StoredUnmasked": "of `attention_weights` should be",
    "StoredOfTheFirstExample": "should have the shape (2, 3, 7); yours has (3, 7)",
    "StoredAsAList": "`attention_weights` should be a tensor of shape (2, 3, 7)",
}
