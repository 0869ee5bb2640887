"""Test heatmaps beyond 16 × 16: a canvas, with one row as text."""

import re
from typing import Any

import pytest
import torch
from figure_page import Open, control, slide
from playwright.sync_api import expect

from attention_figures import AttentionFigure, MaskedSoftmaxFigure, ScalingWeightsFigure
from attention_lib import DotProductAttention


def test_a_large_heatmap_is_a_canvas_with_the_row_in_focus_as_text(open_figure: Open) -> None:
    torch.manual_seed(0)
    inputs = torch.randn(1, 64, 8), torch.randn(1, 64, 8), torch.randn(1, 64, 4)
    figure = AttentionFigure(DotProductAttention(), *inputs, [40])
    page = open_figure(figure)
    slide(page, "valid_lens[0]", 30)
    figure.valid_lens = [30]
    weights = page.locator(".panel", has_text="attention_weights[0]")
    weights.locator("input").fill("37")
    cells = weights.locator("[data-at]")
    expect(cells).to_have_count(64)
    shown = [float(text) for text in cells.all_inner_texts()]
    assert cells.first.get_attribute("data-at") == "0,37,0"
    torch.testing.assert_close(
        torch.tensor(shown), figure.attention_weights[0, 37].float(), atol=0.0051, rtol=0
    )
    pixels = weights.locator("canvas").evaluate(
        "c => [...c.getContext('2d').getImageData(0, 0, 64, 1).data.slice(4 * 29, 4 * 32)]"
    )
    assert pixels[0:3] != [0, 0, 0]
    assert len({tuple(pixels[i : i + 3]) for i in (4, 8)}) == 2  # padding is chequered


@pytest.mark.parametrize(("queries", "keys"), [(2, 17), (17, 2)])
def test_a_row_is_chosen_on_the_canvas(open_figure: Open, queries: int, keys: int) -> None:
    inputs = torch.randn(1, queries, 3), torch.randn(1, keys, 3), torch.randn(1, keys, 1)
    page = open_figure(AttentionFigure(DotProductAttention(), *inputs))
    weights = page.locator(".panel", has_text="attention_weights[0]")
    cell = weights.locator("[data-at]").first
    for side, row in (("bottom", queries - 1), ("top", 0)):  # rounding leads beyond the last row
        weights.locator("canvas").evaluate(
            """(canvas, side) => {
              const clientY = canvas.getBoundingClientRect()[side] + (side === "top" ? -0.4 : 0.4);
              canvas.dispatchEvent(new PointerEvent("pointerdown", { clientY }));
            }""",
            side,
        )
        expect(cell).to_have_attribute("data-at", f"0,{row},0")
        expect(cell).to_have_attribute("style", re.compile("background-color"))


def test_no_canvas_reveals_a_later_step(open_figure: Open) -> None:
    page = open_figure(MaskedSoftmaxFigure(torch.randn(1, 2, 17), [9], step=4))
    weights = page.locator('canvas[aria-label="attention_weights[0]"]')
    expect(weights).to_be_hidden()
    control(page, "next").click()
    expect(weights).to_be_visible()


def test_large_weights_are_a_canvas_in_the_scaling_figure_too(open_figure: Open) -> None:
    inputs: list[Any] = [torch.randn(1, 64, 2), torch.randn(1, 64, 2)]
    page = open_figure(ScalingWeightsFigure(*inputs))
    expect(page.locator("canvas")).to_have_attribute("width", "64")
