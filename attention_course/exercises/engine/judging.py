"""Judge answers: compare their runs with the solution, and name the mistakes that explain them."""

import ast
import inspect
import textwrap
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.engine import texts
from attention_course.exercises.engine.containment import contained
from attention_course.exercises.engine.differences import described, difference, lost_gradients
from attention_course.exercises.engine.exercise import Exercise, Function, Mistake, double
from attention_course.exercises.engine.means import forbidden
from attention_course.exercises.engine.running import (
    OUT_OF_TIME,
    SECONDS,
    Error,
    Run,
    agree,
    built,
    close,
    evaluate,
    is_close,
    run,
    time_limit,
    type_name,
)
from attention_course.exercises.engine.verdict import Verdict, refusal
from attention_course.translated import Text


def judge(exercise: Exercise, answer: Any) -> Verdict:
    """Return a verdict on a reader's answer."""
    if not callable(answer):
        return refusal(texts.NOT_CALLABLE.filled(type=type_name(answer)))
    with contained(), time_limit(SECONDS):
        f = exercise.prepare(answer)
        if isinstance(f, Verdict):
            return f
        verdict = _judge_stages(exercise, f, answer)
        if not verdict.passed:
            return verdict
        way = forbidden(exercise, f)
        found = exercise.further(answer) if way is None else refusal(way)
        return verdict if found is None else found


def judge_function(exercise: Exercise, f: Function) -> Verdict:
    """Judge a function of the cases' arguments, such as the solution with a mistake's steps."""
    with contained(), time_limit(SECONDS):
        return _judge_stages(exercise, f, f)


def _judge_stages(exercise: Exercise, f: Function, answer: Any) -> Verdict:
    """Judge stage by stage, and stop at the first stage that fails."""
    first, *others = exercise.stages
    verdict = _Examination(first, f, answer).verdict()
    further = (_Examination(stage, f, answer).verdict() for stage in others if verdict.passed)
    return next((one for one in further if not one.passed), verdict)


class _CachedRuns:
    """Cached runs of the solution or of a wrong function: once per case for all checks."""

    def __init__(self, exercise: Exercise, f: Function) -> None:
        self._exercise = exercise
        self._f = f
        self._runs: dict[int, Run] = {}

    def __getitem__(self, i: int) -> Run:
        if i not in self._runs:
            case, gradients = self._exercise.trials[i]
            self._runs[i] = evaluate(self._f, case, gradients=gradients)
        return self._runs[i]


@cache
def _solution(exercise: Exercise) -> _CachedRuns:
    return _CachedRuns(exercise, exercise.solution)


@cache
def _wrong_functions(
    exercise: Exercise, number: int
) -> list[tuple[tuple[Mistake, ...], _CachedRuns]]:
    return [(mistakes, _CachedRuns(exercise, f)) for mistakes, f in exercise.wrong(number)]


@cache
def _outputs(exercise: Exercise, number: int, i: int) -> dict[torch.Size, tuple[list[int], Tensor]]:
    """Stack the outputs of the wrong functions for a case, by shape, with their indices."""
    stacks: dict[torch.Size, tuple[list[int], list[Tensor]]] = {}
    for place, (_, known) in enumerate(_wrong_functions(exercise, number)):
        output = known[i].seen.output
        if output is not None:
            places, outputs = stacks.setdefault(output.shape, ([], []))
            places.append(place)
            outputs.append(output.double())
    return {shape: (places, torch.stack(outputs)) for shape, (places, outputs) in stacks.items()}


def _candidates(
    exercise: Exercise, number: int, i: int, own: Run
) -> list[tuple[tuple[Mistake, ...], _CachedRuns]]:
    """Find wrong functions with the same output on one case; vectorised for up to 1000 pairs."""
    assert own.seen.output is not None
    places, outputs = _outputs(exercise, number, i).get(own.seen.output.shape, ([], None))
    if outputs is None:
        return []
    same = is_close(outputs, own.seen.output.double())[..., None].flatten(1).all(1)
    return [
        _wrong_functions(exercise, number)[k] for k, one in zip(places, same, strict=True) if one
    ]


