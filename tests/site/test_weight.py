"""Test that a page loads little and only what it uses, without layout shifts."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from book_pages import (
    CHAPTERS,
    DESK,
    PAGES,
    ROOT_PAGE,
    SEARCH,
    OpenPage,
    SharedPage,
    alternate_languages,
)
from bs4 import BeautifulSoup
from lecturing import begin
from playwright.sync_api import Browser, expect
from searching import search_for

from attention_figures import bundle
from benchmarks import running
from benchmarks.browser import shift, traffic, unused_styles
from benchmarks.site import SCRIPT
from book.site.output.exercise_data import judged
from tests.missing_rules import missing_rules, theme_sheet
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
    assert len(first) <= limits.REQUESTS
    assert sum(size for url, size in first.items() if SCRIPT.search(url)) <= limits.SCRIPTS
    assert sum(following.values()) <= limits.NEXT_CHAPTER


def test_a_first_visit_to_the_decoder_loads_its_model_and_little_else(
    browser: Browser, address: str
) -> None:
    context = browser.new_context()
    loaded = traffic(context.new_page(), address + "book/en/13-a-whole-decoder.html")
    context.close()
    assert sum(loaded.values()) <= limits.DECODER_VISIT
    assert len(loaded) <= limits.REQUESTS


def test_code_that_may_run_loads_little_before_the_first_click(site: Path) -> None:
    first = [(site / "_static" / name).read_bytes() for name in running.BEFORE]
    assert sum(len(gzip.compress(content)) for content in first) <= 1000 * limits.BEFORE_RUNNING


def test_exercises_load_little_before_and_at_the_first_check(site: Path) -> None:
    static = site / "_static"
    sizes = {path: len(gzip.compress(path.read_bytes())) / 1000 for path in static.rglob("*.js")}
    assert sizes[static / "exercises.js"] <= limits.EXERCISES_SCRIPT
    assert sizes[static / "judge.js"] <= limits.JUDGE
    data = {path.stem: size for path, size in sizes.items() if path.parent.name == "exercises"}
    assert set(data) == set(judged())
    assert max(data.values()) <= limits.EXERCISE_DATA


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_loads_the_scripts_and_styles_of_its_own_figures_alone(
    page: str, parse_html: Callable[[str], BeautifulSoup], site: Path
) -> None:
    _, lang, name = page.split("/")
    scripts = [script["src"] for script in parse_html(page).select("script[src*='/figures-']")]
    own = f"figures-{lang}-{name.removesuffix('.html')}.js"
    names = [Path(src.partition("?")[0]).name for src in scripts]
    assert names == [f"figures-core-{lang}.js", own]
    kinds = {str(figure["data-kind"]) for figure in parse_html(page).select("[data-figure]")}
    content = (site / "_static" / own).read_text("utf-8")
    assert content == bundle.kinds_script(frozenset(kinds), frozenset({lang}))
    sheets = [link["href"] for link in parse_html(page).select("link[href*='/figures-']")]
    styles = [site / "_static" / Path(href.partition("?")[0]).name for href in sheets]
    assert [path.read_text("utf-8") for path in styles] == [
        bundle.core_stylesheet(),  # the same file on all pages, so that it is loaded once
        bundle.kinds_stylesheet(kinds),
    ]


def test_figures_become_live_as_they_come_near(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(address + NEXT)
    figures = page.locator("[data-figure]")
    expect(figures.first).to_have_attribute("data-live", "")
    assert page.locator("[data-figure]:not([data-live])").count() > 3
    figures.nth(2).scroll_into_view_if_needed()
    expect(page.locator("[data-figure]:not([data-live])")).to_have_count(0)  # in idle time
    page.close()


def test_a_link_to_a_state_leads_to_a_figure_far_down(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}{NEXT}#figure-leak:nonsense")
    figure = page.locator('[data-figure="leak"]')
    expect(figure.locator("[data-link-refused]")).to_be_in_viewport()
    page.goto(f"{address}{NEXT}#figure-fill:nonsense")  # the same page
    expect(page.locator('[data-figure="fill"] [data-link-refused]')).to_be_in_viewport()
    page.close()


ALL_LIVE = {
    "print": "window.dispatchEvent(new Event('beforeprint'))",
    "lecture": "document.dispatchEvent(new Event('attention:lecture'))",
    "focus": "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }))",
    "search": "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', ctrlKey: true }))",
}


@pytest.mark.parametrize("need", ALL_LIVE)
def test_all_figures_are_live_where_a_part_is_not_enough(
    need: str, browser: Browser, address: str
) -> None:
    page = browser.new_page()
    page.goto(address + NEXT)
    assert page.locator("[data-figure]:not([data-live])").count() > 3
    page.evaluate(ALL_LIVE[need])
    assert page.locator("[data-figure]:not([data-live])").count() == 0
    page.close()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_links_at_most_four_style_sheets(
    page: str, parse_html: Callable[[str], BeautifulSoup]
) -> None:
    html = parse_html(page)
    links = [str(link["href"]) for link in html.select("head link[rel=stylesheet]")]
    names = [re.sub(r"^[./]*_static/|\?v=\w{8}$", "", link) for link in links]
    figures = ["figures-core.css", *names[2:3]] if html.select("[data-figure]") else []
    assert names == ["theme.css", *figures, "site.css"]
    assert all(re.fullmatch(r"figures-\w{8}\.css", name) for name in figures[1:])


def test_every_style_sheet_is_loaded_and_loads_nothing_but_fonts(site: Path) -> None:
    pages = "".join((site / page).read_text("utf-8") for page in PAGES)
    sheets = {path.relative_to(site).as_posix(): path for path in site.rglob("*.css")}
    assert sheets.pop("_static/modules/widgets.css")  # widgets.ts loads it
    assert sheets.pop("_static/modules/code.css")  # code_place.tsx loads it
    assert sheets.pop("_static/modules/servers.css")  # servers.ts loads it
    assert sheets.pop("_static/room.css")  # room.ts loads it, on the pages of `make lecture`
    assert [name for name in sheets if f"{name}?v=" not in pages] == []
    urls = [
        url
        for path in sheets.values()
        for url in re.findall(r"url\(([^)]*)", path.read_text("utf-8"))
    ]
    files = [site / "_static" / url.partition("?")[0] for url in urls]
    assert len(files) > 5
    assert [file.name for file in files if file.suffix != ".woff2" or not file.is_file()] == []


@pytest.mark.parametrize(
    "name", [*alternate_languages(CHAPTERS), ROOT_PAGE, "book/zh/glossary.html", SEARCH[0]]
)
def test_a_style_sheet_has_few_rules_that_a_page_does_not_use(
    name: str, browser: Browser, address: str
) -> None:
    unused = unused_styles(browser, address + name)
    assert len(unused) >= 2
    assert max(unused.values()) <= limits.UNUSED_STYLES


@pytest.mark.parametrize("width", [390, 1280])
def test_the_theme_lacks_no_rule_that_scripts_need(width: int, open_page: OpenPage) -> None:
    page = open_page(NEXT, viewport={"width": width, "height": 844})
    theme, missing = theme_sheet(), set[str]()

    def look() -> None:
        missing.update(missing_rules(page, theme))

    look()
    page.locator(".dropdown-download-buttons > button").click()
    look()
    page.locator(".theme-switch-button:visible").first.hover()
    expect(page.locator(".tooltip")).to_be_visible()
    look()
    page.locator(".search-button__button:visible").first.click()
    search_for(page, "softmax")
    look()
    page.keyboard.press("Escape")
    page.locator(".side-by-side-button").click()
    page.locator(".side-by-side input[value=page]").check()
    expect(page.locator(".counterpart").first).to_be_attached()
    figure = page.locator("[data-figure]:has([data-guess])").first
    figure.locator("[data-guess]").select_option("0")
    figure.locator("[data-commit]").click()
    expect(figure.locator("[data-verdict]")).to_be_visible()
    look()
    page.locator(".primary-toggle:visible").first.click()
    look()
    page.reload()
    begin(page)
    look()
    assert missing == set()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "name",
    [
        NEXT,
        "book/en/04-masked-softmax.html#figure-pipeline",
        "book/zh/08-choosing-a-score.html#figure-choice",
    ],
)
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
