"""Figures of kernel regression: their numbers, their traits, and what a reader does with them."""

import math

import pytest
import torch
import traitlets
from figure_examples import REGRESSION, bandwidth, kernel_map, regression
from figure_page import Open, assert_shows, control, place_of, text_sizes
from interaction import figure_on, resize
from playwright.sync_api import Page, expect

from attention_course import kernel_pooling
from attention_figures import (
    BandwidthFigure,
    Figure,
    KernelMapFigure,
    KernelRegressionFigure,
    NumberQuestion,
)
from attention_lib import kernels

KERNELS = ["gaussian", "boxcar", "epanechnikov", "triangular", "linear"]
KEYS, VALUES = REGRESSION["keys"], REGRESSION["values"]


def test_three_points_by_hand() -> None:
    keys, values = torch.tensor([[[0.0], [0.5], [2.0]]]), torch.tensor([[[3.0], [6.0], [9.0]]])
    figure = KernelRegressionFigure(keys, values, torch.zeros(1, 1, 1))
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
    said = page.locator("[data-sentence]")
    expect(said).to_contain_text("At 9 no key is in reach")
    expect(page.locator(".plot .output")).to_be_hidden()
    figure.queries = [[[4.5]]]
    page = open_figure(figure)
    assert_shows(page, figure)
    said = page.locator("[data-sentence]")
    expect(said).not_to_contain_text("no key is in reach")
    expect(page.locator(".plot .output")).to_have_text(f"output {figure.output.item():.2f}")


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_can_be_chosen_and_w_be_moved(open_figure: Open, kernel: str) -> None:
    figure = bandwidth(kernel="boxcar" if kernel == "gaussian" else "gaussian")
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
    for figure.queries in ([[[1.5]]], [[[3.0]]]):
        page = open_figure(figure)
        weights = figure.attention_weights.flatten()
        areas = attributes(page, ".training .handle .weight", "r") ** 2 / 20**2
        torch.testing.assert_close(areas, weights, atol=1e-6, rtol=0)
        heights = attributes(page, ".bars.weight rect", "height") / 54  # from 0 to 1
        expected = weights.clamp(min=1 / 54).where(weights > 0, 0)  # a hairline is seen
        torch.testing.assert_close(heights, expected, atol=1e-4, rtol=0)


def test_the_map_follows_the_weights(open_figure: Open) -> None:
    figure = kernel_map(kernel="triangular")
    page = open_figure(figure)
    for figure.w in (1, 0):
        if figure.w == 0:
            control(page, "w").press("Home")
        shades = attributes(page, ".weights rect", "fill-opacity")
        even = figure.stages()["even_weights"].flatten()
        torch.testing.assert_close(shades, even.sqrt(), atol=0.0006, rtol=0)


def attributes(page: Page, selector: str, name: str) -> torch.Tensor:
    numbers = [float(str(x.get_attribute(name))) for x in page.locator(selector).all()]
    return torch.tensor(numbers, dtype=torch.float64)


def test_a_gap_in_reach_is_a_gap_in_the_curve(open_figure: Open) -> None:
    page = open_figure(bandwidth(kernel="boxcar", w=1))
    curve = page.locator(".curve.outputs")
    assert str(curve.get_attribute("d")).count("M") == 1
    control(page, "w").press(
        "End"
    )  # only at the keys themselves, too narrow for evenly spaced samples
    assert str(curve.get_attribute("d")).count("M") >= 5


def test_negative_weights_are_told_apart(open_figure: Open) -> None:
    expect(open_figure(regression(kernel="linear")).locator("[data-negative]")).to_have_count(0)
    figure = regression(kernel="linear")
    figure.keys_ = [[[-2.0], *KEYS[0][1:]]]
    assert figure.attention_weights[0, 0, 0] < 0
    page = open_figure(figure)
    assert_shows(page, figure)
    expect(page.locator(".training .handle [data-negative]")).to_have_count(1)
    many = kernel_map(kernel="linear")
    many.keys_ = figure.keys_
    page = open_figure(many)
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
    figure = regression()
    page = open_figure(figure)
    seen = set()
    for _ in range(8):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement?.dataset.control"))
    assert seen >= {"kernel", "queries[0][0]", *(f"keys[0][{k}]" for k in range(5))}
    point = page.get_by_role("slider", name="training point 3")
    point.focus()
    expect(page.locator("[data-focused]")).to_have_attribute(
        "data-point", "keys[0][3] values[0][3]"
    )
    for key in ("ArrowRight", "Shift+ArrowUp"):
        point.press(key)
    moved = place_of(page, "keys[0][3]")
    assert moved[0] > 3.5
    assert moved[1] > 2.5
    keys, values = torch.tensor(figure.keys_), torch.tensor(figure.values)
    keys[0, 3, 0], values[0, 3, 0] = moved
    figure.keys_, figure.values = keys, values
    assert_shows(page, figure)


