"""What an exercise is: a solution made of steps, hidden cases, and the mistakes that people make.

A wrong function is the solution with other steps in the place of its own, so that two mistakes in
different steps make a third wrong function without a line of code.
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
from attention_course.exercises.engine.words import Words

Function = Callable[..., Any]
Case = tuple[Any, ...]


@dataclass(frozen=True)
class Mistake:
    """A classic mistake: its words, and the steps that it puts in the place of the right ones.

    One that is `alone` is named only where nothing else is wrong, which spares many pairs.
    """

    name: str
    words: Words
    variants: tuple[dict[str, Any], ...]
    alone: bool = False

    def beside(self, *others: dict[str, Any]) -> "Mistake":
        """Return the same mistake with variants that have these other steps besides."""
        more = (own | other for other in others for own in self.variants)
        return replace(self, variants=(*self.variants, *more))


@dataclass(frozen=True)
class Hint:
    """What to say of an error whose text matches, beside the text itself."""

    pattern: str
    words: Words


@dataclass(frozen=True)
class Remark:
    """What to say of an answer that is right on all cases, and on this one does as a variant."""

    case: Case
    words: Words
    variants: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Outcome:
    """What a prepared function returns of which more than the output is judged.

    The parts are compared like the output, each where the answer has it. The leaves are tensors
    beside the arguments, such as parameters, with respect to which gradients are compared.
    """

    output: Any
    parts: Mapping[str, Any] = field(default_factory=dict)
    leaves: Mapping[int | str, Tensor] = field(default_factory=dict)


@dataclass(frozen=True)
class Puzzle:
    """A program with a gap `{step}` for some of the steps, at most one in a line.

    `offers` names, for each gap, the mistakes whose steps may fill it as well as the right one. The
    right one is a default of the solution, or of one of the functions `within` it.
    """

    program: str
    offers: Mapping[str, tuple[str, ...]]
    within: tuple[Function, ...] = ()


@dataclass(frozen=True)
class Forbidden:
    """A way that the task of an exercise forbids.

    `en` and `zh` are patterns of the words in which the task says so. `judge` takes the exercise
    and a right function, and returns what there is to say if that goes this way.
    """

    en: str
    zh: str
    judge: Callable[["Exercise", Function], Words | None]


@dataclass(frozen=True)
class Hazard:
    """Nastier cases, on which an answer is judged once it is right on all before.

    `mistakes` are those that only these cases show; `steps` turn the solution into one that is
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
    """A solution, the cases it is compared on (from plain to nasty), and what may go wrong.

    `gradients` are more cases: on these the gradients with respect to the floating arguments are
    compared too. `prepare` makes a function of what the reader hands in, which may return an
    `Outcome`; `further` looks at what was handed in once the function is right. Either may say what
    is wrong instead, and so may the function that `prepare` makes: by returning a refusal.
    `forbids` are ways that the task rules out, looked for in answers that are right. `puzzle` is
    the solution as a program to put together. `hazards` are judged one after the other once all
    of this is right, so that what they show is told by itself.
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

    @cached_property
    def stages(self) -> tuple["Exercise", ...]:
        """What an answer is judged on, one after the other: this exercise, then its hazards."""
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
        """Those of all stages; a name may stand in several."""
        return [one for stage in self.stages for one in stage.mistakes]

    @cached_property
    def trials(self) -> tuple[Trial, ...]:
        """All that a function is judged on."""
        plain = (Trial(case, False) for case in self.cases)
        return (*plain, *(Trial(case, True) for case in self.gradients))

    @cached_property
    def names(self) -> list[str]:
        """Names of the arguments."""
        parameters = signature(self.solution).parameters.values()
        return [p.name for p in parameters if p.kind is Parameter.POSITIONAL_OR_KEYWORD]

    def variants(self, of: Mistake | Remark) -> list[Function]:
        """Return the wrong functions of a mistake, or those that a remark is about."""
        return [partial(self.solution, **steps) for steps in of.variants]

    def wrong(self, number: int) -> list[tuple[tuple[Mistake, ...], Function]]:
        """All wrong functions of so many mistakes at once, each in another step."""
        return [
            (mistakes, partial(self.solution, **steps))
            for mistakes in combinations(self.mistakes, number)
            if number == 1 or not any(one.alone for one in mistakes)
            for steps in _together(mistakes)
        ]


def mistake(name: str, en: str, zh: str, *variants: dict[str, Any], alone: bool = False) -> Mistake:
    """Describe a mistake; one that shows in several ways has several variants."""
    return Mistake(name, Words(en, zh), variants, alone)


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
