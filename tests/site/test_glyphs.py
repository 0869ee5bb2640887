"""Every character of the book can be drawn, and none is cut off."""

import pytest
from book_pages import CHAPTERS, DESK, ENGLISH, PAGES, Look
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
  const [seen, missing] = [new Map(), new Set()];
  const check = (style, text) => {
    const font = `${style.fontStyle} ${style.fontWeight} 24px ${style.fontFamily}`;
    if (!seen.has(font)) seen.set(font, [drawn(font, "\\u0378"), new Set()]);
    const [blank, letters] = seen.get(font);
    for (const letter of text.replace(/\\s/g, "")) {
      if (letters.has(letter)) continue;
      letters.add(letter);
      if (drawn(font, letter) === blank) missing.add(letter);
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

# Formulas within a line of which the box that clips shows a part: some ink is above it or below.
CUT = """() => [...document.querySelectorAll("span.math:has(mjx-container)")].filter((box) => {
  const { top, bottom } = box.getBoundingClientRect();
  return [...box.querySelectorAll("mjx-c")].some((letter) => {
    const ink = letter.getBoundingClientRect();
    return ink.height && (ink.top < top - 1.5 || ink.bottom > bottom + 1.5);
  });
}).map((box) => box.textContent)"""


@pytest.mark.parametrize("page", [page for page in CHAPTERS if page in ENGLISH])
def test_no_formula_within_a_line_is_cut_off(page: str, look: Look) -> None:
    opened = look(page, DESK)
    assert opened.locator("span.math mjx-container").count()
    assert opened.evaluate(CUT) == []


@pytest.mark.parametrize("page", PAGES)
def test_every_character_has_a_glyph(page: str, look: Look) -> None:
    assert look(page, DESK).evaluate(MISSING) == []


def test_a_character_without_a_glyph_would_be_seen(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<p>学 and \u0379</p>")
    assert page.evaluate(MISSING) == ["\u0379"]
    page.close()
