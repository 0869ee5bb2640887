"""The tables of mistakes: each is wrong, each is told apart, in both languages."""

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest
from torch import Tensor

from attention_lib.exercises import EXERCISES, check, module_words, words
from attention_lib.exercises.exercise import Exercise, Mistake
from attention_lib.exercises.running import Run, agree, run
from attention_lib.exercises.words import Words

CHINESE = re.compile(r"[\u4e00-\u9fff]")
EACH = pytest.mark.parametrize("slug", EXERCISES)


def runs(exercise: Exercise, f: Callable[..., Any]) -> list[Run]:
    return [run(f, case) for case in exercise.cases]


def same(one: list[Run], other: list[Run]) -> bool:
    return all(map(agree, one, other))


def all_words() -> list[tuple[str, Words]]:
    found = [("shared", w) for m in (words, module_words) for w in vars(m).values()]
    for slug, exercise in EXERCISES.items():
        spoken = (*exercise.mistakes, *exercise.hints, *exercise.remarks)
        found += [(slug, one.words) for one in spoken]
    return [(where, w) for where, w in found if isinstance(w, Words)]


@EACH
def test_every_mistake_differs_from_the_solution(slug: str) -> None:
    exercise = EXERCISES[slug]
    expected = runs(exercise, exercise.solution)
    for (mistake,), wrong in exercise.wrong(1):
        assert not same(runs(exercise, wrong), expected), mistake.words.en


@EACH
def test_every_mistake_differs_from_the_others(slug: str) -> None:
    exercise = EXERCISES[slug]
    done = [(mistake, runs(exercise, wrong)) for (mistake,), wrong in exercise.wrong(1)]
    for (one, a), (other, b) in combinations(done, 2):
        assert one is other or not same(a, b), f"{one.words.en} | {other.words.en}"


@EACH
def test_no_two_mistakes_have_the_same_words(slug: str) -> None:
    said = [mistake.words for mistake in EXERCISES[slug].mistakes]
    assert len({w.en for w in said}) == len({w.zh for w in said}) == len(said)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("slug", [slug for slug in EXERCISES if slug != "additive-attention"])
def test_every_mistake_is_named_in_both_languages(slug: str, lang: str) -> None:
    for (mistake,), wrong in EXERCISES[slug].wrong(1):
        f: Callable[..., Any] = lambda *args, wrong=wrong: wrong(*args)  # noqa: E731
        named = getattr(words.FAILED, lang) + getattr(mistake.words, lang)
        assert repr(check(slug, f, lang)) == named


@pytest.mark.parametrize(
    "slug", ["gaussian-score", "attention-pooling", "dropout", "bilinear-scores", "masked-sum"]
)
def test_two_mistakes_at_once_are_told_together_or_one_after_the_other(slug: str) -> None:
    exercise, told_together = EXERCISES[slug], 0
    for mistakes, wrong in exercise.wrong(2):
        answer = repr(check(slug, lambda *args, wrong=wrong: wrong(*args)))
        told_together += all(mistake.words.en in answer for mistake in mistakes)
        spoken = (*exercise.mistakes, *exercise.hints)  # together they may raise an error
        assert any(one.words.en in answer for one in spoken), mistakes
    assert told_together > len(exercise.wrong(2)) / 2


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
    """The guard above can fail: a step that is the right one gives no other result."""
    exercise = EXERCISES["gaussian-score"]
    harmless = Mistake(Words("nothing", "没有错"), ({"factor": -0.5},))
    broken = Exercise(exercise.solution, exercise.cases, (harmless,))
    ((_, wrong),) = broken.wrong(1)
    assert same(runs(broken, wrong), runs(broken, broken.solution))


def test_the_sizes_of_each_case_but_the_square_ones_are_distinct() -> None:
    for slug, exercise in EXERCISES.items():
        tensors = [x for x in exercise.cases[0] if isinstance(x, Tensor) and x.is_floating_point()]
        for x in tensors:
            assert len(set(x.shape)) == x.dim(), slug
