"""Test the form of chapters on their built pages: first screen, figures, words, code, folds.

docs/add-a-chapter.md explains each limit. Exercises do not count.
"""

import re
from collections.abc import Callable
from copy import copy
from functools import cache
from statistics import median

import pytest
from book_pages import (
    CHINESE,
    DESK,
    ENGLISH,
    SharedPage,
    alternate_languages,
    translation,
    with_devices,
)
from bs4 import BeautifulSoup, Tag

from tools import limits

ParseHtml = Callable[[str], BeautifulSoup]
Text = Callable[[str], Tag]
PAGES = [page for page in ENGLISH + CHINESE if re.fullmatch(r"\d\d-.*", page[8:-5])]

NO_PROSE = "pre, script, style, .math, .katex, .headerlink, [role=tooltip], table"
TEXTS = "p, li, h1, h2, h3, dt, dd, figcaption"
WORD = {
    "en": re.compile(r"[\w’'-]*[A-Za-z][\w’'-]*"),
    "zh": re.compile(r"[\u3400-\u9fff]|[A-Za-z]+"),
}
every_page = pytest.mark.parametrize("page", PAGES)
BOTTOM = "(node) => node.getBoundingClientRect().bottom + scrollY"
FIGURE_BOXES = """() => {
  const exercises = document.querySelector("[id$=-exercises]");
  const place = (node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return [top + scrollY, bottom + scrollY];
  };
  const figures = [...document.querySelectorAll("[data-figure][data-live]")];
  const before = figures.filter((figure) =>
    figure.compareDocumentPosition(exercises) & Node.DOCUMENT_POSITION_FOLLOWING);
  return { figures: before.map(place), start: place(document.querySelector("h1"))[0],
    end: place(exercises)[0] };
}"""


def lang(page: str) -> str:
    return page.split("/")[1]


@pytest.fixture(scope="session")
def body(parse_html: ParseHtml) -> Text:
    """Return the text of a chapter up to its exercises, without formulas; treat it as read-only."""

    @cache
    def body(page: str) -> Tag:
        article = copy(parse_html(page).select_one("article.bd-article"))
        place = article.select_one("[id$=-exercises]")
        exercises = place if place.name == "section" else place.parent
        for rest in [*exercises.find_next_siblings(), exercises, *article.select(".katex")]:
            rest.decompose()
        return article

    return body


@pytest.fixture(scope="session")
def seen(body: Text) -> Text:
    """Return the part of the text that is not folded."""
    return cache(lambda page: without(body(page), "details > :not(summary)"))


def without(part: Tag, selector: str) -> Tag:
    rest = copy(part)
    for node in rest.select(selector):
        node.decompose()
    return rest


def words(part: Tag, page: str) -> int:
    """Count the words of the prose, including questions of figures but not code and formulas."""
    prose = without(
        part, f"{NO_PROSE.replace(', .cell_output', '')}, [data-figure] > :not(p, details)"
    )
    text = " ".join(node.get_text(" ") for node in prose.select(f"{TEXTS}, summary"))
    return len(WORD[lang(page)].findall(text))


@every_page
def test_few_words_are_seen_and_not_many_more_are_folded(page: str, seen: Text, body: Text) -> None:
    assert words(seen(page), page) <= limits.SEEN_WORDS[lang(page)]
    assert words(body(page), page) <= limits.ALL_WORDS[lang(page)]


@every_page
def test_the_code_that_is_seen_is_short(page: str, seen: Text) -> None:
    cells = [
        cell.get_text()
        for cell in seen(page).select(".cell_input pre")
        if not cell.find_parent("details")
    ]
    lengths = [sum(1 for line in cell.splitlines() if line.strip()) for cell in cells]
    assert 0 < len(lengths) <= limits.SEEN_CELLS
    assert max(lengths) <= limits.SEEN_LINES
    assert median(lengths) <= limits.MEDIAN_LINES


@every_page
def test_folds_are_few_and_each_is_named_for_the_question_it_answers(page: str, body: Text) -> None:
    folds = without(body(page), "[data-figure]").select("details")
    names = [fold.summary.get_text().strip() for fold in folds]
    assert len(names) <= limits.FOLDS
    assert [name for name in names if not re.search("[?？]$", name)] == []


@every_page
def test_figures_ask(page: str, body: Text) -> None:
    figures = body(page).select("[data-figure]")
    assert len(figures) <= limits.FIGURES
    assert any(figure.select("[data-observe]") for figure in figures)
    assert sum(bool(figure.select("[data-ask]")) for figure in figures) >= limits.ASKING_FIGURES


@pytest.mark.parametrize(("page", "device"), with_devices(PAGES))
def test_the_first_screen_is_a_figure_with_its_question(
    page: str, device: str, shared_page: SharedPage
) -> None:
    lead = shared_page(page, device).locator("[data-figure][data-live]").first
    assert lead.locator("[data-question]").is_visible()
    if device == DESK:
        assert lead.evaluate(BOTTOM) <= limits.LEAD_FIGURE
    else:
        assert lead.locator("[data-handle]").first.evaluate(BOTTOM) <= limits.LEAD_HANDLE


@pytest.mark.parametrize("page", alternate_languages(PAGES))
def test_a_figure_is_never_far(page: str, shared_page: SharedPage) -> None:
    found = shared_page(page, DESK).evaluate(FIGURE_BOXES)
    ends = [found["start"], *(bottom for _, bottom in found["figures"])]
    starts = [*(top for top, _ in found["figures"]), found["end"]]
    gaps = [round(start - end) for end, start in zip(ends, starts, strict=True)]
    assert max(gaps) <= limits.GAP, gaps


@pytest.mark.parametrize("page", [page for page in PAGES if page in ENGLISH])
def test_both_languages_have_the_same_figures_and_folds(page: str, body: Text) -> None:
    def parts(name: str) -> list[str]:
        found = body(name).select("[data-figure], details")
        return [part.get("data-figure", part.name) for part in found]

    assert parts(page) == parts(translation(page))
