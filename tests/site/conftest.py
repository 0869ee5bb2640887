"""The book, built once into a folder of its own, and a browser that may go nowhere else."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from book_pages import ROOT, Visit
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Route

SETTLED = """async () => {
  await window.MathJax?.startup?.promise;
  await document.fonts.ready;
  return document.readyState === "complete";
}"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the book; any warning is an error."""
    out = tmp_path_factory.mktemp("site")
    command = Path(sys.executable).with_name("jupyter-book")
    options = ["-W", "-n", "--keep-going", "--path-output", str(out)]
    built = subprocess.run(
        [command, "build", str(ROOT), *options], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return out / "_build" / "html"


@pytest.fixture(scope="session")
def soup(site: Path) -> Callable[[str], BeautifulSoup]:
    """Parse a page as it was built, before any script runs."""

    @cache
    def parse(page: str) -> BeautifulSoup:
        return BeautifulSoup((site / page).read_text(encoding="utf-8"), "html.parser")

    return parse


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None: ...


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Serve the built book."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=site)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def visit(browser: Browser, address: str, site: Path) -> Iterator[Visit]:
    """Open a page with `visit("book/en/index.html", color_scheme="dark")`.

    `before` is a script to run before the page's own. The test fails if the page asks for
    anything outside the site, or reports an error.
    """
    problems: list[str] = []
    contexts: list[BrowserContext] = []

    def visit(name: str, from_disk: bool = False, before: str = "", **options: object) -> Page:
        start = f"{site.as_uri()}/" if from_disk else address
        # no smooth scrolling: what a test asks for is there at once
        context = browser.new_context(reduced_motion="reduce", **options)
        contexts.append(context)
        context.add_init_script(before)
        page = context.new_page()
        _watch(page, start, problems)
        page.goto(start + name)
        if options.get("java_script_enabled", True):
            page.wait_for_function(SETTLED)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert problems == []


def _watch(page: Page, start: str, problems: list[str]) -> None:
    def allow(route: Route) -> None:
        url = route.request.url
        if url.startswith((start, "data:")):
            return route.continue_()
        problems.append(f"asked for {url}")
        route.abort()

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            problems.append(message.text)

    page.route("**/*", allow)
    page.on("console", hear)
    page.on("pageerror", lambda error: problems.append(str(error)))
