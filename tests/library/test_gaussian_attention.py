"""Test attention with a Gaussian kernel: regression, distance, learned width."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_lib import GaussianAttention
from attention_lib.kernels import kernel_weights, nadaraya_watson


@given(seed=st.integers(0, 99), w=st.sampled_from([0.0, 0.25, -1.0, 8.0]))
def test_gaussian_attention_is_the_regression_with_a_width_to_learn(seed: int, w: float) -> None:
    generator = torch.Generator().manual_seed(seed)
    queries, keys = (torch.randn(n, generator=generator, dtype=torch.float64) for n in (3, 5))
    attention, values = GaussianAttention(w).double(), keys**2
    output = attention(queries[None, :, None], keys[None, :, None], values[None, :, None])
    torch.testing.assert_close(output[0, :, 0], nadaraya_watson(queries, keys, values, w=w))
    assert attention.attention_weights is not None
    torch.testing.assert_close(attention.attention_weights[0], kernel_weights(queries, keys, w=w))


def test_gaussian_attention_measures_distance_between_vectors() -> None:
    queries, keys = torch.randn(2, 3, 7), torch.randn(2, 5, 7)
    scores = GaussianAttention(0.5).score(queries, keys)
    torch.testing.assert_close(scores, -(torch.cdist(queries, keys) ** 2) / 8)
    values = torch.randn(2, 5, 11)
    assert GaussianAttention()(queries, keys, values, torch.tensor([2, 5])).shape == (2, 3, 11)


def test_width_of_gaussian_attention_is_learned_and_saved() -> None:
    attention = GaussianAttention(3)
    assert {name: x.shape for name, x in attention.named_parameters()} == {"w": ()}
    assert attention.state_dict()["w"] == 3
    keys, values = torch.tensor([[[0.0], [1.0]]]), torch.tensor([[[0.0], [1.0]]])
    attention(torch.tensor([[[0.2]]]), keys, values).sum().backward()
    assert attention.w.grad is not None
    assert attention.w.grad < 0  # the nearer key holds the smaller value
