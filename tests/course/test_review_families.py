"""Test the questions for review: their variants differ, and each belongs to a figure."""

import json
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag

from attention_course.exercises import ask
from attention_course.exercises.ask import ChoiceField, NumberField
from attention_course.review import review_variants
from attention_course.review.family import VARIANTS, Family, Item, unlike
from attention_course.review.sheet import families, given
from attention_course.translated import Lang
from attention_figures.languages import LANGUAGES
from book.site.output import review
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
        _check_answers(items, lang)


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


def _check_answers(items: list[Item], lang: Lang) -> None:
    fields = [item.field for item in items]
    rights = [item.right_in(lang) for item in items]
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


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_figure_that_asks_is_asked_again(chapter: str, lang: str) -> None:
    figures = _figures(BOOK / lang / f"{chapter}.ipynb")
    asking = {name for name, root in figures.items() if root.select("[data-ask], [data-observe]")}
    questions = review.questions(BOOK / lang / f"{chapter}.ipynb")
    assert asking == {one["figure"] for one in questions}
    own = {one["figure"]: one["variants"] for one in questions if one["key"][:4] == "own_"}
    assert own.keys() == asking - {one.figure for one in families(chapter).values()}
    assert given(chapter).keys() <= own.keys()
    for name, (variant,) in own.items():
        _check_own(variant, json.loads(figures[name].select_one("[data-ask]").text))


def _figures(page: Path) -> dict[str, Tag]:
    """Return the figures that a notebook stores, each with its question."""
    html = (
        "".join(output.get("data", {}).get("text/html", ""))
        for cell in nbformat.read(page, as_version=4).cells
        for output in cell.get("outputs", [])
    )
    pages = (BeautifulSoup(one, "html.parser") for one in html)
    roots = (root for one in pages for root in one.select("[data-figure]"))
    return {root["data-figure"]: root for root in roots}


def _check_own(variant: dict[str, Any], asked: dict[str, Any]) -> None:
    """Whether a variant is a figure's question, and short enough to be read without the figure."""
    field, because = variant["field"], asked["because"]
    assert field["label"].startswith(asked["text"])
    if field["kind"] == "choice":
        assert len(field["options"]) <= 7
        rights = [one["text"] for one in field["options"] if one["right"]]
        assert rights == [variant["answer"]] == [asked["options"][asked["answer"]]]
        assert all(one["words"] for one in field["options"])
        assert field["options"][asked["answer"]]["words"] == because
    else:
        points = {one["value"]: one for one in field["points"]}
        (right,) = (one for one in field["points"] if one["right"])
        share = 100 if asked["unit"] == "%" else 1
        assert right["value"] * share == pytest.approx(asked["answer"], abs=1e-3)
        assert right["words"] == because
        assert len(points) == 1 + len(asked["wrong"])
        assert variant["answer"] not in variant["text"].split()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_no_variant_repeats_the_numbers_of_its_figure(chapter: str) -> None:
    figures = _figures(BOOK / "en" / f"{chapter}.ipynb")
    for family, items in review_variants(chapter, "en").variants.items():
        root = figures[family.figure]
        states = [json.loads(script.text) for script in root.select("script")]
        shown = {tuple(one) for state in states for one in _lists(state)}
        asked = _numbers(" ".join(state.get("text", "") for state in states))
        for item in items:
            rows = item.table.rows.values() if item.table else []
            lists = [_numbers(" ".join(row)) for row in rows]
            lists += [_numbers(one) for one in re.findall(r"\[([^]]+,[^]]+)\]", item.text)]
            given = [one for one in lists if len(one) > 2]
            assert not given or not all(one in shown for one in given), (family.key, item.text)
            numbers = _numbers(item.text)
            assert lists or not numbers or numbers != asked, (family.key, item.text)


def _numbers(text: str) -> tuple[float, ...]:
    found = re.findall(r"(?<![\w.])[−-]?\d+(?:\.\d+)?", text)
    return tuple(float(one.replace("−", "-")) for one in found)


def _lists(state: Any) -> Iterator[list[float]]:
    """Yield the innermost lists of numbers of a figure's state, and each column as a list."""
    if isinstance(state, str):
        yield from (list(_numbers(one)) for one in re.findall(r"\[([^]]+)\]", state))
    elif isinstance(state, dict):
        for part in state.values():
            yield from _lists(part)
    elif isinstance(state, list):
        if state and all(isinstance(x, int | float) for x in state):
            yield [float(x) for x in state]
        elif state and all(isinstance(x, list) and len(x) == 1 for x in state):
            yield [float(x) for (x,) in state if isinstance(x, int | float)]
        for part in state:
            yield from _lists(part)


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
