"""Define the traits that figures share, and validate their values."""

import copy
import math
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_lib._checks import check_floating, check_lengths
from attention_lib.scores import SCORES

Names = Sequence[str] | Sequence[Sequence[str]]  # for all examples, or a list for each example
_TOLERANCE = 1e-5  # in hundredths


class Nested(traitlets.TraitType[Any, Any]):
    """Nested lists that must be reassigned; in-place mutation would not sync to the browser."""

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Return a copy, so that a change in place has no effect."""
        return copy.deepcopy(super().get(obj, cls))


class Numbers(Nested):
    """Nested lists of finite numbers of a fixed shape; accepts tensors.

    Rounded to 4 decimals, so that torch and the browser compute from the same numbers, and because
    the last bits of random numbers differ between processors.
    """

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists."""
        return checked_numbers(str(self.name), value, obj.shapes[self.name])


class Parameter(Numbers):
    """A parameter of scores, which a figure has if it is given at first; None otherwise."""

    def __init__(self) -> None:
        super().__init__(default_value=None)

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists."""
        if self.name in obj.shapes:
            return super().validate(obj, value)
        if value is not None:
            raise ValueError(f"{self.name} must be given when the figure is made; got {value!r}")
        return None


class Draws(Numbers):
    """Uniform random numbers in [0, 1), truncated to two decimals; accepts tensors.

    Rounding instead would make P(draw >= p) a little larger than 1 − p.
    """

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists."""
        draws = _finite(str(self.name), value, obj.shapes[self.name])
        low, high = draws.min().item(), draws.max().item()
        if low < 0 or high >= 1:
            raise ValueError(
                f"{self.name} must be at least 0 and less than 1; got {low:g} to {high:g}"
            )
        # 0.29 · 100 is below 29 in binary, and float32 is even less precise.
        hundredths = torch.floor(100 * draws + _TOLERANCE).clamp(max=99)
        return (hundredths / 100).tolist()


class Lengths(Nested):
    """Valid lengths, (B,) or (B, Q), as nested lists; accepts tensors."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists."""
        batch, num_queries, num_keys = obj.scores_shape
        lengths = _tensor(self.name, value)
        check_lengths(lengths, {"(B,)": (batch,), "(B, Q)": (batch, num_queries)}, num_keys)
        return lengths.tolist()


class BoundedFloat(traitlets.TraitType[Any, Any]):
    """A number from `low` to `high`, rounded to 4 decimals; accepts 0-D tensors."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__()
        self.low, self.high = low, high

    def validate(self, obj: Any, value: Any) -> float:
        """Validate `value` and return it as a float."""
        try:
            number = float(value)
        except (TypeError, ValueError, RuntimeError):
            number = math.nan
        if not self.low <= number <= self.high:
            raise ValueError(
                f"{self.name} must be a number from {self.low} to {self.high}; got {value!r}"
            )
        return round(number, 4)


class Finite(traitlets.Float[float, Any]):
    """A finite number, for lists of numbers."""

    def validate(self, obj: Any, value: Any) -> float:
        """Validate `value` and return it as a float."""
        number = super().validate(obj, value)
        if not math.isfinite(number):
            self.error(obj, number)
        return number


def check_shapes(inputs: dict[str, Tensor], shapes: dict[str, str]) -> None:
    """Require floating tensors of shapes such as "(1, K, 2)", with the same K in all of them."""
    sizes: dict[str, int] = {}
    for name, x in inputs.items():
        check_floating(name, x, shapes[name])
        symbols = shapes[name].strip("(,)").split(", ")
        expected = tuple(
            int(symbol) if symbol.isdigit() else sizes.setdefault(symbol, size)
            for symbol, size in zip(symbols, x.shape, strict=True)
        )
        if tuple(x.shape) != expected:
            raise ValueError(
                f"{name} must have shape {shapes[name]} = {expected}; got {tuple(x.shape)}"
            )


def check_names(what: str, names: Names, number: int) -> None:
    """Require no names, or `number` names."""
    if len(names) not in (0, number):
        raise ValueError(f"{what} must be {number} or none; got {len(names)}")
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{what} must be texts; got {name!r}")


def check_names_of_examples(what: str, names: Names, batch: int, number: int) -> None:
    """Require no names, `number` names, or a list of them for each example of a batch."""
    if all(isinstance(own, str) for own in names):
        return check_names(what, names, number)
    if len(names) != batch:
        raise ValueError(f"{what} must be lists for {batch} examples; got {len(names)}")
    for own in names:
        check_names(what, own, number)


def parameter_shapes(size: str) -> dict[str, str]:
    """Return the shapes of the parameters of all scores, for queries and keys of the same size.

    >>> parameter_shapes("d")["w_v"], parameter_shapes("d")["W"]
    ('(1, H)', '(d, d)')
    """
    shapes = {name: shape for score in SCORES.values() for name, shape in score.parameters.items()}
    own = {"query size": size, "key size": size, "d": size}
    return {
        name: f"({', '.join(own.get(symbol, symbol) for symbol in shape)})"
        for name, shape in shapes.items()
    }


PARAMETERS = tuple(parameter_shapes("d"))


def named_parameters(unnamed: Sequence[Tensor], named: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return parameters of scores by name; those without a name are in the order of `SCORES`."""
    known = ", ".join(PARAMETERS)
    if len(unnamed) > len(PARAMETERS):
        raise TypeError(f"parameters must be at most {known}; got {len(unnamed)}")
    given = dict(zip(PARAMETERS, unnamed, strict=False))
    if unknown := sorted(named.keys() - set(PARAMETERS)):
        raise TypeError(f"parameters must be among {known}; got {', '.join(unknown)}")
    if twice := sorted(given.keys() & named):
        raise TypeError(f"parameters must be given once; got {', '.join(twice)} twice")
    given |= named
    return {name: given[name] for name in PARAMETERS if name in given}


def checked_numbers(name: str, value: Any, shape: tuple[int, ...]) -> list[Any]:
    """Require finite numbers of this shape and return them as nested lists, rounded."""
    nested: list[Any] = rounded(_finite(name, value, shape)).tolist()
    return nested


def rounded(x: Tensor) -> Tensor:
    """Round to 4 decimals, in float64."""
    return x.detach().cpu().double().round(decimals=4)


def _finite(name: str, value: Any, shape: tuple[int, ...]) -> Tensor:
    numbers = _tensor(name, value, torch.float64)
    if tuple(numbers.shape) != shape:
        raise ValueError(f"{name} must have shape {shape}; got {tuple(numbers.shape)}")
    if (wrong := numbers[~numbers.isfinite()]).numel():
        raise ValueError(f"{name} must be finite; got {wrong[0]}")
    return numbers


def _tensor(name: str | None, value: Any, dtype: torch.dtype | None = None) -> Tensor:
    try:
        return torch.as_tensor(value, dtype=dtype).cpu()
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{name} must be a tensor or nested lists; got {value!r}") from error
