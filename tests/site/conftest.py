"""Provide the built book, and pages that may load nothing from outside it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from book_pages import DEVICES, PAGES, Loaded, OpenPage, SharedPage, default_device
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route

from attention_figures.languages import LANGUAGES
from tests.hydration import HYDRATE_ALL
from tools.serve import ROOT, server

SETTLED = """async () => {
  await document.fonts.ready;
  return document.readyState === "complete";
}"""


@pytest.fixture(scope="session")
def parse_html(site: Path) -> Callable[[str], BeautifulSoup]:
    """Parse the HTML of a page as built, before any script runs."""

    @cache
    def parse(page: str) -> BeautifulSoup:
        return BeautifulSoup((site / page).read_text(encoding="utf-8"), "html.parser")

    return parse


TOC = """format: jb-book
root: book/index
chapters:
  - {file: book/en/index, sections: [{file: book/en/04-masked-softmax}]}
  - {file: book/zh/index, sections: [{file: book/zh/04-masked-softmax}]}
"""
SETTINGS = """
repository:
  url: git@github.com:someone/attention.git
  branch: trunk
url: https://example.org/attention
"""


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a chapter as in a clone on GitHub, with an address, an offline copy and PDFs.

    Tests that use it share a worker: `@pytest.mark.xdist_group("published")`.
    """
    clone = tmp_path_factory.mktemp("published")
    for name in ("book", "licences"):
        shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(ROOT / "LICENSE", clone)
    settings = (ROOT / "_config.yml").read_text("utf-8")
    (clone / "_config.yml").write_text(settings + SETTINGS, "utf-8")
    (clone / "_toc.yml").write_text(TOC, "utf-8")
    (clone / "the-book-1.0.zip").write_bytes(b"an archive")
    for lang in LANGUAGES:
        (clone / f"the-book-{lang}.pdf").write_text(f"a book in {lang}", "utf-8")
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    environment = {
        **os.environ,
        "OFFLINE_COPY": str(clone / "the-book-1.0.zip"),
        **{f"PDF_{lang.upper()}": str(clone / f"the-book-{lang}.pdf") for lang in LANGUAGES},
    }
    # Not strict, because the other chapters are missing.
    command = [jupyter_book, "build", clone]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return clone / "_build/html"


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Serve the built book, and return its URL."""
    with server(site, port=0) as address:
        yield f"{address}/"


class _PageOpener:
    """Opens pages, each in its own browser context, and collects their errors."""

    def __init__(self, browser: Browser, address: str, site: Path) -> None:
        self.browser, self.address, self.disk = browser, address, f"{site.as_uri()}/"
        self.contexts: list[BrowserContext] = []
        self.problems: list[str] = []
        self.loaded: set[str] = set()  # files of the site that the last page loaded

    def open(self, name: str, from_disk: bool = False, before: str = "", **options: object) -> Page:
        start = self.disk if from_disk else self.address
        # no smooth scrolling, so that a scroll is over at once
        context = self.browser.new_context(reduced_motion="reduce", **options)
        self.contexts.append(context)
        context.add_init_script(before)
        context.add_init_script(HYDRATE_ALL)
        page = context.new_page()
        _watch(page, start, self.problems)
        requested: list[str] = []
        page.on("request", lambda request: requested.append(request.url))
        page.goto(start + name)
        if options.get("java_script_enabled", True):
            page.wait_for_function(SETTLED)
        urls = [url.removeprefix(start) for url in requested if url.startswith(start)]
        self.loaded = {unquote(urlsplit(url).path) for url in urls}
        return page

    def close(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def open_page(browser: Browser, address: str, site: Path) -> Iterator[OpenPage]:
    """Open a page with `open_page("book/en/index.html", color_scheme="dark")`.

    `before` is a script that runs before those of the page. The test fails if the page requests
    anything outside the site, or logs an error.
    """
    opener = _PageOpener(browser, address, site)
    yield opener.open
    opener.close()
    assert opener.problems == []


@pytest.fixture(scope="session")
def _shared_pages() -> Iterator[dict[tuple[str, str], tuple[_PageOpener, Page]]]:
    pages: dict[tuple[str, str], tuple[_PageOpener, Page]] = {}
    yield pages
    for opener, _ in pages.values():
        opener.close()


@pytest.fixture
def shared_page(
    request: pytest.FixtureRequest,
    browser: Browser,
    address: str,
    site: Path,
    _shared_pages: dict[tuple[str, str], tuple[_PageOpener, Page]],
) -> Iterator[SharedPage]:
    """Open a page for tests that do not change it: `shared_page("book/en/index.html", PHONE)`.

    The page stays open for all these tests, which run page by page. A retried test gets a fresh
    page, because the first try may have stopped half-way.
    """
    openers: list[_PageOpener] = []
    again = getattr(request.node, "execution_count", 1) > 1

    def shared_page(name: str, device: str) -> Page:
        for key in [key for key in _shared_pages if key[0] != name or (again and not openers)]:
            _shared_pages.pop(key)[0].close()
        if (name, device) not in _shared_pages:
            opener = _PageOpener(browser, address, site)
            _shared_pages[name, device] = opener, opener.open(name, **DEVICES[device])
        opener, page = _shared_pages[name, device]
        openers.append(opener)
        return page

    yield shared_page
    assert [problem for opener in openers for problem in opener.problems] == []


@pytest.fixture
def loaded(
    shared_page: SharedPage, _shared_pages: dict[tuple[str, str], tuple[_PageOpener, Page]]
) -> Loaded:
    """Return the files of the site that a page loaded when it was opened."""

    def loaded(name: str) -> set[str]:
        shared_page(name, default_device(name))
        return _shared_pages[name, default_device(name)][0].loaded

    return loaded


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests of a shared page, and all that parse HTML, on one worker; sort them by page.

    Tests that leave a shared page unusable for others run last.
    """
    sharing, rest = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        (sharing if "shared_page" in getattr(item, "fixturenames", ()) else rest).append(item)
    for item in sharing:
        if item.get_closest_marker("xdist_group"):  # the test sets its own group
            continue
        item.add_marker(pytest.mark.xdist_group(item.callspec.params["page"]))
    for item in rest:
        if "parse_html" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("parse_html"))
    items[:] = rest + sorted(sharing, key=_page_order)


def _page_order(item: pytest.Item) -> tuple[int, bool]:
    page = PAGES.index(item.callspec.params["page"])
    return page, item.get_closest_marker("own_page") is not None


def _watch(page: Page, start: str, problems: list[str]) -> None:
    def refuse(route: Route) -> None:
        problems.append(f"requested {route.request.url}")
        route.abort()

    def record(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            problems.append(message.text)

    page.route(re.compile(rf"^(?!{re.escape(start)}|data:)"), refuse)
    page.on("console", record)
    page.on("pageerror", lambda error: problems.append(str(error)))
