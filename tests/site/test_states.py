"""Test links to states of figures on the pages of the book."""

import re

import pytest
from book_pages import CHAPTERS, OpenPage, translation
from lecturing import begin
from playwright.sync_api import Page, expect

PAGE = next(page for page in CHAPTERS if "masked-softmax" in page)
PIPELINE = '[data-figure="pipeline"]'
TOP = """(figure) => figure.getBoundingClientRect().top
  - parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)"""


def copied_link(page: Page) -> str:
    """Set the first length of a figure to 1, and copy its link."""
    figure = page.locator(PIPELINE)
    figure.locator('[data-control="valid_lens[0]"]').fill("1")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    figure.locator("summary").click()
    figure.locator('[data-control="copy-link"]').click()
    return figure.locator(".copying textarea").first.input_value()


@pytest.mark.parametrize(("page", "from_disk"), [(PAGE, False), (translation(PAGE), True)])
def test_a_link_opens_the_page_at_the_figure_in_this_state_also_in_the_other_language(
    page: str, from_disk: bool, open_page: OpenPage
) -> None:
    first = open_page(page, from_disk=from_disk)
    link = copied_link(first)
    assert re.fullmatch(r".*/\d\d-masked-softmax\.html#figure-pipeline:[\w-]+", link)
    opened = open_page(page + "#" + link.split("#")[1], from_disk=from_disk)
    for there in (translation(page), page):  # and back again
        figure = opened.locator(PIPELINE)
        expect(figure.locator('[data-control="valid_lens[0]"]')).to_have_value("1")
        expect(figure.locator('[data-at="0,0,0"]')).to_have_text("1.00")
        expect(figure.locator("[data-link-refused]")).to_have_count(0)
        opened.wait_for_function(
            f"document.readyState === 'complete' && Math.abs(({TOP})(document.querySelector("
            f"'{PIPELINE}'))) < 8"
        )
        opened.locator("a.language-switch").click()
        opened.wait_for_url(f"**/{there}#figure-pipeline:*")


def test_the_other_language_has_the_state_on_the_screen(open_page: OpenPage) -> None:
    link = copied_link(open_page(PAGE))
    opened = open_page(PAGE + "#" + link.split("#")[1])
    opened.locator(f'{PIPELINE} [data-control="valid_lens[0]"]').fill("3")
    opened.locator("a.language-switch").click()
    opened.wait_for_url(f"**/{translation(PAGE)}#figure-pipeline:*")
    expect(opened.locator(f'{PIPELINE} [data-control="valid_lens[0]"]')).to_have_value("3")


def test_a_link_leads_to_its_figure_in_a_lecture_too(open_page: OpenPage) -> None:
    link = copied_link(open_page(PAGE))
    opened = open_page(PAGE)
    begin(opened)
    opened.evaluate("(hash) => { location.hash = hash; }", link.split("#")[1])
    expect(opened.locator("html")).to_have_attribute("data-lecture", "figure")
    expect(opened.locator(f'{PIPELINE} [data-control="valid_lens[0]"]')).to_be_in_viewport()
    expect(opened.locator(f'{PIPELINE} [data-at="0,0,0"]')).to_have_text("1.00")
    opened.evaluate("location.hash = '#50%'")  # leads nowhere, without an error


@pytest.mark.parametrize(
    ("page", "says"), [(PAGE, "does not fit this figure"), (translation(PAGE), "不适用")]
)
def test_a_bad_link_shows_the_initial_state_and_a_message(
    page: str, says: str, open_page: OpenPage
) -> None:
    opened = open_page(f"{page}#figure-pipeline:nonsense")
    expect(opened.locator(f"{PIPELINE} [data-link-refused]")).to_contain_text(says)
    expect(opened.locator("[data-link-refused]")).to_have_count(1)
