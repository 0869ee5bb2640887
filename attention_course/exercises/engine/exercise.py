"""Define exercises: a solution made of steps, hidden cases, and classic mistakes.

A wrong function is the solution with some steps replaced. Two mistakes in different steps combine
into a third wrong function without further code.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from inspect import Parameter, signature
from itertools import combinations
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention_course.exercises.engine.verdict import Verdict
from attention_course.translated import Text

Function = Callable[..., Any]
Case = tuple[Any, ...]


@dataclass(frozen=True)
class Mistake:
    """A classic mistake: its explanation, and the steps that replace the right ones.

    A mistake that is `alone` is never combined with others, which saves many pairs.
    """

    name: str
    words: Text
    variants: tuple[dict[str, Any], ...]
    alone: bool = False

    def beside(self, *others: dict[str, Any]) -> "Mistake":
        """Return the same mistake with more variants, which also replace these other steps."""
        more = (own | other for other in others for own in self.variants)
        return replace(self, variants=(*self.variants, *more))


@dataclass(frozen=True)
class Hint:
    """An explanation to add to an error whose text matches the pattern."""

    pattern: str
    words: Text


@dataclass(frozen=True)
class Remark:
    """A remark on a right answer that behaves like one of the variants on this extra case."""

    case: Case
    words: Text
    variants: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Outcome:
    """The result of a prepared function, if more than the output is judged.

    Each part that the answer has is compared like the output. The leaves are tensors beside the
    arguments, such as parameters, with respect to which gradients are compared.
    """

    output: Any
    parts: Mapping[str, Any] = field(default_factory=dict)
    leaves: Mapping[int | str, Tensor] = field(default_factory=dict)


@dataclass(frozen=True)
class Puzzle:
    """A program with a gap `{step}` for some of the steps, at most one per line.

    `offers` names, for each gap, the mistakes whose steps may fill it as well as the right one. The
    right one is a default of the solution, or of one of the functions `within` it.
    """

    program: str
    offers: Mapping[str, tuple[str, ...]]
    within: tuple[Function, ...] = ()


@dataclass(frozen=True)
class Forbidden:
    """A method that the task of an exercise forbids.

    `en` and `zh` are patterns that match the prohibition in the text of the task. `judge` takes the
    exercise and a right function, and returns an explanation if the function uses the method. The
    browser knows which functions are called: it uses `words` where one of `calls` is. Where there
    are none, it says that it did not check `means`.
    """

    en: str
    zh: str
    judge: Callable[["Exercise", Function], Text | None]
    means: Text
    calls: tuple[str, ...] = ()
    words: Text | None = None


@dataclass(frozen=True)
class Returned:
    """What `prepare` and `further` expect of a result, for the browser, which runs neither.

    An answer returns the output and these `parts` as a tuple; `other` refuses any other {type}.
    `integers` refuses results of a type {got} that is none of integers.
    """

    parts: tuple[str, ...] = ()
    other: Text | None = None
    integers: Text | None = None


@dataclass(frozen=True)
class Hazard:
    """Harder cases, on which an answer is judged once it is right on all cases before.

    `mistakes` are mistakes that only these cases reveal; `steps` turn the solution into one that is
    right on them too.
    """

    name: str
    cases: tuple[Case, ...] = ()
    mistakes: tuple[Mistake, ...] = ()
    gradients: tuple[Case, ...] = ()
    steps: Mapping[str, Any] = field(default_factory=dict)


class Trial(NamedTuple):
    """A case, and whether the gradients are judged on it."""

    case: Case
    gradients: bool


@dataclass(frozen=True, eq=False)
class Exercise:
    """A solution, the cases for the comparison (from plain to hard), and what may go wrong.

    `gradients` are more cases, on which the gradients with respect to the floating arguments are
    compared too. `prepare` turns the answer of the reader into a function, which may return an
    `Outcome`; `further` judges the answer once the function is right. Both may return a refusal
    instead, and so may the function that `prepare` makes. `forbids` are methods that the task
    rules out; only right answers are searched for them. `puzzle` is the solution as a program to
    assemble. `hazards` are judged one after the other once everything else is right, so that what
    they reveal is reported by itself. `returned` tells the browser what `prepare` and `further` do;
    None: it cannot judge the answer.
    """

    solution: Function
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...]
    hints: tuple[Hint, ...] = ()
    remarks: tuple[Remark, ...] = ()
    gradients: tuple[Case, ...] = ()
    prepare: Callable[[Any], Function | Verdict] = field(default=lambda answer: answer)
    further: Callable[[Any], Verdict | None] = field(default=lambda answer: None)
    forbids: tuple[Forbidden, ...] = ()
    puzzle: Puzzle | None = None
    hazards: tuple[Hazard, ...] = ()
    returned: Returned | None = field(default_factory=Returned)

    @cached_property
    def stages(self) -> tuple["Exercise", ...]:
        """The stages of judging: this exercise, then its hazards."""
        return (self, *map(self._beyond, self.hazards))

    def _beyond(self, hazard: Hazard) -> "Exercise":
        return replace(
            self,
            solution=partial(self.solution, **hazard.steps),
            cases=hazard.cases,
            mistakes=hazard.mistakes,
            gradients=hazard.gradients,
            remarks=(),
            puzzle=None,
            hazards=(),
        )

    @property
    def all_mistakes(self) -> list[Mistake]:
        """The mistakes of all stages; a name may occur in several."""
        return [one for stage in self.stages for one in stage.mistakes]

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """All cases on which a function is judged."""
        plain = (Trial(case, False) for case in self.cases)
        return (*plain, *(Trial(case, True) for case in self.gradients))

    @cached_property
    def names(self) -> list[str]:
        """Names of the arguments."""
        parameters = signature(self.solution).parameters.values()
        return [p.name for p in parameters if p.kind is Parameter.POSITIONAL_OR_KEYWORD]

    def variants(self, of: Mistake | Remark) -> list[Function]:
        """Return the wrong functions of a mistake, or the functions of a remark."""
        return [partial(self.solution, **steps) for steps in of.variants]

    def wrong(self, number: int) -> list[tuple[tuple[Mistake, ...], Function]]:
        """Return all wrong functions that combine this number of mistakes in different steps."""
        return [
            (mistakes, partial(self.solution, **steps))
            for mistakes in combinations(self.mistakes, number)
            if number == 1 or not any(one.alone for one in mistakes)
            for steps in _together(mistakes)
        ]


def mistake(name: str, en: str, zh: str, *variants: dict[str, Any], alone: bool = False) -> Mistake:
    """Define a mistake, which may have several variants."""
    return Mistake(name, Text(en, zh), variants, alone)


def hint(pattern: str, en: str, zh: str) -> Hint:
    """Define a hint at the cause of an error."""
    return Hint(pattern, Text(en, zh))


def draw(seed: int, *shapes: tuple[int, ...]) -> tuple[Tensor, ...]:
    """Draw reproducible normal numbers without using torch's default generator."""
    generator = torch.Generator("cpu").manual_seed(seed)
    options: dict[str, Any] = {"generator": generator, "dtype": torch.float32, "device": "cpu"}
    return tuple(torch.randn(shape, **options) for shape in shapes)


def double(case: Case) -> Case:
    """Return the same case in float64."""
    return tuple(x.double() if isinstance(x, Tensor) and x.is_floating_point() else x for x in case)


def _together(mistakes: tuple[Mistake, ...]) -> list[dict[str, Any]]:
    """Merge one variant of each mistake in all ways in which no two replace the same step."""
    merged: list[dict[str, Any]] = [{}]
    for one in mistakes:
        merged = [{**m, **v} for m in merged for v in one.variants if not m.keys() & v.keys()]
    return merged
