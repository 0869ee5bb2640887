"""The scoring functions: numbers by hand, oracles, gradients, compile and vmap."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from score_cases import NAMES, SAME_SIZE, B, D, E, H, K, Q, function, random_case
from torch import Tensor
from torch.autograd import gradcheck
from torch.func import grad, vmap

from attention_lib import (
    AdditiveAttention,
    BilinearAttention,
    DotProductAttention,
    _chunks,
    scores,
)

NAME = pytest.mark.parametrize("name", NAMES)


def product(q: Any, k: Any) -> float:
    return math.fsum(a * b for a, b in zip(q, k, strict=True))


# Each score of one query, one key and its parameters, as its formula is read aloud.
BY_LOOP: dict[str, Callable[..., float]] = {
    "dot": product,
    "scaled_dot": lambda q, k: product(q, k) / len(q) ** 0.5,
    "additive": lambda q, k, W_q, W_k, w_v: sum(
        w_v[0, h] * math.tanh(W_q[h] @ q + W_k[h] @ k) for h in range(H)
    ),
    "gaussian": lambda q, k: -(math.dist(q, k) ** 2) / 2,
    "cosine": lambda q, k: product(q, k) / (math.hypot(*q) * math.hypot(*k)),
    "bilinear": lambda q, k, W: sum(q[i] * W[i, j] * k[j] for i, j in np.ndindex(D, E)),
}
# Of the query (3, 4) and the keys (4, 3), (-4, 3), (-3, -4), (0, 0): parameters and scores.
BY_HAND: dict[str, tuple[dict[str, list[list[float]]], list[float]]] = {
    "dot": ({}, [24.0, 0, -25, 0]),
    "scaled_dot": ({}, [24 / math.sqrt(2), 0, -25 / math.sqrt(2), 0]),
    # The query is at 3, and the keys at 3, 3, -4, 0.
    "additive": (
        {"W_q": [[1.0, 0]], "W_k": [[0.0, 1]], "w_v": [[2.0]]},
        [2 * math.tanh(x) for x in (6, 6, -1, 3)],
    ),
    "gaussian": ({}, [-1.0, -25, -50, -12.5]),
    "cosine": ({}, [24 / 25, 0, -1, 0]),
    "bilinear": ({"W": [[0.0, 1], [0, 0]]}, [9.0, 9, -12, 0]),  # 3 times the second number
}


@NAME
def test_scores_are_those_worked_out_by_hand(name: str) -> None:
    parameters, expected = BY_HAND[name]
    queries = torch.tensor([[[3.0, 4.0]]])
    keys = torch.tensor([[[4.0, 3.0], [-4.0, 3.0], [-3.0, -4.0], [0.0, 0.0]]])
    own = {name: torch.tensor(x) for name, x in parameters.items()}
    torch.testing.assert_close(function(name)(queries, keys, **own), torch.tensor([[expected]]))


def test_scores_that_share_a_parameter_give_it_one_shape() -> None:
    shapes = {shape for name in NAMES for shape in scores.SCORES[name].parameters.items()}
    assert len(shapes) == len(dict(shapes))


@NAME
@pytest.mark.parametrize("features", [1, 2 * B * K * H, 2**22])  # a query at a time, two, all
def test_scores_agree_with_a_loop_over_queries_and_keys(
    name: str, features: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_chunks, "_FEATURES", features)
    case = random_case(name)
    queries, keys, *parameters = (x.numpy() for x in case)
    expected = np.zeros((B, Q, K))
    for b, q, k in np.ndindex(B, Q, K):
        expected[b, q, k] = BY_LOOP[name](queries[b, q], keys[b, k], *parameters)
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
    bilinear = BilinearAttention(key_size=E, query_size=D).double()
    expected = scores.bilinear(queries, keys, bilinear.W.weight)
    torch.testing.assert_close(bilinear.score(queries, keys), expected)
    queries, keys = random_case("dot")
    expected = scores.scaled_dot(queries, keys)
    assert torch.equal(DotProductAttention().score(queries, keys), expected)


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
