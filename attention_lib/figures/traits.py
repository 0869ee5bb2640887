"""Traits that figures share, and the check of their arguments."""

import math
from typing import Any

import traitlets
from torch import Tensor

from attention_lib._checks import check_floating


class Number(traitlets.TraitType[Any, Any]):
    """A number from `low` to `high`, rounded to 4 decimals; takes tensors without dimensions."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__()
        self.low, self.high = low, high

    def validate(self, obj: Any, value: Any) -> float:
        """Return `value` as a float, or say what is wrong with it."""
        try:
            number = float(value)
        except (TypeError, ValueError, RuntimeError):
            number = math.nan
        if not self.low <= number <= self.high:
            raise ValueError(
                f"{self.name} must be a number from {self.low} to {self.high}; got {value!r}"
            )
        return round(number, 4)


def check_shapes(inputs: dict[str, Tensor], shapes: dict[str, str]) -> None:
    """Require floating tensors of shapes such as "(1, K, 2)", K the same number in all of them."""
    known: dict[str, int] = {}
    for name, x in inputs.items():
        check_floating(name, x, shapes[name])
        symbols = shapes[name].strip("()").split(", ")
        expected = tuple(
            int(symbol) if symbol.isdigit() else known.setdefault(symbol, size)
            for symbol, size in zip(symbols, x.shape, strict=True)
        )
        if tuple(x.shape) != expected:
            raise ValueError(
                f"{name} must have shape {shapes[name]} = {expected}; got {tuple(x.shape)}"
            )
