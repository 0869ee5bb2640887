"""Test the tables of mistakes: each is wrong, and distinct from the others in both languages."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from torch import Tensor

from attention_course.exercises import (
    EXERCISES,
    additive_module,
    cached_step,
    check,
    module_dropout,
    temperature,
)
from attention_course.exercises.engine import texts
from attention_course.exercises.engine.exercise import Exercise, Mistake
from attention_course.exercises.engine.running import Run, agree, evaluate
from attention_course.translated import Text

CHINESE = re.compile(r"[\u4e00-\u9fff]")
EACH = pytest.mark.parametrize("slug", EXERCISES)
PAIRS = 30  # pairs of mistakes to test in an exercise
STAGES = [(slug, stage) for slug, one in EXERCISES.items() for stage in range(len(one.stages))]
EACH_STAGE = pytest.mark.parametrize(("slug", "stage"), STAGES)


def runs(exercise: Exercise, f: Callable[..., Any]) -> list[Run]:
    return [evaluate(f, case, gradients=gradients) for case, gradients in exercise.trials]


@cache
def wrong_runs(exercise: Exercise) -> list[tuple[Mistake, list[Run]]]:
    return [(mistake, runs(exercise, wrong)) for (mistake,), wrong in exercise.wrong(1)]


def same(one: list[Run], other: list[Run]) -> bool:
    return all(map(agree, one, other))


def all_words() -> list[tuple[str, Text]]:
    found = [
        ("shared", w)
        for m in (texts, additive_module, module_dropout, cached_step, temperature)
        for w in vars(m).values()
    ]
    for slug, exercise in EXERCISES.items():
        spoken = (*exercise.all_mistakes, *exercise.hints, *exercise.remarks)
        found += [(slug, one.words) for one in spoken]
    return [(where, w) for where, w in found if isinstance(w, Text)]


@EACH_STAGE
def test_every_mistake_differs_from_the_solution(slug: str, stage: int) -> None:
    exercise = EXERCISES[slug].stages[stage]
    expected = runs(exercise, exercise.solution)
    for mistake, done in wrong_runs(exercise):
        assert not same(done, expected), mistake.words.en


@EACH_STAGE
def test_every_mistake_differs_from_the_others(slug: str, stage: int) -> None:
    done = wrong_runs(EXERCISES[slug].stages[stage])
    for (one, a), (other, b) in combinations(done, 2):
        assert one is other or not same(a, b), f"{one.words.en} | {other.words.en}"


@EACH_STAGE
def test_no_two_mistakes_have_the_same_name_or_words(slug: str, stage: int) -> None:
    mistakes = EXERCISES[slug].stages[stage].mistakes
    assert len({one.name for one in mistakes}) == len(mistakes)
    said = [mistake.words for mistake in mistakes]
    assert len({w.en for w in said}) == len({w.zh for w in said}) == len(said)


@pytest.mark.parametrize(
    ("slug", "stage"), [one for one in STAGES if one[0] != "additive-attention"]
)
def test_every_mistake_is_named_in_both_languages(slug: str, stage: int) -> None:
    exercise = EXERCISES[slug].stages[stage]
    done = wrong_runs(exercise)
    for ((mistake,), wrong), (_, its_runs) in zip(exercise.wrong(1), done, strict=True):
        f: Callable[..., Any] = lambda *args, wrong=wrong: wrong(*args)  # noqa: E731
        verdict = check(slug, f)
        if any(one.seen.output is not None for one in its_runs):
            assert verdict.mistakes == (mistake.name,)
            assert repr(verdict) == texts.FAILED.en + mistake.words.en
            assert repr(replace(verdict, lang="zh")) == texts.FAILED.zh + mistake.words.zh
        else:  # only errors, which may have many causes
            assert not verdict.mistakes


@pytest.mark.parametrize(
    "slug", ["gaussian-score", "attention-pooling", "dropout", "bilinear-scores", "masked-sum"]
)
def test_two_mistakes_at_once_are_both_named_or_neither(slug: str) -> None:
    """Neither is named if others would do the same; one alone if it does the same as both."""
    exercise, told_together = EXERCISES[slug], 0
    alone = [done for _, done in wrong_runs(exercise)]
    pairs = exercise.wrong(2)
    sample = pairs[:: -(-len(pairs) // PAIRS)]  # spread over all pairs
    for mistakes, wrong in sample:
        verdict = check(slug, lambda *args, wrong=wrong: wrong(*args))
        assert not verdict.passed or same(runs(exercise, wrong), runs(exercise, exercise.solution))
        if verdict.mistakes == tuple(one.name for one in mistakes):
            told_together += 1
        elif verdict.mistakes:
            assert len(verdict.mistakes) == 1
            assert any(same(runs(exercise, wrong), one) for one in alone)
    assert told_together > len(sample) / 2


def test_all_words_are_in_both_languages() -> None:
    assert len(all_words()) > 150
    for where, w in all_words():
        assert w.en, where
        assert not CHINESE.search(w.en), where
        assert CHINESE.search(w.zh), (where, w.en)


def test_both_languages_have_the_same_places_for_parts() -> None:
    for where, w in all_words():
        places = [sorted(re.findall(r"\{\w*\}", text)) for text in (w.en, w.zh)]
        assert places[0] == places[1], (where, w.en)


def test_the_words_keep_to_their_typography() -> None:
    for where, w in all_words():
        assert w.en.count("`") % 2 == w.zh.count("`") % 2 == 0, (where, w.en)
        assert not re.search(r"[\u4e00-\u9fff][,;:?!]|[,;:?!][\u4e00-\u9fff]", w.zh), w.zh
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]", w.zh), w.zh


def test_a_mistake_in_the_table_that_is_none_would_be_seen() -> None:
    """The test above can fail: a right step as a mistake gives the same result."""
    exercise = EXERCISES["gaussian-score"]
    harmless = Mistake("none", Text("nothing", "没有错"), ({"factor": -0.5},))
    broken = Exercise(exercise.solution, exercise.cases, (harmless,))
    ((_, wrong),) = broken.wrong(1)
    assert same(runs(broken, wrong), runs(broken, broken.solution))


def test_the_sizes_of_each_case_but_the_square_ones_are_distinct() -> None:
    for slug, exercise in EXERCISES.items():
        tensors = [x for x in exercise.cases[0] if isinstance(x, Tensor) and x.is_floating_point()]
        for x in tensors:
            assert len(set(x.shape)) == x.dim(), slug
