"""Define the traits of figures: each is declared once, with its shape or range."""

import copy
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_lib._checks import check_floating, check_lengths

_STATE: dict[str, Any] = {"sync": True, "state": True}
_TOLERANCE = 1e-5  # in hundredths


class Declared(traitlets.TraitType[Any, Any]):
    """A trait of a figure's state that is declared once.

    Its validation, its line in the class's docstring and the tests' random values come from the
    declaration. A letter such as Q or K names an axis, which has one size in all traits of a
    figure.
    """

    metadata = _STATE
    rank = 2  # traits of a lower rank fix the sizes of axes first

    def bind(self, value: Any, sizes: dict[str, int]) -> Any:
        """Return what to store for a constructor's argument; add sizes of its axes to `sizes`."""
        return value

    @abstractmethod
    def described(self) -> str:
        """Return what a docstring says of the argument: "(1, Q, K) floating"."""


class Nested(traitlets.TraitType[Any, Any]):
    """Nested lists that must be reassigned; in-place mutation would not sync to the browser."""

    metadata = _STATE

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Return a copy, so that a change in place has no effect."""
        return copy.deepcopy(super().get(obj, cls))


class Numbers(Declared, Nested):
    """Nested lists of finite numbers of a shape such as "(1, Q, K)"; accepts tensors.

    Rounded to 4 decimals, so that torch and the browser compute from the same numbers, and because
    the last bits of random numbers differ between processors.

    Args:
        shape: of the nested lists.
        given: of the constructor's tensor, where it lacks axes of size 1: "(K,)".
        argument: the constructor's name for it, where it is not the trait's; a trait of `keys` is
            called `keys_`, since in every ipywidget `keys` is the list of trait names.
        low, high: the range of the numbers.
    """

    rank = 0  # tensors say more of sizes than lists of names do

    def __init__(
        self,
        shape: str,
        given: str | None = None,
        argument: str | None = None,
        low: float = -math.inf,
        high: float = math.inf,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.shape, self.given, self.argument = shape, given or shape, argument
        self.low, self.high = low, high

    def bind(self, value: Any, sizes: dict[str, int]) -> Any:
        """Require a floating tensor whose shape fits `sizes`, and give it the axes of size 1."""
        name = self.argument or str(self.name).removesuffix("_")
        check_floating(name, value, self.given)
        for axis, size in zip(axes(self.given), value.shape, strict=True):
            sizes.setdefault(axis, size)
        expected = shape_of(self.given, sizes)
        if tuple(value.shape) != expected:
            raise ValueError(
                f"{name} must have shape {self.given} = {expected}; got {tuple(value.shape)}"
            )
        if 0 in expected:  # nested lists cannot represent such a shape
            raise ValueError(f"{name} must not be empty; got {expected}")
        return value.reshape(shape_of(self.shape, sizes))

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists."""
        numbers = _finite(str(self.name), value, self.shape_in(obj))
        outside = numbers[(numbers < self.low) | (numbers > self.high)]
        if outside.numel():
            allowed = f"{self.low:g} to {self.high:g}"
            raise ValueError(f"{self.name} must lie from {allowed}; got {outside[0]:g}")
        return rounded(numbers).tolist()

    def shape_in(self, figure: Any) -> tuple[int, ...]:
        """Return the shape that it has in this figure."""
        return shape_of(self.shape, figure.axis_sizes)

    def described(self) -> str:
        """Return shape, type and range."""
        limits = f", from {self.low:g} to {self.high:g}" if math.isfinite(self.high) else ""
        stored = "" if self.given == self.shape else f", stored as {self.shape}"
        return f"{self.given} floating{limits}{stored}"


class OptionalNumbers(Numbers):
    """Numbers that a figure has if they are given when it is made; otherwise a default value."""

    def __init__(self, shape: str, default_value: Any = None) -> None:
        super().__init__(shape, default_value=default_value)

    def bind(self, value: Any, sizes: dict[str, int]) -> Any:
        """Do the same if there is a tensor."""
        return self.default_value if value is None else super().bind(value, sizes)

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists."""
        if self.name in obj.given:
            return super().validate(obj, value)
        if value != self.default_value:
            raise ValueError(f"{self.name} must be given when the figure is made; got {value!r}")
        return value


class Draws(Numbers):
    """Uniform random numbers in [0, 1), truncated to two decimals; accepts tensors.

    Rounding instead would make P(draw >= p) a little larger than 1 − p.
    """

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists."""
        draws = _finite(str(self.name), value, self.shape_in(obj))
        low, high = draws.min().item(), draws.max().item()
        if low < 0 or high >= 1:
            raise ValueError(
                f"{self.name} must be at least 0 and less than 1; got {low:g} to {high:g}"
            )
        # 0.29 · 100 is below 29 in binary, and float32 is even less precise.
        hundredths = torch.floor(100 * draws + _TOLERANCE).clamp(max=99)
        return (hundredths / 100).tolist()

    def described(self) -> str:
        """Return shape, type and range."""
        return f"{self.shape} floating, in [0, 1)"


