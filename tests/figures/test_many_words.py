"""Test sentences of 9 to 40 words, in English and Chinese, on a desk and a phone."""

from collections.abc import Callable

import pytest
import torch
from figure_page import Open
from interaction import resize
from playwright.sync_api import Page

from attention_figures import (
    CacheFigure,
    Figure,
    OrderFigure,
    PaddingFigure,
    StaircaseFigure,
    WindowFigure,
)

ENGLISH = (
    "The photographer who lived beside the old harbour said that none of us would ever guess how"
    " many boats had come home in the storm that night because nobody had counted them before the"
    " lighthouse keeper went to bed again"
)
CHINESE = (
    "住在老港口旁边的那位摄影师说没有人猜得到那天夜里有多少条船在暴风雨里回了家因为谁也没有数过它们"
)
SENTENCE = {"en": ENGLISH.split(), "zh": [*CHINESE]}
LENGTHS = [("en", 9), ("zh", 18), ("en", 40), ("zh", 40)]
MAKE: dict[str, Callable[[list[str], str], Figure]] = {
    "staircase": lambda words, lang: StaircaseFigure(words, _scores(words), lang=lang),
    "window": lambda words, lang: WindowFigure(words, _scores(words), lang=lang),
    "cache": lambda words, lang: CacheFigure(words, step=len(words), cached=False, lang=lang),
    "padding": lambda words, lang: PaddingFigure(words, _scores(words)[0], lang=lang),
    "order": lambda words, lang: OrderFigure(
        words, torch.linspace(-1, 1, 2 * len(words)).reshape(1, -1, 2), lang=lang
    ),
}
# Texts that overlap each other or lie outside their figure, and letters that are too small. Text
# may be scrolled out of view.
FAULTS = """(figure) => {
  const outer = figure.getBoundingClientRect();
  const texts = document.createTreeWalker(figure.querySelector(".drawn"), NodeFilter.SHOW_TEXT);
  const boxes = [], faults = [];
  while (texts.nextNode()) {
    const of = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || of.closest("svg, select, .unseen, .grip")) continue;
    if (!of.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    let { left, right, top, bottom } = box;
    for (let node = of; node !== figure; node = node.parentElement) {
      const { overflowX } = getComputedStyle(node);
      if (overflowX === "visible") continue;
      const clip = node.getBoundingClientRect();
      [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
    }
    if (right - left < 1 || bottom - top < 1) continue;
    const text = texts.currentNode.data.trim();
    if (left < outer.left - 1 || right > outer.right + 1) faults.push(["beside", text]);
    if (parseFloat(getComputedStyle(of).fontSize) < 12) faults.push(["small", text]);
    const sticky = getComputedStyle(of).position === "sticky";
    boxes.push({ left, right, top, bottom, text, sticky });
  }
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    // What scrolls goes below the words that stay at its side.
    if (across > 1 && down > 3 && !a.sticky && !b.sticky) faults.push(["over", a.text, b.text]);
  }));
  return faults.slice(0, 5);
}"""


def _scores(words: list[str]) -> torch.Tensor:
    size = len(words)
    return torch.linspace(-1, 1, size * size).reshape(size, size).sin()


def faults(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.locator("[data-figure]").evaluate(FAULTS)
    return found


@pytest.mark.parametrize("kind", MAKE)
def test_words_of_a_real_sentence_stand_apart_within_the_figure(
    open_figure: Open, kind: str
) -> None:
    for lang, length in LENGTHS:
        page = open_figure(MAKE[kind](SENTENCE[lang][:length], lang))
        for width in (1280, 390):
            resize(page, width, 900)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert faults(page) == [], (lang, length, width)
