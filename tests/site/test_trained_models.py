"""Test that large models are loaded when a figure that needs them is first used."""

from collections.abc import Callable

import pytest
from book_pages import OpenPage
from playwright.sync_api import Browser, Locator, Page, Route, expect

PAGE = "book/{}/11-learning-to-align.html"
SCRIPT = "figures-model-dates-{}.js"
LOADED = "performance.getEntriesByType('resource').map(({ name }) => name).join()"


def own(page: Page) -> Locator:
    return page.locator('[data-figure="own"][data-live]')


def year(page: Page) -> Locator:
    return own(page).locator("[data-control=year]")


@pytest.mark.parametrize("from_disk", [False, True])
@pytest.mark.parametrize(("lang", "reads"), [("en", "as it should"), ("zh", "写对了")])
def test_it_is_loaded_at_first_use_and_once(
    open_page: OpenPage, lang: str, reads: str, from_disk: bool
) -> None:
    page, script = open_page(PAGE.format(lang), from_disk), SCRIPT.format(lang)
    own(page).scroll_into_view_if_needed()
    assert page.locator(f"script[src$='{script}']").count() == 0
    assert script not in page.evaluate(LOADED)
    for _ in range(3):
        year(page).press("ArrowRight")
    expect(own(page).locator("[data-sentence]")).to_contain_text("2017-05-03")
    expect(own(page).locator("[data-sentence]")).to_contain_text(reads)
    assert page.locator(f"script[src$='{script}']").count() == 1


@pytest.mark.parametrize(
    "fails", [lambda route: route.fulfill(body=""), lambda route: route.abort()]
)
def test_a_figure_says_that_it_is_loading_and_that_it_could_not(
    browser: Browser, address: str, fails: Callable[[Route], None]
) -> None:
    page = browser.new_page()  # which may log the failed request
    page.goto(address + PAGE.format("en"))
    page.locator('[data-figure="own"]').scroll_into_view_if_needed()
    held: list[Route] = []
    page.route(f"**/{SCRIPT.format('en')}", lambda route: held.append(route))
    said, again = own(page).locator("[data-sentence]"), own(page).locator("[data-control=again]")
    with page.expect_request(f"**/{SCRIPT.format('en')}"):
        year(page).press("ArrowRight")
    expect(said).to_have_text("The trained model is being loaded …")
    assert again.count() == 0
    fails(held.pop())
    expect(said).to_have_text("The trained model could not be loaded.")
    expect(own(page).locator("[data-at]").first).to_have_text("?")
    with page.expect_request(f"**/{SCRIPT.format('en')}"):
        again.click()
    expect(said).to_have_text("The trained model is being loaded …")
    held.pop().continue_()
    expect(said).to_contain_text("2015-05-03")
    assert again.count() == 0
    page.close()
