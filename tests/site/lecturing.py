"""Provide pages, viewports and actions for tests of lecture mode."""

from collections.abc import Callable

from book_pages import DEVICES, ROOM
from playwright.sync_api import Locator, Page, ViewportSize, expect

PAGE, ALIGNMENT = (
    "book/en/04-masked-softmax.html",
    "book/zh/09-decomposable-attention.html#figure-alignment",
)
FIGURE = "book/en/05-additive-attention.html#figure-additive"  # large, and with valid lengths
SECTIONS, CHINESE = (f"book/{lang}/misreadings.html" for lang in ("en", "zh"))  # without slides
# Removes the slide metadata from a page before its scripts run.
WITHOUT_SLIDES = """document.addEventListener("DOMContentLoaded", () =>
  document.querySelectorAll("[data-slide]").forEach((mark) => mark.remove()));"""
# Waits until the effects of an event are painted.
PAINTED = """async () => {
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
}"""
PROJECTOR: ViewportSize = DEVICES[ROOM]["viewport"]
PHONE: ViewportSize = {"width": 390, "height": 844}
NO_FULL_SCREEN = DEVICES[ROOM]["before"]  # so that the viewport can have any size


def begin(page: Page) -> None:
    page.keyboard.press("Alt+l")
    expect(page.locator(".lecture-bar")).to_be_visible()


def says(page: Page) -> str:
    return page.locator(".lecture-bar [role=status]").first.inner_text()


def go_on_until(page: Page, reached: Callable[[], bool]) -> None:
    for _ in range(99):
        if reached():
            return
        page.keyboard.press("PageDown")
    raise AssertionError("no screen is such a one")


def go_to_the_figure(page: Page) -> Locator:
    html = page.locator("html")
    go_on_until(page, lambda: html.get_attribute("data-lecture") == "figure")
    return page.locator("[data-figure]:visible")
