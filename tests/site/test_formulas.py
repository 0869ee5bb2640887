"""Test formulas rendered at build time: visible once, read aloud once, found as text."""

import re
from collections.abc import Callable
from copy import copy
from pathlib import Path

import pytest
from book_pages import CHAPTERS, PHONE, SEARCH, OpenPage, SharedPage, alternate_languages
from bs4 import BeautifulSoup
from playwright.sync_api import Page
from searching import search_for

from tools import limits

ParseHtml = Callable[[str], BeautifulSoup]
SCROLLS = """() => [...document.querySelectorAll(".katex-display")].filter((box) =>
  box.checkVisibility() && box.hasAttribute("tabindex") !== box.scrollWidth > box.clientWidth
).map((box) => box.textContent)"""
FONTS = """() => [...document.fonts].filter(({ family }) => family.startsWith("KaTeX"))
  .map(({ family, status }) => [family, status])"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_each_formula_is_there_for_eyes_and_once_for_ears(page: str, parse_html: ParseHtml) -> None:
    formulas = parse_html(page).select("article .math")
    assert len(formulas) > 10
    for formula in formulas:
        formula = copy(formula)  # the parsed page is shared
        (mathml,), (html,) = formula.select("math"), formula.select(".katex-html")
        assert mathml.get_text()
        assert html["aria-hidden"] == "true"
        assert html.get_text()
        for part in (mathml.parent, html, *formula.select(".eqno")):
            part.extract()
        assert formula.get_text().strip() == ""  # such as its source


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_page_has_no_script_for_formulas(page: str, parse_html: ParseHtml) -> None:
    found = parse_html(page).select("script")
    scripts = [re.sub(r"/katex/[\w-]+\.woff2", "", str(script)) for script in found]
    assert not any("katex" in script.lower() or "mathjax" in script.lower() for script in scripts)


@pytest.mark.parametrize("page", alternate_languages(CHAPTERS))
def test_a_long_formula_scrolls_by_itself_and_takes_the_focus(
    page: str, shared_page: SharedPage
) -> None:
    opened = shared_page(page, PHONE)
    opened.wait_for_function(f"({SCROLLS})().length === 0")


def test_a_formula_that_is_too_wide_does_not_widen_the_page(open_page: OpenPage) -> None:
    opened = open_page(CHAPTERS[5], viewport={"width": 160, "height": 600})
    box = opened.locator(".katex-display[data-scrolls]").first
    assert box.evaluate("(box) => box.getBoundingClientRect().right <= innerWidth")


def test_letters_are_of_the_fonts_for_formulas_which_are_small(
    open_page: OpenPage, site: Path
) -> None:
    opened = open_page(CHAPTERS[5])
    fonts = opened.evaluate(FONTS)
    assert {"KaTeX_Main", "KaTeX_Math", "KaTeX_AMS"} <= {
        name for name, at in fonts if at == "loaded"
    }
    files = (site / "_static/katex").iterdir()
    assert sum(path.stat().st_size for path in files) <= 1000 * limits.FORMULA_FONTS
    assert _fonts_of_the_system(opened) == set()


def _fonts_of_the_system(page: Page) -> set[str]:
    """Return the fonts that replace ours, where these lack a character."""
    listener = page.context.new_cdp_session(page)
    for command in ("DOM.enable", "CSS.enable"):
        listener.send(command)
    root = listener.send("DOM.getDocument")["root"]["nodeId"]
    parts = {"nodeId": root, "selector": ".katex-html span"}
    used = [
        listener.send("CSS.getPlatformFontsForNode", {"nodeId": part})["fonts"]
        for part in listener.send("DOM.querySelectorAll", parts)["nodeIds"]
    ]
    assert any(used)
    return {font["familyName"] for fonts in used for font in fonts if not font["isCustomFont"]}


@pytest.mark.parametrize(
    ("page", "query"), [(SEARCH[0], "why divide by sqrt d"), (SEARCH[1], "除以 d")]
)
def test_a_search_shows_formulas_and_marks_a_letter_where_it_stands_alone(
    page: str, query: str, open_page: OpenPage
) -> None:
    panel = search_for(open_page(page), query)
    excerpts = panel.locator("li p")
    assert "√d" in " ".join(excerpts.all_inner_texts())
    marks = panel.locator("mark").all_inner_texts()
    letters = [mark for mark in marks if mark.casefold().startswith("d") and "ivi" not in mark]
    assert letters
    assert [mark for mark in letters if mark[1:2].isalpha() and mark[1] < "\u2e80"] == []
