"""From what a reader's function did to what is to be said about it."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import torch
from torch import Tensor

from attention_lib.exercises import words
from attention_lib.exercises.errors import arguments, raised
from attention_lib.exercises.exercise import Case, Exercise, Function, Mistake, double
from attention_lib.exercises.running import Run, agree, run, text
from attention_lib.exercises.words import NotYet, Words


def judge(exercise: Exercise, answer: Any) -> list[Words]:
    """Remarks on an answer that is right; NotYet tells what is wrong with any other."""
    if not callable(answer):
        raise NotYet(words.NOT_CALLABLE.filled(type=type(answer).__name__))
    f = exercise.prepare(answer)
    runs = [run(f, case) for case in exercise.cases]
    expected = [run(exercise.solution, case) for case in exercise.cases]
    wrong = [i for i in range(len(runs)) if not agree(runs[i], expected[i])]
    found = _diagnosis(exercise, f, runs, expected, wrong[0]) if wrong else []
    found += _changes(exercise, runs)
    if found:
        raise NotYet(*found)
    exercise.further(answer)
    return _remarks(exercise, f)


def _diagnosis(
    exercise: Exercise, f: Function, runs: list[Run], expected: list[Run], first: int
) -> list[Words]:
    if all(_is_stub(one) for one in runs):
        return [words.STUB]
    named = _classic(exercise, runs, first)
    if named:
        return [mistake.words for mistake in named]
    case = exercise.cases[first]
    if not agree(run(f, case, seed=1), runs[first]) and agree(run(f, case), runs[first]):
        return [words.RANDOM]
    return _general(exercise, f, case, runs[first], expected[first])


def _is_stub(one: Run) -> bool:
    if isinstance(one.error, NotImplementedError):
        return not text(one.error)  # torch raises it too, with words
    return one.error is None and (one.result is None or one.result is ...)


def _classic(exercise: Exercise, runs: list[Run], first: int) -> Sequence[Mistake]:
    """Mistakes that explain all runs: one, or two at once; else those that explain most."""
    best: tuple[int, Sequence[Mistake]] = (0, ())
    for number in (1, 2) if isinstance(runs[first].result, Tensor) else (1,):
        explained = (
            (_explained(wrong, exercise.cases, runs, first), mistakes)
            for mistakes, wrong in exercise.wrong(number)
        )
        # The first of those that explain most; none, where nothing is explained.
        found = max(((0, ()), *explained), key=itemgetter(0))
        if found[0] == len(runs):
            return found[1]
        best = best if best[0] else found  # one mistake is a better guess than two
    return best[1]


def _explained(wrong: Function, cases: Sequence[Case], runs: list[Run], first: int) -> int:
    """On how many cases the wrong function does the same, if it does up to the first failure.

    Where f is still right a mistake that would already show is not f's.
    """
    pairs = list(zip(cases, runs, strict=True))
    for case, one in [pairs[first], *pairs[:first]]:  # the first failure tells most of them apart
        if not agree(run(wrong, case), one):
            return 0
    return sum(agree(run(wrong, case), one) for case, one in pairs)


def _general(exercise: Exercise, f: Function, case: Case, own: Run, expected: Run) -> list[Words]:
    """Say what can be said of any function: the first case that differs, and how."""
    parts = {"case": _described(exercise.names, case)}
    if own.error is not None:
        error, *hints = raised(own.error, parts["case"], exercise.hints)
        return [arguments(f, case, exercise.names) or error, *hints]
    if own.result is None or own.result is ...:
        return [words.NOTHING.filled(**parts)]
    shape = tuple(expected.result.shape)
    if not isinstance(own.result, Tensor):
        told = words.TYPE.filled(expected=shape, type=type(own.result).__name__)
        return [told, words.PARTS] if isinstance(own.result, tuple) else [told]
    if own.result.shape != shape:
        return [words.SHAPE.filled(**parts, expected=shape, got=tuple(own.result.shape))]
    if not own.result.is_floating_point():
        return [words.DTYPE.filled(expected=expected.result.dtype, got=own.result.dtype)]
    return [_of_entry(own.result, expected.result, parts["case"])]


def _of_entry(own: Tensor, expected: Tensor, case: Words) -> Words:
    """Name the first entry that is off by much: the farthest might be another elsewhere."""
    distance = (own.double() - expected.double()).abs().nan_to_num(torch.inf, torch.inf)
    far = distance >= distance.max() / 2
    index = [int(i) for i in far.nonzero()[0]]
    a, b = (float(x[tuple(index)]) for x in (expected, own))
    digits = 3 if f"{a:.3f}" != f"{b:.3f}" else 6
    finite = torch.tensor(b).isfinite()
    told = words.VALUE if finite else words.NOT_FINITE
    return told.filled(case=case, index=index, expected=f"{a:.{digits}f}", got=f"{b:.{digits}f}")


def _described(names: list[str], case: Case) -> Words:
    named = [f"{name} {_size(x)}" for name, x in zip(names, case, strict=False)]
    return Words(", ".join(named), "，".join(named))


def _size(x: Any) -> str:
    """Show the shape of a tensor, or the values where they are few whole numbers."""
    if not isinstance(x, Tensor):
        return f"{x}"
    return f"{tuple(x.shape)}" if x.is_floating_point() else f"{x.tolist()}"


def _changes(exercise: Exercise, runs: list[Run]) -> list[Words]:
    changed = sorted({i for one in runs for i in one.changed})
    names = words.listed(exercise.names[i] for i in changed)
    return [words.CHANGED.filled(names=names)] if changed else []


def _remarks(exercise: Exercise, f: Function) -> list[Words]:
    """Say what is worth saying of a function that is right."""
    own = run(f, double(exercise.cases[0]))
    kept = isinstance(own.result, Tensor) and own.result.dtype == torch.float64
    found = [] if kept else [words.DOUBLE]
    for remark in exercise.remarks:
        if not agree(run(f, remark.case), run(exercise.solution, remark.case)):
            found.append(remark.words)
    return found
