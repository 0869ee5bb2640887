"""Draw figures in random states from the declarations of their traits."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import torch
import traitlets
from torch import Tensor

from attention_figures import Figure
from attention_figures.docstrings import arguments
from attention_figures.parameters import PARAMETERS
from attention_figures.traits import (
    BoundedFloat,
    Draws,
    Index,
    Lengths,
    Listed,
    Names,
    Numbers,
    OptionalNumbers,
    shape_of,
)

Kind = TypeVar("Kind", bound=Figure)
Choice = TypeVar("Choice")
_DRAWN = (BoundedFloat, Index, Lengths, Listed, Numbers, traitlets.Bool, traitlets.Enum)


class Sizes(dict[str, int]):
    """Sizes of axes, each drawn when it is first asked for."""

    def __init__(self, choices: Mapping[str, Sequence[int]]) -> None:
        super().__init__()
        self.choices = choices

    def __missing__(self, axis: str) -> int:
        self[axis] = one_of(self.choices.get(axis, range(1, 8)))
        return self[axis]


def random_figure(
    kind: type[Kind], axes: Mapping[str, Sequence[int]] | None = None, **given: Any
) -> Callable[[int], Kind]:
    """Return a function that makes, from a seed, a figure of this kind in a random state.

    Args:
        kind: its class.
        axes: the sizes that an axis may have, where they are not 1 to 7.
        given: arguments and traits of which the declarations do not say enough, each as a function
            of the sizes of axes.
    """
    parameters = {"kind", "name", "lang", *inspect.signature(kind).parameters}
    by_argument = dict(arguments(kind)) | kind.class_traits(state=True)
    passed = {name: trait for name, trait in by_argument.items() if name in parameters}
    if "named" in parameters:  # parameters of scores
        passed |= {
            name: trait
            for name, trait in by_argument.items()
            if isinstance(trait, OptionalNumbers) and name not in passed
        }
    others = {
        name: trait
        for name, trait in kind.class_traits(state=True).items()
        if trait not in passed.values()
    }

    def make(seed: int) -> Kind:
        torch.manual_seed(seed)
        sizes = Sizes(axes or {})
        chosen = {name: draw(sizes) for name, draw in given.items()}
        state = drawn(passed, sizes) | {name: x for name, x in chosen.items() if name in parameters}
        figure = kind(**state)
        later = drawn(others, sizes) | {name: x for name, x in chosen.items() if name in others}
        for name, value in later.items():
            setattr(figure, name, value)
        return figure

    return make


def drawn(traits: Mapping[str, Any], sizes: Sizes) -> dict[str, Any]:
    """Draw a value for each trait whose declaration says what it may be."""
    return {
        name: draw(trait, sizes)
        for name, trait in traits.items()
        if isinstance(trait, _DRAWN) and name not in ("lang", "handle")
    }


def draw(trait: Any, sizes: Sizes) -> Any:
    """Draw a value for a trait, often one at the edge of what is allowed."""
    match trait:
        case Draws():
            x = torch.rand(shape_of(trait.given, sizes))
            return (20 * x).floor() / 20 if likely(1 / 3) else x  # some equal to p
        case OptionalNumbers() if trait.default_value is not None and likely(1 / 3):
            return None
        case Numbers() if trait.name in PARAMETERS:
            return torch.randn(shape_of(trait.given, sizes))  # or products lose their last digits
        case Numbers():
            return numbers(shape_of(trait.given, sizes)).clamp(trait.low, trait.high)
        case Lengths():
            shape = shape_of(one_of(trait.shapes), sizes)
            return torch.randint(sizes[trait.keys] + 1, shape)
        case Names():
            if trait.optional and likely(1 / 2):
                return []
            (number,) = shape_of(f"({trait.axis})", sizes)
            return [f"{trait.name}{place}" for place in range(number)]
        case Listed():
            (number,) = shape_of(f"({trait.axis})", sizes)
            return torch.randint(1, 9, (number,)).cumsum(0).tolist()
        case Index():
            return trait.first + one_of(range(sizes[trait.axis]))
        case BoundedFloat():
            share = [0, 1, 10 ** -float(5 * torch.rand(())), one_of(range(21)) / 20][
                one_of(range(4))
            ]
            return trait.low + share * (trait.high - trait.low)
        case traitlets.Bool():
            return likely(1 / 2)
    return one_of(trait.values)


def numbers(shape: Sequence[int]) -> Tensor:
    """Draw normal numbers, small or large, some of which are zero, equal or halves."""
    x = 10.0 ** one_of(range(-2, 2)) * torch.randn(*shape)
    if likely(1 / 4):
        x = (2 * x).round() / 2
    return x * torch.randint(2, shape) if likely(1 / 6) else x


def one_of(choices: Sequence[Choice]) -> Choice:
    """Draw one of some choices."""
    return choices[int(torch.randint(len(choices), ()))]


def likely(probability: float) -> bool:
    """Draw whether something happens."""
    return bool(torch.rand(()) < probability)
