"""What an exercise is: a solution made of steps, hidden cases, and the mistakes that people make.

A wrong function is the solution with other steps in the place of its own, so that two mistakes in
different steps make a third wrong function without a line of code.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from inspect import Parameter, signature
from itertools import combinations
from typing import Any

import torch
from torch import Tensor

from attention_lib.exercises.words import Words

Function = Callable[..., Any]
Case = tuple[Any, ...]


@dataclass(frozen=True)
class Mistake:
    """A classic mistake: its words, and the steps that it puts in the place of the right ones."""

    words: Words
    variants: tuple[dict[str, Any], ...]

    def beside(self, *others: dict[str, Any]) -> "Mistake":
        """Return the same mistake with variants that have these other steps besides."""
        more = (own | other for other in others for own in self.variants)
        return Mistake(self.words, (*self.variants, *more))


@dataclass(frozen=True)
class Hint:
    """What to say of an error whose text matches, beside the text itself."""

    pattern: str
    words: Words


@dataclass(frozen=True)
class Remark:
    """What to say of a solution that is right on all cases, but not on this one."""

    case: Case
    words: Words


@dataclass(frozen=True)
class Exercise:
    """A solution, the cases it is compared on (from plain to nasty), and what may go wrong."""

    solution: Function
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    hints: tuple[Hint, ...] = ()
    remarks: tuple[Remark, ...] = ()
    # Makes a function of what the reader hands in, and looks at it further once it is right.
    prepare: Function = field(default=lambda answer: answer)
    further: Function = field(default=lambda answer: None)

    @property
    def names(self) -> list[str]:
        """Names of the arguments."""
        parameters = signature(self.solution).parameters.values()
        return [p.name for p in parameters if p.kind is Parameter.POSITIONAL_OR_KEYWORD]

    def wrong(self, number: int) -> list[tuple[tuple[Mistake, ...], Function]]:
        """All wrong functions of so many mistakes at once, each in another step."""
        return [
            (mistakes, partial(self.solution, **steps))
            for mistakes in combinations(self.mistakes, number)
            for steps in _together(mistakes)
        ]


def mistake(en: str, zh: str, *variants: dict[str, Any]) -> Mistake:
    """Describe a mistake; one that shows in several ways has several variants."""
    return Mistake(Words(en, zh), variants)


def hint(pattern: str, en: str, zh: str) -> Hint:
    """Describe a hint at what lies behind an error."""
    return Hint(pattern, Words(en, zh))


def draw(seed: int, *shapes: tuple[int, ...]) -> tuple[Tensor, ...]:
    """Draw normal numbers that are the same everywhere, without touching torch's own stream."""
    generator = torch.Generator("cpu").manual_seed(seed)
    options: dict[str, Any] = {"generator": generator, "dtype": torch.float32, "device": "cpu"}
    return tuple(torch.randn(shape, **options) for shape in shapes)


def double(case: Case) -> Case:
    """Return the same case in float64."""
    return tuple(x.double() if isinstance(x, Tensor) and x.is_floating_point() else x for x in case)


def _together(mistakes: tuple[Mistake, ...]) -> list[dict[str, Any]]:
    """Merge the mistakes' steps, one variant of each, wherever none replaces another's."""
    merged: list[dict[str, Any]] = [{}]
    for one in mistakes:
        merged = [{**m, **v} for m in merged for v in one.variants if not m.keys() & v.keys()]
    return merged
