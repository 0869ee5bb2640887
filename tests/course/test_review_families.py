"""Test the questions for review: their variants differ, and each belongs to a figure."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from attention_course.exercises import ask
from attention_course.exercises.ask import ChoiceField, NumberField
from attention_course.review import review_variants
from attention_course.review.family import VARIANTS, Family, Item, unlike
from attention_course.review.sheet import families
from attention_figures.languages import LANGUAGES
from book.site.output.progress import activities

BOOK = Path(__file__).parents[2] / "book"
CHAPTERS = [path.stem for path in sorted((BOOK / "en").glob("[0-9][0-9]-*.ipynb"))]
# Words that would say nothing after "You said **A**.", or are said by the verdict itself.
UNCLEAR = re.compile(r"(Right|Yes|No|It|Its|That|This|So|They|Wrong)\b|[它那这]|所以|对|不对")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_variants_ask_the_idea_of_a_figure_and_their_answers_differ(
    chapter: str, lang: str
) -> None:
    shown = activities(BOOK / lang / f"{chapter}.ipynb")
    for family, items in review_variants(chapter, lang).variants.items():
        assert family.figure in shown["figure"], family.key
        assert not family.exercise or family.exercise in shown["exercise"], family.key
        assert len(items) == VARIANTS
        _check_replies(items)
        _check_answers(items)


def _check_replies(items: list[Item]) -> None:
    for item in items:
        state = item.field.state()
        replies = [
            one["words"]
            for kind in ("points", "options", "patterns")
            for one in state.get(kind, [])
        ]
        assert all(replies), item.text
        assert [words for words in replies if UNCLEAR.match(words)] == []


def _check_answers(items: list[Item]) -> None:
    fields = [item.field for item in items]
    rights = [item.right for item in items]
    if isinstance(fields[0], ChoiceField):
        assert len({*rights}) > 1
        longest = [max((text for text, _ in one.options), key=len) for one in fields]
        assert rights != longest
        return
    assert len({*rights}) >= VARIANTS - 1
    if isinstance(fields[0], NumberField):
        numbers = [one.points[0].value for one in fields if isinstance(one, NumberField)]
        pairs = [(x, y) for x, y in combinations(numbers, 2) if x * y]
        shifted = [(x, y) for x, y in pairs if x / y in (10, 100, 0.1, 0.01)]
        assert len(shifted) < len(pairs) / 2


def test_every_chapter_has_two_families_and_those_of_the_short_routes_three() -> None:
    counts = {chapter: len(families(chapter)) for chapter in CHAPTERS}
    short = [chapter for chapter in CHAPTERS if chapter[:2] in ("01", "03", "04", "06", "10")]
    assert min(counts.values()) >= 2
    assert min(counts[chapter] for chapter in short) >= 3
    assert sum(counts.values()) >= 30


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_both_languages_ask_the_same_families_in_the_same_way(chapter: str) -> None:
    english, chinese = (review_variants(chapter, lang).variants for lang in LANGUAGES)
    for family, items in english.items():
        kinds = [[one.field.kind for one in several] for several in (items, chinese[family])]
        assert kinds[0] == kinds[1], family.key


def test_variants_are_the_same_again_and_others_in_another_family() -> None:
    family = next(iter(families(CHAPTERS[0]).values()))
    again = family.variants(CHAPTERS[0], "en")
    assert again == family.variants(CHAPTERS[0], "en")
    assert again != family.variants("00-elsewhere", "en")


def test_a_family_with_too_few_answers_is_refused() -> None:
    item = Item("Two keys.", ask.number("The weight", 0.5, {}, said="Both are alike."))
    family = Family("alike", "figure", "", lambda draw, lang: item)
    with pytest.raises(ValueError, match="alike: variant 1 finds no new answer"):
        family.variants("04-masked-softmax", "en")


def test_mistakes_that_cannot_be_told_apart_are_dropped() -> None:
    assert unlike([0, 1], {"same": [0, 1], "other": [1, 0]}) == {"other": [1, 0]}
    with pytest.raises(ValueError, match="lang must be one of en, zh; got 'de'"):
        review_variants("04-masked-softmax", "de")  # type: ignore[arg-type]
