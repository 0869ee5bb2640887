"""Test that a page loads little and only what it uses, without layout shifts."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from book_pages import CHAPTERS, DESK, SharedPage
from bs4 import BeautifulSoup
from playwright.sync_api import Browser

from benchmarks import running
from benchmarks.browser import shift, traffic
from benchmarks.site import OURS
from tools import limits

FIRST, NEXT = "book/en/03-scoring-functions.html", "book/en/04-masked-softmax.html"
CHARACTERS = r"""[...document.querySelectorAll("*")].flatMap((one) =>
  ["", "::before", "::after"].map((part) => part
    ? getComputedStyle(one, part).content
    : /\bfa-/.test(one.getAttribute("class") ?? "") ? one.outerHTML : "")
  ).filter((text) => /fa-|[\ue000-\uf8ff]/.test(text))"""


def test_a_first_visit_and_the_next_page_load_little(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    first = traffic(page, address + FIRST)
    following = traffic(page, address + NEXT)
    context.close()
    assert any("figures-" in url for url in first)
    assert any("figures-" in url for url in following)
    assert sum(first.values()) <= limits.FIRST_VISIT
    assert sum(size for url, size in first.items() if OURS.search(url)) <= limits.OWN_SCRIPTS
    assert sum(following.values()) <= limits.NEXT_CHAPTER


def test_code_that_may_run_loads_little_before_the_first_click(site: Path) -> None:
    first = [(site / "_static" / name).read_bytes() for name in running.BEFORE]
    assert sum(len(gzip.compress(content)) for content in first) <= 1000 * limits.BEFORE_RUNNING


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_loads_the_scripts_of_its_own_figures_alone(
    page: str, parse_html: Callable[[str], BeautifulSoup], site: Path
) -> None:
    lang = page.split("/")[1]
    scripts = [script["src"] for script in parse_html(page).select("script[src*='/figures-']")]
    figures = parse_html(page).select("[data-figure]")
    states = [figure.script.text for figure in figures]
    kinds = {kind for state in states for kind in re.findall(r'"kind": "(\w+)"', state)}
    declared = {figure["data-kind"] for figure in figures if "data-kind" in figure.attrs}
    own = [f"kinds-{kind}-{lang}" for kind in sorted(declared)]
    parts = ["core", f"strings-{lang}", *own] if declared else []
    old = ["-".join([lang, *sorted(kinds - declared)])] if kinds - declared else []
    names = [Path(src.partition("?")[0]).name for src in scripts]
    assert sorted(names) == sorted(f"figures-{part}.js" for part in [*parts, *old])


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", [NEXT, "book/zh/08-choosing-a-score.html#figure-choice"])
def test_nothing_jumps_while_a_page_loads(
    name: str, width: int, browser: Browser, address: str
) -> None:
    assert shift(browser, address + name, width) <= limits.LAYOUT_SHIFT


@pytest.mark.parametrize("page", [FIRST, "book/en/02-kernel-pooling.html", "search-zh.html"])
def test_icons_are_drawings_and_no_characters_of_a_font(page: str, shared_page: SharedPage) -> None:
    opened = shared_page(page, DESK)
    visible = opened.locator("svg.icon:visible")
    assert visible.count() > 3
    assert opened.evaluate(CHARACTERS) == []
    for icon in visible.all():
        assert icon.evaluate("icon => icon.getBBox().height") > 8
