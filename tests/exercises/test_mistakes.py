"""Test that every mistake is refused and named in every exercise where it can be made."""

import pytest
from mistakes import TABLE, Wrong

from attention_course.exercises import EXERCISES
from attention_course.exercises.engine.judging import judge_function

FULL = [
    (kind, slug)
    for kind, row in TABLE.items()
    for slug, cell in row.items()
    if isinstance(cell, Wrong)
]


@pytest.mark.parametrize("kind", TABLE)
def test_each_exercise_has_wrong_answers_or_a_reason(kind: str) -> None:
    assert TABLE[kind].keys() == EXERCISES.keys()
    for cell in TABLE[kind].values():
        assert cell.answers if isinstance(cell, Wrong) else len(cell) > 20 and cell.endswith(".")


@pytest.mark.parametrize(("kind", "slug"), FULL)
def test_a_mistake_is_named_wherever_it_is_made(kind: str, slug: str) -> None:
    cell = TABLE[kind][slug]
    assert isinstance(cell, Wrong)
    for answer in cell.answers:
        verdict = judge_function(EXERCISES[slug], answer)
        assert verdict.passed == cell.passes
        assert verdict.mistakes == ((cell.name,) if cell.name else ())
        assert cell.words in repr(verdict)
