"""Check pages with axe."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

# Checking the contrast of thousands of words takes seconds. Contrast depends only on colours, size
# and weight, so axe checks one word of each combination. The colours of figures' numbers, of which
# a page shows only some, are tested in test_colours.py.
MARK = """() => {
  const [looks, grounds] = [new Set(), new Map([[null, ""]])];
  const ground = (node) => {
    if (!grounds.has(node)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(node);
      const below = ground(node.parentElement);
      grounds.set(node, [backgroundColor, backgroundImage, opacity, below].join());
    }
    return grounds.get(node);
  };
  for (const node of document.querySelectorAll("body :not(.katex, .katex *)")) {
    const says = [...node.childNodes].some((part) => part.nodeType === 3 && /\\S/.test(part.data));
    if (!says || !node.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(node);
    const look = [color, fontSize, fontWeight, ground(node)].join();
    node.toggleAttribute("data-look", !looks.has(look));
    looks.add(look);
  }
  return looks.size;
}"""
# All checks are started before the first is awaited, so that the browser uses two processors. A
# page from disk may not read its own style sheets again (preload), which no enabled rule needs.
# Code is checked without words of a known combination, and formulas without their glyphs, which are
# hidden from screen readers: thousands of nodes to which no rule applies.
JUDGE = """() => {
  const known = (part) => !part.matches?.("[data-look], :has([data-look])");
  const boxes = [...document.querySelectorAll("pre, .katex-html")]
    .map((box) => [box, [...box.childNodes]]);
  for (const [box, parts] of boxes) {
    const words = parts.map((part) => (known(part) ? part.textContent : part));
    box.replaceChildren(...(box.matches("pre") ? words : []));
  }
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-look]" }] });
  window.judged = axe.run({ resultTypes: ["violations"], preload: false }).finally(() => {
    boxes.forEach(([box, parts]) => box.replaceChildren(...parts));
    document.querySelectorAll("[data-look]").forEach((node) => node.removeAttribute("data-look"));
  });
}"""
VIOLATIONS = """async () => (await window.judged).violations.map(
  ({ id, nodes }) => [id, nodes.length, nodes[0].html.slice(0, 200), nodes[0].failureSummary])"""


def violations(*pages: Page) -> list[list[Any]]:
    """Return the violations on each page: rule, count, first element, explanation."""
    for page in pages:
        page.mouse.move(0, 0)
        expect(page.locator(".bs-tooltip-auto")).to_have_count(0)  # of the theme, for a button
        page.evaluate(AXE_SCRIPT)
        assert page.evaluate(MARK) > 3
        page.evaluate(JUDGE)
    return [page.evaluate(VIOLATIONS) for page in pages]