@pytest.mark.parametrize("num_keys", [1, 16, 40])
def test_any_number_of_keys_has_its_place(open_figure: Open, num_keys: int) -> None:
    keys = torch.linspace(0, 5, num_keys)[None, :, None]
    figure = BandwidthFigure(keys, keys.cos(), torch.ones(1, 1, 1), w=4)
    page = open_figure(figure)
    resize(page, 390, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert_shows(page, figure)
    expect(page.locator(".training .handle .key")).to_have_count(num_keys)
    expect(page.locator(".plot .output")).to_have_text(f"output {figure.output.item():.2f}")


def path(lang: str = "en", w: float = 2.26) -> BandwidthFigure:
    """Return the chapter's path, whose truth is known."""
    x = torch.tensor(
        [0.31, 0.69, 1.32, 1.74, 2.36, 2.81, 3.22, 3.55, 4.31, 4.53, 5.28, 5.77]
    ).double()
    noise = 0.4 * torch.randn(12, generator=torch.Generator().manual_seed(0)).double()
    places = torch.linspace(0, 6, 121, dtype=torch.float64)
    truth = torch.stack([places, height(places)], dim=-1)
    units = {"en": ["km", "× 100 m"], "zh": ["公里", "× 100 米"]}[lang]
    data = x[None, :, None], (height(x) + noise)[None, :, None]
    return BandwidthFigure(*data, torch.tensor([[[2.0]]]), w=w, lang=lang, truth=truth, units=units)


def height(x: torch.Tensor) -> torch.Tensor:
    return 5 + 2 * torch.sin(x) + x / 2


def errors_on(page: Page) -> list[float]:
    texts = page.locator(".errors dd").all_inner_texts()
    return [math.inf if text == "∞" else float(text) for text in texts]


def test_errors_are_those_of_nadaraya_and_watson() -> None:
    figure = path()
    x, y = (torch.tensor(numbers).double().flatten() for numbers in (figure.keys_, figure.values))
    places, truth = torch.tensor(figure.truth).double().mT
    for kernel in KERNELS:
        figure.kernel = kernel
        own = getattr(kernels, kernel)
        out = [
            kernels.nadaraya_watson(x[i : i + 1], x[others], y[others], own, 2.26)
            for i in range(12)
            for others in [torch.arange(12) != i]
        ]
        expected = [
            ((kernels.nadaraya_watson(x, x, y, own, 2.26) - y) ** 2).mean(),
            ((torch.cat(out) - y) ** 2).mean(),
            ((kernels.nadaraya_watson(places, x, y, own, 2.26) - truth) ** 2).mean(),
        ]
        got = figure.stages()["error"].flatten()
        finite = got.isfinite()
        assert finite[0]
        assert finite.all() or kernel in ("boxcar", "triangular", "epanechnikov", "linear")
        torch.testing.assert_close(got[finite], torch.stack(expected)[finite])


def test_an_error_is_infinite_where_some_query_reaches_no_key(open_figure: Open) -> None:
    figure = bandwidth(kernel="boxcar", w=100)
    assert figure.stages()["error"].flatten().tolist() == [0, math.inf]
    page = open_figure(figure)
    assert errors_on(page) == [0, math.inf]
    alone = BandwidthFigure(*torch.ones(3, 1, 1, 1))
    assert alone.stages()["error"].flatten().tolist() == [0, math.inf]


def test_errors_are_drawn_for_every_width_and_labelled(open_figure: Open) -> None:
    figure = path()
    page = open_figure(figure)
    labels = page.locator(".errors dt").all_inner_texts()
    assert labels == ["training error", "leave-one-out error", "test error: against the truth"]
    expect(page.locator(".errors .curve:not(dl *)")).to_have_count(3)
    expect(page.locator(".training .curve.truth:not(.legend *)")).to_have_count(1)
    for figure.w in (2.26, 0, 100):
        if figure.w != 2.26:
            control(page, "w").press("Home" if figure.w == 0 else "End")
        assert errors_on(page) == pytest.approx(
            figure.stages()["error"].flatten().tolist(), abs=0.0051
        )
    # the training error falls to 0, the other one has a minimum in between
    _, training, out, test = figure.stages()["errors"][0]
    assert training[-1] == training.min() == 0
    assert 0 < out.argmin() < 31
    assert 0 < test.argmin() < 31


def test_the_slider_reaches_0_and_leads_back_to_the_width_of_the_start(open_figure: Open) -> None:
    figure = path()
    page = open_figure(figure)
    slider = control(page, "w")
    slider.press("ArrowRight")
    slider.press("ArrowLeft")
    assert_shows(page, figure)
    expect(page.locator("label:has([data-control=w]) output")).to_have_text("2.26")
    slider.press("Home")
    figure.w = 0
    assert_shows(page, figure)


def path_map(w: float = 2.26) -> KernelMapFigure:
    """Return the weights of many queries on the same path."""
    whole = path()
    data = torch.tensor(whole.keys_).double(), torch.tensor(whole.values).double()
    return KernelMapFigure(*data, torch.tensor([[[2.0]]]), w=w, units=whole.units)


def test_a_query_beyond_the_rows_of_the_map_is_said_to_be(open_figure: Open) -> None:
    figure = path_map()
    expect(open_figure(figure).locator(".weight-map .stem")).to_have_count(1)
    for x, said in ((20.0, "↑ query 20"), (-3.0, "↓ query −3")):
        figure.queries = [[[x]]]
        page = open_figure(figure)
        expect(page.locator(".weight-map .stem")).to_have_count(0)
        expect(page.locator(".weight-map .beyond")).to_have_text(said)


def test_it_speaks_of_units(open_figure: Open) -> None:
    page = open_figure(path())
    said = page.locator("[data-sentence]").inner_text().replace("\u202f", " ")
    assert said.startswith("At 2 km the curve is at ")
    assert " × 100 m; it reads " in said
    names = page.locator(".training .plot .name").all_text_contents()
    assert names[:2] == ["km", "× 100 m"]
    with pytest.raises(ValueError, match=r"^units must be 2 or none; got 1$"):
        KernelMapFigure(*torch.ones(3, 1, 1, 1), units=["km"])
    with pytest.raises(ValueError, match=r"^truth must have shape \(T, 2\)"):
        KernelRegressionFigure(*torch.ones(3, 1, 1, 1), truth=torch.ones(2, 3))


def asked(lang: str, bandwidths: bool = False) -> KernelRegressionFigure | BandwidthFigure:
    """Return it with a question of two lines, with or without the errors of every width."""
    figure: KernelRegressionFigure | BandwidthFigure = path(lang)
    if not bandwidths:
        data = [torch.tensor(x).double() for x in (figure.keys_, figure.values, figure.queries)]
        known = {"truth": torch.tensor(figure.truth).double(), "units": figure.units}
        figure = KernelRegressionFigure(*data, w=2.26, lang=lang, **known)
    values = torch.tensor(figure.values)
    values[0, 3, 0] += 1
    before = figure.output.item()
    text = {
        "en": "Key 3 has a weight of 0.40. Raise its value by one. ",
        "zh": "键 3 的权重是 0.40。" * 3,
    }
    return figure.ask(
        NumberQuestion(
            text[lang] + {"en": "By how much does the output rise?", "zh": "输出增加多少？"}[lang],
            at={"values": values},
            answer=lambda figure: figure.output.item() - before,
            because={
                "en": "The output is a sum in which this value is multiplied by its weight.",
                "zh": "输出是加权和，这个值在其中要乘上它的权重。",
            }[lang],
            tolerance=0.06,
            wrong=[(1, {"en": "It is not the only value.", "zh": "还有别的值。"}[lang])],
            decimals=2,
            slider=(0, 1, 0.05),
        )
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 680), (390, 664)])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_question_handle_and_result_share_a_screen(
    open_figure: Open, lang: str, width: int, height: int
) -> None:
    page = open_figure(asked(lang))
    page.add_style_tag(content="body { margin: 0 16px; max-width: 780px }")
    resize(page, width, height)
    figure, last = figure_on(page).bounding_box(), page.locator(".training").bounding_box()
    assert figure
    assert last
    assert last["y"] + last["height"] - figure["y"] <= height
    assert min(text_sizes(page)) >= 12
    page.locator("[data-guess]").fill("1")
    page.locator("[data-commit]").click()
    assert page.locator(".training").bounding_box() == last