class Lengths(Declared, Nested):
    """Valid lengths of one of some shapes, as nested lists, from 0 to the number of keys.

    >>> Lengths("(B,)", "(B, Q)", keys="K").described()
    '(B,) or (B, Q) integer, from 0 to K'
    """

    def __init__(self, *shapes: str, keys: str) -> None:
        super().__init__()
        self.shapes, self.keys = shapes, keys

    def bind(self, value: Any, sizes: dict[str, int]) -> Any:
        """Return all keys for None."""
        if value is None:
            return torch.full(shape_of(self.shapes[0], sizes), sizes[self.keys])
        return value

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists."""
        lengths = _tensor(self.name, value)
        expected = {shape: shape_of(shape, obj.axis_sizes) for shape in self.shapes}
        check_lengths(lengths, expected, obj.axis_sizes[self.keys])
        return lengths.tolist()

    def described(self) -> str:
        """Return shapes, type and range."""
        return f"{' or '.join(self.shapes)} integer, from 0 to {self.keys}"


class Listed(Declared, traitlets.List[Any]):
    """A list with an item for each place of an axis, such as "K", "K + 1" or "2".

    Args:
        axis: the axis.
        item: the trait that each item must fit.
        optional: whether it may be empty instead.
        ascending: whether each item must be larger than the one before.
    """

    rank = 1

    def __init__(
        self,
        axis: str,
        item: traitlets.TraitType[Any, Any],
        optional: bool = False,
        ascending: bool = False,
    ) -> None:
        super().__init__(item)
        self.axis, self.item, self.optional, self.ascending = axis, item, optional, ascending

    def bind(self, value: Any, sizes: dict[str, int]) -> Any:
        """Count the items of an axis that no tensor has."""
        if self.axis.isalpha() and self.axis not in sizes:
            if len(value) == 0 and not self.optional:
                raise ValueError(f"{self.name} must be at least one; got none")
            sizes[self.axis] = len(value)
        return value

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as a list."""
        items = [*value] if isinstance(value, Sequence) and not isinstance(value, str) else value
        if isinstance(items, list):
            (number,) = shape_of(f"({self.axis})", obj.axis_sizes)
            if len(items) not in ((0, number) if self.optional else (number,)):
                none = " or none" if self.optional else ""
                raise ValueError(f"{self.name} must be {number}{none}; got {len(items)}")
        valid: list[Any] = super().validate(obj, items) or []
        if self.ascending and any(a >= b for a, b in pairwise(valid)):
            raise ValueError(f"{self.name} must ascend; got {valid}")
        return valid

    def described(self) -> str:
        """Return how many items there are."""
        none = "none, or " if self.optional else ""
        return f"{none}{self.axis}{' ascending' if self.ascending else ''}"


class Names(Listed):
    """A name for each place of an axis; may be left out if `optional`."""

    def __init__(self, axis: str, optional: bool = False) -> None:
        super().__init__(axis, traitlets.Unicode(), optional)

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as a list."""
        check_texts(str(self.name), value)
        return super().validate(obj, value)


class Index(Declared, traitlets.Int[int, Any]):
    """A place on an axis, counted from 0, or from `first`.

    >>> Index("Q").described(), Index("K", first=1).described()
    ('0 to Q − 1', '1 to K')
    """

    def __init__(self, axis: str, first: int = 0) -> None:
        super().__init__()
        self.axis, self.first = axis, first

    def bind(self, value: Any, sizes: dict[str, int]) -> Any:
        """Return the last place for None."""
        return sizes[self.axis] - 1 + self.first if value is None else value

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it."""
        place = super().validate(obj, value)
        last = obj.axis_sizes[self.axis] - 1 + self.first
        if not self.first <= place <= last:
            raise ValueError(f"{self.name} must be one of {self.first}..{last}; got {place}")
        return place

    def described(self) -> str:
        """Return first and last place."""
        return f"1 to {self.axis}" if self.first else f"0 to {self.axis} − 1"


class BoundedFloat(Declared):
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

    def described(self) -> str:
        """Return the range."""
        return f"from {self.low:g} to {self.high:g}"


class Finite(traitlets.Float[float, Any]):
    """A finite number, for lists of numbers."""

    def validate(self, obj: Any, value: Any) -> float:
        """Validate `value` and return it as a float."""
        number = super().validate(obj, value)
        if not math.isfinite(number):
            self.error(obj, number)
        return number


def axes(shape: str) -> list[str]:
    """Return the axes of a shape.

    >>> axes("(1, Q, K)"), axes("(K,)")
    (['1', 'Q', 'K'], ['K'])
    """
    return shape.strip("(,)").split(", ")


def shape_of(shape: str, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """Return the sizes of a shape's axes.

    >>> shape_of("(2, K, K + 1)", {"K": 3})
    (2, 3, 4)
    """
    return tuple(_size(axis, sizes) for axis in axes(shape))


def _size(axis: str, sizes: Mapping[str, int]) -> int:
    symbol, _, more = axis.partition(" + ")
    return (int(symbol) if symbol.isdigit() else sizes[symbol]) + int(more or 0)


def check_texts(name: str, value: Any) -> None:
    """Require a sequence of texts, which is no text itself."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"{name} must be a list of texts; got {value!r}")
    for own in value:
        if not isinstance(own, str):
            raise TypeError(f"{name} must be texts; got {own!r}")


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
