"""Pack a trained model's parameters into one byte each, as pages store them."""

import base64
from typing import Any

import torch
from torch import Tensor

LEVELS = 127  # of a stored parameter, on each side of 0

Packed = dict[str, dict[str, Any]]


def pack(parameters: dict[str, Tensor]) -> Packed:
    """Round each row to multiples of a 127th of its largest number, a byte each.

    Args:
        parameters: vectors and matrices by name; a vector is a row.

    Returns:
        For each its shape, the step of each row, and the multiples in base64.

    >>> pack({"x": torch.tensor([[1.0, -2.0], [0.0, 0.0]])})
    {'x': {'shape': [2, 2], 'scale': [0.015748, 1.0], 'levels': 'QIEAAA=='}}
    """
    return {name: _packed(x) for name, x in parameters.items()}


def _packed(x: Tensor) -> dict[str, Any]:
    rows = x if x.dim() == 2 else x[None]
    scale = [float(f"{row.abs().max() / LEVELS:.5g}") or 1.0 for row in rows]
    levels = (rows / torch.tensor(scale)[:, None]).round().to(torch.int8)
    text = base64.b64encode(levels.numpy().tobytes()).decode()
    return {"shape": list(x.shape), "scale": scale, "levels": text}


def unpack(stored: Packed) -> dict[str, Tensor]:
    """Return parameters as `pack` has rounded them, float64.

    >>> unpack(pack({"x": torch.tensor([1.0, -2.0])}))["x"]
    tensor([ 1.0079, -2.0000], dtype=torch.float64)
    """
    return {name: _unpacked(one) for name, one in stored.items()}


def _unpacked(stored: dict[str, Any]) -> Tensor:
    levels = torch.frombuffer(bytearray(base64.b64decode(stored["levels"])), dtype=torch.int8)
    scale = torch.tensor(stored["scale"], dtype=torch.float64)
    return (levels.reshape(len(scale), -1) * scale[:, None]).reshape(stored["shape"])
