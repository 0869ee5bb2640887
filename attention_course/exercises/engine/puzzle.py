"""Turn an exercise into a program with gaps, and judge every filling as `check` does.

A gap is a step of the solution. It takes the step itself or its replacement in a mistake, so every
filling is the solution with some steps replaced.
"""

import linecache
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from inspect import Parameter, signature
from itertools import product
from typing import Any, NamedTuple

import torch
from torch import nn

from attention_course.exercises.engine.exercise import Exercise, Puzzle
from attention_course.exercises.engine.judging import judge
from attention_course.exercises.engine.line import Line, number
from attention_course.exercises.engine.verdict import Verdict
from attention_lib.masking import masked_softmax

NAMES = {"torch": torch, "math": math, "nn": nn, "masked_softmax": masked_softmax}
_DEFINITION = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)
_GAP = re.compile(r"\{(\w+)\}")


class Option(NamedTuple):
    """An option for a gap: the step and its source."""

    step: Any
    source: str


class Filling(NamedTuple):
    """A choice for every gap: the indices of the options, the program, and its verdict."""

    places: tuple[int, ...]
    program: str
    verdict: Verdict


def options(exercise: Exercise, slug: str) -> dict[str, tuple[Option, ...]]:
    """Return the options of each gap, in an order that does not reveal the answer.

    Raises:
        ValueError: the puzzle names an unknown mistake, or a step has no source.
    """
    puzzle = _puzzle(exercise)
    found: dict[str, tuple[Option, ...]] = {}
    for gap in gaps(puzzle):
        steps = [
            _solution_step(exercise, gap),
            *(_mistake_step(exercise, gap, name) for name in puzzle.offers[gap]),
        ]
        several = (Option(step, _source(step, gap)) for step in steps)
        found[gap] = tuple(sorted(several, key=lambda one: _order(slug, gap, one.source)))
    return found


def gaps(puzzle: Puzzle) -> list[str]:
    """Name the gaps of a program, in order."""
    return _GAP.findall(puzzle.program)


def gap_in(line: str) -> str | None:
    """Name the gap in a line, if there is one.

    >>> gap_in("    scores = {factor} * distance"), gap_in("    return scores")
    ('factor', None)
    """
    gap = _GAP.search(line)
    return gap and gap[1]


def fill(puzzle: Puzzle, sources: dict[str, str]) -> str:
    """Return the program with these sources in its gaps."""
    return _GAP.sub(lambda gap: sources[gap[1]], puzzle.program).strip() + "\n"


def run(program: str) -> Callable[..., Any]:
    """Run a program, and return the function or class that it defines."""
    name = f"<puzzle {sha256(program.encode()).hexdigest()[:12]}>"
    linecache.cache[name] = (len(program), None, program.splitlines(keepends=True), name)
    defined: dict[str, Any] = dict(NAMES)
    exec(compile(program, name, "exec"), defined)
    (definition,) = _DEFINITION.findall(program)
    made: Callable[..., Any] = defined[definition]
    return made


def fillings(exercise: Exercise, slug: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield every filling as the indices of its options and the program."""
    several = options(exercise, slug)
    for places in product(*(range(len(own)) for own in several.values())):
        chosen = zip(several.items(), places, strict=True)
        sources = {gap: own[place].source for (gap, own), place in chosen}
        yield places, fill(_puzzle(exercise), sources)


@cache
def solved(exercise: Exercise, slug: str) -> tuple[Filling, ...]:
    """Judge every filling as `check` does."""
    return tuple(
        Filling(places, program, judge(exercise, run(program)))
        for places, program in fillings(exercise, slug)
    )


def _puzzle(exercise: Exercise) -> Puzzle:
    if exercise.puzzle is None:
        raise ValueError("this exercise has no puzzle")
    return exercise.puzzle


def _solution_step(exercise: Exercise, gap: str) -> Any:
    """Return the step of the solution, or of a function to which it passes its steps."""
    for f in (exercise.solution, *_puzzle(exercise).within):
        parameter = signature(f).parameters.get(gap)
        if parameter is not None and parameter.kind is Parameter.KEYWORD_ONLY:
            return parameter.default
    raise ValueError(f"the solution has no step {gap!r}")


def _mistake_step(exercise: Exercise, gap: str, name: str) -> Any:
    """Return what a mistake puts in the place of a step, preferably in a variant of one step."""
    variants = [v for one in exercise.all_mistakes if one.name == name for v in one.variants]
    found = sorted((v for v in variants if gap in v), key=len)
    if not found:
        raise ValueError(f"no mistake {name!r} puts anything in the place of {gap!r}")
    return found[0][gap]


def _source(step: Any, gap: str) -> str:
    if isinstance(step, Line):
        return step.source
    if isinstance(step, int | float):
        return number(step)
    raise ValueError(f"a step in the place of {gap!r} is not written as a line")


def _order(*words: str) -> str:
    return sha256("\0".join(words).encode()).hexdigest()
