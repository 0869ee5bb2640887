"""Every character of the book can be drawn."""

import pytest
from book_pages import PAGES, Visit
from playwright.sync_api import Browser

# A character without a glyph is drawn as U+0378 is, which means nothing in any font.
MISSING = """async () => {
  await document.fonts.ready;
  const pen = new OffscreenCanvas(40, 40).getContext("2d", { willReadFrequently: true });
  const drawn = (font, text) => {
    pen.clearRect(0, 0, 40, 40);
    pen.font = font;
    pen.fillText(text, 4, 30);
    return new Uint32Array(pen.getImageData(0, 0, 40, 40).data.buffer).join();
  };
  const seen = new Map();
  const has = (font, text) => {
    const key = font + text;
    if (!seen.has(key)) seen.set(key, drawn(font, text));
    return seen.get(key);
  };
  const missing = new Set();
  const check = (style, text) => {
    const font = `${style.fontStyle} ${style.fontWeight} 24px ${style.fontFamily}`;
    for (const letter of text.replace(/\\s/g, "")) {
      if (has(font, letter) === has(font, "\\u0378")) missing.add(letter);
    }
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: parent, data } = walker.currentNode;
    if (!parent.closest("script, style, noscript, mjx-container")) {
      check(getComputedStyle(parent), data);
    }
  }
  for (const icon of document.querySelectorAll("[class*=fa-]")) {
    const style = getComputedStyle(icon, "::before");
    check(style, style.content === "none" ? "\\u0378" : style.content.slice(1, -1));
  }
  return [...missing];
}"""


@pytest.mark.parametrize("page", PAGES)
def test_every_character_has_a_glyph(page: str, visit: Visit) -> None:
    assert visit(page).evaluate(MISSING) == []


def test_a_character_without_a_glyph_would_be_seen(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<p>学 and \u0379</p>")
    assert page.evaluate(MISSING) == ["\u0379"]
    page.close()
