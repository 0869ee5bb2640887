"""Where the tests of tests/fixtures meet the front end: all that they ask of it goes through here.

`stages` alone knows its modules, by kit.py. The rest are hooks that every front end keeps:
`data-figure`, `data-control`, the clipboard, a download.
"""

import json
from pathlib import Path
from typing import Any

import kit
from fixtures import State, figure_of
from playwright.sync_api import Locator, Page

# Without a clipboard a page shows what it would copy. With this one it is kept for the test.
CLIPBOARD = """() => {
  const value = { writeText: async (text) => { window.copied = text; } };
  Object.defineProperty(navigator, "clipboard", { value });
}"""


def stages(states: list[State], names: list[str]) -> list[dict[str, Any]]:
    """Compute, in Node, the stages of these names for states of one kind.

    Names are those of `Figure.stages()`; a dimension of 1 may be missing, and infinities are text.
    """
    every = [{**own, **more} for own, more in zip(states, kit.stages(states), strict=True)]
    for one in every:  # a stage that bears the name of a trait in Python
        one |= {"draws": one["draws_now"]} if "draws_now" in one else {}
    return [{name: own.get(name, own.get(f"{name}_")) for name in names} for own in every]


def page_of(state: State) -> str:
    """Return a page with a figure as a notebook stores it, in a fragment of HTML."""
    figure = figure_of(state)
    own = figure._repr_mimebundle_()[0]["text/html"]
    content = json.dumps(state, ensure_ascii=False).replace("<", "\\u003c")
    stored = (
        f'<div class="attention-figure" data-figure="{state["name"]}" lang="{state["lang"]}">'
        f'<script type="application/json">{content}</script></div>'
    )
    html = figure.to_html()
    assert html.count(own) == 1
    return html.replace(own, stored)


def live(page: Page, file: Path, link: str = "") -> Locator:
    """Open a page anew, and return its figure when it is alive."""
    page.goto("about:blank")  # another fragment alone would not load the page again
    page.goto(f"{file.as_uri()}{link}")
    page.wait_for_selector("[data-live]")
    page.evaluate(CLIPBOARD)
    return page.locator("[data-figure]")


def is_covered(figure: Locator) -> bool:
    """Whether the weights are hidden, so that a class can guess first; none are hidden, too."""
    return not figure.locator("[data-at]:visible").count()


def uncover(figure: Locator) -> None:
    """Show the weights of a figure that hides them."""
    press(figure, "hide")


def press(figure: Locator, control: str) -> None:
    """Press a button that may stand in a menu that is closed."""
    figure.locator(f'[data-control="{control}"]').dispatch_event("click")


def copied(figure: Locator, control: str) -> str:
    """Return what a button copies."""
    page = figure.page
    page.evaluate("window.copied = null")
    press(figure, control)
    page.wait_for_function("window.copied !== null")
    text: str = page.evaluate("window.copied")
    return text


def downloaded(figure: Locator) -> str:
    """Return the numbers that a figure gives away."""
    with figure.page.expect_download() as started:
        press(figure, "download-numbers")
    return started.value.path().read_text("utf-8")
