"""Test that a report contains the page, the section, and the state of its figure."""

import re

import pytest
from book_pages import CHAPTERS, OpenPage
from playwright.sync_api import expect

PAGES = [page for page in CHAPTERS if "masked-softmax" in page]
LINES = {
    "en": ("Page: ", "Section: From scores to output", "Figure: #", "What is wrong:"),
    "zh": ("页面：", "小节：从分数到输出", "图：#", "哪里有误："),
}


@pytest.mark.parametrize("page", PAGES)
def test_a_report_names_page_section_and_state_and_keeps_what_is_written(
    page: str, open_page: OpenPage
) -> None:
    opened = open_page(page, viewport={"width": 320, "height": 700})
    lines = LINES[page.split("/")[1]]
    report, text = opened.locator(".report"), opened.locator(".report textarea")
    report.locator("summary").press("Enter")  # nothing was done yet
    expect(text).to_have_value(re.compile(f"^{lines[0]}[^\n]*{page}[^\n]*\n\n{lines[-1]}\n$"))
    assert opened.evaluate("document.documentElement.scrollWidth") <= 320
    text.press("ControlOrMeta+End")
    text.press_sequentially("a comma, 逗号")
    report.locator("summary").press("Enter")
    figure = opened.locator('[data-figure="pipeline"]')
    figure.locator('[data-control="valid_lens[0]"]').fill("1")
    figure.locator("summary").last.click()
    figure.locator("a[href='#report']").press("Enter")
    expect(report).to_have_attribute("open", "")
    expect(text).to_have_value(
        re.compile(f"\n{lines[1]}.*\n{lines[2]}.*\n\n.*a comma, 逗号$", re.DOTALL)
    )
    assert lines[0] in text.input_value()
    (state,) = re.findall(r"#figure-pipeline:\S+", text.input_value())
    (section,) = re.findall(r"\(#([\w-]+)\)", text.input_value())
    assert opened.locator(f"section[id='{section}'] [data-figure=pipeline]").count() == 1
    opened.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    report.locator("button").click()
    marked = "[document.activeElement.selectionStart, document.activeElement.selectionEnd]"
    assert opened.evaluate(marked) == [0, len(text.input_value())]
    report.locator("select").select_option("")
    assert lines[1] not in text.input_value()
    other = open_page(page + state)
    moved = other.locator('[data-figure="pipeline"] [data-control="valid_lens[0]"]')
    expect(moved).to_have_value("1")
