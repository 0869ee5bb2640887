"""The kernel figure: its numbers, its traits, and what a reader does with it."""

import math

import pytest
import torch
from agreement import assert_close, state
from figure_examples import REGRESSION, regression
from figure_page import Open, assert_shows, control
from playwright.sync_api import Page, expect

from attention_lib import kernels
from attention_lib.figures import KernelFigure

KERNELS = ["gaussian", "boxcar", "epanechnikov", "triangular", "linear"]
KEYS, VALUES = REGRESSION["keys"], REGRESSION["values"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_curve_is_that_of_nadaraya_and_watson(
    page: Page, sources_url: str, kernel: str
) -> None:
    figure = regression(kernel=kernel, w=1.6)
    xs = torch.tensor([*range(-3, 8), 0.3, -0.63, 1.49]).double()
    keys, values = (torch.tensor(x).double().flatten() for x in (KEYS, VALUES))
    function = getattr(kernels, kernel)
    weights = kernels.kernel_weights(xs, keys, function, 1.6)
    expected = kernels.nadaraya_watson(xs, keys, values, function, 1.6)
    page.goto(sources_url)
    curve = page.evaluate(
        """async ([url, state, xs]) =>
          (await import(url)).kernelCurve({ get: (name) => state[name] }, xs)""",
        [f"{sources_url}/kernels.js", state(figure), xs.tolist()],
    )
    gaps = [y is None for y in curve]
    assert gaps == (weights == 0).all(-1).tolist()
    assert any(gaps) == (kernel != "gaussian")  # the linear one at x = 0
    assert_close([y or 0.0 for y in curve], expected)


def test_three_points_by_hand() -> None:
    keys, values = torch.tensor([[[0.0], [0.5], [2.0]]]), torch.tensor([[[3.0], [6.0], [9.0]]])
    figure = KernelFigure(keys, values, torch.zeros(1, 1, 1))
    by_hand = {
        "boxcar": [1 / 2, 1 / 2, 0],
        "epanechnikov": [4 / 7, 3 / 7, 0],
        "triangular": [2 / 3, 1 / 3, 0],
        "linear": [0, 0, 0],
    }
    for figure.kernel, weights in by_hand.items():
        assert figure.attention_weights.flatten().tolist() == pytest.approx(weights)
    figure.kernel, figure.w = "gaussian", 2
    terms = [1, math.exp(-0.5), math.exp(-8)]
    expected = [term / sum(terms) for term in terms]
    assert figure.attention_weights.flatten().tolist() == pytest.approx(expected)
    figure.kernel, figure.queries = "linear", [[[-3.0]]]
    assert figure.attention_weights.flatten().tolist() == pytest.approx([0, 0.2, 0.8])
    assert figure.output.item() == pytest.approx(8.4)


def test_keys_that_cancel_but_for_rounding_give_no_weight(open_figure: Open) -> None:
    figure = regression(kernel="linear")
    figure.keys_ = [[[-0.3], [0.1], [0.2], [0.0], [0.0]]]
    assert -0.3 + 0.1 + 0.2 != 0
    assert not figure.attention_weights.any()
    assert_shows(open_figure(figure), figure)


def test_where_no_key_is_in_reach_the_weights_are_0(open_figure: Open) -> None:
    figure = regression(kernel="triangular")
    figure.queries = [[[9.0]]]
    assert not figure.attention_weights.any()
    assert figure.output.item() == 0
    page = open_figure(figure)
    assert_shows(page, figure)
    expect(page.locator(".notice[role=status]")).to_contain_text("no key is in reach")
    expect(page.locator(".plot .output")).to_be_hidden()
    control(page, "queries[0][0][0]").fill("4.5")
    figure.queries = [[[4.5]]]
    assert_shows(page, figure)
    expect(page.locator(".notice[role=status]")).to_be_empty()
    expect(page.locator(".plot .output")).to_have_text(f"output {figure.output.item():.2f}")


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_can_be_chosen_and_w_be_moved(open_figure: Open, kernel: str) -> None:
    figure = regression(kernel="boxcar" if kernel == "gaussian" else "gaussian")
    page = open_figure(figure)
    control(page, "kernel").select_option(kernel)
    figure.kernel = kernel
    assert_shows(page, figure)
    for figure.w in (1.3, 1.6, 2):
        control(page, "w").press("ArrowRight")
        assert_shows(page, figure)
    expect(page.locator("label:has([data-control=w]) output")).to_have_text("2")
    control(page, "w").press("End")
    figure.w = 100
    assert_shows(page, figure)


def test_the_pictures_follow_the_weights(open_figure: Open) -> None:
    figure = regression(kernel="triangular", w=0.8)
    page = open_figure(figure)

    def read(selector: str, attribute: str) -> list[float]:
        return [float(str(x.get_attribute(attribute))) for x in page.locator(selector).all()]

    for figure.queries in ([[[1.5]]], [[[3.0]]]):
        control(page, "queries[0][0][0]").fill(str(figure.queries[0][0][0]))
        stages = figure.stages()
        weights = stages["attention_weights"].flatten()
        areas = torch.tensor(read(".training .key .weight", "r")) ** 2 / 20**2
        torch.testing.assert_close(areas.double(), weights, atol=1e-6, rtol=0)
        heights = torch.tensor(read(".bars.weight rect", "height"))
        torch.testing.assert_close(heights / heights.sum(), weights.float(), atol=1e-4, rtol=0)
        even = stages["even_weights"].flatten()
        shades = torch.tensor(read(".weights rect", "fill-opacity"))
        torch.testing.assert_close(shades, (even / even.max()).float(), atol=0.0006, rtol=0)


def test_a_gap_in_reach_is_a_gap_in_the_curve(open_figure: Open) -> None:
    page = open_figure(regression(kernel="boxcar", w=1))
    curve = page.locator(".curve.outputs")
    assert str(curve.get_attribute("d")).count("M") == 1
    control(page, "w").press("End")  # only at the keys themselves, too narrow for even samples
    assert str(curve.get_attribute("d")).count("M") >= 5


def test_negative_weights_are_told_apart(open_figure: Open) -> None:
    figure = regression(kernel="linear")
    page = open_figure(figure)
    expect(page.locator("[data-negative]")).to_have_count(0)
    control(page, "keys[0][0][0]").fill("-2")
    figure.keys_ = [[[-2.0], *KEYS[0][1:]]]
    assert figure.attention_weights[0, 0, 0] < 0
    assert_shows(page, figure)
    expect(page.locator(".training .key [data-negative]")).to_have_count(1)
    expect(page.locator(".weights [data-negative]")).to_have_count(17)  # in each row


def test_an_output_beyond_the_axes_stays_at_their_edge_with_its_number(open_figure: Open) -> None:
    figure = regression(kernel="linear")
    figure.keys_ = [[[0.5], [1.0], [2.0], [3.5], [-6.9]]]
    page = open_figure(figure)
    assert_shows(page, figure)
    output = page.locator(".plot .output")
    expect(output).to_have_text(f"output {figure.output.item():.2f}")
    outer, inner = page.locator(".plot").first.bounding_box(), output.bounding_box()
    assert outer
    assert inner
    assert outer["y"] <= inner["y"] <= outer["y"] + outer["height"]


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    page = open_figure(regression())
    seen = []
    for _ in range(13):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.dataset.control"))
    fields = [f"{name}[0][{k}][0]" for name in ("keys", "values") for k in range(5)]
    assert [name for name in seen if name] == ["kernel", "w", *fields, "queries[0][0][0]"]
    control(page, "values[0][3][0]").focus()
    expect(page.locator("[data-focused]")).to_have_attribute(
        "data-point", "keys[0][3] values[0][3]"
    )


@pytest.mark.parametrize("num_keys", [1, 16, 40])
def test_any_number_of_keys_has_its_place(open_figure: Open, num_keys: int) -> None:
    keys = torch.linspace(0, 5, num_keys)[None, :, None]
    figure = KernelFigure(keys, keys.sin(), torch.ones(1, 1, 1), w=4)
    page = open_figure(figure)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert_shows(page, figure)
    expect(page.locator(".training .key")).to_have_count(num_keys)
    control(page, f"values[0][{num_keys - 1}][0]").fill("3.5")
    control(page, f"keys[0][{num_keys - 1}][0]").fill("1.5")
    keys, values = torch.tensor(figure.keys_), torch.tensor(figure.values)
    keys[0, -1, 0], values[0, -1, 0] = 1.5, 3.5
    figure.keys_, figure.values = keys, values
    expect(page.locator(".plot .output")).to_have_text(f"output {figure.output.item():.2f}")
