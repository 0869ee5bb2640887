"""What axe, which knows the rules, says of pages."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

# Axe takes seconds for the contrast of thousands of words, most of which look alike: it judges one
# of each look, which is all that contrast depends on. The colours of figures' numbers, of which
# there are more than any page shows, have a test of their own: test_colours.py.
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
# Started in both themes before either is waited for: the browser then uses two processors. A page
# from disk may not read its own style sheets again (preload), which no rule does that is on. Code
# is judged without the words whose look is known, and formulas without their glyphs, which are
# hidden from listeners and hold no text: thousands of nodes, of which rules have nothing to say.
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
    """Return what axe finds on each page: rule, how often, the first place, what is wrong there."""
    for page in pages:
        page.mouse.move(0, 0)
        expect(page.locator(".bs-tooltip-auto")).to_have_count(0)  # of the theme, for a button
        page.evaluate(AXE_SCRIPT)
        assert page.evaluate(MARK) > 3
        page.evaluate(JUDGE)
    return [page.evaluate(VIOLATIONS) for page in pages]
