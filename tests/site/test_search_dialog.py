"""Test the search dialog: keyboard, input methods, touch, and failures."""

import re
from urllib.parse import urlsplit

import pytest
from book_pages import SEARCH, OpenPage
from playwright.sync_api import Browser, Locator, Route, expect
from searching import CHAPTER, FOUND, pages, search_for


def test_a_page_offers_what_the_other_language_has(open_page: OpenPage) -> None:
    opened = open_page(f"book/en/{CHAPTER}")
    opened.keyboard.press("Control+k")
    panel = search_for(opened, "加性注意力")
    # the section with the whole word, before those with a part of it
    assert panel.locator("li li a").first.inner_text() == "5 · Additive attention"
    offer = panel.locator(".search-more a").last
    number = re.fullmatch(r"In Chinese: (\d+) pages", offer.inner_text())
    assert number
    offer.click()
    opened.wait_for_url("**/search-zh.html?q=*")
    opened.wait_for_function(FOUND, arg="加性注意力")
    assert len(pages(opened.locator(".search-panel:visible"))) == int(number[1])
    opened.locator("a.language-switch").click()  # keeps the query
    opened.wait_for_url("**/search.html?q=*")
    opened.wait_for_function(FOUND, arg="加性注意力")


def test_the_dialog_is_used_by_keyboard_alone(open_page: OpenPage) -> None:
    opened = open_page(f"book/zh/{CHAPTER}")
    button = opened.locator(".search-button__button:visible").first
    button.focus()
    opened.keyboard.press("Enter")
    opened.keyboard.type("掩蔽")
    opened.wait_for_function(FOUND, arg="掩蔽")
    dialog = opened.locator(".search-button__search-container")
    finds = dialog.locator(".search-pages a")
    assert len(pages(dialog)) == 5
    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("ArrowDown")
    assert finds.nth(1).evaluate("(link) => link === document.activeElement")
    opened.keyboard.press("ArrowUp")
    opened.keyboard.press("ArrowUp")
    assert dialog.locator("[name=q]").evaluate("(field) => field === document.activeElement")
    opened.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert button.evaluate("(button) => button === document.activeElement")
    opened.keyboard.press("Control+k")
    for _ in range(2):
        opened.keyboard.press("ArrowDown")
    hash = urlsplit(finds.nth(1).get_attribute("href") or "").fragment
    opened.keyboard.press("Enter")  # a section of the same page
    opened.wait_for_url(f"**/{CHAPTER}#{hash}")
    assert not dialog.is_visible()


def test_letters_on_their_way_to_being_characters_are_no_query(open_page: OpenPage) -> None:
    opened = open_page(SEARCH[1])
    field = opened.locator("[name=q]:visible")
    for _ in range(2):  # not in and out
        opened.keyboard.press("Control+k")
        expect(field).to_be_focused()
    keyboard = opened.context.new_cdp_session(opened)
    step = {"selectionStart": 3, "selectionEnd": 3}
    keyboard.send("Input.imeSetComposition", {"text": "yan", **step})
    opened.wait_for_timeout(400)
    assert opened.locator(".search-count").last.text_content() == ""
    keyboard.send("Input.insertText", {"text": "掩蔽"})
    opened.wait_for_function(FOUND, arg="掩蔽")
    assert f"book/zh/{CHAPTER}" in pages(opened.locator(".search-panel:visible"))


def test_letters_are_no_query_for_a_search_that_comes_later(browser: Browser, address: str) -> None:
    opened = browser.new_page()
    held: list[Route] = []
    opened.route("**/search_results.js*", lambda route: held.append(route))
    opened.goto(address + SEARCH[1])
    keyboard = opened.context.new_cdp_session(opened)
    step = {"selectionStart": 3, "selectionEnd": 3}
    keyboard.send("Input.imeSetComposition", {"text": "yan", **step})
    held[0].continue_()
    opened.wait_for_timeout(800)
    assert opened.locator(".search-count").last.text_content() == ""
    keyboard.send("Input.insertText", {"text": "掩蔽"})
    opened.wait_for_function(FOUND, arg="掩蔽")
    opened.close()


def test_on_a_phone_every_find_fits_and_can_be_touched(open_page: OpenPage) -> None:
    opened = open_page(f"book/en/{CHAPTER}", viewport={"width": 390, "height": 844})
    opened.locator(".search-button__button:visible").first.click()
    panel = search_for(opened, "valid_lens")
    heights = [
        (box or {"height": 0})["height"]
        for box in map(Locator.bounding_box, panel.locator("a").all())
    ]
    assert min(heights) >= 44
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    assert panel.evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")


@pytest.mark.parametrize(
    ("page", "word"), [(SEARCH[0], "needs a server"), (SEARCH[1], "要通过服务器")]
)
def test_from_disk_a_page_says_that_search_needs_a_server(
    page: str, word: str, open_page: OpenPage
) -> None:
    opened = open_page(f"{page}?q=softmax", from_disk=True)
    said = opened.locator(".search-panel:visible").inner_text()
    assert word in said
    assert "python -m http.server" in said  # an archive has no Makefile


def test_a_long_word_is_broken(open_page: OpenPage) -> None:
    opened = open_page(SEARCH[0], viewport={"width": 390, "height": 844})
    panel = search_for(opened, "x" * 500)
    assert "x" * 500 in panel.inner_text()
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("missing", ["search_results.js", "pagefind.js", "wasm."])
def test_a_search_that_does_not_load_says_so(missing: str, browser: Browser, address: str) -> None:
    def refuse(route: Route) -> None:
        route.abort()

    opened = browser.new_page()
    opened.route(f"**/{missing}*", refuse)
    opened.goto(f"{address}{SEARCH[0]}?q=softmax")
    opened.locator(".search-failed:visible").wait_for()
    panel = opened.locator(".search-panel:visible")
    # otherwise a screen reader would not announce it
    expect(panel).not_to_have_attribute("aria-busy", "true")
    opened.close()
