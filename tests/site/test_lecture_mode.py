"""Test lecture mode: a page in screens, each as large as possible."""

from itertools import pairwise

import pytest
from book_pages import CHAPTERS, ENGLISH, OpenPage
from lecturing import (
    ALIGNMENT,
    CHINESE,
    FIGURE,
    NO_FULL_SCREEN,
    PHONE,
    PROJECTOR,
    SECTIONS,
    begin,
    go_to_the_figure,
    says,
)
from playwright.sync_api import Browser, Locator, ViewportSize, expect

from tests.variants import sampled

SCREEN = """() => {
  const stage = document.querySelector("article");
  const { top, bottom, right } = stage.getBoundingClientRect();
  const seen = (block) => block.getClientRects().length > 0;
  const blocks = [...stage.querySelectorAll(
    "section :is(p, li, pre, table, img, summary, div.math, [data-figure])"
  )].filter((block) => !block.closest("details > :not(summary), summary *, [data-figure] *"));
  const cut = (block) => block.getBoundingClientRect().bottom > bottom + 1;
  return {
    says: document.querySelector(".lecture-bar [role=status]").textContent,
    headings: [...stage.querySelectorAll("h1, h2, h3")].filter(seen).length,
    shown: blocks.flatMap((block, i) => (seen(block) ? [i] : [])),
    cut: blocks.filter((block) => seen(block) && cut(block)).map((block) => block.textContent),
    blocks: blocks.length,
    alone: new Set(blocks.filter(seen).map((block) => block.closest(".cell") ?? block)).size <= 1,
    scrolls: stage.scrollHeight > stage.clientHeight + 1,
    wide: stage.scrollWidth > stage.clientWidth + 1,
    letters: parseFloat(getComputedStyle(stage.querySelector("p")).fontSize),
  };
}"""


@pytest.mark.parametrize(("name", "size"), [(SECTIONS, PROJECTOR), (CHINESE, PHONE)])
def test_a_lecture_shows_each_block_of_the_page_in_its_turn(
    name: str, size: ViewportSize, open_page: OpenPage
) -> None:
    opened = open_page(name, viewport=size, from_disk=size == PHONE)
    begin(opened)
    screens = [opened.evaluate(SCREEN)]
    while len(screens) < 2 or screens[-1]["says"] != screens[-2]["says"]:
        opened.keyboard.press("PageDown")
        screens.append(opened.evaluate(SCREEN))
    screens.pop()
    assert {number for screen in screens for number in screen["shown"]} == set(
        range(screens[0]["blocks"])
    )
    for before, after in pairwise(screens):
        assert after["scrolls"] or min(after["shown"], default=0) >= max(before["shown"], default=0)
    for screen in screens:
        assert screen["headings"] == 1
        assert screen["scrolls"] or screen["cut"] == []
        assert not screen["wide"]
    # A block alone on a screen is scaled down if it would be too long or too wide.
    assert size == PHONE or all(s["letters"] >= 24 for s in screens if not s["alone"])
    opened.keyboard.press("PageUp")
    assert opened.evaluate(SCREEN) == screens[-2]
    opened.keyboard.press("Home")
    assert opened.evaluate(SCREEN) == screens[0]


def test_a_figure_fills_the_screen_and_stays_alive(open_page: OpenPage) -> None:
    opened = open_page(FIGURE, viewport=PROJECTOR)
    begin(opened)
    figure = go_to_the_figure(opened)
    box, stage = figure.bounding_box(), opened.locator("article").bounding_box()
    assert box
    assert stage
    assert 0.95 * stage["width"] < box["width"] <= stage["width"]
    assert 0.7 * stage["height"] < box["height"] < stage["height"]
    assert box["y"] + box["height"] <= stage["height"]
    figure.locator("[data-skip]").click()
    said, weights = says(opened), figure.locator("td[data-at]").all_inner_texts()
    opened.keyboard.press("f")
    expect(figure.locator('[data-control="valid_lens[0]"]')).to_be_focused()
    for key in ("ArrowRight", "ArrowRight", "End"):
        opened.keyboard.press(key)
    assert figure.locator("td[data-at]").all_inner_texts() != weights
    opened.keyboard.press("2")
    expect(figure.locator('[data-control="valid_lens[1]"]')).to_be_focused()
    assert says(opened) == said
    opened.keyboard.press("PageUp")
    assert says(opened) != said


