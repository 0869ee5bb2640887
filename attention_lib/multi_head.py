"""Define multi-head attention, on learned projections of queries, keys and values."""

from torch import Tensor, nn

from attention_lib._checks import (
    check_counts,
    check_flag,
    check_layer,
    check_module,
    check_numbers,
)
from attention_lib._padding import zero_padding
from attention_lib.masking import check_valid_lens
from attention_lib.modules import Attention, DotProductAttention


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Move the heads to the batch axis: (B, N, h · s) → (B · h, N, s).

    Head i gets components i · s to (i + 1) · s of each vector.

    Raises:
        ValueError: x is not 3-D, or num_heads does not divide the size of its vectors.
        TypeError: x is no strided tensor of numbers, or num_heads no integer.

    >>> split_heads(torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]]), num_heads=2)
    tensor([[[1, 2],
             [5, 6]],
    <BLANKLINE>
            [[3, 4],
             [7, 8]]])
    """
    check_numbers("x", x, "(B, N, h · s)")
    check_counts(1, num_heads=num_heads)
    batch, number, size = x.shape
    if size % num_heads:
        raise ValueError(f"num_heads must divide the size of x, {size}; got {num_heads}")
    apart = x.reshape(batch, number, num_heads, size // num_heads)
    return apart.transpose(1, 2).flatten(0, 1)


def merge_heads(x: Tensor, num_heads: int) -> Tensor:
    """Concatenate the heads' vectors: (B · h, N, s) → (B, N, h · s), the inverse of `split_heads`.

    Raises:
        ValueError: x is not 3-D, or num_heads does not divide its first size.
        TypeError: as `split_heads`.

    >>> x = torch.rand(1, 3, 4)
    >>> torch.equal(merge_heads(split_heads(x, num_heads=2), num_heads=2), x)
    True
    """
    check_numbers("x", x, "(B · h, N, s)")
    check_counts(1, num_heads=num_heads)
    if x.shape[0] % num_heads:
        raise ValueError(f"num_heads must divide the batch of x, {x.shape[0]}; got {num_heads}")
    return _apart(x, num_heads).transpose(1, 2).flatten(2)


def _apart(x: Tensor, num_heads: int) -> Tensor:
    """Give the heads an axis of their own: (B · h, N, s) → (B, h, N, s); any size may be 0."""
    return x.reshape(x.shape[0] // num_heads, num_heads, *x.shape[1:])


class MultiHeadAttention(nn.Module):
    r"""Heads that each attend with projections of their own; their outputs are mixed by W_o.

    Shapes: B batch, Q queries, K keys, h = num_heads, s = num_hiddens / h.

    Head i scores $W_q^{(i)} q$ against $W_k^{(i)} k$ and pools $W_v^{(i)} v$, each of size s: the
    rows i · s to (i + 1) · s of W_q, W_k and W_v, which have num_hiddens rows in all.

    Args:
        key_size, query_size, value_size: sizes of a key, a query and a value.
        num_hiddens: size of all heads together, and of the output.
        num_heads: h, which must divide num_hiddens.
        dropout: probability of dropping a weight in training mode; only without `attention`.
        bias: whether the four projections have one.
        attention: how a head attends to vectors of size s. None: by scaled dot products. Where its
            score has parameters, the heads share them.

    Attributes:
        attention_weights: (B, h, Q, K), otherwise like those of `Attention`.

    Raises:
        ValueError: a size is less than 1, num_heads does not divide num_hiddens, or dropout is no
            probability or given twice.
        TypeError: a size is no integer, dropout no number or attention no module.

    Source: Vaswani et al., *Attention Is All You Need*, NeurIPS 2017.

    >>> attention = MultiHeadAttention(4, 4, 4, num_hiddens=6, num_heads=2)
    >>> x = torch.ones(1, 3, 4)
    >>> attention(x, x, x, torch.tensor([[1, 2, 3]])).shape  # causal: query i reads i + 1 keys
    torch.Size([1, 3, 6])
    >>> attention.attention_weights[0, 0]
    tensor([[1.0000, 0.0000, 0.0000],
            [0.5000, 0.5000, 0.0000],
            [0.3333, 0.3333, 0.3333]])
    """

    def __init__(
        self,
        key_size: int,
        query_size: int,
        value_size: int,
        num_hiddens: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = False,
        attention: Attention | None = None,
    ) -> None:
        super().__init__()
        check_counts(1, key_size=key_size, query_size=query_size, value_size=value_size)
        check_counts(1, num_hiddens=num_hiddens, num_heads=num_heads)
        if num_hiddens % num_heads:
            raise ValueError(f"num_heads must divide num_hiddens, {num_hiddens}; got {num_heads}")
        if attention is not None:
            check_module("attention", attention)
        if attention is not None and dropout:
            raise ValueError(f"dropout must be 0 beside an attention; got {dropout}")
        self.num_heads = num_heads
        self.attention = DotProductAttention(dropout) if attention is None else attention
        self.W_q = nn.Linear(query_size, num_hiddens, bias=bias)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=bias)
        self.W_v = nn.Linear(value_size, num_hiddens, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)

    @property
    def attention_weights(self) -> Tensor | None:
        """(B, h, Q, K) of the latest forward, before dropout; None where `Attention` has none."""
        weights = self.attention.attention_weights
        return None if weights is None else _apart(weights, self.num_heads)

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | None = None,
        need_weights: bool = True,
    ) -> Tensor:
        """Attend with every head, and mix what they return.

        Args:
            queries: (B, Q, query_size) floating.
            keys: (B, K, key_size) floating.
            values: (B, K, value_size) floating.
            valid_lens: (B,) or (B, Q) integer, how many leading keys count, to every head. None:
                all. Beyond the longest length of an example, keys and values may hold anything.
            need_weights: False: as in `DotProductAttention`. No hook of `attention` is called.

        Returns:
            (B, Q, num_hiddens).

        Raises:
            ValueError: shapes or devices do not fit together, a length lies outside 0..K, or
                need_weights is False for heads of another kind.
            TypeError: a dtype does not fit, a tensor is not strided, or need_weights is no bool.
        """
        check_flag("need_weights", need_weights)
        Attention.check(self.attention, queries, keys, values)  # which every attention requires
        check_layer("queries", queries, "W_q", self.W_q)
        check_layer("keys", keys, "W_k", self.W_k)
        check_layer("values", values, "W_v", self.W_v)
        if valid_lens is not None:
            check_valid_lens(valid_lens, queries.shape[:2], keys.shape[1], queries=queries)
        # Zeroed before the projection, because the gradient of W_k multiplies padding by 0.
        keys, values = (zero_padding(x, valid_lens, queries.shape[1]) for x in (keys, values))
        projected = self.W_q(queries), self.W_k(keys), self.W_v(values)
        if not need_weights:
            outputs = Attention.fused(self.attention, *projected, valid_lens, self.num_heads)
        else:
            if valid_lens is not None:
                valid_lens = valid_lens.repeat_interleave(self.num_heads, dim=0)
            split = (split_heads(x, self.num_heads) for x in projected)
            outputs = merge_heads(self.attention(*split, valid_lens), self.num_heads)
        mixed: Tensor = self.W_o(outputs)
        return mixed