class _Examination:
    """Runs a reader's function on the cases of an exercise, and explains the result."""

    def __init__(self, exercise: Exercise, f: Function, answer: Any) -> None:
        self._exercise = exercise
        self._f = f
        self._answer = answer  # from which f was made
        self._expected = _solution(exercise)
        self._runs: list[Run] = []

    def verdict(self) -> Verdict:
        """Return the verdict; a right function runs once more before it passes."""
        for i in range(len(self._exercise.trials)):
            self._expected[i]  # first, so that torch's lazy imports are done
            one = self._run(i)
            self._runs.append(one)
            if one.seen.refusal is not None:
                return one.seen.refusal
            if one.error == OUT_OF_TIME:
                return refusal(*self._difference(i, one))
            if _cannot_be_right(one):
                break  # the other cases cannot be right either, and may take long
        wrong = [i for i, one in enumerate(self._runs) if not agree(one, self._expected[i])]
        mistakes, found = self._mistakes(wrong)
        if not mistakes:
            found = self._explain_failure(wrong[0]) if wrong else self._check_again()
        found += self._side_effects()
        if found:
            return refusal(*found, mistakes=tuple(one.name for one in mistakes))
        return Verdict(True, (texts.PASSED, *self._remarks()))

    def _run(self, i: int, seed: int = 0) -> Run:
        case, gradients = self._exercise.trials[i]
        return run(self._f, case, seed, gradients)

    def _mistakes(self, wrong: list[int]) -> tuple[tuple[Mistake, ...], list[Text]]:
        """Return the one or two mistakes that explain all runs, with their explanations.

        The result is empty if no explanation fits or several do. Errors alone are no evidence,
        because many mistakes raise the same message.
        """
        telling = [i for i in wrong if self._runs[i].seen.output is not None]
        if not telling or _cannot_be_right(self._runs[-1]):
            return (), []
        order = [telling[0], *(i for i in range(len(self._runs)) if i != telling[0])]
        first = next(i for i, one in enumerate(self._runs) if one.seen.output is not None)
        for number in (1, 2):
            candidates = _candidates(self._exercise, number, first, self._runs[first])
            found = {
                tuple(one.name for one in mistakes): (mistakes, self._lost_gradients(known))
                for mistakes, known in candidates
                if all(_is_explained(self._runs[i], known[i]) for i in order)
            }
            whole = [(mistakes, lost) for mistakes, lost in found.values() if not lost]
            # Without gradients, mistakes that only gradients reveal cannot be told apart.
            explained = whole or (list(found.values()) if self._is_output_wrong(wrong) else [])
            if explained:
                ((mistakes, lost), *others) = explained
                messages = [*(one.words for one in mistakes), *lost]
                return ((), []) if others else (mistakes, messages)
        return (), []

    def _is_output_wrong(self, wrong: list[int]) -> bool:
        outputs = ((self._runs[i].seen.output, self._expected[i].seen.output) for i in wrong)
        return not all(close(own, right) for own, right in outputs)

    def _lost_gradients(self, known: _CachedRuns) -> list[Text]:
        """Report gradients that are lost in addition to a mistake."""
        for i, (case, _) in enumerate(self._exercise.trials):
            lost = lost_gradients(self._exercise, case, self._runs[i], known[i])
            if lost:
                return lost
        return []

    def _explain_failure(self, i: int) -> list[Text]:
        """Describe the first case that differs, for functions that no mistake explains."""
        if all(map(_is_stub, self._runs)) and _has_gap(self._answer, self._runs[0]):
            return [texts.STUB]
        return self._check_repeatable(i) or self._difference(i, self._runs[i])

    def _difference(self, i: int, own: Run) -> list[Text]:
        case = self._exercise.trials[i].case
        return difference(self._exercise, self._f, case, own, self._expected[i])

    def _check_again(self) -> list[Text]:
        """Report a right function that is not right every time, or that sets the seed."""
        for i in reversed(range(len(self._runs))):
            again = self._run(i, seed=1)
            if again.error == OUT_OF_TIME:
                return self._difference(i, again)
            if not agree(again, self._expected[i]):
                return self._check_repeatable(i) or [self._keeps_state(i)]
            if again.generator == self._runs[i].generator:
                return [texts.SEEDED]
        return []

    def _check_repeatable(self, i: int) -> list[Text]:
        """Report a function whose result changes when the same call is repeated."""
        if not _is_repeated(self._run(i), self._runs[i]):
            return [self._keeps_state(i)]
        return [] if _is_repeated(self._run(i, seed=1), self._runs[i]) else [texts.RANDOM]

    def _keeps_state(self, i: int) -> Text:
        return texts.STATE.filled(case=described(self._exercise, self._exercise.trials[i].case))

    def _side_effects(self) -> list[Text]:
        """Report changed arguments and global settings."""
        changed = sorted({i for one in self._runs for i in one.changed})
        settings = dict.fromkeys(name for one in self._runs for name in one.settings)
        names = texts.listed(self._exercise.names[i] for i in changed)
        found = [texts.CHANGED.filled(names=names)] if changed else []
        return found + ([texts.SETTING.filled(names=texts.listed(settings))] if settings else [])

    def _remarks(self) -> list[Text]:
        """Return remarks on a right function."""
        own = run(self._f, double(self._exercise.trials[0].case)).seen.output
        found = [] if own is not None and own.dtype == torch.float64 else [texts.DOUBLE]
        for remark in self._exercise.remarks:
            does, right = run(self._f, remark.case), evaluate(self._exercise.solution, remark.case)
            variants = self._exercise.variants(remark)
            if any(_is_explained(does, evaluate(wrong, remark.case)) for wrong in variants):
                found.append(remark.words)
            elif not agree(does, right):
                messages = difference(self._exercise, self._f, remark.case, does, right)
                found.append(texts.BEYOND.filled(told=messages[0]))
        return found


