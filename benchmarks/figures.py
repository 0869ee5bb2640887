"""The figures in Chromium: what a moved control costs until everything has its place again."""

from collections.abc import Iterator

import torch
from playwright.sync_api import Page

from attention_lib import AdditiveAttention, DecomposableAttention
from attention_lib.figures import (
    AlignmentFigure,
    AttentionFigure,
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

HALF_A_FRAME, FRAME = 8, 16  # ms

# Milliseconds of one event and of the layout it leads to; a frame is drawn after each, untimed.
MOVES = """async (moves) => {
  const figure = document.querySelector("[data-figure]");
  const control = figure.querySelector("input[type=range], select");
  const [event, choices] = control.options
    ? ["change", control.options.length]
    : ["input", control.max - control.min + 1];
  const times = [];
  for (let i = 0; i < moves; i++) {
    const chosen = (7 * i) % choices;
    if (control.options) control.selectedIndex = chosen;
    else control.value = String(Number(control.min) + chosen);
    const start = performance.now();
    control.dispatchEvent(new Event(event));
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
        for what, figure, limit in _figures():
            page = browser.new_page(viewport={"width": 800, "height": 900})
            page.set_content(figure.to_html())
            yield from _rows(page, f"{what}: its first control moved, with layout", limit)
            page.close()


def _figures() -> Iterator[tuple[str, Figure, int]]:
    normal = torch.randn
    for sizes in ((2, 2, 10), (1, 64, 64)):
        yield f"pipeline {sizes[1]} × {sizes[2]}", _pipeline(*sizes), HALF_A_FRAME
    yield "look-up, 5 keys", PoolingFigure(normal(1, 2, 2), normal(1, 5, 2), normal(1, 5, 1)), FRAME
    kernel = KernelFigure(normal(1, 16, 1), normal(1, 16, 1), torch.zeros(1, 1, 1))
    yield "kernel, 16 keys", kernel, FRAME
    parameters = normal(8, 2), normal(8, 2), normal(1, 8), normal(2, 2)
    score = ScoreFigure(normal(1, 1, 2), normal(1, 5, 2), normal(1, 5, 2), *parameters)
    yield "scores, 5 keys", score, FRAME
    compared = ComparisonFigure(normal(1, 1, 2), normal(1, 6, 2), *parameters)
    yield "comparison, 6 keys", compared, FRAME
    draws = torch.rand(200, 4, 5)
    yield "dropout, 200 draws", DropoutFigure(normal(1, 4, 5), normal(1, 5, 2), draws), FRAME
    yield "alignment, 16 words", _alignment(16), FRAME
    yield "scaling, d to 128", ScalingFigure(normal(1, 16, 128), normal(1, 16, 128)), FRAME


def _pipeline(batch: int, queries: int, keys: int) -> AttentionFigure:
    return AttentionFigure(
        AdditiveAttention(key_size=2, query_size=20, num_hiddens=8),
        queries=torch.randn(batch, queries, 20),
        keys=torch.randn(batch, keys, 2),
        values=torch.randn(batch, keys, 4),
    )


def _alignment(length: int) -> AlignmentFigure:
    texts = [" ".join(f"{i}w{j}" for j in range(length)) for i in range(100)]
    words = Vocabulary(texts)
    model = DecomposableAttention(len(words), embedding_size=32, num_hiddens=32)
    return AlignmentFigure(model, words, [Pair(text, text, "neutral") for text in texts])


def _rows(page: Page, what: str, limit: int) -> Iterator[Row]:
    page.evaluate(MOVES, 50)  # to warm up
    times = torch.tensor(page.evaluate(MOVES, 300))
    yield Row(f"{what}, median", "ms", times.median().item())
    yield Row(f"{what}, 95th percentile", "ms", times.quantile(0.95).item(), limit=limit)
