"""Measure runnable cells: transfer size, and time from a click to the result."""

import gzip
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from benchmarks import Row
from benchmarks.browser import traffic
from tools import limits

CHAPTER = "book/en/04-masked-softmax.html"
CELL = "padding-a-batch"  # prints; the cells above it are imports and a figure
SPARE = 20  # seconds for the spare kernel to start
RUNS = 9
BEFORE = ("run.js",)

# Milliseconds from a click until the cell is done and shows its output.
PRESS = """(name) => new Promise((resolve) => {
  const bar = document.querySelector(`.cell-bar[data-cell="${name}"]`);
  const cell = bar.closest(".cell");
  let started = false;
  new MutationObserver((_, watcher) => {
    started ||= cell.dataset.state === "running";
    if (!started || cell.dataset.state !== "done") return;
    watcher.disconnect();
    resolve(performance.now() - start);
  }).observe(cell, { attributes: true });
  const start = performance.now();
  bar.querySelector("[data-run]").click();
})"""


def rows(site: Path, browser: Browser) -> Iterator[Row]:
    """Open a chapter on a server with kernels, and run one of its cells."""
    static = site / "_static"
    before = sum(len(gzip.compress((static / name).read_bytes())) for name in BEFORE) / 1000
    yield Row(
        "cells that run: loaded before the first click, gzipped",
        "kB",
        before,
        limit=limits.BEFORE_RUNNING,
    )
    with _server(site) as address:
        time.sleep(SPARE)
        page = browser.new_page()
        traffic(page, address.replace("/?", f"/{CHAPTER}?"))  # the printed URL has the token
        first: float = page.evaluate(PRESS, CELL)
        later: list[float] = [page.evaluate(PRESS, CELL) for _ in range(RUNS)]
        loaded = page.evaluate(LOADED)
        page.close()
    yield Row("cells that run: loaded at the first click, gzipped", "kB", loaded)
    what = "first click to its result, a figure and two cells, a kernel standing ready"
    yield Row(what, "s", first / 1000, limit=limits.FIRST_RESULT)
    yield Row("a cell that prints, click to result", "ms", median(later), limit=limits.NEXT_RESULT)


# Gzipped kilobytes of the loaded modules.
LOADED = """async () => {
  const names = performance.getEntriesByType("resource").map(({ name }) => name);
  let sum = 0;
  for (const name of names.filter((name) => name.includes("/_static/modules/"))) {
    const stream = (await fetch(name)).body.pipeThrough(new CompressionStream("gzip"));
    sum += (await new Response(stream).arrayBuffer()).byteLength;
  }
  return sum / 1000;
}"""


@contextmanager
def _server(site: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "tools.serving", "--port=0", f"--site={site}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        yield process.stdout.readline().split()[2]
    finally:
        process.terminate()
        process.communicate(timeout=60)
