"""Test that a handle's highlight is animated once visible, without any layout of the page."""

from book_pages import CHAPTERS, OpenPage
from playwright.sync_api import Page, expect

FIGURES = "[data-figure]:has([data-handle] :is(.grip, .ring))"
# Animated handles: the figure, and the animated properties.
BECKONING = """(figures) => document.getAnimations()
  .filter(({ animationName }) => animationName?.startsWith("beckon"))
  .map(({ effect }) => [
    [...document.querySelectorAll(figures)].indexOf(effect.target.closest(figures)),
    ...new Set(effect.getKeyframes().flatMap(Object.keys)),
  ])"""
OF_A_KEYFRAME = {"offset", "computedOffset", "easing", "composite"}


def beckoning(page: Page) -> set[int]:
    found = page.evaluate(BECKONING, FIGURES)
    for _, *properties in found:
        assert {*properties} - OF_A_KEYFRAME == {"opacity", "transform"}
    return {figure for figure, *_ in found}


def test_a_handle_is_highlighted_once_it_is_visible_and_not_before(open_page: OpenPage) -> None:
    for name in (CHAPTERS[0], CHAPTERS[3]):  # a point in a plot, an edge
        page = open_page(name, viewport={"width": 1280, "height": 844})
        page.emulate_media(reduced_motion="no-preference")
        figures = page.locator(FIGURES)
        figures.first.locator("[data-handle]").first.scroll_into_view_if_needed()
        expect(figures.first).to_have_attribute("data-seen", "")
        assert beckoning(page) == {0}
        last = figures.count() - 1
        assert last > 0
        figures.nth(last).locator("[data-handle]").first.scroll_into_view_if_needed()
        expect(figures.nth(last)).to_have_attribute("data-seen", "")
        assert last in beckoning(page)
