"""Test multi-head attention: PyTorch's as oracle, masks, padding, the slice of each head."""

import copy

import pytest
import torch
from torch import Tensor, nn

from attention_lib import (
    AdditiveAttention,
    DotProductAttention,
    MultiHeadAttention,
    merge_heads,
    split_heads,
)

B, Q, K, HEADS, SIZE = 2, 3, 5, 7, 11
HIDDENS = HEADS * SIZE


def pair(bias: bool = False) -> tuple[MultiHeadAttention, nn.MultiheadAttention]:
    """Return our module and PyTorch's with the same weights."""
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(HIDDENS, HEADS, bias=bias, batch_first=True)
    ours = MultiHeadAttention(HIDDENS, HIDDENS, HIDDENS, HIDDENS, HEADS, bias=bias)
    parts = theirs.in_proj_weight.chunk(3)
    with torch.no_grad():
        for linear, weight in zip((ours.W_q, ours.W_k, ours.W_v), parts, strict=True):
            linear.weight.copy_(weight)
        ours.W_o.weight.copy_(theirs.out_proj.weight)
        if bias:
            nn.init.normal_(theirs.in_proj_bias)
            nn.init.normal_(theirs.out_proj.bias)
            biases = [*theirs.in_proj_bias.chunk(3), theirs.out_proj.bias]
            for linear, b in zip((ours.W_q, ours.W_k, ours.W_v, ours.W_o), biases, strict=True):
                linear.bias.copy_(b)
    return ours, theirs


def inputs() -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(1)
    return torch.randn(B, Q, HIDDENS), torch.randn(B, K, HIDDENS), torch.randn(B, K, HIDDENS)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    "valid_lens",
    [None, torch.tensor([2, 5]), torch.tensor([[1, 2, 3], [5, 1, 4]])],
    ids=["none", "per example", "per query"],
)
def test_it_is_that_of_pytorch_with_the_same_weights(valid_lens: Tensor | None, bias: bool) -> None:
    ours, theirs = pair(bias)
    mask = None
    if valid_lens is not None:
        lengths = valid_lens if valid_lens.dim() == 2 else valid_lens[:, None].expand(B, Q)
        mask = (torch.arange(K) >= lengths[..., None]).repeat_interleave(HEADS, 0)
    output, weights = theirs(*inputs(), attn_mask=mask, average_attn_weights=False)
    torch.testing.assert_close(ours(*inputs(), valid_lens), output, atol=1e-5, rtol=0)
    assert ours.attention_weights is not None
    torch.testing.assert_close(ours.attention_weights, weights, atol=1e-5, rtol=0)


def test_rows_without_keys_are_0_where_those_of_pytorch_are_nan() -> None:
    ours, theirs = pair()
    lengths = torch.tensor([0, 2])
    mask = torch.arange(K) >= lengths[:, None]
    output, weights = theirs(*inputs(), key_padding_mask=mask)
    assert weights[0].isnan().all()
    assert output[0].isnan().all()
    assert torch.equal(ours(*inputs(), lengths)[0], torch.zeros(Q, HIDDENS))
    assert ours.attention_weights is not None
    assert not ours.attention_weights[0].any()


def test_causal_lengths_are_a_causal_mask() -> None:
    ours, theirs = pair()
    x = inputs()[1]
    causal = nn.Transformer.generate_square_subsequent_mask(K)
    output, _ = theirs(x, x, x, attn_mask=causal, is_causal=True)
    lengths = torch.arange(1, K + 1).expand(B, K)
    torch.testing.assert_close(ours(x, x, x, lengths), output, atol=1e-5, rtol=0)


@pytest.mark.parametrize("held", [float("nan"), float("inf"), -1e38])
@pytest.mark.parametrize("lengths", [torch.tensor([2, 3]), torch.tensor([[1, 2, 0], [3, 2, 1]])])
def test_padding_reaches_neither_the_output_nor_a_gradient(lengths: Tensor, held: float) -> None:
    ours, _ = pair()
    clean = [x.requires_grad_() for x in inputs()]
    expected = ours(*clean, lengths)
    expected.sum().backward()
    gradients = [x.grad for x in (*clean, *ours.parameters())]
    ours.zero_grad()
    queries, keys, values = inputs()
    for b, length in enumerate(lengths.reshape(B, -1).amax(dim=1)):
        keys[b, length:] = values[b, length:] = held
    dirty = [x.requires_grad_() for x in (queries, keys, values)]
    output = ours(*dirty, lengths)
    output.sum().backward()
    torch.testing.assert_close(output, expected)
    for got, want in zip((*dirty, *ours.parameters()), gradients, strict=True):
        torch.testing.assert_close(got.grad, want)


