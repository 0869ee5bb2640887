"""Compare the browser's numbers with torch's."""

from typing import Any

import torch

from attention_figures import Figure


def state(figure: Figure) -> dict[str, Any]:
    return {name: getattr(figure, name) for name in figure.trait_names(state=True)}


def numbers(nested: Any) -> Any:
    if isinstance(nested, list):
        return [numbers(item) for item in nested]
    return float(nested) if nested in ("-Infinity", "Infinity", "NaN") else nested


def doubles(nested: Any) -> torch.Tensor:
    return torch.tensor(numbers(nested), dtype=torch.float64)


def assert_close(browser: Any, expected: torch.Tensor) -> None:
    """Assert equality to 1e-9, relative for numbers above 1."""
    got = doubles(browser)
    expected = expected.double()
    # An empty list has lost the lengths of the lists that it would contain.
    shape = expected.shape if expected.numel() else expected.shape[: got.dim()]
    assert got.shape == shape
    got = got.reshape(expected.shape)
    finite = expected.isfinite()
    assert torch.allclose(got[~finite], expected[~finite], equal_nan=True)
    error = (got - expected)[finite].abs() / expected[finite].abs().clamp(min=1)
    assert error.numel() == 0 or error.max() <= 1e-9
