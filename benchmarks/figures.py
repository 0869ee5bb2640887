"""Measure how long a figure takes to update in Chromium, including layout."""

from collections.abc import Iterator

import torch
from playwright.sync_api import Browser, Page

from attention_course.nli import Pair, Vocabulary
from attention_figures import (
    AlignmentFigure,
    AttentionFigure,
    BandwidthFigure,
    ComparisonFigure,
    DropoutMeanFigure,
    Figure,
    PoolingFigure,
    ScalingVarianceFigure,
    ScoreFigure,
)
from attention_lib import AdditiveAttention, DecomposableAttention
from benchmarks import Row
from benchmarks.browser import chromium
from tools import limits

# Milliseconds of one event with its rendering, microtasks and layout; the frame painted after each
# event is not timed.
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
    """Yield median and 95th percentile for each figure."""
    torch.manual_seed(0)
    with chromium() as browser:
        for batch, queries, keys in ((2, 2, 10), (1, 64, 64)):
            page = _opened(browser, _pipeline(batch, queries, keys).to_html())
            what = f"pipeline {queries} × {keys}: its first control moved, with layout"
            yield from _rows(page, what, limits.HALF_A_FRAME)
            page.close()
        for what, figure in _figures():
            page = _opened(browser, figure.to_html())
            yield from _rows(page, f"{what}: its first control moved, with layout", limits.FRAME)
            page.close()


def _opened(browser: Browser, html: str) -> Page:
    page = browser.new_page(viewport={"width": 800, "height": 900})
    page.set_content(html)
    page.evaluate(MOVES, 50)  # warm-up
    return page


def _pipeline(batch: int, queries: int, keys: int) -> AttentionFigure:
    attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8)
    inputs = (
        torch.randn(batch, queries, 20),
        torch.randn(batch, keys, 2),
        torch.randn(batch, keys, 4),
    )
    return AttentionFigure(attention, *inputs)


def _figures() -> Iterator[tuple[str, Figure]]:
    normal = torch.randn
    yield "look-up, 5 keys", PoolingFigure(normal(1, 2, 2), normal(1, 5, 2), normal(1, 5, 1))
    kernel = BandwidthFigure(normal(1, 16, 1), normal(1, 16, 1), torch.zeros(1, 1, 1))
    yield "bandwidth, 16 keys", kernel
    parameters = normal(8, 2), normal(8, 2), normal(1, 8), normal(2, 2)
    score = ScoreFigure(normal(1, 1, 2), normal(1, 5, 2), normal(1, 5, 2), *parameters)
    yield "scores, 5 keys", score
    compared = ComparisonFigure(normal(1, 1, 2), normal(1, 6, 2), *parameters)
    yield "comparison, 6 keys", compared
    draws = torch.rand(200, 4, 5)
    yield "mean of dropout, 200 draws", DropoutMeanFigure(normal(1, 4, 5), draws)
    yield "alignment, 16 words", _alignment(16)
    yield "scaling, d to 128", ScalingVarianceFigure(normal(1, 16, 128), normal(1, 16, 128))


def _alignment(length: int) -> AlignmentFigure:
    texts = [" ".join(f"{i}w{j}" for j in range(length)) for i in range(100)]
    words = Vocabulary(texts)
    model = DecomposableAttention(len(words), embedding_size=32, num_hiddens=32)
    return AlignmentFigure(model, words, [Pair(text, text, "neutral") for text in texts])


def _rows(page: Page, what: str, limit: float) -> Iterator[Row]:
    times = torch.tensor(page.evaluate(MOVES, 300))
    yield Row(f"{what}, median", "ms", times.median().item())
    yield Row(f"{what}, 95th percentile", "ms", times.quantile(0.95).item(), limit=limit)
