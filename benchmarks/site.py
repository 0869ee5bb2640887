"""Measure the build time and page weight of the site, compared with a stock Jupyter Book."""

import re
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from attention_figures.languages import LANGUAGES
from benchmarks import Row, lighthouse, running, stock
from benchmarks.browser import chromium, shift, traffic
from tools import limits
from tools.build import build
from tools.serve import server

ROOT = Path(__file__).parent.parent
SOURCES = ("book", "LICENSE", "_config.yml", "_toc.yml")
CHAPTERS = ["04-masked-softmax", "05-additive-attention"]
FIGURE, SLIDER = "#figure-pipeline", "#from-scores-to-output"  # the same section in both books
STOCK = "stock book: without MathJax, RequireJS and html-manager"
STILL = "stock book: its sliders need a CDN to come alive"
SCRIPT = re.compile(r"\.js(\?|$)")
VISITS = 7

# Milliseconds from navigation to the first hydrated figure.
WATCH = """
new MutationObserver((_, watcher) => {
  if (!document.querySelector("[data-live]")) return;
  window.aliveAfter = performance.now();
  watcher.disconnect();
}).observe(document, { subtree: true, attributeFilter: ["data-live"] });
"""


def rows() -> Iterator[Row]:
    """Build a copy of the book twice, then visit a chapter."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SOURCES:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, Path(folder) / name)
        yield Row("`make book`, cold", "s", _time_to_build(Path(folder)))
        yield Row("`make book`, nothing changed", "s", _time_to_build(Path(folder)))
        plain = Path(folder, "stock")
        plain.mkdir()
        other = stock.build(plain, [ROOT / f"book/en/{name}.ipynb" for name in CHAPTERS])
        with (
            server(Path(folder, "_build/html"), port=0) as address,
            server(other, port=0) as stock_address,
            chromium() as browser,
        ):
            yield from _visits(browser, f"{address}/book/en", stock_address)
            yield from running.rows(Path(folder, "_build/html"), browser)
        yield from lighthouse.rows(Path(folder, "_build/html"), other, f"{CHAPTERS[0]}.html")


def _time_to_build(folder: Path) -> float:
    start = time.perf_counter()
    build(folder, folder)
    return time.perf_counter() - start


def _visits(browser: Browser, address: str, stock_address: str) -> Iterator[Row]:
    first, following = _bytes(browser, address, CHAPTERS)
    stock_pages = _bytes(browser, stock_address, CHAPTERS)
    stock_first, stock_following = (sum(page.values()) for page in stock_pages)
    scripts = sum(size for url, size in first.items() if SCRIPT.search(url))
    what = f"first visit to a chapter, gzipped ({STOCK})"
    yield Row(what, "kB", sum(first.values()), stock_first, most=limits.FIRST_VISIT)
    yield Row("requests of it", "", len(first), limit=limits.REQUESTS)
    yield Row("JavaScript in it, gzipped", "kB", scripts, limit=limits.SCRIPTS)
    what = f"the chapter after it, gzipped ({STOCK})"
    yield Row(what, "kB", sum(following.values()), stock_following, most=limits.NEXT_CHAPTER)
    heaviest = max(_next_chapters(browser, address))
    what = "the heaviest chapter after its predecessor, in either language, gzipped"
    yield Row(what, "kB", heaviest, limit=limits.HEAVIEST_CHAPTER)
    alive = [_alive(browser, f"{address}/{CHAPTERS[0]}.html") for _ in range(VISITS)]
    yield Row(
        f"navigation to the first live figure ({STILL})",
        "ms",
        median(alive),
        limit=limits.LIVE_FIGURE,
    )
    jump, stock_jump = _worst(browser, address, FIGURE), _worst(browser, stock_address, SLIDER)
    what = f"layout shift, phone and desktop, top and figure, the worst ({STILL})"
    yield Row(what, "CLS", jump, stock_jump, most=limits.LAYOUT_SHIFT)


def _next_chapters(browser: Browser, address: str) -> Iterator[float]:
    """Yield the size of every chapter, visited with the cache of the one before."""
    for lang in LANGUAGES:
        names = sorted(path.stem for path in (ROOT / "book" / lang).glob("[01]*.ipynb"))
        for pair in pairwise(names):
            _, following = _bytes(browser, f"{address}/../{lang}", pair)
            yield sum(following.values())


def _bytes(browser: Browser, address: str, names: Iterable[str]) -> list[dict[str, float]]:
    """Return the gzipped sizes of a first visit, and of the pages visited next."""
    context = browser.new_context()
    page = context.new_page()
    loaded = [traffic(page, f"{address}/{name}.html") for name in names]
    context.close()
    return loaded


def _worst(browser: Browser, address: str, place: str) -> float:
    """Return the worst layout shift at the top and at an anchor, on a phone and a desktop."""
    places = [f"{address}/{CHAPTERS[0]}.html{end}" for end in ("", place)]
    return max(shift(browser, at, width) for at in places for width in (390, 1280))


def _alive(browser: Browser, address: str) -> float:
    page = browser.new_page()  # a new context with an empty cache
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_function("window.aliveAfter")
    after: float = page.evaluate("window.aliveAfter")
    page.close()
    return after
