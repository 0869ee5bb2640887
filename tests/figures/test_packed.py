"""Test that parameters of a byte each come back, in Python and in the browser."""

import base64
from typing import Any

import torch
from node import call_in_node

from attention_figures.packed import LEVELS, pack, unpack


def parameters() -> dict[str, torch.Tensor]:
    """Return a matrix with a row of zeros, a vector, and very small and very large numbers."""
    torch.manual_seed(0)
    matrix = torch.randn(5, 3)
    matrix[2] = 0
    scales = torch.tensor([1e-4, 1.0, 1e4])[:, None]
    return {"W": matrix, "b": torch.randn(7), "scaled": scales * torch.randn(3, 2).double()}


def test_parameters_come_back_to_half_a_level_of_their_row() -> None:
    back = unpack(pack(parameters()))
    for name, x in parameters().items():
        assert back[name].dtype == torch.float64
        assert back[name].shape == x.shape
        step = x.abs().amax(dim=-1, keepdim=True) / LEVELS
        assert ((back[name] - x).abs() <= 0.51 * step).all(), name
    assert not back["W"][2].any()


def test_a_parameter_is_a_byte_and_packing_again_changes_nothing() -> None:
    packed = pack(parameters())
    for name, x in parameters().items():
        assert len(base64.b64decode(packed[name]["levels"])) == x.numel()
        assert packed[name]["shape"] == list(x.shape)
    assert pack(unpack(packed)) == packed


def test_the_browser_unpacks_the_same() -> None:
    packed = pack(parameters())
    got: Any = call_in_node("maths/packed.ts", "unpacked", packed)
    for name, x in unpack(packed).items():
        rows = x if x.dim() == 2 else x[None]
        torch.testing.assert_close(
            torch.tensor(got[name], dtype=torch.float64), rows, atol=0, rtol=1e-12
        )
