"""Pages for the tests of the figures."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from attention_lib.figures import Figure, bundle


class _Host(BaseHTTPRequestHandler):
    """Jupyter's module, and an empty page at "/" that asks for not even an icon."""

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
    """Where a browser can import the figures' module for Jupyter."""
    _Host.made["/module.js"] = "text/javascript", bundle.module()  # not at import: it may be faulty
    with ThreadingHTTPServer(("127.0.0.1", 0), _Host) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a page on which any error fails the test."""
    page = browser.new_page(viewport={"width": 800, "height": 900})
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    page.close()
    assert said == []


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
