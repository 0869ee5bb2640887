"""Figures of scaled dot products: their numbers, their traits, and what a reader does with them."""

import math
from collections.abc import Callable

import figures_in_node
import pytest
import torch
from agreement import assert_close, state
from figure_examples import (
    scaling,
    scaling_gradients,
    scaling_walk,
    scaling_weights,
    small_vectors,
    spreading,
)
from figure_page import Open, assert_shows, control, slide, text_sizes
from interaction import figure_on, resize
from playwright.sync_api import Page, expect

from attention_figures import (
    Figure,
    ScalingGradientsFigure,
    ScalingVarianceFigure,
    ScalingWalkFigure,
    ScalingWeightsFigure,
)


def test_one_query_by_hand() -> None:
    stages = ScalingVarianceFigure(*small_vectors()).stages()
    assert stages["scores"].tolist() == [[[1, 0]]]  # 2 / √4
    assert stages["mean_and_variance"].tolist() == [[[0.5, 0.5]]]
    weight = 1 / (1 + math.exp(-1))
    assert stages["attention_weights"][0, 0, 0].item() == pytest.approx(weight)
    counts = [0] * 33
    counts[16], counts[18] = 1, 1  # 0 and 1 standard deviation, two bars apart
    assert stages["histogram"].flatten().tolist() == counts


def test_scores_have_variance_d_and_divided_by_its_root_variance_1() -> None:
    figure = scaling(scaled=False)
    for d in (4, 32, 128):
        figure.d, figure.scaled = d, False
        _, variance = figure.stages()["mean_and_variance"].flatten().tolist()
        assert variance / d == pytest.approx(1, rel=0.35)
        figure.scaled = True
        _, divided = figure.stages()["mean_and_variance"].flatten().tolist()
        assert divided == pytest.approx(variance / d)


def test_scores_beyond_the_histogram_count_in_its_last_bars() -> None:
    keys = torch.tensor([[[-1.0], [0.2], [1.0]]])
    figure = ScalingVarianceFigure(torch.full((1, 1, 1), 100.0), keys)
    counts = figure.stages()["histogram"].flatten().tolist()
    assert (counts[0], counts[-1], sum(counts)) == (1, 2, 3)


def test_a_score_on_the_edge_of_two_bars_counts_in_the_right_one() -> None:
    # The first score is 0.5, but 0.4999999999999997 in binary, and bars are 1 wide.
    query, keys = [[[1.1, -0.9, 0.7, -0.2]]], [[[-0.5, 0.4, 1.9, -0.4], [0.0, 0.0, 0.0, 0.0]]]
    figure = ScalingVarianceFigure(torch.tensor(query), torch.tensor(keys), scaled=False)
    assert figure.stages()["scores"][0, 0, 0] < 0.5
    histogram = figure.stages()["histogram"]
    assert histogram.flatten()[16:18].tolist() == [1, 1]
    assert_close(figures_in_node.stages([state(figure)])[0]["histogram"], histogram)


def test_d_may_be_all_there_are_even_if_that_is_no_power_of_two() -> None:
    figure = ScalingWalkFigure(torch.ones(1, 2, 20), torch.ones(1, 2, 20))
    assert figure.d == 20
    assert figure.sizes == [1, 2, 4, 8, 16, 20]
    assert repr(figure) == "ScalingWalkFigure(name='scaling-walk')"


def test_the_tables_leave_the_random_draws_out() -> None:
    text = scaling()._repr_mimebundle_()[0]["text/html"]
    assert text == scaling()._repr_mimebundle_()[0]["text/html"]
    assert "<caption>attention_weights[0]</caption>" in text
    assert "<caption>mean_and_variance[0]</caption>" in text
    assert text.count("<td>") < 700


def readout(page: Page) -> list[str]:
    return page.locator("dd:not(.hint)").all_inner_texts()


