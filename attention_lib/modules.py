"""Define attention modules by score: additive, scaled dot product, bilinear and Gaussian.

Shapes: B batch, Q queries, K keys, V value size, H hidden units.
"""

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from attention_lib import scores
from attention_lib._checks import (
    check_alike,
    check_counts,
    check_floating,
    check_layer,
    check_number,
    check_pair,
    check_probability,
    check_same_size,
)
from attention_lib._chunks import perceptron
from attention_lib._padding import weighted_sum, zero_padding
from attention_lib._transforms import is_exporting, unwrap
from attention_lib.masking import masked_softmax


class Attention(nn.Module, ABC):
    """Attention pooling for any score: softmax of the scores, then a weighted sum of the values.

    A subclass defines how a query and a key are scored. This class does the rest.

    Attributes:
        attention_weights: (B, Q, K) of the latest forward, before dropout; None before the first.
            Detached, so that a module can be copied and no graph outlives its step; None after a
            forward inside torch.func.vmap, where no such tensor exists. Left alone by torch.export
            and torch.jit.trace.
    """

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        check_probability("dropout", dropout)
        self.dropout = nn.Dropout(dropout)
        self.attention_weights: Tensor | None = None

    @abstractmethod
    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score each key for each query: (B, Q, query size), (B, K, key size) → (B, Q, K)."""

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Tensor:
        """Pool the values.

        Keys and values that no query reads, those from the longest length of their example onwards,
        count as 0, whatever they hold: not even NaN reaches the output or a gradient. What one
        query reads must be finite for the others too, which give it a weight of 0: 0 · NaN is NaN.

        Args:
            queries: (B, Q, query size) floating.
            keys: (B, K, key size) floating.
            values: (B, K, V) floating.
            valid_lens: (B,) or (B, Q) integer, how many leading keys count. None: all.

        Returns:
            (B, Q, V).

        Raises:
            ValueError: shapes or devices do not fit together, or a length lies outside 0..K.
            TypeError: a tensor has a dtype that does not fit, or is not strided.
        """
        self.check(queries, keys, values)
        if torch.is_grad_enabled() or is_exporting():  # without gradients, masking is enough
            keys = zero_padding(keys, valid_lens, queries.shape[1])
        weights = masked_softmax(self.score(queries, keys), valid_lens)
        if not is_exporting():
            self.attention_weights = unwrap(weights.detach())
        return weighted_sum(self.dropout(weights), values, valid_lens)

    def check(self, queries: Tensor, keys: Tensor, values: Tensor) -> None:
        """Raise what `forward` raises for queries, keys and values that do not fit together."""
        check_pair(queries, keys)
        check_floating("values", values, "(B, K, V)")
        check_alike("values", values, "queries", queries)
        if values.shape[:2] != keys.shape[:2]:
            raise ValueError(
                f"values must have one row per key, (B, K) = {tuple(keys.shape[:2])}; "
                f"got {tuple(values.shape[:2])} in {tuple(values.shape)}"
            )


class AdditiveAttention(Attention):
    r"""Score of a small perceptron: $w_v^\top \tanh(W_q q + W_k k)$.

    q ∈ ℝ^query_size and k ∈ ℝ^key_size may differ in size; W_q ∈ ℝ^(H × query_size),
    W_k ∈ ℝ^(H × key_size), w_v ∈ ℝ^H, H = num_hiddens, no bias. Where many pairs meet, w_v is
    called several times, for some queries each.

    Args:
        key_size: size of a key.
        query_size: size of a query.
        num_hiddens: H.
        dropout: probability of dropping a weight in training mode.

    Raises:
        ValueError: a size is less than 1, or dropout lies outside 0..1.
        TypeError: a size is no integer, or dropout no number.

    Source: Bahdanau, Cho and Bengio, *Neural Machine Translation by Jointly Learning to Align
    and Translate*, ICLR 2015.

    >>> attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.1)
    >>> attention.eval()(torch.ones(1, 3, 20), torch.ones(1, 5, 2), torch.ones(1, 5, 4)).shape
    torch.Size([1, 3, 4])
    """

    def __init__(
        self, key_size: int, query_size: int, num_hiddens: int, dropout: float = 0.0
    ) -> None:
        check_counts(1, key_size=key_size, query_size=query_size, num_hiddens=num_hiddens)
        super().__init__(dropout)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score each key for each query: (B, Q, query_size), (B, K, key_size) → (B, Q, K)."""
        return perceptron(self.W_q(queries), self.W_k(keys), self.w_v)

    def check(self, queries: Tensor, keys: Tensor, values: Tensor) -> None:
        super().check(queries, keys, values)
        check_layer("queries", queries, "W_q", self.W_q)
        check_layer("keys", keys, "W_k", self.W_k)


