"""The built book, and a browser that may go nowhere else."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from book_pages import PAGES, WAYS, Loaded, Look, Visit, usual_way
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route

from tools.serve import server

SETTLED = """async () => {
  await document.fonts.ready;
  return document.readyState === "complete";
}"""


@pytest.fixture(scope="session")
def soup(site: Path) -> Callable[[str], BeautifulSoup]:
    """Parse a page as it was built, before any script runs."""

    @cache
    def parse(page: str) -> BeautifulSoup:
        return BeautifulSoup((site / page).read_text(encoding="utf-8"), "html.parser")

    return parse


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Serve the built book, as readers have it."""
    with server(site, port=0) as address:
        yield f"{address}/"


class _Reader:
    """Opens pages, each in a context of its own, and takes down what goes wrong there."""

    def __init__(self, browser: Browser, address: str, site: Path) -> None:
        self.browser, self.address, self.disk = browser, address, f"{site.as_uri()}/"
        self.contexts: list[BrowserContext] = []
        self.problems: list[str] = []
        self.loaded: set[str] = set()  # of the site, when the page opened last had settled

    def open(self, name: str, from_disk: bool = False, before: str = "", **options: object) -> Page:
        start = self.disk if from_disk else self.address
        # no smooth scrolling: what a test asks for is there at once
        context = self.browser.new_context(reduced_motion="reduce", **options)
        self.contexts.append(context)
        context.add_init_script(before)
        page = context.new_page()
        _watch(page, start, self.problems)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(start + name)
        if options.get("java_script_enabled", True):
            page.wait_for_function(SETTLED)
        urls = [url.removeprefix(start) for url in asked if url.startswith(start)]
        self.loaded = {unquote(urlsplit(url).path) for url in urls}
        return page

    def leave(self) -> None:
        for context in self.contexts:
            context.close()


@pytest.fixture
def visit(browser: Browser, address: str, site: Path) -> Iterator[Visit]:
    """Open a page with `visit("book/en/index.html", color_scheme="dark")`.

    `before` is a script to run before the page's own. The test fails if the page asks for
    anything outside the site, or reports an error.
    """
    reader = _Reader(browser, address, site)
    yield reader.open
    reader.leave()
    assert reader.problems == []


@pytest.fixture(scope="session")
def _open_pages() -> Iterator[dict[tuple[str, str], tuple[_Reader, Page]]]:
    pages: dict[tuple[str, str], tuple[_Reader, Page]] = {}
    yield pages
    for reader, _ in pages.values():
        reader.leave()


@pytest.fixture
def look(
    request: pytest.FixtureRequest,
    browser: Browser,
    address: str,
    site: Path,
    _open_pages: dict[tuple[str, str], tuple[_Reader, Page]],
) -> Iterator[Look]:
    """Open a page with `look("book/en/index.html", PHONE)`, for tests that leave it as it is.

    It stays open for all of them: they run page by page. A test that is tried again gets it anew,
    since the first try may have stopped half-way.
    """
    readers: list[_Reader] = []
    again = getattr(request.node, "execution_count", 1) > 1

    def look(name: str, way: str) -> Page:
        for key in [key for key in _open_pages if key[0] != name or (again and not readers)]:
            _open_pages.pop(key)[0].leave()
        if (name, way) not in _open_pages:
            reader = _Reader(browser, address, site)
            _open_pages[name, way] = reader, reader.open(name, **WAYS[way])
        reader, page = _open_pages[name, way]
        readers.append(reader)
        return page

    yield look
    assert [problem for reader in readers for problem in reader.problems] == []


@pytest.fixture
def loaded(look: Look, _open_pages: dict[tuple[str, str], tuple[_Reader, Page]]) -> Loaded:
    """Tell what of the site a page took when it was opened, before any test asked for more."""

    def loaded(name: str) -> set[str]:
        look(name, usual_way(name))
        return _open_pages[name, usual_way(name)][0].loaded

    return loaded


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each page that tests look at, and the parsed ones, to one worker; run page by page.

    What leaves a page as no other test can use it comes last.
    """
    looking, rest = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        (looking if "look" in getattr(item, "fixturenames", ()) else rest).append(item)
    for item in looking:
        if item.get_closest_marker("xdist_group"):  # it says itself what it shares
            continue
        item.add_marker(pytest.mark.xdist_group(item.callspec.params["page"]))
    for item in rest:
        if "soup" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("soup"))
    items[:] = rest + sorted(looking, key=_turn)


def _turn(item: pytest.Item) -> tuple[int, bool]:
    page = PAGES.index(item.callspec.params["page"])
    return page, item.get_closest_marker("own_page") is not None


def _watch(page: Page, start: str, problems: list[str]) -> None:
    def refuse(route: Route) -> None:
        problems.append(f"asked for {route.request.url}")
        route.abort()

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            problems.append(message.text)

    page.route(re.compile(rf"^(?!{re.escape(start)}|data:)"), refuse)
    page.on("console", hear)
    page.on("pageerror", lambda error: problems.append(str(error)))