def test_nothing_tells_of_the_answer_before_a_guess(open_figure: Open) -> None:
    page = open_figure(asked("en", bandwidths=True))
    expect(page.locator("[data-at]:visible")).to_have_count(0)
    for tells in (".outputs", ".output", ".errors .curve", ".stem"):
        expect(page.locator(f"{tells}:visible:not(.legend *, dl *)")).to_have_count(0)
    page.locator("[data-skip]").click()
    expect(page.locator("[data-at]:visible")).to_have_count(12)


def test_on_a_phone_the_row_of_weights_scrolls_to_the_largest(open_figure: Open) -> None:
    page = open_figure(kernel_pooling.figure("walk", lang="en"))
    resize(page, 390, 800)
    row = page.locator(".tensors > .panel")
    assert row.evaluate("row => row.scrollWidth - row.clientWidth") > 100
    query, scroll = control(page, "queries[0][0]"), page.evaluate("scrollY")
    assert row.evaluate("row => row.scrollLeft") == 0  # its place would tell of the answer
    page.locator("[data-skip]").click()
    places = []
    for key, times in (("ArrowRight", 40), ("ArrowLeft", 180)):
        for _ in range(times):
            query.press(key)
        cells = row.locator("td[data-at]")
        largest = max(range(16), key=[float(text) for text in cells.all_inner_texts()].__getitem__)
        expect(cells.nth(largest)).to_be_in_viewport(ratio=0.99)
        places.append((largest, row.evaluate("row => row.scrollLeft") > 100))
    assert places == [(15, True), (0, False)]
    assert page.evaluate("scrollY") == scroll


