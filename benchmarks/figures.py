"""A figure in Chromium: what a moved slider costs until everything has its place again."""

from collections.abc import Iterator

import torch
from playwright.sync_api import Page

from attention_lib import AdditiveAttention
from attention_lib.figures import AttentionFigure
from benchmarks import Row
from benchmarks.browser import chromium

SIZES = [(2, 2, 10), (1, 64, 64)]  # batch, queries, keys
HALF_A_FRAME = 8  # ms

# Milliseconds of one event and of the layout it leads to; a frame is drawn after each, untimed.
MOVES = """async (moves) => {
  const slider = document.querySelector('[data-control="valid_lens[0]"]');
  const figure = slider.closest("[data-figure]");
  const times = [];
  for (let i = 0; i < moves; i++) {
    slider.value = String((7 * i) % (Number(slider.max) + 1));
    const start = performance.now();
    slider.dispatchEvent(new Event("input"));
    figure.getBoundingClientRect();
    times.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
  }
  return times;
}"""


def rows() -> Iterator[Row]:
    """Median and 95th percentile for each size."""
    with chromium() as browser:
        for batch, queries, keys in SIZES:
            page = browser.new_page(viewport={"width": 800, "height": 900})
            page.set_content(_figure(batch, queries, keys).to_html())
            yield from _rows(page, f"figure {queries} × {keys}: a moved slider, with layout")
            page.close()


def _figure(batch: int, queries: int, keys: int) -> AttentionFigure:
    torch.manual_seed(0)
    return AttentionFigure(
        AdditiveAttention(key_size=2, query_size=20, num_hiddens=8),
        queries=torch.randn(batch, queries, 20),
        keys=torch.randn(batch, keys, 2),
        values=torch.randn(batch, keys, 4),
    )


def _rows(page: Page, what: str) -> Iterator[Row]:
    page.evaluate(MOVES, 50)  # to warm up
    times = torch.tensor(page.evaluate(MOVES, 300))
    yield Row(f"{what}, median", "ms", times.median().item())
    yield Row(f"{what}, 95th percentile", "ms", times.quantile(0.95).item(), limit=HALF_A_FRAME)
