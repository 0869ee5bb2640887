"""Operate controls and links of a figure, and take snapshots of it."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from playwright.sync_api import Locator, Page

from attention_figures import Figure

REFUSED = "[data-link-refused]"
PAINTED = """async () => {
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
}"""

# Its own random numbers, so that a seed does the same in every browser. The buttons of the toolbar
# are not used.
MOVE_CONTROLS = """(root, seed) => {
  let state = 48271 * (seed + 1) ** 5;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const upTo = (n) => Math.floor(random() * n);
  const tell = (input) => ["input", "change"].forEach((type) =>
    input.dispatchEvent(new Event(type, { bubbles: true })));
  const names = new Set();
  const native = "[data-control]:not(.toolbar *, [role=slider])";
  const controls = () => [...root.querySelectorAll(native)];
  for (let i = 0; i < controls().length; i++) {
    const input = controls()[i];  // moving one may replace others
    names.add(input.dataset.control);
    if (input.closest("[hidden]") || random() < 0.2) continue;
    if (input.type === "range") {
      input.value = Number(input.min) + upTo(1 + Number(input.max) - Number(input.min));
    } else if (input.type === "number" || input.inputMode === "decimal") {
      input.value = (upTo(20001) - 10000) / 1000;
    } else if (input.type === "checkbox") input.checked = random() < 0.5;
    else if (input.tagName === "SELECT") {
      const { length } = input.options;
      input.selectedIndex = (input.selectedIndex + 1 + upTo(length - 1)) % length;  // another one
    }
    else if (input.tagName === "BUTTON") input.click();
    else input.value = ["a cat sleeps", "红色的 Hund, naïve ☃ 🐈", ""][upTo(3)];
    if (input.tagName !== "BUTTON") tell(input);
  }
  return [...names];
}"""
# Without focus and pointer effects, and without the toolbar.
ALL_SEEN = """(root) => {
  const nodes = [...root.querySelectorAll("*:not(.toolbar *, .toolbar, [role=status])")];
  return nodes.flatMap((node) => [
    node.tagName, node.hidden, node.value, node.checked, node.disabled,
    node.style?.cssText.split(/;\\s*/).sort().join(),
    ...["d", "x", "y", "cx", "cy", "r", "width", "height", "transform", "data-masked",
      "data-chosen", "data-ahead", "data-now", "data-at", "fill-opacity", "stroke-width"]
      .map((name) => node.getAttribute(name)),
    ...[...node.childNodes].filter((part) => part.nodeType === 3).map((part) => part.data),
    node.tagName === "CANVAS" ? node.toDataURL() : "",
  ]);
}"""
# As a string, because Playwright serialises every item of a list.
SNAPSHOT = f"""async (root) => {{
  await ({PAINTED})();  // arcs follow the width that their words leave them
  return JSON.stringify(({ALL_SEEN})(root));
}}"""


def figure_on(page: Page) -> Locator:
    return page.locator("[data-figure]")


def move_controls(page: Page, seed: int) -> list[str]:
    """Move most of the controls, and return the names of all controls."""
    names: list[str] = figure_on(page).evaluate(MOVE_CONTROLS, seed)
    return names


def change_something(page: Page, start: list[Any]) -> None:
    """Move controls until the figure looks different; a single one may land where it was."""
    for seed in range(1, 9):
        move_controls(page, seed)
        if snapshot(page) != start:
            return
    raise AssertionError("whatever is moved, the figure looks as it did")


def snapshot(page: Page) -> list[Any]:
    """Return everything that is drawn, written or entered in the figure."""
    everything: list[Any] = json.loads(figure_on(page).evaluate(SNAPSHOT))
    return everything


def copied_link(page: Page) -> str:
    """Copy the figure's link without a clipboard, and read it from the page."""
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    figure_on(page).locator("summary").click()
    figure_on(page).locator('[data-control="copy-link"]').click()
    field = figure_on(page).locator(".copying textarea").first
    link = field.input_value()
    page.keyboard.press("Escape")
    return link


def link_hash(figure: Figure, *content: Any) -> str:
    """Return the URL hash of a link with this content."""
    packed = urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode())
    return f"#figure-{figure.name}:{packed.decode().rstrip('=')}"


def fingerprint(page: Page) -> str:
    """Return the fingerprint of the figure's initial state, from a link to that state."""
    packed = copied_link(page).split(":")[-1]
    own, differences = json.loads(urlsafe_b64decode(packed + "=="))
    assert differences == {}
    return str(own)


def go_to_hash(page: Page, link_hash: str) -> None:
    """Set the URL hash, and wait for the next paint."""
    page.evaluate("(hash) => void (location.hash = hash)", link_hash)
    page.evaluate(PAINTED)


def resize(page: Page, width: int, height: int) -> None:
    """Set the viewport size, and wait for the next paint."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(PAINTED)


def load(page: Page, address: str) -> None:
    """Load a page, also if only the hash differs from the current URL."""
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("[data-live]")