def _cannot_be_right(one: Run) -> bool:
    """Return whether the result is no tensor, or a tensor whose numbers cannot be right."""
    return (
        one.error is None
        and not one.nothing
        and (one.seen.output is None or one.seen.output.is_meta)
    )


def _is_explained(own: Run, wrong: Run) -> bool:
    """Return whether a wrong function behaves in the same way.

    Any two errors count as the same, because one fault has many messages. Missing gradients are
    ignored, because they are reported separately.
    """
    if own.error or wrong.error:
        return bool(own.error and wrong.error)
    if None in own.seen.gradients.values():
        arrived = {place: x for place, x in own.seen.gradients.items() if x is not None}
        own = own._replace(seen=own.seen._replace(gradients=arrived))
    return agree(own, wrong)


def _is_repeated(one: Run, other: Run) -> bool:
    """Return whether two runs are the same, as far as can be observed."""
    if one.error or other.error:
        return (one.error and one.error.kind) == (other.error and other.error.kind)
    for x in (one.seen.output, other.seen.output):
        if x is None or x.is_meta:
            return one.seen.kind == other.seen.kind
    parts = {name: part for name, part in one.seen.parts.items() if part is not None}
    return agree(one._replace(seen=one.seen._replace(parts=parts)), other)


def _is_stub(one: Run) -> bool:
    if one.error is not None:  # torch raises this error too, but with a message
        return one.error == Error("NotImplementedError", "")
    return one.nothing


def _has_gap(answer: Any, one: Run) -> bool:
    """Return whether the source, if known, still has a `...` to fill."""
    if one.error is not None or one.seen.kind == "ellipsis":
        return True
    tree, _ = built(lambda: ast.parse(textwrap.dedent(inspect.getsource(answer))))
    statements = (
        node for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, ast.Expr)
    )
    return any(ast.unparse(statement) == "..." for statement in statements)