def test_the_slider_and_the_switch_change_all_that_is_shown(open_figure: Open) -> None:
    figure = scaling()
    page = open_figure(figure)
    for place, scaled in ((6, True), (7, True), (7, False), (0, False), (0, True)):
        slide(page, "d", place)
        control(page, "scaled").set_checked(scaled)
        figure.d, figure.scaled = 2**place, scaled
        expect(page.locator(".controls output")).to_have_text(str(2**place))
        assert_shows(page, figure)
        stages = figure.stages()
        expected = stages["mean_and_variance"].flatten().tolist()
        shown = [float(text.replace("−", "-")) for text in readout(page)]
        assert shown == pytest.approx(expected, abs=0.0051)
        hints = page.locator("dd.hint").all_inner_texts()
        assert hints == ["expected: 0", f"expected: {1 if scaled else 2**place}"]


def widest(page: Page) -> float:
    """Return the spread of the nonempty bars."""
    width: float = page.locator(".bars").evaluate(
        """bars => {
          const boxes = [...bars.children].filter((bar) => Number(bar.getAttribute("height")) > 0)
            .map((bar) => bar.getBoundingClientRect());
          return Math.max(...boxes.map((b) => b.right)) - Math.min(...boxes.map((b) => b.left));
        }"""
    )
    return width


def test_undivided_scores_spread_with_d_and_divided_ones_do_not(open_figure: Open) -> None:
    page = open_figure(scaling())
    slide(page, "d", 3)
    divided = widest(page)
    control(page, "scaled").uncheck()
    narrow = widest(page)
    assert narrow == pytest.approx(divided * math.sqrt(8), rel=0.01)
    slide(page, "d", 7)
    assert widest(page) > 2 * narrow
    control(page, "scaled").check()
    assert widest(page) == pytest.approx(divided, rel=0.4)


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = scaling()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    figure.d, figure.scaled = 32, False
    assert_shows(page, figure)
    expect(control(page, "d")).to_have_attribute("aria-valuetext", "32")


def test_a_step_of_the_slider_takes_less_than_a_frame(open_figure: Open) -> None:
    page = open_figure(scaling())
    times = page.evaluate(
        """() => {
          const slider = document.querySelector('[data-control="d"]');
          return Array.from({ length: 40 }, (_, i) => {
            const start = performance.now();
            slider.value = String(i % 8);
            slider.dispatchEvent(new Event("input"));
            document.body.offsetWidth;
            return performance.now() - start;
          });
        }"""
    )
    assert min(times) < 16  # the machine may be busy with other things


@pytest.mark.parametrize("make", [scaling, scaling_weights])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_cut_off(open_figure: Open, width: int, make: Callable[[], Figure]) -> None:
    page = open_figure(make())
    resize(page, width, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    frame = page.locator(".attention-figure").bounding_box()
    assert frame
    for part in page.locator(".scaling > *, [data-at$=',15']").all():
        box = part.bounding_box()
        assert box
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]


def test_on_a_phone_the_controls_stay_with_what_is_read(open_figure: Open) -> None:
    page = open_figure(scaling())
    resize(page, 390, 600)
    page.locator(".plot").last.scroll_into_view_if_needed()
    expect(control(page, "d")).to_be_in_viewport()


def test_hide_covers_variance_and_histogram(open_figure: Open) -> None:
    page = open_figure(scaling())
    told = page.locator(".bars.spread rect, .curve, dd[data-tells], .expected-name")
    assert told.locator("visible=true").count() > 4
    control(page, "hide").click()
    expect(told.locator("visible=true")).to_have_count(0)


def test_the_expected_curve_says_what_it_is(open_figure: Open) -> None:
    page = open_figure(scaling(d=32, scaled=False))
    label = page.locator(".expected-name")
    expect(label).to_have_text("expected: normal, variance 32")
    control(page, "scaled").check()
    expect(label).to_have_text("expected: normal, variance 1")


@pytest.mark.parametrize("width", [1280, 390])
def test_handle_and_result_share_a_screen_with_text_to_read(open_figure: Open, width: int) -> None:
    page = open_figure(scaling())
    page.add_style_tag(content="body { margin: 0 16px; max-width: 780px }")
    resize(page, width, 800)
    figure, last = figure_on(page).bounding_box(), page.locator(".spread-of-scores").bounding_box()
    assert figure
    assert last
    assert last["y"] + last["height"] - figure["y"] <= 480  # one screen, with the question
    assert min(text_sizes(page)) >= 12
    cells = page.locator("[data-at]").evaluate_all(
        "cells => cells.map((cell) => parseFloat(getComputedStyle(cell).fontSize))"
    )
    assert min(cells) >= 12


