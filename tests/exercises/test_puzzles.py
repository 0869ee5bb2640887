"""Test that puzzles are programs made from exercises, with the verdicts of `check`."""

import json
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from attention_course.exercises import EXERCISES, check, puzzle
from attention_course.exercises.engine import running
from attention_course.exercises.engine.containment import contained
from attention_course.exercises.engine.exercise import Exercise, Puzzle, draw, mistake
from attention_course.exercises.engine.means import forbidden
from attention_course.exercises.engine.puzzle import fillings, gaps, options, run, solved

EACH = pytest.mark.parametrize("slug", EXERCISES)
BOOK = Path(__file__).parents[2] / "book"
# Text by which a task forbids a method.
PROHIBITION = {"en": r"\bwithout\b|\balone\b|\bonly\b", "zh": r"不用|不要|不许|只用|只许|只能|只读"}


def own(slug: str) -> Puzzle:
    made = EXERCISES[slug].puzzle
    assert made
    return made


@EACH
def test_a_puzzle_has_few_gaps_and_few_lines_for_each(slug: str) -> None:
    several = options(EXERCISES[slug], slug)
    assert 2 <= len(several) <= 4
    assert list(several) == gaps(own(slug))
    for lines in several.values():
        assert 2 <= len({one.source for one in lines}) == len(lines) <= 4
    assert 12 <= len(list(fillings(EXERCISES[slug], slug))) <= 64


@cache
def tasks(lang: str) -> dict[str, str]:
    """Find the task of each puzzle: the last paragraph before it that begins with a number."""
    found = {}
    for path in sorted((BOOK / lang).glob("[0-9]*.ipynb")):
        text = ""
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                text = source
            elif shown := re.match(r'puzzle\("([a-z-]+)"', source):
                found[shown[1]] = re.split(r"(?m)^(?=\*\*\d+\. )", text)[-1]
    return found


@pytest.mark.parametrize("lang", ["en", "zh"])
@EACH
def test_a_task_says_what_its_record_forbids_and_nothing_else(slug: str, lang: str) -> None:
    task, own = tasks(lang)[slug], {getattr(one, lang) for one in EXERCISES[slug].forbids}
    every = {getattr(one, lang) for exercise in EXERCISES.values() for one in exercise.forbids}
    assert {words for words in every if re.search(words, task)} == own
    assert own or not re.search(PROHIBITION[lang], task.replace("without biases", ""))


@EACH
def test_lines_that_are_right_do_nothing_that_the_task_forbids(slug: str) -> None:
    exercise = EXERCISES[slug]
    right = [one for one in solved(exercise, slug) if one.verdict.passed]
    with contained():
        assert [forbidden(exercise, exercise.prepare(run(one.program))) for one in right] == [None]


@EACH
def test_the_solutions_own_lines_are_right_and_no_others(slug: str) -> None:
    several = options(EXERCISES[slug], slug)
    right = [one for one in solved(EXERCISES[slug], slug) if one.verdict.passed]
    assert len(right) == 1
    wrong = [v for one in EXERCISES[slug].mistakes for v in one.variants]
    for (gap, lines), place in zip(several.items(), right[0].places, strict=True):
        step = lines[place].step
        assert not any(v.get(gap) is step and len(v) == 1 for v in wrong), gap


@EACH
def test_a_program_does_what_the_solution_does_with_the_same_steps(slug: str) -> None:
    exercise, several = EXERCISES[slug], options(EXERCISES[slug], slug)
    whole = {name: step for one in exercise.hazards for name, step in one.steps.items()}
    for one in solved(exercise, slug)[:: 1 if slug == "leave-one-out" else 5]:
        chosen = zip(several.items(), one.places, strict=True)
        steps = {gap: lines[place].step for (gap, lines), place in chosen}
        with contained():
            shown = exercise.prepare(run(one.program))
        for trial in exercise.trials[::2]:
            runs = [
                running.run(f, trial.case, gradients=trial.gradients)
                for f in (partial(exercise.solution, **whole | steps), shown)
            ]
            if not any(each.error for each in runs):
                assert running.agree(*runs), (one.program, trial)
            assert bool(runs[0].error) == bool(runs[1].error), one.program


@pytest.mark.parametrize("lang", ["en", "zh"])
@EACH
def test_what_is_said_is_what_check_says_of_the_program(slug: str, lang: str) -> None:
    sheet = puzzle(slug, lang)
    for one in solved(EXERCISES[slug], slug)[::4]:
        verdict = check(slug, run(one.program), lang)
        assert sheet.said[one.places] == (verdict._repr_html_(), verdict.passed)


@EACH
def test_one_wrong_line_is_named_as_its_mistake(slug: str) -> None:
    exercise, several = EXERCISES[slug], options(EXERCISES[slug], slug)
    known = {one.places: one.verdict for one in solved(exercise, slug)}
    right = next(places for places, verdict in known.items() if verdict.passed)
    told = 0
    for i, (gap, lines) in enumerate(several.items()):
        for name in own(slug).offers[gap]:
            variants = [
                v for one in exercise.all_mistakes if one.name == name for v in one.variants
            ]
            place = next(j for j, one in enumerate(lines) if _is_of(one.step, gap, variants))
            verdict = known[*right[:i], place, *right[i + 1 :]]
            assert not verdict.passed
            if verdict.mistakes and any(v.keys() == {gap} for v in variants):
                assert verdict.mistakes == (name,)
                told += 1
    assert told


def _is_of(step: Any, gap: str, variants: list[dict[str, Any]]) -> bool:
    return any(v.get(gap) is step or v.get(gap) == step for v in variants)


@EACH
def test_the_page_has_every_way_in_the_order_of_its_table(slug: str) -> None:
    state = puzzle(slug).state()
    lines = [part for part in state["parts"] if isinstance(part, list)]
    for number, one in enumerate(solved(EXERCISES[slug], slug)):
        said = state["said"][state["table"][number]]
        assert said == {"words": one.verdict._repr_html_(), "right": one.verdict.passed}
        for gap, place in zip(lines, one.places, strict=True):
            assert gap[place] in one.program
    assert len(state["table"]) == len(solved(EXERCISES[slug], slug))


def test_a_puzzle_that_does_not_fit_its_exercise_is_an_error() -> None:
    def solution(x: Any, *, factor: float = 2, late: Any = abs) -> Any:
        return late(factor * x)

    def made(program: str, **offers: tuple[str, ...]) -> Exercise:
        wrong = mistake("wrong", "Wrong.", "错了。", {"factor": 3, "late": abs})
        puzzle = Puzzle(program, offers)
        return Exercise(solution, (draw(1, (2,)),), (wrong,), puzzle=puzzle)

    lines = "def f(x):\n    return {factor} * x"
    assert len(options(made(lines, factor=("wrong",)), "f")["factor"]) == 2
    for program, offers, told in (
        (
            lines,
            {"factor": ("other",)},
            "no mistake 'other' puts anything in the place of 'factor'",
        ),
        ("def f(x):\n    return {late}", {"late": ()}, "'late' is not written as a line"),
        ("def f(x):\n    return {none}", {"none": ()}, "the solution has no step 'none'"),
    ):
        with pytest.raises(ValueError, match=told):
            options(made(program, **offers), "f")


@pytest.mark.parametrize(("slug", "lang"), [("softmax", "en"), ("dropout", "fr")])
def test_an_unknown_name_is_an_error(slug: str, lang: str) -> None:
    with pytest.raises(ValueError, match="must be one of"):
        puzzle(slug, lang)
