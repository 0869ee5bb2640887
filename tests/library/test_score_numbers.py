"""Test the scoring functions with large, small, zero and low-precision numbers."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from score_cases import NAMES, B, D, Q, function, random_case

from attention_lib import scores

NAME = pytest.mark.parametrize("name", NAMES)


def test_gaussian_keeps_its_digits_where_vectors_are_long_and_close() -> None:
    queries = torch.full((1, 1, D), 1e4)
    exact = torch.tensor([[[-0.5 * D * (step / 1024) ** 2 for step in range(1, 4)]]])
    keys = torch.stack([queries[0, 0] + step / 1024 for step in range(1, 4)])[None]
    assert torch.equal(scores.gaussian(queries, keys), exact)
    # The expanded square has an error larger than the score.
    norms = (queries**2).sum(-1, keepdim=True) + (keys**2).sum(-1)[:, None]
    assert ((scores.dot(queries, keys) - norms / 2) - exact).abs().max() > exact.abs().max()


def test_float16_scores_that_fit_do_not_overflow_on_the_way() -> None:
    big = torch.full((1, 1, 64), 40.0, dtype=torch.float16)  # 64 · 40² > 65504 > 32 · 40²
    assert scores.scaled_dot(big, big).item() == 12800
    assert scores.gaussian(big, torch.zeros_like(big)).item() == -51200
    long = torch.tensor([[[300.0]]], dtype=torch.float16)  # 300² > 65504 > 300² / 2
    assert scores.gaussian(long, -long / 300).item() == pytest.approx(-(301**2) / 2, rel=1e-3)
    assert scores.cosine(1000 * big, 1000 * big).item() == 1


@given(
    seed=st.integers(0, 99),
    exponents=st.tuples(st.integers(-100, 100), st.integers(-100, 100)),
)
def test_cosine_does_not_see_lengths(seed: int, exponents: tuple[int, int]) -> None:
    queries, keys = random_case("cosine", seed=seed)
    scaled = scores.cosine(queries * 10.0 ** exponents[0], keys * 10.0 ** exponents[1])
    torch.testing.assert_close(scaled, scores.cosine(queries, keys), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_cosine_with_a_vector_of_zeros_is_0_and_has_finite_gradients(dtype: torch.dtype) -> None:
    queries, keys = (x.to(dtype) for x in random_case("cosine"))
    queries[0, 1], keys[1] = 0, 0
    leaves = [queries.requires_grad_(), keys.requires_grad_()]
    result = scores.cosine(*leaves)
    assert not result[0, 1].any()
    assert not result[1].any()
    assert result[0, 0].all()
    assert all(g.isfinite().all() for g in torch.autograd.grad(result.sum(), leaves))


@given(seed=st.integers(0, 99))
def test_what_each_score_promises_of_its_range(seed: int) -> None:
    queries, keys = random_case("gaussian", seed=seed)
    assert (scores.gaussian(queries, keys) < 0).all()
    itself = scores.gaussian(queries, queries).diagonal(dim1=1, dim2=2)
    assert torch.equal(itself, torch.zeros(B, Q).double())
    assert not itself.signbit().any()
    assert scores.cosine(queries, keys).abs().max() <= 1 + 1e-12
    case = random_case("additive", seed=seed)
    assert scores.additive(100 * case[0], *case[1:]).abs().max() <= case[-1].abs().sum() + 1e-12


@NAME
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_dtype_is_kept(name: str, dtype: torch.dtype) -> None:
    case = [x.to(dtype) for x in random_case(name)]
    result = function(name)(*case)
    assert result.dtype == dtype
    exact = function(name)(*(x.double() for x in case))
    bound = 4 * torch.finfo(dtype).eps * exact.abs().max()
    assert (result.double() - exact).abs().max() <= bound
