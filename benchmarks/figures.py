"""The figures in Chromium: what a moved control costs until everything has its place again.

The pipeline is compared with the plain JavaScript that drew it before, in the same run: the commit
EARLIER is unpacked into a folder of its own, where a program makes the same figure.
"""

import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from os import environ
from pathlib import Path
from textwrap import dedent

import torch
from playwright.sync_api import Browser, Page

from attention_lib import DecomposableAttention
from attention_lib.figures import (
    AlignmentFigure,
    ComparisonFigure,
    DropoutFigure,
    Figure,
    KernelFigure,
    PoolingFigure,
    ScalingFigure,
    ScoreFigure,
)
from attention_lib.nli import Pair, Vocabulary
from benchmarks import Row
from benchmarks.browser import chromium
from tools import limits

ROOT = Path(__file__).parent.parent
EARLIER = "52086b6"  # the last commit whose pipeline is plain JavaScript

# Milliseconds of one event, of what it has painted then and in the microtasks after it, and of the
# layout that this leads to; a frame is drawn after each, untimed.
MOVES = """async (moves) => {
  const figure = document.querySelector("[data-figure]");
  const control = figure.querySelector(":is(input[type=range], select)[data-control]");
  const [event, choices] = control.options
    ? ["change", control.options.length]
    : ["input", control.max - control.min + 1];
  const times = [];
  for (let i = 0; i < moves; i++) {
    const chosen = (7 * i) % choices;
    if (control.options) control.selectedIndex = chosen;
    else control.value = String(Number(control.min) + chosen);
    const start = performance.now();
    control.dispatchEvent(new Event(event, { bubbles: true }));
    for (let turn = 0; turn < 5; turn++) await null;
    figure.getBoundingClientRect();
    times.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""


def rows() -> Iterator[Row]:
    """Median and 95th percentile for each figure."""
    torch.manual_seed(0)
    with chromium() as browser:
        for batch, queries, keys in ((2, 2, 10), (1, 64, 64)):
            program = dedent(PIPELINE.format(batch=batch, queries=queries, keys=keys))
            now, earlier = (_opened(browser, page) for page in _pages(program))
            yield from _against(now, earlier, f"pipeline {queries} × {keys}")
        for what, figure in _figures():
            page = _opened(browser, figure.to_html())
            yield from _rows(page, f"{what}: its first control moved, with layout")
            page.close()


# A program, so that the earlier library can run it as well.
PIPELINE = """
    import torch
    from attention_lib import AdditiveAttention
    from attention_lib.figures import AttentionFigure

    torch.manual_seed(0)
    attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8)
    queries = torch.randn({batch}, {queries}, 20)
    keys, values = torch.randn({batch}, {keys}, 2), torch.randn({batch}, {keys}, 4)
    print(AttentionFigure(attention, queries, keys, values).to_html())
"""


def _pages(program: str) -> Iterator[str]:
    """Yield what a program prints with the library as it is, and with that of EARLIER."""
    yield _printed(program, ROOT)
    packed = subprocess.run(
        ["git", "archive", EARLIER, "attention_lib"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        yield _printed(program, Path(folder))


def _printed(program: str, library: Path) -> str:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=library,
        env={**environ, "PYTHONPATH": str(library)},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def _opened(browser: Browser, html: str) -> Page:
    page = browser.new_page(viewport={"width": 800, "height": 900})
    page.set_content(html)
    page.evaluate(MOVES, 50)  # to warm up
    return page


def _against(now: Page, earlier: Page, what: str) -> Iterator[Row]:
    """Both in turn, so that a busy moment hits both."""
    rounds = [[page.evaluate(MOVES, 50) for page in (now, earlier)] for _ in range(8)]
    times, before = torch.tensor(rounds).transpose(0, 1).flatten(1)
    what = f"{what}: its first control moved, with layout, against {EARLIER}"
    now_usual, then_usual = times.median().item(), before.median().item()
    yield Row(f"{what}, median", "ms", now_usual, then_usual, limits.SLOWER_THAN_BEFORE)
    late, then = (x.quantile(0.95).item() for x in (times, before))
    yield Row(f"{what}, 95th percentile", "ms", late, then, most=limits.HALF_A_FRAME)
    now.close()
    earlier.close()


def _figures() -> Iterator[tuple[str, Figure]]:
    normal = torch.randn
    yield "look-up, 5 keys", PoolingFigure(normal(1, 2, 2), normal(1, 5, 2), normal(1, 5, 1))
    kernel = KernelFigure(normal(1, 16, 1), normal(1, 16, 1), torch.zeros(1, 1, 1))
    yield "kernel, 16 keys", kernel
    parameters = normal(8, 2), normal(8, 2), normal(1, 8), normal(2, 2)
    score = ScoreFigure(normal(1, 1, 2), normal(1, 5, 2), normal(1, 5, 2), *parameters)
    yield "scores, 5 keys", score
    compared = ComparisonFigure(normal(1, 1, 2), normal(1, 6, 2), *parameters)
    yield "comparison, 6 keys", compared
    draws = torch.rand(200, 4, 5)
    yield "dropout, 200 draws", DropoutFigure(normal(1, 4, 5), normal(1, 5, 2), draws)
    yield "alignment, 16 words", _alignment(16)
    yield "scaling, d to 128", ScalingFigure(normal(1, 16, 128), normal(1, 16, 128))


def _alignment(length: int) -> AlignmentFigure:
    texts = [" ".join(f"{i}w{j}" for j in range(length)) for i in range(100)]
    words = Vocabulary(texts)
    model = DecomposableAttention(len(words), embedding_size=32, num_hiddens=32)
    return AlignmentFigure(model, words, [Pair(text, text, "neutral") for text in texts])


def _rows(page: Page, what: str) -> Iterator[Row]:
    times = torch.tensor(page.evaluate(MOVES, 300))
    yield Row(f"{what}, median", "ms", times.median().item())
    yield Row(f"{what}, 95th percentile", "ms", times.quantile(0.95).item(), limit=limits.FRAME)
