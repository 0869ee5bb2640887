"""Test masks and masked softmax: numbers by hand, independent oracles, edge cases."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd import forward_ad
from torch.func import grad, vmap

from attention_lib import length_mask, masked_softmax, sequence_mask
from benchmarks.measure import peak_memory

HAND = torch.tensor(
    [[[0.8, 0.2, 0.9, 0.4], [0.1, 0.7, 0.3, 0.5]], [[0.6, 0.2, 0.7, 0.1], [0.9, 0.8, 0.3, 0.4]]]
)
B, Q, K = 3, 5, 7  # distinct primes: axes that are swapped cannot pass
ONE_EACH = torch.tensor([2, 7, 4])
ONE_PER_QUERY = torch.tensor([[1, 7, 3, 2, 6], [5, 4, 7, 1, 2], [3, 3, 1, 7, 5]])
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def numpy_loop(X: Tensor, valid_lens: Tensor) -> Tensor:
    """Compute row by row, with only the kept scores."""
    scores, weights = X.double().numpy(), np.zeros(X.shape)
    for b, q in np.ndindex(*X.shape[:2]):
        n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, q])
        if n:
            exponentials = np.exp(scores[b, q, :n] - scores[b, q, :n].max())
            weights[b, q, :n] = exponentials / exponentials.sum()
    return torch.from_numpy(weights).to(X.dtype)


def torch_attention(X: Tensor, keep: Tensor) -> Tensor:
    """Use torch's attention: zero queries, scores as additive mask, one-hot values."""
    nothing, batch, num_keys = torch.zeros(*X.shape[:2], 1), X.shape[0], X.shape[2]
    bias = X.masked_fill(~keep, -torch.inf)
    pick = torch.eye(num_keys).expand(batch, -1, -1)
    return F.scaled_dot_product_attention(nothing, pick[..., :1], pick, attn_mask=bias)


def test_weights_are_those_worked_out_by_hand() -> None:
    # One kept score: 1. Two that differ by d: the larger has 1 / (1 + exp(-d)).
    weights = masked_softmax(HAND, torch.tensor([[1, 2], [2, 1]]))
    point4, point6 = 1 / (1 + np.exp(-0.4)), 1 / (1 + np.exp(-0.6))
    expected = [
        [[1, 0, 0, 0], [1 - point6, point6, 0, 0]],
        [[point4, 1 - point4, 0, 0], [1, 0, 0, 0]],
    ]
    torch.testing.assert_close(weights, torch.tensor(expected, dtype=torch.float32))


def test_weights_of_the_worked_example_are_right_to_four_decimals() -> None:
    # exp(.9) = 2.4596, exp(.8) = 2.2255, exp(.3) = 1.3499, together 6.0350, and so on.
    expected = [
        [[0.6457, 0.3543, 0, 0], [0.3543, 0.6457, 0, 0]],
        [[0.3603, 0.2415, 0.3982, 0], [0.4076, 0.3688, 0.2237, 0]],
    ]
    weights = masked_softmax(HAND, torch.tensor([2, 3]))
    torch.testing.assert_close(weights, torch.tensor(expected), atol=5e-5, rtol=0)


@pytest.mark.parametrize("valid_lens", [ONE_EACH, ONE_PER_QUERY])
def test_masked_softmax_agrees_with_a_loop_and_with_torch(valid_lens: Tensor) -> None:
    X = torch.randn(B, Q, K, generator=torch.Generator().manual_seed(0)) * 10
    weights = masked_softmax(X, valid_lens)
    torch.testing.assert_close(weights, numpy_loop(X, valid_lens))
    torch.testing.assert_close(weights, torch_attention(X, length_mask(valid_lens, Q, K)))


def test_without_lengths_every_key_counts() -> None:
    full = torch.full((2,), 4)
    torch.testing.assert_close(masked_softmax(HAND, None), masked_softmax(HAND, full))


