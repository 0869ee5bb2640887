"""The look-up figure: its numbers, its traits, and what a reader does with it."""

import math

import pytest
import torch
from figure_examples import LOOK_UP, look_up
from figure_page import Open, assert_shows, control, grip
from playwright.sync_api import expect

from attention_lib.figures import PoolingFigure

KEYS = LOOK_UP["keys"]


def test_two_keys_by_hand() -> None:
    keys, values = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]]), torch.tensor([[[10.0], [20.0]]])
    figure = PoolingFigure(torch.zeros(1, 1, 2), keys, values)
    assert figure.stages()["scores"].tolist() == [[[-0.5, -2.0]]]
    for temperature in (0.5, 1, 2, 1000):
        figure.temperature = temperature
        first = 1 / (1 + math.exp(-1.5 / temperature))
        assert figure.attention_weights[0, 0, 0].item() == pytest.approx(first)
        assert figure.output.item() == pytest.approx(10 * first + 20 * (1 - first))
    assert figure.stages()["mean"].item() == 15
    assert figure.output.item() == pytest.approx(15, abs=0.01)  # the plain average, nearly


def test_at_temperature_0_the_nearest_key_has_all_the_weight_and_ties_share_it() -> None:
    # 0.7² + 0.1² and 0.5² + 0.5² are not equal in binary; to a reader they are.
    assert 0.7 * 0.7 + 0.1 * 0.1 != 0.5 * 0.5 + 0.5 * 0.5
    keys = torch.tensor([[[0.7, 0.1], [0.5, 0.5], [-0.5, 0.5], [1.0, 0.0]]])
    figure = PoolingFigure(torch.zeros(1, 1, 2), keys, torch.ones(1, 4, 1), temperature=0)
    assert figure.attention_weights.flatten().tolist() == [1 / 3, 1 / 3, 1 / 3, 0]
    figure.queries = [[[0.0001, 0.0]]]
    assert figure.attention_weights.flatten().tolist() == [1, 0, 0, 0]


def test_at_temperature_0_each_query_has_a_maximum_of_its_own() -> None:
    keys = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    queries = torch.tensor([[[5.0, 0.0], [0.0, 0.1]]])
    figure = PoolingFigure(queries, keys, torch.ones(1, 2, 1), temperature=0)
    assert figure.attention_weights.tolist() == [[[1, 0], [0, 1]]]


def test_the_smallest_temperature_overflows_nothing() -> None:
    figure = look_up(temperature=0.0001)
    figure.keys_ = [[[1000.0, 1000.0], [-1000.0, 0.0], [0.0, 1000.0], [0.0, -1000.0]]]
    assert figure.attention_weights.isfinite().all()
    assert figure.attention_weights.sum(-1).tolist() == [[1.0, 1.0]]


def test_a_temperature_is_rounded_and_may_be_a_tensor() -> None:
    figure = look_up(temperature=0.123456)
    assert figure.temperature == 0.1235
    figure.temperature = torch.tensor(2.5)
    assert figure.temperature == 2.5
    assert repr(figure) == "PoolingFigure(name='pooling')"


@pytest.mark.parametrize("steps", [("Home", 0.0), ("End", 1000.0)])
def test_the_temperature_goes_from_the_hard_maximum_to_the_plain_average(
    open_figure: Open, steps: tuple[str, float]
) -> None:
    figure = look_up()
    page = open_figure(figure)
    key, figure.temperature = steps
    control(page, "temperature").press(key)
    assert_shows(page, figure)
    expect(page.locator("label:has([data-control=temperature]) output")).to_have_text(
        f"{figure.temperature:g}"
    )


def test_the_temperature_has_even_steps_and_shows_what_python_gave_it(open_figure: Open) -> None:
    figure = look_up(temperature=0.77)
    page = open_figure(figure)
    expect(page.locator("label:has([data-control=temperature]) output")).to_have_text("0.77")
    assert_shows(page, figure)
    for figure.temperature in (1, 1.3, 1.6, 2, 2.5):
        control(page, "temperature").press("ArrowRight")
        assert_shows(page, figure)


def test_the_lines_start_at_the_chosen_query(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)

    def widths() -> list[float]:
        lines = page.locator(".link")
        return [float(str(line.get_attribute("stroke-width"))) / 12 for line in lines.all()]

    weights = figure.attention_weights[0].tolist()
    assert widths() == pytest.approx(weights[0])
    control(page, "query").select_option("1")
    assert widths() == pytest.approx(weights[1])
    expect(page.locator(".query[data-chosen]").first).to_have_text("q1")
    grip(page, "queries[0][0]").click()
    expect(control(page, "query")).to_have_value("0")
    assert widths() == pytest.approx(weights[0])


def test_one_query_needs_no_choice(open_figure: Open) -> None:
    inputs = torch.zeros(1, 1, 2), torch.ones(1, 1, 2), torch.ones(1, 1, 1)
    figure = PoolingFigure(*inputs)
    page = open_figure(figure)
    expect(control(page, "query")).to_have_count(0)
    assert_shows(page, figure)
    expect(page.locator('[data-at="0,0,0"]')).to_have_text("1.00")


def test_a_number_far_away_is_typed_and_stays_in_sight(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    control(page, "keys[0][0][1]").fill("500")
    figure.keys_ = [[[1.0, 500.0], *KEYS[0][1:]]]
    assert_shows(page, figure)
    plot, point = page.locator(".plot").first, grip(page, "keys[0][0]")
    outer, inner = plot.bounding_box(), point.bounding_box()
    assert outer
    assert inner
    assert outer["y"] < inner["y"] + inner["height"] / 2 < outer["y"] + outer["height"]


def test_the_point_of_a_field_with_the_focus_is_marked(open_figure: Open) -> None:
    page = open_figure(look_up())
    for name in ("keys[0][2]", "queries[0][1]", "values[0][3]"):
        control(page, f"{name}[0]").focus()
        marked = page.locator("[data-focused]")
        expect(marked).to_have_count(1)
        expect(marked).to_have_attribute("data-point", name)
    page.keyboard.press("Tab")
    control(page, "temperature").focus()
    expect(page.locator("[data-focused]")).to_have_count(0)


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(control(page, "query")).to_have_value("1")
    seen = set()
    for _ in range(16):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.dataset.control"))
    assert {name for name in seen if name} == {
        *(f"queries[0][{q}][{axis}]" for q in range(2) for axis in range(2)),
        *(f"keys[0][{k}][{axis}]" for k in range(4) for axis in range(2)),
        *(f"values[0][{k}][0]" for k in range(4)),
    }
    figure.temperature = 0
    assert_shows(page, figure)
