"""Test properties of masks and their gradients for all scores and lengths."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck

from attention_lib import length_mask, masked_softmax, sequence_mask

FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)
SIZES = st.integers(1, 5)


@st.composite
def scores_and_lengths(draw: st.DrawFn) -> tuple[Tensor, Tensor]:
    """Draw X (B, Q, K) of any finite size, and lengths (B,) or (B, Q)."""
    shape = draw(SIZES), draw(SIZES), draw(SIZES)
    lengths = st.integers(0, shape[2])
    length_shape = shape[: draw(st.integers(1, 2))]
    return draw(tensors(shape, FINITE)), draw(tensors(length_shape, lengths)).long()


def tensors(shape: tuple[int, ...], entry: st.SearchStrategy[float]) -> st.SearchStrategy[Tensor]:
    size = math.prod(shape)
    entries = st.lists(entry, min_size=size, max_size=size)
    return entries.map(lambda numbers: torch.tensor(numbers).reshape(shape))


def kept(X: Tensor, valid_lens: Tensor) -> Tensor:
    return length_mask(valid_lens, *X.shape[1:]).expand_as(X)


@given(scores_and_lengths())
def test_a_row_sums_to_1_or_to_0_where_no_key_counts(case: tuple[Tensor, Tensor]) -> None:
    X, valid_lens = case
    sums = masked_softmax(X, valid_lens).sum(-1)
    torch.testing.assert_close(sums, kept(X, valid_lens).any(-1).float())


@given(scores_and_lengths())
def test_weights_are_never_negative_and_exactly_0_on_padding(
    case: tuple[Tensor, Tensor],
) -> None:
    weights = masked_softmax(*case)
    assert (weights >= 0).all()
    assert not weights[~kept(*case)].any()


@given(scores_and_lengths(), st.data())
def test_scores_of_padding_never_matter(case: tuple[Tensor, Tensor], data: st.DataObject) -> None:
    X, valid_lens = case
    anything = data.draw(tensors(tuple(X.shape), st.floats(width=32)))  # NaN, infinity too
    changed = torch.where(kept(X, valid_lens), X, anything)
    assert torch.equal(masked_softmax(changed, valid_lens), masked_softmax(X, valid_lens))


@given(scores_and_lengths())
def test_equal_lengths_per_query_are_one_length_per_example(case: tuple[Tensor, Tensor]) -> None:
    X, valid_lens = case
    one_each = valid_lens if valid_lens.dim() == 1 else valid_lens[:, 0]
    per_query = one_each[:, None].repeat(1, X.shape[1])
    assert torch.equal(masked_softmax(X, per_query), masked_softmax(X, one_each))


@given(scores_and_lengths(), st.booleans(), st.booleans())
def test_arguments_never_change(
    case: tuple[Tensor, Tensor], recorded: bool, transposed: bool
) -> None:
    X, valid_lens = case
    source = X.transpose(1, 2).contiguous() if transposed else X.clone()
    view = source.transpose(1, 2) if transposed else source[:]
    lengths = valid_lens.clone()
    weights = masked_softmax(view.requires_grad_(recorded), lengths)
    weights.detach().fill_(7)  # nor is the result a view of an argument
    assert torch.equal(view.detach(), X)
    assert torch.equal(lengths, valid_lens)


@given(scores_and_lengths(), st.sampled_from([torch.float16, torch.float32, torch.float64]))
def test_gradients_are_finite_and_0_on_padding(
    case: tuple[Tensor, Tensor], dtype: torch.dtype
) -> None:
    largest = min(torch.finfo(dtype).max, torch.finfo(torch.float32).max)
    X = case[0].clamp(-largest, largest).to(dtype).requires_grad_()
    with torch.autograd.set_detect_anomaly(True):
        slopes = torch.arange(X.shape[-1])
        (gradient,) = torch.autograd.grad((masked_softmax(X, case[1]) * slopes).sum(), X)
    assert gradient.isfinite().all()
    assert not gradient[~kept(*case)].any()


@given(scores_and_lengths(), st.floats(-9, 9))
def test_sequence_mask_changes_what_length_mask_drops(
    case: tuple[Tensor, Tensor], value: float
) -> None:
    X, valid_len = case[0].flatten(0, 1), case[1].flatten()
    if case[1].dim() == 1:
        valid_len = valid_len.repeat_interleave(case[0].shape[1])
    before = X.clone()
    expected = torch.where(length_mask(valid_len, 1, X.shape[1]).squeeze(1), X, value)
    assert torch.equal(sequence_mask(X, valid_len, value), expected)
    assert torch.equal(X, before)


@pytest.mark.parametrize("valid_lens", [torch.tensor([0, 3]), torch.tensor([[0, 1], [2, 3]])])
def test_gradients_are_those_of_finite_differences(valid_lens: Tensor) -> None:
    X = torch.randn(2, 2, 3, dtype=torch.float64, requires_grad=True)

    def weights(X: Tensor) -> Tensor:
        return masked_softmax(X, valid_lens)

    assert gradcheck(weights, X)
    assert gradgradcheck(weights, X)


def test_gradient_is_that_of_a_softmax_over_the_kept_keys_alone() -> None:
    X = torch.tensor([[[0.3, -1.0, 2.0, 9.0]]], requires_grad=True)
    slopes = torch.tensor([1.0, 2.0, 3.0, 4.0])
    (gradient,) = torch.autograd.grad((masked_softmax(X, torch.tensor([3])) * slopes).sum(), X)
    (alone,) = torch.autograd.grad((X[..., :3].softmax(-1) * slopes[:3]).sum(), X)
    torch.testing.assert_close(gradient, alone)