def test_length_mask_keeps_the_leading_keys() -> None:
    one_each = length_mask(torch.tensor([0, 2]), num_queries=2, num_keys=3)
    assert one_each.tolist() == [[[False, False, False]], [[True, True, False]]]
    per_query = length_mask(torch.tensor([[0, 1], [3, 2]]), num_queries=2, num_keys=3)
    assert per_query.sum(-1).tolist() == [[0, 1], [3, 2]]
    assert per_query.shape == (2, 2, 3)
    assert per_query.dtype == torch.bool


def test_sequence_mask_replaces_the_padding_in_a_copy() -> None:
    X = torch.arange(12.0).reshape(4, 3).T  # (3, 4), not contiguous
    before = X.clone()
    masked = sequence_mask(X, torch.tensor([0, 2, 4]), value=-1)
    assert masked.tolist() == [[-1, -1, -1, -1], [1, 4, -1, -1], [2, 5, 8, 11]]
    assert torch.equal(X, before)
    assert sequence_mask(torch.ones(1, 2, dtype=torch.int8), torch.tensor([1])).tolist() == [[1, 0]]


@pytest.mark.parametrize("dtype", FLOATS)
def test_sequence_mask_keeps_the_dtype(dtype: torch.dtype) -> None:
    assert sequence_mask(torch.ones(1, 3, dtype=dtype), torch.tensor([1])).dtype == dtype


@pytest.mark.parametrize("integer", [torch.uint8, torch.int8, torch.int16, torch.int32])
def test_lengths_may_have_any_integer_dtype(integer: torch.dtype) -> None:
    expected = masked_softmax(HAND, torch.tensor([2, 3]))
    assert torch.equal(masked_softmax(HAND, torch.tensor([2, 3], dtype=integer)), expected)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("valid_lens", [torch.tensor([2, 0]), torch.tensor([[1, 0], [0, 4]])])
def test_masked_softmax_keeps_the_dtype_and_its_accuracy(
    dtype: torch.dtype, valid_lens: Tensor
) -> None:
    weights = masked_softmax(HAND.to(dtype), valid_lens)
    assert weights.dtype == dtype
    torch.testing.assert_close(weights, numpy_loop(HAND.to(dtype), valid_lens))


@pytest.mark.parametrize("dtype", FLOATS)
def test_no_weight_goes_to_padding_however_low_the_kept_scores(dtype: torch.dtype) -> None:
    low, high = torch.finfo(dtype).min, torch.finfo(dtype).max
    X = torch.tensor([[[low, low, high, high]]], dtype=dtype)
    assert masked_softmax(X, torch.tensor([2])).tolist() == [[[0.5, 0.5, 0, 0]]]
    assert masked_softmax(X, torch.tensor([3])).tolist() == [[[0, 0, 1, 0]]]


@pytest.mark.parametrize("size", [3e38, 1e6, 1e-38])
def test_scores_of_any_finite_size_are_safe(size: float) -> None:
    X = torch.tensor([[[-size, size, -size]]])
    torch.testing.assert_close(masked_softmax(X, torch.tensor([1])), torch.eye(3)[None, :1])
    weights = masked_softmax(X, torch.tensor([2]))
    torch.testing.assert_close(weights, numpy_loop(X, torch.tensor([2])))


def test_a_row_of_length_0_is_exactly_0_even_where_its_scores_are_not_finite() -> None:
    X = torch.tensor([[[torch.nan, torch.inf, -torch.inf], [1.0, torch.nan, torch.inf]]])
    assert masked_softmax(X, torch.tensor([0])).tolist() == [[[0, 0, 0], [0, 0, 0]]]
    assert masked_softmax(X, torch.tensor([[0, 1]])).tolist() == [[[0, 0, 0], [1, 0, 0]]]


@pytest.mark.parametrize("shape", [(0, 5, 7), (3, 0, 7), (3, 5, 0), (0, 0, 0)])
def test_a_size_of_0_gives_an_empty_result(shape: tuple[int, int, int]) -> None:
    X, zeros = torch.ones(shape), torch.zeros(shape[:2], dtype=torch.int64)
    for valid_lens in (None, torch.zeros(shape[:1], dtype=torch.int64), zeros):
        assert masked_softmax(X, valid_lens).shape == shape
    assert length_mask(zeros, shape[1], shape[2]).shape == shape


