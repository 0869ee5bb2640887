"""Define attention modules by score: additive, scaled dot product, bilinear and Gaussian.

Shapes: B batch, Q queries, K keys, V value size, H hidden units.
"""

from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attention_lib import scores
from attention_lib._checks import (
    check_alike,
    check_counts,
    check_flag,
    check_floating,
    check_layer,
    check_number,
    check_pair,
    check_probability,
    check_same_size,
)
from attention_lib._chunks import perceptron
from attention_lib._padding import weighted_sum, zero_padding
from attention_lib._transforms import is_exporting, readable, unwrap
from attention_lib.masking import check_valid_lens, length_mask, masked_softmax


class Attention(nn.Module, ABC):
    """Attention pooling for any score: softmax of the scores, then a weighted sum of the values.

    A subclass defines how a query and a key are scored. This class does the rest.

    Attributes:
        attention_weights: (B, Q, K) of the latest forward, before dropout; None before the first.
            Detached, so that a module can be copied and no graph outlives its step; None after a
            forward inside torch.func.vmap, where no such tensor exists, or without weights. Left
            alone by torch.export and torch.jit.trace.
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
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        need_weights: bool = True,
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
            need_weights: False: PyTorch fuses all steps, as `DotProductAttention` says.

        Returns:
            (B, Q, V).

        Raises:
            ValueError: shapes or devices do not fit together, a length lies outside 0..K, or
                need_weights is False for a score that PyTorch does not fuse.
            TypeError: a dtype does not fit, a tensor is not strided, or need_weights is no bool.
        """
        check_flag("need_weights", need_weights)
        self.check(queries, keys, values)
        if not need_weights:
            return self.fused(queries, keys, values, valid_lens)
        if torch.is_grad_enabled() or is_exporting():  # without gradients, masking is enough
            keys = zero_padding(keys, valid_lens, queries.shape[1])
        weights = masked_softmax(self.score(queries, keys), valid_lens)
        if not is_exporting():
            self.attention_weights = unwrap(weights.detach())
        return weighted_sum(self.dropout(weights), values, valid_lens)

    def fused(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None, h: int = 1
    ) -> Tensor:
        """Pool without weights, for h heads side by side: (B, Q, h · d), … → (B, Q, h · V)."""
        if getattr(type(self), "score", None) is not DotProductAttention.score:
            raise ValueError(f"need_weights must be True for {type(self).__name__}; got False")
        if not is_exporting():
            self.attention_weights = None
        mask, causal, p = None, False, self.dropout.p if self.dropout.training else 0.0
        if valid_lens is not None:
            check_valid_lens(valid_lens, queries.shape[:2], keys.shape[1], queries=queries)
            keys, values = (zero_padding(x, valid_lens, queries.shape[1]) for x in (keys, values))
            mask, causal = _mask(valid_lens.long(), queries.shape[1], keys.shape[1])
        apart = (x.reshape(*x.shape[:2], h, x.shape[2] // h) for x in (queries, keys, values))
        q, k, v = (x.transpose(1, 2) for x in apart)  # (B, h, N, size)
        output = F.scaled_dot_product_attention(q, k, v, mask, p, causal).transpose(1, 2).flatten(2)
        if valid_lens is None or (readable(valid_lens) and valid_lens.all()):
            return output  # no row is empty
        empty = (valid_lens == 0).reshape(queries.shape[0], -1, 1)
        if readable(empty) and readable(output) and not output.requires_grad:
            return output.masked_fill_(empty, 0)  # saves the memory of a copy
        return output.masked_fill(empty, 0)

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

    `forward(…, need_weights=False)` leaves the same output to PyTorch's fused attention, under the
    same rules for lengths, empty rows and padding. It takes less time and memory, except on a CPU
    with dropout or V ≠ d; `attention_weights` is then None. For second and forward-mode gradients
    PyTorch raises an error, and under torch.func.vmap it warns. Not run on a CUDA device so far.

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
    >>> attention(queries, keys, torch.ones(1, 3, 2), torch.tensor([0]), need_weights=False)
    tensor([[[0., 0.]]])
    >>> attention.attention_weights is None
    True
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


def _mask(valid_lens: Tensor, num_queries: int, num_keys: int) -> tuple[Tensor | None, bool]:
    """Return a mask (B, 1, 1 or Q, K) that all heads share, if one is needed, and `is_causal`."""
    if readable(valid_lens):
        if valid_lens.eq(num_keys).all():
            return None, False
        if valid_lens.dim() == 2 and valid_lens.eq(torch.arange(1, num_queries + 1)).all():
            return None, True
    # An empty row reads all keys, because a softmax over nothing is NaN; its output is zeroed.
    lens = valid_lens.where(valid_lens > 0, num_keys)
    return length_mask(lens, num_queries, num_keys).unsqueeze(1), False
