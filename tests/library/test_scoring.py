"""Test the attentions: numbers from the literature and by hand, oracles, gradients, dtypes."""

import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd import gradcheck

from attention_lib import (
    AdditiveAttention,
    Attention,
    BilinearAttention,
    DotProductAttention,
    length_mask,
)

B, Q, K, D, V = 2, 3, 5, 7, 11  # distinct primes: axes that are swapped cannot pass
ONE_EACH, ONE_PER_QUERY = torch.tensor([4, 1]), torch.tensor([[1, 5, 2], [3, 4, 1]])
MAKE: dict[str, Callable[[float], Attention]] = {
    "additive": lambda dropout: AdditiveAttention(D, D, 13, dropout),
    "dot product": DotProductAttention,
    "bilinear": lambda dropout: BilinearAttention(D, D, dropout),
}
KINDS = pytest.mark.parametrize("kind", MAKE)


def make(kind: str, dropout: float = 0.0, seed: int = 0) -> Attention:
    torch.manual_seed(seed)
    return MAKE[kind](dropout)


def random_case(seed: int = 0, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    shapes = (B, Q, D), (B, K, D), (B, K, V)
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("make_one", "size"),
    [
        (lambda: AdditiveAttention(2, 20, 8, dropout=0.1), 20),
        (lambda: DotProductAttention(0.5), 2),
        (lambda: BilinearAttention(2, 20, dropout=0.1), 20),
    ],
)
def test_equal_keys_give_the_mean_of_the_kept_values_whatever_the_weights(
    make_one: Callable[[], Attention], size: int, seed: int
) -> None:
    torch.manual_seed(seed)
    attention = make_one()
    queries, keys = torch.randn(2, 1, size), torch.ones(2, 10, 2)
    values = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
    output = attention.eval()(queries, keys, values, torch.tensor([2, 6]))
    torch.testing.assert_close(output, torch.tensor([[[2.0, 3, 4, 5]], [[10.0, 11, 12, 13]]]))


def test_scaled_dot_product_is_the_one_worked_out_by_hand() -> None:
    queries = torch.tensor([[[2.0, 0, 0, 0]]])  # scores 2·1/√4 = 1 and 0: weights e : 1
    keys = torch.tensor([[[1.0, 5, 5, 5], [0, 5, 5, 5], [9, 9, 9, 9]]])
    values = torch.tensor([[[math.e + 1], [0.0], [99.0]]])
    output = DotProductAttention()(queries, keys, values, torch.tensor([2]))
    torch.testing.assert_close(output, torch.tensor([[[math.e]]]))


def test_additive_scores_are_those_worked_out_by_hand() -> None:
    attention = AdditiveAttention(key_size=1, query_size=2, num_hiddens=2)
    attention.W_q.weight = torch.nn.Parameter(torch.tensor([[1.0, 0], [0, 1]]))
    attention.W_k.weight = torch.nn.Parameter(torch.tensor([[1.0], [-1]]))
    attention.w_v.weight = torch.nn.Parameter(torch.tensor([[2.0, 3]]))
    scores = attention.score(torch.tensor([[[0.1, 0.2]]]), torch.tensor([[[0.3], [0.0]]]))
    tanh = math.tanh
    expected = [2 * tanh(0.4) + 3 * tanh(-0.1), 2 * tanh(0.1) + 3 * tanh(0.2)]
    torch.testing.assert_close(scores, torch.tensor([[expected]]))


@pytest.mark.parametrize("valid_lens", [None, ONE_EACH, ONE_PER_QUERY])
def test_dot_product_attention_agrees_with_torch(valid_lens: Tensor | None) -> None:
    queries, keys, values = random_case()
    mask = None if valid_lens is None else length_mask(valid_lens, Q, K)
    expected = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    torch.testing.assert_close(DotProductAttention()(queries, keys, values, valid_lens), expected)


@pytest.mark.parametrize("features", [1, 2 * B * K * 13, 2**22])  # a query at a time, two, all
@pytest.mark.parametrize("valid_lens", [ONE_EACH, ONE_PER_QUERY])
def test_additive_attention_agrees_with_a_loop_over_queries_and_keys(
    valid_lens: Tensor, features: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attention_lib._chunks._FEATURES", features)
    attention = make("additive").double()
    case = random_case(dtype=torch.float64)
    queries, keys, values = (x.numpy() for x in case)
    W_q, W_k, w_v = (attention.state_dict()[f"{n}.weight"].numpy() for n in ("W_q", "W_k", "w_v"))
    expected = np.zeros((B, Q, V))
    for b, q in np.ndindex(B, Q):
        n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, q])
        e = [np.exp(w_v[0] @ np.tanh(W_q @ queries[b, q] + W_k @ keys[b, k])) for k in range(n)]
        expected[b, q] = sum(e[k] * values[b, k] for k in range(n)) / sum(e)
    torch.testing.assert_close(attention(*case, valid_lens).detach().numpy(), expected)


