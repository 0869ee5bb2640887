"""Interact with a figure's page, and compare it with torch."""

from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Locator, Page
from torch import Tensor

from attention_figures import Figure

Open = Callable[[Figure], Page]


def open_with_clock(open_figure: Open, page: Page, figure: Figure) -> None:
    """Open a figure on a page whose clock is paused."""
    page.clock.install()
    open_figure(figure)
    page.clock.pause_at(page.evaluate("Date.now()") + 5000)


def control(page: Page | Locator, name: str) -> Locator:
    return page.locator(f'[data-control="{name}"]')


def assert_shows(page: Page, figure: Figure) -> None:
    """Assert that every weight on the page is that of torch, to the two decimals shown."""
    cells = page.locator("[data-at]")
    assert_weights(
        cells.evaluate_all("cells => cells.map(cell => [cell.dataset.at, cell.textContent])"),
        figure,
    )


def shown_weights(figure: Figure) -> Tensor:
    """Return the weights that it shows: all, or those of the first query alone, or none."""
    if figure.kind in ("dropout_mean", "scaling_gradients", "scaling_walk"):
        return torch.empty(1, 0, 0)
    weights = figure.attention_weights
    parts = getattr(figure, "parts", None)
    if parts and figure.kind == "alignment" and "maps" not in parts:
        return weights[:, :0]
    return weights[:, :1] if figure.kind == "scaling_variance" else weights


def assert_weights(cells: list[list[str]], figure: Figure) -> None:
    """Compare the places and the texts of cells with torch's weights."""
    assert_numbers(cells, shown_weights(figure))


def assert_numbers(cells: list[list[str]], weights: Tensor) -> None:
    """Assert that every number is shown with two decimals, and only exact zeros as 0."""
    assert len(cells) == weights.numel()
    for place, text in cells:
        b, q, k = map(int, place.split(","))
        number = float(text.replace("−", "-"))
        assert number == pytest.approx(weights[b, q, k].item(), abs=0.005 + 1e-9), place
        assert (text == "0") == (weights[b, q, k] == 0), place


# Each length, area and line that stands for a number: its kind, the number, and its size.
_MEASURE = """(root) => {
  const plots = [...root.querySelectorAll("svg")];
  const side = (node) => {
    const { width, height } = node.getBoundingClientRect();
    if (node.matches("path, line")) return parseFloat(getComputedStyle(node).strokeWidth);
    if (node.localName === "circle") return Number(node.getAttribute("r"));
    if (node.localName === "rect") return Number(node.getAttribute("height"));
    return node.style.width ? width : height;
  };
  return [...root.querySelectorAll("[data-length], [data-area]")]
    .filter((node) => !node.closest(".legend")).map((node) => {
      const plot = plots.indexOf(node.ownerSVGElement);
      const area = node.dataset.area !== undefined;
      const row = plot < 0 ? [...root.querySelectorAll(".row-cost")].indexOf(node) % 2 : plot;
      return {
        what: `${node.getAttribute("class") ?? node.parentNode.getAttribute("class")} ${row}`,
        number: Math.abs(area ? node.dataset.area : node.dataset.length),
        size: side(node) ** (area ? 2 : 1),
      };
    });
}"""
# Elements whose size does not stand for a number.
_UNTOLD = """(root) => [...root.querySelectorAll(
    ".drawn :is([style*='width:'], [style*='height:'], [stroke-width])")]
  .filter((node) => !node.matches("[data-length], [data-area], canvas, .picked, .unused"))
  .map((node) => node.outerHTML.slice(0, 200))"""
_HAIRLINE = 1.01  # pixels