ENGLISH_CHAPTERS = [page for page in CHAPTERS if page in ENGLISH]


@pytest.mark.parametrize("page", sampled(ENGLISH_CHAPTERS, ENGLISH_CHAPTERS[::3].__contains__))
def test_no_figure_is_much_smaller_than_on_its_page(page: str, open_page: OpenPage) -> None:
    opened = open_page(page, viewport=PROJECTOR)
    numbers = (
        opened.locator("[data-figure]").first.locator("tbody td, .key-word, [data-sentence]").first
    )
    size = "(cell) => parseFloat(getComputedStyle(cell).fontSize)"
    usual = numbers.evaluate(size)
    begin(opened)
    opened.evaluate("location.hash = document.querySelector('[data-figure]').id")
    expect(opened.locator("html")).to_have_attribute("data-lecture", "figure")
    assert numbers.evaluate(size) >= 0.75 * usual


def test_a_figure_that_grows_stays_on_the_screen(open_page: OpenPage) -> None:
    opened = open_page(ALIGNMENT, viewport=PROJECTOR)
    begin(opened)
    figure = go_to_the_figure(opened)
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    before = opened.evaluate(size)
    strange = "，".join(f"鹰在{place}" for place in "山海河林岛")
    figure.locator("[data-control=premise]").fill(strange)
    expect(figure.locator(".notice")).to_contain_text("鹰")  # the figure lists unknown words
    opened.wait_for_function(  # a row per word would not fit at the previous size
        f"""({{ scrollHeight, clientHeight }}) =>
          {size} < {before} && scrollHeight <= clientHeight + 1""",
        arg=opened.locator("article").element_handle(),
    )


@pytest.mark.parametrize(
    ("size", "least"), [(PROJECTOR, 18), ({"width": 1920, "height": 1080}, 27), (PHONE, 16)]
)
def test_the_type_of_a_figure_is_large_and_on_a_phone_as_on_its_page(
    size: ViewportSize, least: float, open_page: OpenPage
) -> None:
    opened = open_page(ALIGNMENT, viewport=size)
    begin(opened)
    figure = go_to_the_figure(opened)
    letters = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    assert opened.evaluate(letters) >= least
    if size == PHONE:  # and the part below can be reached
        said = says(opened)
        opened.keyboard.press("PageDown")
        assert says(opened) != said
        expect(figure).to_be_visible()


@pytest.mark.parametrize("side_by_side", ["one", "page"])
def test_another_window_or_language_is_cut_into_screens_again(
    side_by_side: str, open_page: OpenPage
) -> None:
    chosen = f"localStorage.setItem('side-by-side', '{side_by_side}');"
    opened = open_page(SECTIONS, viewport=PROJECTOR, before=chosen + NO_FULL_SCREEN)
    opened.locator(".counterpart, .counterpart-place").first.wait_for(state="attached")
    begin(opened)
    for key in ("PageDown", "PageDown", "PageDown"):
        opened.keyboard.press(key)
        screen = opened.evaluate(SCREEN)
        assert screen["scrolls"] or screen["cut"] == []
        assert not screen["wide"]
        pairs = opened.locator("article p:has(+ div.counterpart)")
        assert all(pair.is_visible() == _next(pair).is_visible() for pair in pairs.all()[:8])
    first = opened.locator("article :is(p, li, pre):visible").first
    first.evaluate("(block) => block.classList.add('was-first')")
    opened.set_viewport_size({"width": 900, "height": 500})
    expect(opened.locator(".was-first")).to_be_visible()
    screen = opened.evaluate(SCREEN)
    assert screen["scrolls"] or screen["cut"] == []


def _next(block: Locator) -> Locator:
    return block.locator("xpath=following-sibling::*[1]")


def test_a_lecture_that_does_not_load_says_so(browser: Browser, address: str) -> None:
    opened = browser.new_page()
    opened.route("**/lecture_mode.js", lambda route: route.abort())
    opened.goto(address + CHINESE)
    opened.locator(".lecture-button").click()
    expect(opened.locator("article > .not-loaded")).to_have_text("讲课模式未能加载，请刷新页面。")
    expect(opened.locator(".lecture-button")).to_be_hidden()
    opened.close()
