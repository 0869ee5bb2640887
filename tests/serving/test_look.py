"""Test the look of cells that can run: on a phone, dark, in a lecture, in print, with axe."""

import pytest
from axe import violations
from notebook_page import FIRST, NEXT, Notebook
from playwright.sync_api import expect

from tests.missing_rules import missing_rules, theme_sheet
from tests.variants import redundant

CODE = """import sys
def double(x):  # twice
    return x * 2.5 if x is not None else "none"
print("\\x1b[31mred\\x1b[32mgreen\\x1b[33myellow\\x1b[34mblue\\x1b[35mmagenta\\x1b[36mcyan\\x1b[0m")
print("to stderr", file=sys.stderr)
"""

KERNELS_FORK = True


@pytest.mark.parametrize(
    ("width", "mode"), [(390, "dark"), (1280, "light"), redundant((390, "light"))]
)
def test_axe_finds_nothing_and_nothing_is_too_wide(
    width: int, mode: str, notebook: Notebook
) -> None:
    page = notebook.page
    page.evaluate("(mode) => localStorage.setItem('mode', mode)", mode)
    page.set_viewport_size({"width": width, "height": 844})
    page.reload()
    notebook[FIRST].run(CODE)
    failing = notebook[NEXT]
    failing.run("import torch\ntorch.nn.Linear(2, 3)(torch.ones(4))", "failed")
    failing.output.locator("summary").click()
    assert violations(page) == [[]]
    assert missing_rules(page, theme_sheet()) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for button in notebook[FIRST].bar.locator("button:visible").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= (44 if width < 600 else 24)
    page.set_viewport_size({"width": 1280, "height": 844})


def test_paper_has_the_outputs_and_no_buttons(notebook: Notebook) -> None:
    cell = notebook[FIRST].run("print(6 * 7)")
    notebook.page.emulate_media(media="print")
    expect(notebook.page.locator(".cell-bar:visible")).to_have_count(0)
    expect(cell.output).to_be_visible()
    expect(cell.code).to_be_visible()
    notebook.page.emulate_media(media="screen")


def test_the_keys_of_a_lecture_leave_an_editor_alone(notebook: Notebook) -> None:
    page, cell = notebook.page, notebook[FIRST]
    page.keyboard.press("Alt+l")
    expect(page.locator("html[data-lecture]")).to_be_attached()
    page.keyboard.press("Home")
    for _ in range(40):
        if cell.bar.is_visible():
            break
        page.keyboard.press("PageDown")
    cell.press("edit")
    expect(cell.code).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("n = 1; print(n, 'w')  ?")
    expect(cell.code).to_have_text("n = 1; print(n, 'w')  ?")
    expect(cell.bar).to_be_visible()
    cell.write("print(6 * 7)")
    page.keyboard.press("Shift+Enter")
    expect(cell.output).to_have_text("42")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    page.keyboard.press("Alt+l")
    expect(page.locator("html[data-lecture]")).to_have_count(0)
