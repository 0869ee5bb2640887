"""Test that right answers pass however they are written, and verdicts on wrong ones are true.

The module of an exercise in `answers` has tables of RIGHT, WRONG and FORBIDDEN answers, of the
mistakes NAMED in verdicts on wrong answers, and of parts of other verdicts (MESSAGES).
"""

import importlib
import re
from functools import cache
from typing import Any

import pytest

from attention_course.exercises import EXERCISES, Verdict, check

EACH = pytest.mark.parametrize("slug", EXERCISES)


def record(slug: str, table: str) -> dict[str, Any]:
    """Return a table of the module of an exercise."""
    name = slug.replace("-", "_")
    return dict(getattr(importlib.import_module(f"answers.{name}"), table, {}))


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extend the time limit, because the first use of a part of torch loads it."""
    monkeypatch.setattr("attention_course.exercises.engine.judging.SECONDS", 60)


@cache
def verdicts(slug: str, table: str) -> dict[str, Verdict]:
    """Judge the answers of a table."""
    return {name: check(slug, f) for name, f in record(slug, table).items()}


@EACH
def test_right_answers_pass(slug: str) -> None:
    found = verdicts(slug, "RIGHT").items()
    assert not {name: verdict for name, verdict in found if not verdict.passed}


@EACH
def test_right_answers_with_a_forbidden_method_are_refused(slug: str) -> None:
    answers = record(slug, "FORBIDDEN")
    assert bool(answers) == bool(EXERCISES[slug].forbids)
    for name, (answer, told) in answers.items():
        verdict = check(slug, answer)
        english, chinese = (getattr(verdict.words[0], lang) for lang in ("en", "zh"))
        assert english.startswith("Not yet. All results are right, but the task asks "), name
        assert chinese.startswith("还没做对。结果都对，但题目要求"), name
        assert told in english, name
        assert not verdict.mistakes, name
        assert not verdict.passed, name


@EACH
def test_wrong_answers_do_not_pass(slug: str) -> None:
    assert not {name for name, verdict in verdicts(slug, "WRONG").items() if verdict.passed}


@EACH
def test_a_verdict_names_the_mistakes_of_a_wrong_answer_and_no_others(slug: str) -> None:
    found = verdicts(slug, "WRONG").items()
    named = {name: " + ".join(verdict.mistakes) for name, verdict in found if verdict.mistakes}
    assert named == record(slug, "NAMED")


@EACH
def test_a_verdict_contains_the_recorded_message(slug: str) -> None:
    found, told = verdicts(slug, "WRONG"), record(slug, "MESSAGES")
    assert not {name: found[name] for name, part in told.items() if part not in repr(found[name])}


@EACH
def test_a_verdict_is_the_same_in_both_languages(slug: str) -> None:
    for name, verdict in verdicts(slug, "WRONG").items():
        english, chinese = ([getattr(one, lang) for one in verdict.words] for lang in ("en", "zh"))
        assert english[0].startswith("Not yet. "), name
        assert chinese[0].startswith("还没做对。"), name
        for text in (*english, *chinese):
            assert text, name
            assert not re.search(r"\{[a-z]+\}", text), name  # an unfilled placeholder


@EACH
def test_a_record_names_mistakes_and_answers_that_exist(slug: str) -> None:
    own = record(slug, "NAMED")
    known = {mistake.name for mistake in EXERCISES[slug].all_mistakes}
    assert own.keys() | record(slug, "MESSAGES").keys() <= record(slug, "WRONG").keys()
    assert {name for names in own.values() for name in names.split(" + ")} <= known


@EACH
def test_a_record_has_at_least_ten_answers_of_each_kind(slug: str) -> None:
    right, wrong = (len(record(slug, table)) for table in ("RIGHT", "WRONG"))
    assert right >= 10
    assert wrong >= 10
