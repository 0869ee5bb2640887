"""Test the built HTML before any script runs: links, labels, languages, scripts."""

import re
from collections.abc import Callable
from copy import copy
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from book_pages import BOOK, CHAPTERS, CHINESE, ENGLISH, PAGES, ROOT_PAGE, translation
from bs4 import BeautifulSoup

from tools.serve import ROOT

ParseHtml = Callable[[str], BeautifulSoup]
Places = Callable[[str], set[str]]
WIDGET = re.compile(r"^\s*[A-Z]\w+\((?:children|description|value)=")  # HBox(children=…
LOADED = [("link", "href"), ("script", "src"), ("img", "src"), ("source", "src"), ("iframe", "src")]


def _urls(page: BeautifulSoup, kinds: list[tuple[str, str]]) -> list[str]:
    names = dict(kinds)
    tags = page.find_all(list(names))
    return [tag[names[tag.name]] for tag in tags if names[tag.name] in tag.attrs]


@pytest.fixture(scope="session")
def places(parse_html: ParseHtml) -> Places:
    """Return the ids to which links on a page can lead."""
    return cache(lambda page: {tag["id"] for tag in parse_html(page).find_all(id=True)})


@pytest.mark.parametrize("page", PAGES)
def test_every_link_within_the_site_leads_to_a_place_that_exists(
    page: str, site: Path, parse_html: ParseHtml, places: Places
) -> None:
    for url in _urls(parse_html(page), [("a", "href"), *LOADED]):
        target = urlsplit(urljoin(page, url))
        if target.scheme:
            continue
        assert (site / unquote(target.path)).is_file(), url
        if target.fragment:
            assert unquote(target.fragment) in places(target.path), url


@pytest.mark.parametrize("page", PAGES)
def test_everything_a_page_loads_is_in_the_site(page: str, parse_html: ParseHtml) -> None:
    urls = _urls(parse_html(page), LOADED)
    assert urls
    assert [url for url in urls if urlsplit(url).scheme not in ("", "data")] == []


@pytest.mark.parametrize("page", ["index.html", *PAGES])
def test_a_page_names_an_icon_which_browsers_would_look_for_elsewhere(
    page: str, site: Path, parse_html: ParseHtml
) -> None:
    (icon,) = parse_html(page).select("link[rel=icon]")
    assert (site / urljoin(page, icon["href"])).is_file()


@pytest.mark.parametrize("page", PAGES)
def test_no_script_is_loaded_twice(page: str, parse_html: ParseHtml) -> None:
    scripts = _urls(parse_html(page), [("script", "src")])
    assert len(scripts) == len(set(scripts))


@pytest.mark.parametrize("page", PAGES)
def test_figures_are_loaded_just_where_there_are_some(page: str, parse_html: ParseHtml) -> None:
    scripts = _urls(parse_html(page), [("script", "src")])
    loaded = any("_static/figures-" in url for url in scripts)
    assert loaded == bool(parse_html(page).select("[data-figure]"))


@pytest.mark.parametrize("page", CHAPTERS)
def test_each_chapter_has_figures(page: str, parse_html: ParseHtml) -> None:
    assert parse_html(page).select("[data-figure] > table td")


@pytest.mark.parametrize("page", PAGES)
def test_ids_are_unique(page: str, parse_html: ParseHtml) -> None:
    ids = [tag["id"] for tag in parse_html(page).find_all(id=True)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("page", ENGLISH)
def test_translations_have_the_same_labels_and_figures(page: str, parse_html: ParseHtml) -> None:
    def places(name: str, prefix: str) -> list[str]:
        ids = [tag["id"] for tag in parse_html(name).article.find_all(id=True)]
        return [name.removeprefix(prefix) for name in ids if name.startswith((prefix, "figure-"))]

    english = places(page, "en-")
    assert english
    assert english == places(translation(page), "zh-")


@pytest.mark.parametrize("page", BOOK)
def test_a_page_names_its_language_and_its_translation(page: str, parse_html: ParseHtml) -> None:
    html = parse_html(page)
    own, other = ("zh-CN", "en") if page in CHINESE else ("en", "zh-CN")
    assert html.html["lang"] == own
    switch = html.select_one("a.language-switch")
    assert (switch["hreflang"], switch["lang"]) == (other, other)
    assert urljoin(page, switch["href"]) == translation(page)


@pytest.mark.parametrize("page", BOOK)
def test_navigation_stays_within_a_language(page: str, parse_html: ParseHtml) -> None:
    folder = page.rsplit("/", 1)[0] + "/"
    links = parse_html(page).select(".bd-sidebar-primary a[href], .prev-next-area a[href]")
    targets = {urljoin(page, link["href"].removeprefix("#")) for link in links}
    assert all(target.startswith(folder) for target in targets)
    assert targets >= {chapter for chapter in CHAPTERS if chapter.startswith(folder)}


def test_the_root_page_offers_both_languages_without_javascript(parse_html: ParseHtml) -> None:
    links = parse_html(ROOT_PAGE).article.find_all("a", hreflang=True)
    offered = {link["lang"]: urljoin(ROOT_PAGE, link["href"]) for link in links}
    assert offered == {"en": "book/en/index.html", "zh-CN": "book/zh/index.html"}


@pytest.mark.parametrize("page", CHAPTERS)
def test_widgets_that_need_a_kernel_leave_nothing_behind(page: str, parse_html: ParseHtml) -> None:
    html = parse_html(page)
    assert bool(html.select(".tag_remove-output")) == bool(re.search("/0[2346]-", page))
    assert html.select(".tag_remove-output .cell_output, script[type*=widget]") == []
    outputs = [output.get_text() for output in html.select(".cell_output")]
    assert [text for text in outputs if WIDGET.search(text)] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_markup_is_left_over_in_the_text(page: str, parse_html: ParseHtml) -> None:
    article = copy(parse_html(page).find("article") or parse_html(page).main)
    for code in article.select("pre, code, script, .math"):
        code.decompose()
    text = article.get_text()
    assert [mark for mark in ("**", "$", "{ref}", "{eq}", "{doc}", "`", "](") if mark in text] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_reveals_nothing_of_the_process_that_built_it(
    page: str, site: Path, parse_html: ParseHtml
) -> None:
    assert (
        re.findall(r".*\b0x[0-9a-fA-F]{6,}", parse_html(page).get_text()) == []
    )  # addresses in memory
    text = (site / page).read_text("utf-8")
    assert [folder for folder in (ROOT, site.parent) if str(folder) in text] == []
