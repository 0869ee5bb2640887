"""Provide pages for the tests of the figures."""

from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from figure_examples import EXAMPLES
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize

from attention_figures import Figure, bundle

SIZE: ViewportSize = {"width": 800, "height": 900}
# Disable storage permanently: figures save their state on unload.
FORGET = """() => {
  Storage.prototype.setItem = () => {};
  try { localStorage.clear(); sessionStorage.clear(); } catch {}
}"""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let `-k KIND` select the tests of all examples of a kind."""
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    names = EXAMPLES.keys() & {one for one in parameters if isinstance(one, str)}
    item.extra_keyword_matches |= {_kind(name) for name in names}


@cache
def _kind(name: str) -> str:
    return EXAMPLES[name]("en").kind


class _Host(BaseHTTPRequestHandler):
    """Serves Jupyter's module, and an empty page at "/" that does not even request an icon."""

    made: ClassVar = {"/": ("text/html", '<!doctype html><link rel="icon" href="data:,">')}

    def do_GET(self) -> None:
        kind, text = self.made[self.path]
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args: object) -> None: ...


@pytest.fixture(scope="session")
def module_url() -> Iterator[str]:
    """Return the URL of the figures' module for Jupyter."""
    _Host.made["/module.js"] = (
        "text/javascript",
        bundle.module(),
    )  # not at import, because the front end may be faulty
    with ThreadingHTTPServer(("127.0.0.1", 0), _Host) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def _left() -> Iterator[list[Page]]:
    pages: list[Page] = []
    yield pages
    for page in pages:
        page.close()


@pytest.fixture
def page(request: pytest.FixtureRequest, browser: Browser, _left: list[Page]) -> Iterator[Page]:
    """Open a page on which any error fails the test.

    The page is cleaned up and reused by the next test, because opening one takes as long as a
    figure. A test marked `own_page`, whose effects cannot be undone, gets a fresh page, and so does
    a retried test.
    """
    again = getattr(request.node, "execution_count", 1) > 1
    own = again or request.node.get_closest_marker("own_page")
    page = _left.pop() if _left and not own else _opened(browser, bool(own))
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    def fail(error: Error) -> None:
        said.append(str(error))

    page.on("console", hear)
    page.on("pageerror", fail)
    yield page
    page.remove_listener("console", hear)
    page.remove_listener("pageerror", fail)
    if own or page.is_closed():
        page.close()
    else:
        _tidy(page)
        _left.append(page)
    assert said == []


def _opened(browser: Browser, own: bool) -> Page:
    page = browser.new_page(viewport=SIZE, reduced_motion="reduce")
    if not own:
        for owner, name in (page, "add_init_script"), (page, "route"), (page.clock, "install"):
            setattr(owner, name, _refused)
    return page


def _refused(*args: object, **options: object) -> None:
    pytest.fail("the next test would have it, too: mark this one own_page")


def _tidy(page: Page) -> None:
    """Undo what would survive navigation; the document stays until the next test opens another."""
    page.evaluate(FORGET)
    page.mouse.up()
    page.mouse.move(0, 0)
    page.emulate_media(media="null", color_scheme="null", reduced_motion="reduce")
    if page.viewport_size != SIZE:
        page.set_viewport_size(SIZE)


@pytest.fixture
def open_figure(page: Page, tmp_path: Path) -> Callable[[Figure], Page]:
    """Open a figure's own HTML page from disk."""

    def opened(figure: Figure) -> Page:
        file = tmp_path / "figure.html"
        file.write_text(figure.to_html(), encoding="utf-8")
        page.goto(file.as_uri())
        page.wait_for_selector("[data-live]")
        return page

    return opened