def test_each_head_reads_its_own_slice() -> None:
    ours, _ = pair()
    queries, keys, values = inputs()
    ours(queries, keys, values)
    head = slice(3 * SIZE, 4 * SIZE)
    alone = DotProductAttention()
    alone(ours.W_q(queries)[..., head], ours.W_k(keys)[..., head], ours.W_v(values)[..., head])
    assert ours.attention_weights is not None
    assert alone.attention_weights is not None
    torch.testing.assert_close(ours.attention_weights[:, 3], alone.attention_weights)


def test_any_attention_can_be_a_head() -> None:
    torch.manual_seed(0)
    additive = AdditiveAttention(SIZE, SIZE, num_hiddens=4)
    ours = MultiHeadAttention(2, 3, 5, HIDDENS, HEADS, attention=additive)
    inputs = torch.randn(B, Q, 3), torch.randn(B, K, 2), torch.randn(B, K, 5)
    output = ours(*inputs, torch.tensor([4, 1]))  # more keys than components per key
    assert output.shape == (B, Q, HIDDENS)
    assert ours.attention is additive


def test_without_being_asked_it_has_no_bias_and_drops_nothing() -> None:
    ours = MultiHeadAttention(2, 3, 5, HIDDENS, num_heads=1)
    assert [name for name, _ in ours.named_parameters()] == [f"W_{x}.weight" for x in "qkvo"]
    assert ours.attention.dropout.p == 0


@pytest.mark.parametrize(("b", "q", "k"), [(0, Q, K), (B, 0, K), (B, Q, 0)])
def test_sizes_may_be_0(b: int, q: int, k: int) -> None:
    ours, _ = pair()
    queries, keys, values = inputs()
    assert ours(queries[:b, :q], keys[:b, :k], values[:b, :k]).shape == (b, q, HIDDENS)
    assert ours.attention_weights is not None
    assert ours.attention_weights.shape == (b, HEADS, q, k)


def test_copies_are_alike() -> None:
    ours, _ = pair()
    ours(*inputs())
    twin = copy.deepcopy(ours)
    torch.testing.assert_close(twin(*inputs()), ours(*inputs()))


def test_it_compiles_exports_and_maps() -> None:
    ours, _ = pair()
    lengths = torch.tensor([2, 3])
    want = ours(*inputs(), lengths)
    exported = torch.export.export(ours, (*inputs(), lengths)).module()
    torch.testing.assert_close(exported(*inputs(), lengths), want)
    one = torch.func.vmap(lambda *x: ours(*(y[None] for y in x))[0])
    torch.testing.assert_close(one(*inputs()), ours(*inputs()))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: MultiHeadAttention(2, 2, 2, 6, 4), r"num_heads must divide num_hiddens, 6; got 4"),
        (lambda: MultiHeadAttention(2, 2, 2, 6, 0), r"num_heads must be at least 1; got 0"),
        (
            lambda: MultiHeadAttention(2, 2, 2, 6, 2, 0.1, attention=DotProductAttention()),
            "dropout must be 0 beside an attention; got 0.1",
        ),
        (
            lambda: pair()[0](inputs()[0][..., 1:], *inputs()[1:]),
            f"queries must have size {HIDDENS}; got {HIDDENS - 1}",
        ),
        (
            lambda: pair()[0](inputs()[0], inputs()[1][..., 1:], inputs()[2]),
            f"^keys must have size {HIDDENS}; got {HIDDENS - 1}",
        ),
        (
            lambda: pair()[0](*inputs()[:2], inputs()[2][..., 1:]),
            f"^values must have size {HIDDENS}; got {HIDDENS - 1}",
        ),
        (
            lambda: pair()[0](*inputs(), torch.tensor([1, 2, 3])),
            r"valid_lens must have shape \(B,\) or \(B, Q\) = \(2,\) or \(2, 3\); got \(3,\)",
        ),
        (lambda: pair()[0](*inputs(), torch.tensor([1, 6])), r"valid_lens must lie in 0..5"),
    ],
)
def test_what_does_not_fit_is_said(make: object, match: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=match):
        make()