def assert_in_proportion(page: Page, figure: Figure) -> None:
    """Assert that lengths and areas are in proportion to their numbers, and these torch's."""
    root = page.locator("[data-figure]")
    assert root.evaluate(_UNTOLD) == []
    drawn: dict[str, list[tuple[float, float]]] = {}
    for one in root.evaluate(_MEASURE):
        drawn.setdefault(one["what"], []).append((one["number"], one["size"]))
    numbers = torch.cat([x.double().flatten().abs() for x in figure.stages().values()])
    for what, pairs in drawn.items():
        largest = max(pairs)
        scale = largest[1] / largest[0] if largest[0] else 0
        for number, size in pairs:
            expected = scale * number
            if number and size <= _HAIRLINE:
                assert expected <= _HAIRLINE, (what, number, size, largest)
            else:
                assert size == pytest.approx(expected, rel=0.01, abs=0.02), (what, number, largest)
            if what.startswith(("arc", "link", "weight", "key")):
                assert (numbers - number).abs().min() < 1e-6, (what, number)


def slide(page: Page, name: str, value: int) -> None:
    control(page, name).fill(str(value))


def typed(page: Page, name: str) -> float:
    """Return the number in a field, with all its decimals."""
    control(page, name).focus()
    return float(control(page, name).input_value())


def place_of(page: Page, name: str) -> list[float]:
    """Read the numbers of a point that can be dragged, from what assistive technology hears."""
    said = control(page, name).get_attribute("aria-valuetext") or ""
    return [float(text.replace("−", "-")) for text in said.split(", ")]


def grip(page: Page, name: str) -> Locator:
    """Return the element by which a point is dragged."""
    return page.locator(f'[data-point~="{name}"] .hit')


def columns(page: Page, label: str) -> list[float]:
    """Return where the columns of a heatmap end, in pixels."""
    edges: list[float] = page.locator(
        f'[aria-label="{label}"] tbody tr:first-child td'
    ).evaluate_all("cells => cells.map((cell) => cell.getBoundingClientRect().right)")
    return edges


def drag(page: Page, handle: Locator, to: Locator, side: float) -> None:
    """Drag a handle to a cell: `side` is 0 for its left edge, 1 for its right edge."""
    box, goal = handle.bounding_box(), to.bounding_box()
    assert box is not None
    assert goal is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + side * goal["width"], goal["y"] + goal["height"] / 2, steps=5)
    page.mouse.up()


def move(page: Page, handle: Locator, x: float, y: float) -> None:
    """Drag a handle by this many pixels."""
    box = handle.bounding_box()
    assert box is not None
    left, top = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move(left + x, top + y, steps=5)
    page.mouse.up()


def contrasts(cells: Locator) -> list[float]:
    """Return the contrast ratio between the text and the background of each cell.

    A translucent background is blended with the figure's pale colour.
    """
    ratios: list[float] = cells.evaluate_all(
        """cells => cells.map(cell => {
          const style = getComputedStyle(cell);
          const pale = style.getPropertyValue("--pale").trim().split(/\\s+/).map((x) => x / 255);
          const channels = (colour) => {
            const numbers = colour.match(/[\\d.]+/g).map(Number);
            const [alpha, way] = [numbers[3] ?? 1, colour.startsWith("rgb") ? 255 : 1];
            return numbers.slice(0, 3).map((x, c) => (alpha * x) / way + (1 - alpha) * pale[c]);
          };
          const light = (colour) => channels(colour)
            .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
          const [a, b] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05);
        })"""
    )
    return ratios


def text_sizes(page: Page) -> list[float]:
    """Return the size on the screen of every text in a plot, in CSS pixels to 3 decimals."""
    sizes: list[float] = page.locator(".plot text").evaluate_all(
        """texts => texts.filter((text) => text.textContent).map((text) => {
          const { width } = text.ownerSVGElement.getBoundingClientRect();
          const scale = width / text.ownerSVGElement.viewBox.baseVal.width;
          return parseFloat(getComputedStyle(text).fontSize) * scale;
        })"""
    )
    return [round(size, 3) for size in sizes]


def point_sizes(page: Page) -> list[float]:
    """Return the width on the screen of every draggable element of a plot, in CSS pixels."""
    sizes: list[float] = page.locator(".hit").evaluate_all(
        "all => all.map((hit) => hit.getBoundingClientRect().width)"
    )
    return sizes
