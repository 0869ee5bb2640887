"""Test that every character of the book has a glyph, and no formula is cut off."""

import pytest
from book_pages import CHAPTERS, PAGES, SharedPage, default_device
from playwright.sync_api import Browser

# A character without a glyph is drawn like U+0378, which is unassigned in Unicode.
MISSING = """async () => {
  await document.fonts.ready;
  const pen = new OffscreenCanvas(40, 40).getContext("2d", { willReadFrequently: true });
  const drawn = (font, text) => {
    pen.clearRect(0, 0, 40, 40);
    pen.font = font;
    pen.fillText(text, 4, 30);
    return new Uint32Array(pen.getImageData(0, 0, 40, 40).data.buffer).join();
  };
  const [seen, missing] = [new Map(), new Set()];
  const check = (style, text) => {
    const font = `${style.fontStyle} ${style.fontWeight} 24px ${style.fontFamily}`;
    if (!seen.has(font)) seen.set(font, [drawn(font, "\\u0378"), new Set()]);
    const [blank, letters] = seen.get(font);
    for (const letter of text.replace(/[\\s\u200b]/g, "")) {
      if (letters.has(letter)) continue;
      letters.add(letter);
      if (drawn(font, letter) === blank) missing.add(letter);
    }
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, data } = walker.currentNode;
    if (!parent.closest("script, style, noscript, .katex-mathml")) {
      check(getComputedStyle(parent), data);
    }
  }
  return [...missing];
}"""

# Displayed formulas that are partly cut off by their box, which scrolls sideways.
CUT = """() => [...document.querySelectorAll(".katex-display")].filter((box) => {
  if (!box.checkVisibility()) return false;
  const { top, bottom } = box.getBoundingClientRect();
  return [...box.querySelectorAll(".katex-html > .base > .strut")].some((strut) => {
    const ink = strut.getBoundingClientRect();
    return !ink.height || ink.top < top || ink.bottom > bottom;
  });
}).map((box) => box.textContent)"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_no_formula_is_cut_off(page: str, shared_page: SharedPage) -> None:
    opened = shared_page(page, default_device(page))
    assert opened.locator(".katex-display").count()
    assert opened.evaluate(CUT) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_character_has_a_glyph(page: str, shared_page: SharedPage) -> None:
    assert shared_page(page, default_device(page)).evaluate(MISSING) == []


def test_a_character_without_a_glyph_would_be_seen(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<p>学 and \u0379</p>")
    assert page.evaluate(MISSING) == ["\u0379"]
    page.close()
