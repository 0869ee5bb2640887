"""Export what the browser needs to judge typed answers to an exercise, as data.

The browser compares runs of an answer with the runs of the solution, entry by entry, and with
fingerprints of the runs of all wrong functions. A fingerprint is a few weighted means of a run. If
two runs are equal up to rounding, so are their fingerprints; that others differ is checked here.
"""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from operator import mul
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attention_course.exercises.engine import texts
from attention_course.exercises.engine.containment import contained
from attention_course.exercises.engine.differences import described
from attention_course.exercises.engine.exercise import (
    Exercise,
    Function,
    Mistake,
    Remark,
    Trial,
    double,
)
from attention_course.exercises.engine.running import SECONDS, Run, agree, evaluate
from attention_course.translated import Text

_MEANS = 2  # numbers in the fingerprint of a tensor that has more entries
_HALF = (torch.float16, torch.bfloat16)  # the browser has no such numbers
ERROR, RIGHT, OTHER = 0, 1, 2  # ids of runs: any error, the solution's run, and further ones

Data = dict[str, Any]


def exported(exercise: Exercise) -> Data:
    """Return the data of an exercise; its structure is described in book/web/judge/data.ts."""
    if exercise.returned is None:
        raise ValueError("the browser cannot judge this exercise")
    writer = _Writer(exercise)
    with contained():
        stages = [writer.stage(stage) for stage in exercise.stages]
        remarks = [writer.remark(remark) for remark in exercise.remarks]
        plain = writer.trial(Trial(double(exercise.cases[0]), False), exercise.solution)
    return {
        "names": exercise.names,
        "seconds": SECONDS,
        "parts": exercise.returned.parts,
        "other": _pair(exercise.returned.other),
        "integers": _pair(exercise.returned.integers),
        "texts": _texts(),
        "hints": [[one.pattern, *_pair(one.words)] for one in exercise.hints],
        "mistakes": writer.mistakes,
        "stages": stages,
        "double": plain,
        "remarks": remarks,
        "forbidden": [[one.calls, _pair(one.words)] for one in exercise.forbids if one.calls],
        "unchecked": [[_pair(words), later] for words, later in _unchecked(exercise)],
        "tensors": writer.tensors,
    }


def script(slug: str, exercise: Exercise) -> str:
    """Return the classic script that hands the data of an exercise to the page."""
    data = json.dumps(exported(exercise), ensure_ascii=False, separators=(",", ":"))
    return f"(globalThis.attentionExercises??={{}})[{json.dumps(slug)}]={data};\n"


def _unchecked(exercise: Exercise) -> Iterator[tuple[Text, bool]]:
    """Yield what the browser does not check, and whether only a right answer is checked for it."""
    trials = [trial for stage in exercise.stages for trial in stage.trials]
    if any(trial.gradients for trial in trials):
        yield texts.GRADIENTS, False
    if any(map(_has_half, trials)):
        yield texts.FLOAT16, False
    yield from ((one.means, True) for one in exercise.forbids if not one.calls)


def _has_half(trial: Trial) -> bool:
    return any(isinstance(x, Tensor) and x.dtype in _HALF for x in trial.case)


def _pair(words: Text | None) -> list[str]:
    return [] if words is None else [words.en, words.zh]


def _texts() -> dict[str, list[str]]:
    """Return the texts that all exercises share, by their names."""
    shared = {name: _pair(x) for name, x in vars(texts).items() if isinstance(x, Text)}
    whole, of = texts.OUTPUT
    part = texts.part("{name}")
    parts = {"OUTPUT": whole, "OF_OUTPUT": of, "PART": part.whole, "OF_PART": part.of}
    return shared | {name: _pair(words) for name, words in parts.items()}


class _Writer:
    """Writes stages; tensors and the words of mistakes are stored once."""

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise
        self.tensors: list[list[Any]] = []
        self.mistakes: list[list[str]] = []

    def stage(self, stage: Exercise) -> Data:
        """Return the trials of a stage, with the runs of the solution and of wrong functions."""
        trials = [trial for trial in stage.trials if not _has_half(trial)]
        right = [evaluate(stage.solution, trial.case) for trial in trials]
        runs = [_Runs(one, self._values) for one in right]
        found: dict[tuple[tuple[int, ...], tuple[int, ...]], None] = {}
        for number in (1, 2):
            for mistakes, f in stage.wrong(number):
                row = _row(f, trials, runs)
                if row is not None:
                    found[tuple(self._mistake(one) for one in mistakes), row] = None
        rows = [*found]
        return {
            "trials": [
                self.trial(trial, stage.solution, one)
                for trial, one in zip(trials, right, strict=True)
            ],
            "mistakes": [mistakes for mistakes, _ in rows],
            "wrong": [[row[i] for _, row in rows] for i in range(len(trials))],
            "runs": [one.written() for one in runs],
        }

    def trial(self, trial: Trial, solution: Function, right: Run | None = None) -> Data:
        """Return the arguments of a trial, their description, and what the solution returns."""
        right = right or evaluate(solution, trial.case)
        return {
            "case": _pair(described(self._exercise, trial.case)),
            "arguments": [self._argument(x) for x in trial.case],
            "expected": [self._tensor(x) for x in self._values(right)],
        }

    def remark(self, remark: Remark) -> Data:
        """Return a remark with the runs of its variants."""
        right = evaluate(self._exercise.solution, remark.case)
        runs = _Runs(right, self._values)
        trials = [Trial(remark.case, False)]
        rows = [_row(f, trials, [runs]) for f in self._exercise.variants(remark)]
        return {
            **self.trial(trials[0], self._exercise.solution, right),
            "words": _pair(remark.words),
            "variants": sorted({row[0] for row in rows if row}),
            "runs": runs.written(),
        }

    def _values(self, run: Run) -> list[Tensor]:
        """Return the output and the parts of a run."""
        assert self._exercise.returned
        assert run.seen.output is not None
        parts = [run.seen.parts[name] for name in self._exercise.returned.parts]
        return [x for x in (run.seen.output, *parts) if x is not None]

    def _mistake(self, mistake: Mistake) -> int:
        words = [mistake.name, *_pair(mistake.words)]
        if words not in self.mistakes:
            self.mistakes.append(words)
        return self.mistakes.index(words)

    def _argument(self, x: Any) -> int | str:
        """Return the index of a tensor, or the source of a value of Python."""
        return self._tensor(x) if isinstance(x, Tensor) else repr(x)

    def _tensor(self, x: Tensor) -> int:
        x = x.detach().clone()  # dense, as the copy that a function gets
        entries = x.as_strided((x.numel(),), (1,)).numpy()
        numbers = [_number(one) for one in entries]
        name = str(x.dtype).removeprefix("torch.")
        written = [name, [*x.shape], numbers]
        if not x.is_contiguous():
            written.append([*x.stride()])
        if written not in self.tensors:
            self.tensors.append(written)
        return self.tensors.index(written)