def test_the_library_prints_nothing_and_draws_no_random_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    state, dtype = torch.get_rng_state(), torch.get_default_dtype()
    masked_softmax(HAND, torch.tensor([2, 3]))
    length_mask(torch.tensor([2, 3]), 2, 4)
    sequence_mask(HAND[0], torch.tensor([2, 3]))
    assert capsys.readouterr() == ("", "")
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.get_default_dtype() == dtype


LARGE = (3, 512, 521)  # enough scores to go by example; the last rows do not fill a step


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("transposed", [False, True])
def test_many_scores_have_the_weights_of_a_softmax_over_the_kept_ones(
    dtype: torch.dtype, transposed: bool
) -> None:
    X = torch.randn(LARGE, generator=torch.Generator().manual_seed(0), dtype=torch.float64) * 100
    X = (X.mT.contiguous().mT if transposed else X).to(dtype)
    lengths = torch.tensor([0, 521, 130])
    X[0], X[2, :, 130:] = torch.nan, torch.inf
    before = X.clone()
    weights = masked_softmax(X, lengths)
    assert weights.dtype == dtype
    assert not weights[0].any()
    assert not weights[2, :, 130:].any()
    for b, n in ((1, 521), (2, 130)):
        expected = torch.softmax(X[b, :, :n].double(), dim=-1).to(dtype)
        torch.testing.assert_close(weights[b, :, :n], expected)
    assert torch.equal(X.nan_to_num(9), before.nan_to_num(9))


def test_gradients_of_many_scores_are_recorded() -> None:
    X = torch.randn(LARGE, generator=torch.Generator().manual_seed(0))
    lengths, leaf = torch.tensor([0, 521, 130]), X.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(masked_softmax(leaf, lengths).square().sum(), leaf)
    few = [
        torch.autograd.grad(masked_softmax(x, n).square().sum(), x)[0]
        for x, n in ((X[b : b + 1, 7:9].clone().requires_grad_(), lengths[b, None]) for b in (1, 2))
    ]
    assert not gradient[0].any()
    torch.testing.assert_close(gradient[1:, 7:9], torch.cat(few))
    with torch.no_grad():
        torch.testing.assert_close(masked_softmax(leaf, lengths), masked_softmax(X, lengths))


def test_many_scores_take_no_memory_beside_the_weights() -> None:
    X, lengths = torch.randn(LARGE), torch.tensor([521, 520, 130])
    assert peak_memory(lambda: masked_softmax(X, lengths)) < 1.3 * X.nbytes / 2**20


@pytest.mark.filterwarnings("ignore:`torch.jit.script`:DeprecationWarning")  # of forward mode
@pytest.mark.parametrize("name", ["forward mode", "vmap", "grad"])
def test_many_scores_can_be_transformed(name: str) -> None:
    X = torch.randn(LARGE, generator=torch.Generator().manual_seed(0))
    lengths, direction = torch.tensor([0, 521, 130]), torch.linspace(-1, 1, X.numel()).view(LARGE)
    whole = torch.where(length_mask(lengths, 512, 521), X, -1e30)
    weights = torch.softmax(whole, dim=-1) * (lengths > 0)[:, None, None]
    if name == "vmap":
        torch.testing.assert_close(vmap(masked_softmax, (0, None))(X[None], lengths)[0], weights)
        return
    mean = (weights * direction).sum(-1, keepdim=True)
    expected = weights * (direction - mean)
    if name == "forward mode":
        with forward_ad.dual_level():
            output = masked_softmax(forward_ad.make_dual(X, direction), lengths)
            slopes = forward_ad.unpack_dual(output).tangent
    else:
        slopes = grad(lambda X: (masked_softmax(X, lengths) * direction).sum())(X)
    torch.testing.assert_close(slopes, expected)