@KINDS
def test_an_example_of_length_0_is_pooled_to_exactly_0(kind: str) -> None:
    attention = make(kind)
    per_query = attention(*random_case(), torch.tensor([[0, 3, 0], [5, 0, 1]]))
    assert (per_query == 0).all(-1).tolist() == [[True, False, True], [False, True, False]]
    assert attention.attention_weights is not None
    assert not attention.attention_weights[0, 0].any()
    assert not attention(*random_case(), torch.tensor([0, 0])).any()


@KINDS
@given(seed=st.integers(0, 99), size=st.sampled_from([1.0, 1e6, 1e18]), data=st.data())
def test_padded_keys_and_values_never_matter(
    kind: str, seed: int, size: float, data: st.DataObject
) -> None:
    attention, (queries, keys, values) = make(kind), random_case(seed)
    valid_lens = torch.tensor(data.draw(st.lists(st.integers(0, K), min_size=B, max_size=B)))
    keep = length_mask(valid_lens, 1, K).mT  # (B, K, 1)
    _, other_keys, other_values = random_case(seed + 1)
    changed_keys = torch.where(keep, keys, size * other_keys)
    changed_values = torch.where(keep, values, size * other_values)
    expected = attention(queries, keys, values, valid_lens)
    assert torch.equal(attention(queries, changed_keys, changed_values, valid_lens), expected)


@KINDS
@pytest.mark.parametrize("size", [1.0, 1e6, 1e18])
@pytest.mark.parametrize("valid_lens", [None, torch.tensor([0, 2]), ONE_PER_QUERY - 1])
def test_gradients_are_finite(kind: str, size: float, valid_lens: Tensor | None) -> None:
    attention, case = make(kind), [size * x for x in random_case()]
    inputs = [x.requires_grad_() for x in case] + list(attention.parameters())
    with torch.autograd.set_detect_anomaly(True):
        gradients = torch.autograd.grad(attention(*case, valid_lens).sum(), inputs)
    assert all(gradient.isfinite().all() for gradient in gradients)


@KINDS
@pytest.mark.parametrize("valid_lens", [torch.tensor([0, 2]), ONE_PER_QUERY - 1])
def test_gradients_are_those_of_finite_differences(kind: str, valid_lens: Tensor) -> None:
    attention, case = make(kind).double(), random_case(dtype=torch.float64)
    names = [name for name, _ in attention.named_parameters()]
    inputs = [x.requires_grad_() for x in (*case, *attention.parameters())]

    def pooled(*tensors: Tensor) -> Tensor:
        parameters = dict(zip(names, tensors[3:], strict=True))
        result = torch.func.functional_call(attention, parameters, (*tensors[:3], valid_lens))
        assert isinstance(result, Tensor)
        return result

    assert gradcheck(pooled, inputs, fast_mode=True)


@KINDS
def test_arguments_stay_as_they_were_even_as_views(kind: str) -> None:
    views = [x.mT.contiguous().mT[:, :] for x in random_case()]  # not contiguous
    lengths = ONE_PER_QUERY.clone()
    output = make(kind)(*views, lengths)
    torch.testing.assert_close(output, make(kind)(*random_case(), ONE_PER_QUERY))
    assert all(map(torch.equal, views, random_case()))
    assert torch.equal(lengths, ONE_PER_QUERY)


@KINDS
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_dtype_is_kept(kind: str, dtype: torch.dtype) -> None:
    attention, case = make(kind).to(dtype), random_case()
    output = attention(*(x.to(dtype) for x in case), torch.tensor([0, 3]))
    assert output.dtype == dtype
    assert attention.attention_weights is not None
    assert attention.attention_weights.dtype == dtype
    tolerance = 8 * torch.finfo(dtype).eps + 1e-6
    expected = make(kind)(*case, torch.tensor([0, 3]))
    torch.testing.assert_close(output.float(), expected, atol=tolerance, rtol=tolerance)


def test_float16_products_that_overflow_unscaled_are_scaled_in_time() -> None:
    big = torch.full((1, 1, 64), 40.0, dtype=torch.float16)  # 64 · 40² > 65504 > 8 · 40²
    assert DotProductAttention().score(big, big).item() == 12800


@KINDS
@pytest.mark.parametrize("sizes", [(0, 3, 5), (2, 0, 5), (2, 3, 0)])
def test_a_size_of_0_gives_empty_or_zero_results(kind: str, sizes: tuple[int, int, int]) -> None:
    batch, num_queries, num_keys = sizes
    keys, values = torch.ones(batch, num_keys, D), torch.ones(batch, num_keys, V)
    lengths = torch.zeros(batch, dtype=torch.int64)
    for valid_lens in (None, lengths, lengths[:, None].repeat(1, num_queries)):
        output = make(kind)(torch.ones(batch, num_queries, D), keys, values, valid_lens)
        assert output.shape == (batch, num_queries, V)
        assert not output.any()