def _number(x: Any) -> Any:
    """Return an entry with as few digits as tell it from its neighbours."""
    number = float(str(x)) if isinstance(x, np.floating) else x.item()
    return int(number) if math.isfinite(number) and number == int(number) else number


def _row(f: Function, trials: Sequence[Trial], runs: Sequence["_Runs"]) -> tuple[int, ...] | None:
    """Return the ids of a wrong function's runs; None if it explains no run of an answer."""
    row = [one.number(evaluate(f, trial.case)) for trial, one in zip(trials, runs, strict=True)]
    return tuple(row) if None not in row and any(i != RIGHT for i in row) else None  # type: ignore[arg-type]


class _Runs:
    """Numbers the distinct runs of wrong functions on a case."""

    def __init__(self, right: Run, values: Callable[[Run], list[Tensor]]) -> None:
        self._right, self._values = right, values
        self._known: dict[str, int] = {}
        self._prints: list[tuple[list[list[int]], list[Any]]] = []

    def number(self, run: Run) -> int | None:
        """Return the id of a run; None if no answer's run can equal it."""
        if run.error is not None:
            return ERROR
        if run.seen.output is None or run.seen.output.is_meta:
            return None
        if agree(run, self._right):
            return RIGHT
        values = self._values(run)
        if any(x.is_meta for x in values):
            return None
        shapes = [[*x.shape] for x in values]
        found = [one for x in values for one in fingerprint(x.double().flatten().tolist())]
        key = repr((shapes, found))
        if key not in self._known:
            self._known[key] = OTHER + len(self._prints)
            self._prints.append((shapes, found))
        return self._known[key]

    def written(self) -> Data:
        """Return the shapes of the runs and their fingerprints."""
        shapes: list[list[list[int]]] = []
        for shape, _ in self._prints:
            if shape not in shapes:
                shapes.append(shape)
        return {
            "shapes": shapes,
            "shape": [shapes.index(shape) for shape, _ in self._prints],
            "prints": [one for _, found in self._prints for one in found],
        }


def fingerprint(entries: Sequence[float]) -> list[Any]:
    """Return the entries if they are few; otherwise weighted means, and where numbers are missing.

    The means are of asinh(x), so that small entries count beside huge ones. Entries that are not
    finite count as 0 in the means; if there are any, a text with a hash of their places follows.

    >>> fingerprint([0.5, -0.25])
    [0.5, -0.25]
    >>> fingerprint([1.0, 1.0, 1.0, 1.0])
    [0.88137, 0.88137]
    """
    if len(entries) <= _MEANS:
        return [_rounded(x) for x in entries]
    finite = [x if math.isfinite(x) else 0.0 for x in entries]
    small = [*map(math.asinh, finite)]
    means = [_rounded(sum(map(mul, weights(j, len(small)), small))) for j in range(_MEANS)]
    odd = 0
    for x in entries if finite != entries else ():
        kind = 0 if math.isfinite(x) else 1 if math.isnan(x) else 2 if x > 0 else 3
        odd = (odd * 31 + kind) & 0xFFFFFFFF
    return [*means, f"{odd:x}"] if odd else means


@cache
def weights(j: int, n: int) -> list[float]:
    """Return n positive weights that sum to 1, the same in Python and in the browser."""
    raw = [1 + (((i + 1) * 2654435761 * (2 * j + 3)) & 0xFFFFFFFF) / 2**31 for i in range(n)]
    total = sum(raw)
    return [x / total for x in raw]


def _rounded(x: float) -> Any:
    """Round to 6 significant digits, and at most 5 decimals: well below the tolerance."""
    if not math.isfinite(x):
        return x
    number = float(f"{round(x, 5):.6g}")
    return int(number) if number == int(number) and abs(number) < 1e15 else number
