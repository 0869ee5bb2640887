"""What the tests do on a figure's page, and how they compare it with torch."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from attention_lib.figures import Figure

Open = Callable[[Figure], Page]


def control(page: Page, name: str) -> Locator:
    return page.locator(f'[data-control="{name}"]')


def assert_shows(page: Page, figure: Figure) -> None:
    """Every weight on the page is the one that torch computes, to the two decimals shown."""
    cells = page.locator("[data-at]")
    shown = dict(
        cells.evaluate_all("cells => cells.map(cell => [cell.dataset.at, cell.textContent])")
    )
    weights = figure.attention_weights
    assert len(shown) == weights.numel()
    for place, text in shown.items():
        b, q, k = map(int, place.split(","))
        assert float(text) == pytest.approx(weights[b, q, k].item(), abs=0.005 + 1e-9), place
        assert (text == "0") == (weights[b, q, k] == 0), place


def slide(page: Page, name: str, value: int) -> None:
    control(page, name).fill(str(value))


def drag(page: Page, handle: Locator, to: Locator, side: float) -> None:
    """Drag a handle to a place across a cell: 0 its left side, 1 its right side."""
    box, goal = handle.bounding_box(), to.bounding_box()
    assert box is not None
    assert goal is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + side * goal["width"], goal["y"] + goal["height"] / 2, steps=5)
    page.mouse.up()