def test_each_kind_shows_what_it_is_for(open_figure: Open) -> None:
    errors_alone = bandwidth()
    errors_alone.show_data = errors_alone.choose_kernel = False
    plain = regression()
    plain.choose_kernel = False
    every = (".training", ".errors", ".weight-map", "[data-control=kernel]", "[data-control=w]")
    for figure, expected in (
        (plain, {".training"}),
        (regression(), {".training", "[data-control=kernel]"}),
        (bandwidth(), {".training", ".errors", "[data-control=kernel]", "[data-control=w]"}),
        (errors_alone, {".errors", "[data-control=w]"}),
        (kernel_map(), {".weight-map", "[data-control=w]"}),
    ):
        page = open_figure(figure)
        assert_shows(page, figure)  # the weights stand below every picture
        assert {part for part in every if page.locator(part).count()} == expected
        said = page.locator("[data-sentence]").inner_text()
        assert ("leave-one-out" in said) == (".errors" in expected)
        assert ("a query uses" in said) == (".weight-map" in expected)


@pytest.mark.parametrize(
    ("figure", "held"),
    [(regression(), "queries[0][0]"), (bandwidth(), "w"), (kernel_map(), "w")],
)
def test_the_handle_is_the_query_or_the_width(open_figure: Open, figure: Figure, held: str) -> None:
    handle = open_figure(figure).locator("[data-handle]")
    own = handle.locator("input")
    expect(own if own.count() else handle).to_have_attribute("data-control", held)


def test_the_slider_replays_a_training(open_figure: Open) -> None:
    figure = path(w=1)
    figure.steps, figure.show_data = [1, 1.5, 2.25], False
    page = open_figure(figure)
    number = page.locator("label:has([data-control=w]) output")
    expect(number).to_have_text("0: w = 1.00")
    for step, w in enumerate(figure.steps[1:], start=1):
        control(page, "w").press("ArrowRight")
        expect(number).to_have_text(f"{step}: w = {w:.2f}")
        figure.w = w
        assert_shows(page, figure)
    control(page, "w").press("ArrowRight")
    expect(number).to_have_text("2: w = 2.25")
    with pytest.raises(traitlets.TraitError):
        figure.steps = [1, -1]


def test_keys_are_counted_by_how_alike_their_weights_are(open_figure: Open) -> None:
    figure = path_map()
    for w, least, most in ((0, 11.99, 12.01), (2.26, 1, 6), (1000, 0.99, 1.2)):
        figure.w = w
        assert least < figure.stages()["keys_used"].item() < most
    figure.kernel, figure.w = "boxcar", 1000
    assert figure.stages()["keys_used"].item() < 1  # some rows have none
    figure.kernel, figure.w = "gaussian", 0
    said = open_figure(figure).locator("[data-sentence]")
    expect(said).to_contain_text("On average a query uses 12.00 keys.")


def test_equal_weights_are_not_called_less(open_figure: Open) -> None:
    figure = path(w=0)
    expect(open_figure(figure).locator("[data-sentence]")).not_to_contain_text("less")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["walk", "value", "edge"])
def test_the_hint_stands_clear_of_the_data_and_of_the_axis_names(
    open_figure: Open, name: str, width: int
) -> None:
    page = open_figure(kernel_pooling.figure(name, lang="en"))
    resize(page, width, 800)
    expect(page.locator(".drag-me")).to_be_visible()
    touched = page.locator(".training").evaluate(
        """training => {
          const box = training.querySelector(".drag-me").getBoundingClientRect();
          return [...training.querySelectorAll(".key rect, .axes text, .name, .output")]
            .map((other) => [other, other.getBoundingClientRect()])
            .filter(([, { left, right, top, bottom }]) =>
              left < box.right && right > box.left && top < box.bottom - 2 && bottom - 2 > box.top)
            .map(([other]) => other.outerHTML);
        }"""
    )
    assert touched == []