def test_the_gradient_of_a_query_by_hand() -> None:
    figure = ScalingGradientsFigure(
        *small_vectors(), scaled=False
    )  # scores 2 and 0; keys (1, 0, 0, 0) and 0
    weight = 1 / (1 + math.exp(-2))
    norm = math.sqrt(2) * weight * (1 - weight)  # two weights with opposite derivatives
    stages = figure.stages()
    assert stages["query_gradients"].flatten().tolist() == pytest.approx([norm])
    assert stages["mean_and_median"][0, :, 2].tolist() == pytest.approx([norm, norm])
    figure.scaled = True
    weight = 1 / (1 + math.exp(-1))
    divided = math.sqrt(2) * weight * (1 - weight) / 2
    assert figure.stages()["query_gradients"][0, 0].tolist() == pytest.approx([divided])


PARTS = {".spread-of-scores", ".row-of-weights", ".panel", ".walk", ".one-query"}


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (spreading(), {".spread-of-scores", ".row-of-weights"}),
        (scaling_walk(), {".walk"}),
        (scaling_gradients(), {".one-query"}),
        (scaling_weights(), {".panel"}),
    ],
)
def test_each_kind_shows_what_it_is_for(
    open_figure: Open, figure: Figure, expected: set[str]
) -> None:
    page = open_figure(figure)
    assert {place for place in PARTS if page.locator(place).count()} == expected
    assert_shows(page, figure)
    assert page.locator("[data-sentence]").inner_text()
    assert min(text_sizes(page), default=12) >= 12
    control(page, "hide").click()
    told = page.locator(".curve, .bars rect, .walker, .one-query, [data-at]")
    expect(told.locator("visible=true")).to_have_count(0)


def test_names_stand_beside_the_weights_of_a_sentence_with_itself(open_figure: Open) -> None:
    x, names = torch.randn(1, 3, 4), ["our", "cat", "sleeps"]
    table = open_figure(ScalingWeightsFigure(x, x, names=names)).locator("table")
    expect(table.locator("thead th")).to_contain_text(names)
    expect(table.locator("tbody th")).to_have_text(names)


def test_the_walk_is_as_far_from_0_as_it_says(open_figure: Open) -> None:
    page = open_figure(scaling_walk())
    for place, scaled in ((4, False), (2, False), (2, True)):
        slide(page, "d", place)
        control(page, "scaled").set_checked(scaled)
        figure = scaling_walk()
        figure.d, figure.scaled = 2**place, scaled
        far = figure.stages()["scores"][0, 0].square().mean().sqrt().item()
        expect(page.locator("[data-sentence]")).to_contain_text(f"{far:.2f} away from 0")
        expect(page.locator("[data-code]")).to_contain_text(f"{far:.4f}")


def test_the_row_names_its_words_and_says_which_is_chosen(open_figure: Open) -> None:
    page = open_figure(spreading())
    expect(page.locator(".upright")).to_have_text(["river", "bread", "cloud"])
    weights = spreading().attention_weights[0, 0]
    name = ["river", "bread", "cloud"][int(weights.argmax())]
    expect(page.locator("[data-sentence]")).to_contain_text(f"{name} takes {weights.max():.2f}")


def test_dots_and_lines_of_gradients_stand_where_they_should(open_figure: Open) -> None:
    figure = scaling_gradients()
    page = open_figure(figure)
    dots = page.locator("circle.one-query.now")
    expect(dots).to_have_count(4)
    norms = figure.stages()["query_gradients"][0, 0]
    heights = [float(dot.get_attribute("cy") or "") for dot in dots.all()]
    assert sorted(range(4), key=lambda q: -heights[q]) == norms.argsort().tolist()
    expect(page.locator("[data-sentence]")).to_contain_text(f"{norms.mean():.2f} on average")
    control(page, "scaled").check()
    assert all(
        float(dot.get_attribute("cy") or "") > y
        for dot, y in zip(dots.all(), heights, strict=True)
        if y < 150
    )
