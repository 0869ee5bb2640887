"""Judge answers in Node as the browser does, and with torch as `check` does."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from extracted import module, program
from recorded import TABLES, is_half
from torch import Tensor

from attention_course.exercises import EXERCISES
from attention_course.exercises.engine.exercise import Case, Exercise, Function, double
from attention_course.exercises.engine.judging import judge, judge_function
from attention_course.exercises.engine.puzzle import fillings
from attention_course.exercises.engine.running import evaluate
from attention_course.exercises.engine.source import defined
from attention_course.exercises.engine.verdict import Verdict
from attention_figures.frontend import node
from book.site.output.exercise_data import data
from book.site.output.scripts import PAGES

SCRIPT = Path(__file__).with_name("judge.mjs")
Question = dict[str, Any]
Answer = tuple[str, str, str]  # what it is, its source, and the name that it defines


def in_browser(questions: dict[str, list[Question]]) -> dict[str, list[Any]]:
    """Return the verdicts on answers to several exercises."""
    PAGES.install()
    asked = [{"data": str(data(slug)), "questions": own} for slug, own in questions.items()]
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [node(), str(SCRIPT), folder],
            input=json.dumps(asked),
            capture_output=True,
            encoding="utf-8",
        )
    assert done.returncode == 0, done.stderr
    found = iter(json.loads(done.stdout))
    return {slug: [next(found) for _ in own] for slug, own in questions.items()}


@cache
def checked(slug: str) -> Exercise:
    """Return an exercise that asks for what the browser checks: no gradients, and no float16."""
    exercise = EXERCISES[slug]
    return replace(
        exercise,
        **_plain(exercise),
        forbids=tuple(one for one in exercise.forbids if one.calls),
        hazards=tuple(replace(one, **_plain(one)) for one in exercise.hazards),
    )


def _plain(one: Any) -> dict[str, tuple[Case, ...]]:
    cases = (*one.cases, *one.gradients)
    return {"cases": tuple(c for c in cases if not any(map(is_half, c))), "gradients": ()}


def in_kernel(slug: str, source: str, name: str) -> Verdict:
    """Judge a source with torch, by what the browser checks."""
    found = defined(source, name)
    return found if isinstance(found, Verdict) else judge(checked(slug), found)


def answers(slug: str) -> Iterator[Answer]:
    """Yield the fillings of a puzzle, and the recorded right and wrong answers."""
    for places, source in fillings(EXERCISES[slug], slug):
        yield f"filling {places}", source, source.split("def ")[1].split("(")[0]
    own = module(f"answers.{slug.replace('-', '_')}")
    for table in TABLES:
        for name, expression in own.table(table):
            yield name, program(own, expression), "answer"


def mistaken(slug: str, number: int) -> Iterator[tuple[str, Function]]:
    """Yield the wrong functions of all stages with one or two mistakes."""
    for stage in checked(slug).stages:
        for mistakes, f in stage.wrong(number):
            yield " + ".join(one.name for one in mistakes), f


def verdict_on(slug: str, f: Function) -> Verdict:
    return judge_function(checked(slug), f)


def runs(slug: str, f: Function) -> list[Any]:
    """Return the runs of a function on all cases for judge.mjs."""
    exercise = checked(slug)
    cases = [trial.case for stage in exercise.stages for trial in stage.trials]
    remarks = [remark.case for remark in exercise.remarks]
    return [_run(exercise, f, case) for case in (*cases, double(exercise.cases[0]), *remarks)]


def _run(exercise: Exercise, f: Function, case: Case) -> dict[str, Any]:
    run = evaluate(f, case)
    if run.error:
        return {"error": run.error._asdict()}
    assert exercise.returned
    parts = [run.seen.parts[name] for name in exercise.returned.parts]
    tensors = [_tensor(x) for x in (run.seen.output, *parts)]
    return {"error": None, "kind": "tuple" if parts else run.seen.kind, "tensors": tensors}


def _tensor(x: Tensor | None) -> list[Any]:
    assert x is not None
    dtype = str(x.dtype).removeprefix("torch.")
    entries = [] if x.is_meta else x.flatten().tolist()
    return [dtype, [*x.shape], [str(one).replace("inf", "Infinity") for one in entries]]
