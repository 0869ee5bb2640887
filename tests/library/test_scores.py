"""The scoring functions: numbers by hand, oracles, sizes of numbers, gradients, transforms."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.autograd import gradcheck
from torch.func import grad, vmap

from attention_lib import AdditiveAttention, DotProductAttention, scores

B, Q, K, D, E, H = 2, 3, 5, 7, 11, 13  # distinct primes: axes that are swapped cannot pass
PARAMETERS = {"bilinear": [(D, E)], "additive": [(H, D), (H, E), (1, H)]}
SAME_SIZE = ["dot", "scaled_dot", "gaussian", "cosine"]
NAMES = [*SAME_SIZE, *PARAMETERS]
NAME = pytest.mark.parametrize("name", NAMES)


def by_loop(name: str, q: Any, k: Any, *parameters: Any) -> float:
    """Score of one query and one key, as the formula is read aloud."""
    if name == "bilinear":
        return float(sum(q[i] * parameters[0][i, j] * k[j] for i, j in np.ndindex(D, E)))
    if name == "additive":
        W_q, W_k, w_v = parameters
        return float(sum(w_v[0, h] * math.tanh(W_q[h] @ q + W_k[h] @ k) for h in range(H)))
    product = math.fsum(a * b for a, b in zip(q, k, strict=True))
    return {
        "dot": product,
        "scaled_dot": product / len(q) ** 0.5,
        "gaussian": -(math.dist(q, k) ** 2) / 2,
        "cosine": product / (math.hypot(*q) * math.hypot(*k)),
    }[name]


def function(name: str) -> Callable[..., Tensor]:
    result: Callable[..., Tensor] = getattr(scores, name)
    return result


def random_case(name: str, dtype: torch.dtype = torch.float64, seed: int = 0) -> list[Tensor]:
    generator = torch.Generator().manual_seed(seed)
    key_size = D if name in SAME_SIZE else E
    shapes = [(B, Q, D), (B, K, key_size), *PARAMETERS.get(name, [])]
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in shapes]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dot", [24.0, 0, -25, 0]),
        ("scaled_dot", [24 / math.sqrt(2), 0, -25 / math.sqrt(2), 0]),
        ("gaussian", [-1.0, -25, -50, -12.5]),
        ("cosine", [24 / 25, 0, -1, 0]),
    ],
)
def test_scores_are_those_worked_out_by_hand(name: str, expected: list[float]) -> None:
    queries = torch.tensor([[[3.0, 4.0]]])
    keys = torch.tensor([[[4.0, 3.0], [-4.0, 3.0], [-3.0, -4.0], [0.0, 0.0]]])
    torch.testing.assert_close(function(name)(queries, keys), torch.tensor([[expected]]))


@NAME
@pytest.mark.parametrize("features", [1, 2 * B * K * H, 2**22])  # a query at a time, two, all
def test_scores_agree_with_a_loop_over_queries_and_keys(
    name: str, features: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "_FEATURES", features)
    case = random_case(name)
    queries, keys, *parameters = (x.numpy() for x in case)
    expected = np.zeros((B, Q, K))
    for b, q, k in np.ndindex(B, Q, K):
        expected[b, q, k] = by_loop(name, queries[b, q], keys[b, k], *parameters)
    torch.testing.assert_close(function(name)(*case).numpy(), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_scores_agree_with_what_torch_has(seed: int) -> None:
    queries, keys = random_case("dot", seed=seed)
    pairs = queries[:, :, None], keys[:, None]
    torch.testing.assert_close(scores.cosine(queries, keys), F.cosine_similarity(*pairs, dim=-1))
    distances = torch.cdist(queries, keys, compute_mode="donot_use_mm_for_euclid_dist")
    torch.testing.assert_close(scores.gaussian(queries, keys), -(distances**2) / 2)
    by_einsum = torch.einsum("bqd,bkd->bqk", queries, keys)
    torch.testing.assert_close(scores.dot(queries, keys), by_einsum)
    pooled = F.scaled_dot_product_attention(queries, keys, torch.eye(K).double().expand(B, K, K))
    torch.testing.assert_close(scores.scaled_dot(queries, keys).softmax(-1), pooled)
    queries, keys, W = random_case("bilinear", seed=seed)
    left = queries[:, :, None].expand(B, Q, K, D).contiguous()
    right = keys[:, None].expand(B, Q, K, E).contiguous()
    expected = F.bilinear(left, right, W[None])[..., 0]
    torch.testing.assert_close(scores.bilinear(queries, keys, W), expected)


def test_the_modules_score_with_these_functions() -> None:
    additive = AdditiveAttention(key_size=E, query_size=D, num_hiddens=H).double()
    queries, keys, *_ = random_case("additive")
    weights = additive.W_q.weight, additive.W_k.weight, additive.w_v.weight
    expected = scores.additive(queries, keys, *weights)
    assert torch.equal(additive.score(queries, keys), expected)
    queries, keys = random_case("dot")
    expected = scores.scaled_dot(queries, keys)
    assert torch.equal(DotProductAttention().score(queries, keys), expected)


@NAME
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_dtype_is_kept(name: str, dtype: torch.dtype) -> None:
    case = [x.to(dtype) for x in random_case(name)]
    result = function(name)(*case)
    assert result.dtype == dtype
    exact = function(name)(*(x.double() for x in case))
    bound = 4 * torch.finfo(dtype).eps * exact.abs().max()
    assert (result.double() - exact).abs().max() <= bound


def test_gaussian_keeps_its_digits_where_vectors_are_long_and_close() -> None:
    queries = torch.full((1, 1, D), 1e4)
    exact = torch.tensor([[[-0.5 * D * (step / 1024) ** 2 for step in range(1, 4)]]])
    keys = torch.stack([queries[0, 0] + step / 1024 for step in range(1, 4)])[None]
    assert torch.equal(scores.gaussian(queries, keys), exact)
    # The expansion of the square is off by more than a score's own size.
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
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    case = [x.requires_grad_() for x in random_case(name)]
    if name in SAME_SIZE and name != "cosine":
        case[1].data[0, 0] = case[0].data[0, 0]  # equal vectors are no corner
    assert gradcheck(function(name), case, fast_mode=True)


@NAME
def test_arguments_stay_as_they_were(name: str) -> None:
    case = random_case(name)
    views = [x.mT.contiguous().mT for x in case]  # not contiguous
    torch.testing.assert_close(function(name)(*views), function(name)(*case))
    assert all(map(torch.equal, views, random_case(name)))


@NAME
@pytest.mark.parametrize("sizes", [(0, 3, 5), (2, 0, 5), (2, 3, 0)])
def test_a_size_of_0_gives_no_scores(name: str, sizes: tuple[int, int, int]) -> None:
    batch, num_queries, num_keys = sizes
    queries, keys, *parameters = random_case(name)
    queries, keys = queries[:batch, :num_queries], keys[:batch, :num_keys]
    assert function(name)(queries, keys, *parameters).shape == sizes


@NAME
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])  # no C++ compiler needed
def test_scores_compile_to_one_graph(name: str, backend: str) -> None:
    torch.compiler.reset()
    compiled = torch.compile(function(name), backend=backend, fullgraph=True)
    case = random_case(name)
    torch.testing.assert_close(compiled(*case), function(name)(*case))


@NAME
def test_scores_map_and_differentiate_inside_torch_func(name: str) -> None:
    queries, keys, *parameters = random_case(name)

    def total(queries: Tensor) -> Tensor:
        return function(name)(queries, keys, *parameters).square().sum()

    many = torch.stack([queries, -queries])
    leaf = many.clone().requires_grad_()
    (expected,) = torch.autograd.grad(total(leaf[0]) + total(leaf[1]), leaf)
    torch.testing.assert_close(vmap(grad(total))(many), expected)
