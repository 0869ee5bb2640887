"""Test the items of "Where do I stand?": fair, in both languages, and with sources that exist."""

import re
from collections import Counter
from pathlib import Path

import pytest

from attention_course.stand import questionnaire
from attention_course.stand.item import Item, Option, Place, item, misreading, section, work
from attention_course.stand.items import items
from attention_course.translated import Text
from attention_figures.languages import LANGUAGES
from tools.notebooks import BOOK
from tools.prose import has_chinese

ITEMS = items()
MISREAD = {"heads", "batch-first", "averaged", "finite", "attention-mask", "left-padding", "nan"}
# What interviewers ask, by the sources of the wrong options.
INTERVIEWS = {*map(misreading, MISREAD | {"asks", "flash"}), work("xiao2024")}
BARE_PRONOUN = re.compile(r"(?:It|Its|So|They|There|That is|This is|这样|那样|它|所以)\b")


def sources(one: Item) -> list[Place]:
    return [option.source for option in one.options if option.source]


def test_there_are_twenty_items_and_each_has_its_own_name() -> None:
    assert len({one.key for one in ITEMS}) == len(ITEMS) == 20


def test_the_right_option_is_in_each_place_equally_often() -> None:
    places = Counter(one.right for one in ITEMS)
    assert len({*places.values()}) == 1
    assert len(places) == max(len(one.options) for one in ITEMS)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("extreme", [max, min])
def test_the_length_of_an_option_does_not_give_it_away(lang: str, extreme: type) -> None:
    found = 0
    for one in ITEMS:
        lengths = [len(option.text.into(lang)) for option in one.options]
        most = extreme(lengths)
        found += lengths.count(most) == 1 and lengths[one.right] == most
    assert found <= len(ITEMS) // 4


@pytest.mark.parametrize("one", ITEMS, ids=lambda one: one.key)
def test_an_item_is_complete_in_both_languages_and_its_links_lead_somewhere(one: Item) -> None:
    texts = [one.text, *(text for option in one.options for text in (option.text, option.said))]
    assert not any(has_chinese(text.en) for text in texts)
    assert all(has_chinese(text.zh) for text in (one.text, *(o.said for o in one.options)))
    assert not any("*" in text.en + text.zh for text in texts)
    for option in one.options:
        assert not BARE_PRONOUN.match(option.said.en)
        assert not BARE_PRONOUN.match(option.said.zh)
    for lang in LANGUAGES:
        assert len({option.text.into(lang) for option in one.options}) == len(one.options)
        for place in (one.treated, *sources(one)):
            anchor = f'<a id=\\"{place.label(lang)}\\"></a>'
            page = Path(BOOK, lang, place.page).read_text("utf-8")
            assert anchor in page or anchor.replace("\\", "") in page


def test_what_interviewers_ask_is_among_the_items() -> None:
    assert {source for one in ITEMS for source in sources(one)} >= INTERVIEWS


def test_the_items_are_about_most_of_the_course() -> None:
    assert len({one.treated.page for one in ITEMS}) >= 10


def test_a_language_that_the_book_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="lang must be one of en, zh; got 'de'"):
        questionnaire(lang="de")


def option(claim: int, source: Place | None = None) -> Option:
    return Option(Text(str(claim), str(claim)), claim, Text("why", "为什么"), source)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((option(1), option(2, work("dao2022"))), "three to five options; got 2"),
        ((option(1), option(1), option(2)), "exactly one option should claim 1; got 2"),
        ((option(3), option(4), option(2)), "exactly one option should claim 1; got 0"),
        ((option(1), option(2, work("dao2022")), option(3)), "needs a source: 3"),
        (tuple(option(x, work("dao2022")) for x in (1, 2, 3)), "needs a source: 1"),
    ],
)
def test_a_wrong_item_is_refused(options: tuple[Option, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        item("one", Text("?", "？"), *options, answer=1, treated=section("01-x", "y"))
