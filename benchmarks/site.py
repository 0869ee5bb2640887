"""The built book: time to build it, bytes of a first visit, time to the first live figure."""

import gzip
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Response

from benchmarks import Row
from benchmarks.browser import chromium, served

ROOT = Path(__file__).parent.parent
SOURCES = ("book", "_config.yml", "_toc.yml")
CHAPTER = "book/en/04-masked-softmax.html"
OURS = ("figures.js", "language.js", "start.js")
VISITS = 7

# When the first figure came alive, in milliseconds since navigation began.
WATCH = """
new MutationObserver((_, watcher) => {
  if (!document.querySelector("[data-live]")) return;
  window.aliveAfter = performance.now();
  watcher.disconnect();
}).observe(document, { subtree: true, attributeFilter: ["data-live"] });
"""


def rows() -> Iterator[Row]:
    """Build a copy of the book twice, then visit the chapter as a reader does."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SOURCES:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, Path(folder) / name)
        yield Row("`make book`, cold", "s", _build(folder))
        yield Row("`make book`, nothing changed", "s", _build(folder))
        with served(Path(folder, "_build/html")) as address, chromium() as browser:
            yield from _bytes(browser, f"{address}/{CHAPTER}")
            alive = statistics.median(
                _alive(browser, f"{address}/{CHAPTER}") for _ in range(VISITS)
            )
    yield Row("navigation to the first live figure", "ms", alive, limit=500)


def _build(folder: str) -> float:
    start = time.perf_counter()
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    subprocess.run([jupyter_book, "build", folder], check=True, capture_output=True)
    return time.perf_counter() - start


def _bytes(browser: Browser, address: str) -> Iterator[Row]:
    """Sizes of everything a first visit loads, as a server that compresses would send it."""
    page = browser.new_page()
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(address, wait_until="networkidle")
    sizes = {response.url: len(gzip.compress(response.body())) / 1000 for response in responses}
    ours = sum(size for url, size in sizes.items() if url.partition("?")[0].endswith(OURS))
    page.close()
    yield Row("first visit to a chapter, gzipped", "kB", sum(sizes.values()), limit=1200)
    yield Row("our own JavaScript in it, gzipped", "kB", ours, limit=30)


def _alive(browser: Browser, address: str) -> float:
    page = browser.new_page()  # a context of its own, with an empty cache
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_function("window.aliveAfter")
    after: float = page.evaluate("window.aliveAfter")
    page.close()
    return after
