"""What plots compute: places of numbers, round ticks, domains that follow, curves with gaps."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page


def on_scale(page: Page, url: str, make: str, use: str) -> Any:
    """Make a scale with one expression, and return what another makes of it."""
    page.goto(url)
    return page.evaluate(
        """async ([url, make, use]) => {
          const scales = await import(`${url}/scales.js`);
          const scale = new Function("scales", `return scales.${make}`)(scales);
          return new Function("scale", `return ${use}`)(scale);
        }""",
        [url, make, use],
    )


@pytest.mark.parametrize(
    ("make", "use", "expected"),
    [
        ("linearScale([-2, 2], [0, 100])", "scale.place(1)", 75),
        ("linearScale([-2, 2], [0, 100])", "scale.place(4)", 150),
        ("linearScale([-2, 2], [100, 0])", "scale.place(1)", 25),
        ("linearScale([-2, 2], [0, 100])", "scale.value(75)", 1),
        ("linearScale([-2, 2], [0, 100])", "scale.value(1e6)", 2),
        ("linearScale([-2, 2], [0, 100])", "scale.value(-1)", -2),
        ("linearScale([0, 1], [0, 3])", "scale.value(1)", 0.3333),
        ("linearScale([-3, 3], [0, 100])", "scale.ticks", [-2, 0, 2]),
        ("linearScale([0, 0.3], [0, 100])", "scale.ticks", [0, 0.1, 0.2, 0.3]),
        ("log2Scale([1, 128], [0, 70])", "scale.place(8)", 30),
        ("log2Scale([1, 128], [0, 70])", "scale.value(30)", 8),
        ("log2Scale([1, 128], [0, 70])", "scale.value(99)", 128),
        ("log2Scale([1, 5], [0, 1])", "scale.ticks", [1, 2, 4]),
        ("steadyDomain()", "[scale.of([0, 4]), scale.of([0, 4.2])]", [[-1, 5], [-1, 5]]),
        ("steadyDomain()", "[scale.of([0, 4]), scale.of([0, 8])]", [[-1, 5], [-2, 10]]),
        ("steadyDomain()", "(scale.of([0, 4]), scale.hold(true), scale.of([0, 8]))", [-1, 5]),
    ],
)
def test_scales_lead_from_numbers_to_places_and_back(
    page: Page, sources_url: str, make: str, use: str, expected: object
) -> None:
    result = on_scale(page, sources_url, make, use)
    assert np.array(result) == pytest.approx(np.array(expected))


@pytest.mark.parametrize(
    ("module", "function", "arguments", "expected"),
    [
        ("scales", "fitted", [[0, 4]], [-1, 5]),
        ("scales", "fitted", [[2, 2]], [1, 3]),
        ("scales", "fitted", [[1000, 1000]], [750, 1250]),
        ("scales", "followed", [[-1, 5], [0, 4.8]], [-1, 5]),
        ("scales", "followed", [[-1, 5], [0, 4.95]], [-1, 6]),  # at the edge: room to drag on
        ("scales", "followed", [[-100, 500], [0, 4]], [-1, 5]),  # or nothing could be told apart
        ("scales", "anchorAt", [50, 90, [0, 300]], "middle"),
        ("scales", "anchorAt", [40, 90, [0, 300]], "start"),
        ("scales", "anchorAt", [260, 90, [0, 300]], "end"),
        ("scales", "nearest", [[[0, 0], [3, 4], [3, 4]], [3, 3]], 1),
        ("scales", "labelRows", [[10, 12, 40, 11], 5], [0, 1, 0, 2]),
        ("scales", "labelRows", [[10, 14, 18], 5], [0, 1, 0]),
        ("scales", "curvePath", [[[0, 1], [1, 2]]], "M0.00 1.00h0L1.00 2.00"),
        (
            "scales",
            "curvePath",
            [[[0, 1], [1, None], [2, 3], [3, None]]],
            "M0.00 1.00h0M2.00 3.00h0",
        ),
        (
            "scales",
            "placeOf",
            [
                {"clientX": 60, "clientY": 30},
                {"left": 10, "top": 20, "width": 100, "height": 50},
                {"width": 340, "height": 170},
            ],
            [170, 34],
        ),
        (
            "sliders",
            "decades",
            [0.1, 1],
            [0.1, 0.13, 0.16, 0.2, 0.25, 0.32, 0.4, 0.5, 0.63, 0.79, 1],
        ),
        ("sliders", "indexOfNearest", [[0, 0.1, 1], 0.4], 1),
        ("plot", "tickText", [-0.5], "−0.5"),
        ("kernel_data", "weightDomain", [[0.21, 0.1]], [0, 0.5]),
        ("kernel_data", "weightDomain", [[0, 0]], [0, 0.1]),
        ("kernel_data", "weightDomain", [[1.5, -0.5]], [-2, 2]),
    ],
)
def test_functions_of_plots_give_hand_computed_results(
    js: Callable[..., object], module: str, function: str, arguments: list[Any], expected: object
) -> None:
    result = js(module, function, *arguments)
    assert result == (pytest.approx(expected) if isinstance(expected, list) else expected)
