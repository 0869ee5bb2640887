"""Test the toolbar below every figure: reset, and the menu."""

from typing import Any

import pytest
from figure_examples import EXAMPLES, SOME_KINDS
from figure_host import changed_from_elsewhere
from figure_page import Open, control
from interaction import figure_on, resize
from playwright.sync_api import Page, expect


@pytest.mark.parametrize("kind", SOME_KINDS)
def test_in_jupyter_reset_gives_every_trait_its_start_and_there_are_no_links(
    page: Page, module_url: str, kind: str
) -> None:
    figure = EXAMPLES[kind]("en")
    traits = sorted(figure.trait_names(state=True))
    script = f"""
      const all = () => JSON.stringify({traits}.map(model.get, model));
      const start = all();
      for (const input of document.querySelectorAll("input")) {{
        if (input.type === "checkbox") input.click();
        else type(input, input.type === "text" ? "a red dog" : "1");
      }}
      const right = {{ key: "ArrowRight", bubbles: true, cancelable: true }};
      for (const handle of document.querySelectorAll("[role=slider]"))
        handle.dispatchEvent(new KeyboardEvent("keydown", right));
      document.querySelector("[data-control=invert]")?.click();
      document.querySelector(".segments [aria-pressed=false]")?.click();
      await settled();
      const moved = all() !== start;
      field("reset").click();
      return [moved, all() === start, field("copy-link")];
    """
    assert changed_from_elsewhere(page, module_url, figure, script) == [True, True, None]


def test_the_menu_closes_with_escape_and_when_the_focus_leaves_it(open_figure: Open) -> None:
    page = open_figure(EXAMPLES["steps"]("en"))
    menu, summary = page.locator("details.share"), page.locator("details.share summary")
    entry = control(page, "copy-link")
    expect(entry).to_be_hidden()
    summary.press("Enter")
    expect(entry).to_be_visible()
    page.keyboard.press("Tab")
    expect(entry).to_be_focused()
    page.keyboard.press("Escape")
    expect(entry).to_be_hidden()
    expect(summary).to_be_focused()
    summary.press("Enter")
    control(page, "reset").focus()
    expect(menu).not_to_have_attribute("open", "")


@pytest.mark.parametrize("kind", SOME_KINDS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_on_a_phone_the_toolbar_and_its_open_menu_can_be_touched(
    open_figure: Open, kind: str, lang: str
) -> None:
    page = open_figure(EXAMPLES[kind](lang))
    resize(page, 390, 800)
    figure_on(page).locator("summary").click()
    buttons = page.locator(".toolbar :is(button, summary)").all()
    boxes: list[Any] = [button.bounding_box() for button in buttons]
    assert len(boxes) >= 4
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    frame = figure_on(page).bounding_box()
    assert frame is not None
    assert min(box["y"] for box in boxes) >= frame["y"]  # the menu lies over its own figure


@pytest.mark.parametrize(("kind", "what"), [("fill", "weights"), ("cache", "results")])
def test_the_button_says_what_it_hides(open_figure: Open, kind: str, what: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    hide = control(page, "hide").locator("[data-shown]")
    expect(hide).to_have_text(f"Hide {what}")
    hide.click()
    expect(hide).to_have_text(f"Show {what}")
    expect(page.locator("[data-sentence]")).to_contain_text(f"The {what} are hidden.")
