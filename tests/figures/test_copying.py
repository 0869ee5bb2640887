"""Test the copy buttons: they confirm, or show the text where there is no clipboard."""

from collections.abc import Iterator

import pytest
from figure_examples import steps
from figure_page import Open, control
from playwright.sync_api import Browser, Page, expect


@pytest.fixture
def secure_page(browser: Browser, module_url: str) -> Iterator[Page]:
    """Open a page that may use the clipboard."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(module_url)
    yield page
    context.close()


@pytest.mark.parametrize(("lang", "says"), [("en", "Copied"), ("zh", "已复制")])
def test_the_clipboard_gets_the_link(secure_page: Page, lang: str, says: str) -> None:
    secure_page.set_content(steps(lang).to_html())
    secure_page.locator("summary").click()
    button = control(secure_page, "copy-link")
    button.click()
    status = secure_page.locator(".copying [role=status]").first
    expect(status).to_have_text(says)
    assert "#figure-masked-softmax:" in secure_page.evaluate("navigator.clipboard.readText()")
    expect(secure_page.locator(".copying textarea").first).to_be_hidden()
    control(secure_page, "reset").focus()
    expect(status).to_have_text("")


def test_without_a_clipboard_the_link_stands_there_selected(open_figure: Open) -> None:
    page = open_figure(steps())
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.locator("summary").click()
    control(page, "copy-link").click()
    field = page.locator(".copying textarea").first
    expect(field).to_be_focused()
    expect(field).not_to_be_editable()
    expect(page.locator(".copying [role=status]").first).to_contain_text("copy it by hand")
    selected = page.evaluate("getSelection().toString()")
    assert selected == field.input_value()
    assert "#figure-masked-softmax:" in selected