class DotProductAttention(Attention):
    r"""Score of a scaled dot product: $q^\top k / \sqrt{d}$, for q, k ∈ ℝ^d.

    Args:
        dropout: probability of dropping a weight in training mode.

    Raises:
        ValueError: dropout lies outside 0..1.
        TypeError: dropout is no number.

    Source: Vaswani et al., *Attention Is All You Need*, NeurIPS 2017.

    >>> attention = DotProductAttention(dropout=0.0)
    >>> queries, keys = torch.ones(1, 1, 2), torch.ones(1, 3, 2)
    >>> attention(queries, keys, torch.tensor([[[0.0], [3.0], [99.0]]]), torch.tensor([2]))
    tensor([[[1.5000]]])
    """

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score each key for each query: (B, Q, d), (B, K, d) → (B, Q, K)."""
        return scores.scaled_dot(queries, keys)

    def check(self, queries: Tensor, keys: Tensor, values: Tensor) -> None:
        super().check(queries, keys, values)
        check_same_size(queries, keys)


class BilinearAttention(Attention):
    r"""Score of a dot product after a learned map: $q^\top W k$.

    q ∈ ℝ^query_size and k ∈ ℝ^key_size may differ in size; W ∈ ℝ^(query_size × key_size), no bias.
    Nothing divides the score: its scale is that of W, which PyTorch starts such that independent
    components of variance 1 give scores of variance query_size / 3.

    Args:
        key_size: size of a key.
        query_size: size of a query.
        dropout: probability of dropping a weight in training mode.

    Raises:
        ValueError: a size is less than 1, or dropout lies outside 0..1.
        TypeError: a size is no integer, or dropout no number.

    Source: Luong, Pham and Manning, *Effective Approaches to Attention-based Neural Machine
    Translation*, EMNLP 2015 (their score "general").

    >>> attention = BilinearAttention(key_size=2, query_size=20, dropout=0.1)
    >>> attention.W.weight.shape
    torch.Size([20, 2])
    >>> attention.eval()(torch.ones(1, 3, 20), torch.ones(1, 5, 2), torch.ones(1, 5, 4)).shape
    torch.Size([1, 3, 4])
    """

    def __init__(self, key_size: int, query_size: int, dropout: float = 0.0) -> None:
        check_counts(1, key_size=key_size, query_size=query_size)
        super().__init__(dropout)
        self.W = nn.Linear(key_size, query_size, bias=False)

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score each key for each query: (B, Q, query_size), (B, K, key_size) → (B, Q, K)."""
        return scores.dot(queries, self.W(keys))

    def check(self, queries: Tensor, keys: Tensor, values: Tensor) -> None:
        super().check(queries, keys, values)
        check_layer("queries", queries, "W", self.W, "out_features")
        check_layer("keys", keys, "W", self.W)


class GaussianAttention(Attention):
    r"""Score of the Gaussian kernel: $-\frac{1}{2} \lVert (q - k)\, w \rVert^2$, for q, k ∈ ℝ^d.

    Its softmax is that of `kernels.nadaraya_watson` (which names the source); its width is learned.

    Args:
        w: initial value of the parameter `w`, the inverse of the bandwidth. The square of w times a
            distance must fit the dtype.

    Raises:
        ValueError: w is not finite, or does not fit the default dtype. A forward raises it too, if
            w became so when it was learned, loaded or converted.
        TypeError: w is no number.

    >>> attention = GaussianAttention(w=100.0)
    >>> keys, values = torch.tensor([[[0.0], [1.0]]]), torch.tensor([[[3.0], [7.0]]])
    >>> attention(torch.tensor([[[0.9]]]), keys, values).detach()
    tensor([[[7.]]])
    """

    def __init__(self, w: float = 1.0) -> None:
        super().__init__()
        check_number("w", w, torch.get_default_dtype())
        self.w = nn.Parameter(torch.tensor(float(w)))

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Score each key for each query: (B, Q, d), (B, K, d) → (B, Q, K)."""
        return scores.gaussian(queries * self.w, keys * self.w)

    def check(self, queries: Tensor, keys: Tensor, values: Tensor) -> None:
        super().check(queries, keys, values)
        check_same_size(queries, keys)
        check_number("w", self.w, self.w.dtype)