def test_another_dtype_is_said() -> None:
    ours, _ = pair()
    with pytest.raises(TypeError, match=r"queries must have the dtype of W_q, torch.float32"):
        ours(*(x.double() for x in inputs()))


def test_heads_are_split_and_merged_as_by_hand() -> None:
    x = torch.arange(12).reshape(2, 1, 6)  # two sentences of one word, three heads of size 2
    split = torch.tensor([[[0, 1]], [[2, 3]], [[4, 5]], [[6, 7]], [[8, 9]], [[10, 11]]])
    assert torch.equal(split_heads(x, 3), split)
    assert torch.equal(merge_heads(split, 3), x)
    words = torch.tensor([[[1, 2], [3, 4], [5, 6]]])  # one sentence of three words, heads of size 1
    assert torch.equal(split_heads(words, 2), torch.tensor([[[1], [3], [5]], [[2], [4], [6]]]))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float64, torch.int64, torch.bool])
def test_splitting_and_merging_undo_each_other(dtype: torch.dtype) -> None:
    x = torch.randint(2, (B, K, HIDDENS), generator=torch.Generator().manual_seed(0)).to(dtype)
    split = split_heads(x, HEADS)
    assert split.shape == (B * HEADS, K, SIZE)
    assert split.dtype == dtype
    assert torch.equal(split[1 * HEADS + 3], x[1, :, 3 * SIZE : 4 * SIZE])
    assert torch.equal(merge_heads(split, HEADS), x)
    assert torch.equal(split_heads(merge_heads(split, HEADS), HEADS), split)
    assert torch.equal(split_heads(x, 1), x)
    assert torch.equal(merge_heads(x, 1), x)


@pytest.mark.parametrize(("b", "n", "s"), [(0, K, SIZE), (B, 0, SIZE), (B, K, 0), (0, 0, 0)])
def test_sizes_to_split_and_to_merge_may_be_0(b: int, n: int, s: int) -> None:
    split = split_heads(torch.zeros(b, n, HEADS * s), HEADS)
    assert split.shape == (b * HEADS, n, s)
    assert merge_heads(split, HEADS).shape == (b, n, HEADS * s)


class Both(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return merge_heads(2 * split_heads(x, HEADS), HEADS)


def test_splitting_and_merging_map_export_and_have_gradients() -> None:
    both, x = Both(), inputs()[0].requires_grad_()
    mapped = torch.func.vmap(lambda y: both(y[None])[0])(x)
    assert torch.equal(mapped, 2 * x)
    assert torch.equal(torch.export.export(both, (x,)).module()(x), 2 * x)
    mapped.sum().backward()
    assert torch.equal(x.grad, torch.full_like(x, 2))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (
            lambda: split_heads(torch.zeros(2, 6), 2),
            r"^x must have shape \(B, N, h · s\); got \(2, 6\)$",
        ),
        (
            lambda: merge_heads(torch.zeros(2, 6), 2),
            r"^x must have shape \(B · h, N, s\); got \(2, 6\)$",
        ),
        (
            lambda: split_heads(torch.zeros(4, 4, 6), 4),
            "^num_heads must divide the size of x, 6; got 4$",
        ),
        (
            lambda: merge_heads(torch.zeros(6, 4, 4), 4),
            "^num_heads must divide the batch of x, 6; got 4$",
        ),
        (lambda: split_heads(torch.zeros(1, 2, 6), 0), "^num_heads must be at least 1; got 0$"),
        (lambda: merge_heads(torch.zeros(6, 2, 1), -2), "^num_heads must be at least 1; got -2$"),
    ],
)
def test_what_cannot_be_split_or_merged_is_said(make: object, match: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=match):
        make()
