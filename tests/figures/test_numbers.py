"""Test number fields: typing, stepping, dragging, invalid entries, external changes."""

import pytest
import torch
from figure_examples import START, steps
from figure_page import Open, assert_shows, control
from playwright.sync_api import Page, expect

from attention_figures import MaskedSoftmaxFigure


def test_a_number_is_dragged_sideways_and_stepped_with_the_arrow_keys(open_figure: Open) -> None:
    figure = steps()
    page = open_figure(figure)
    field = control(page, "scores[0][0][0]")
    box = field.bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 5 + 30, box["y"] + 5, steps=6)
    page.mouse.up()
    scores = torch.tensor(START)
    scores[0, 0, 0] = 1.3
    figure.scores = scores
    assert_shows(page, figure)
    field.press("ArrowUp")
    scores[0, 0, 0] = 1.4
    figure.scores = scores
    assert_shows(page, figure)


@pytest.mark.parametrize("wrong", ["", "1001", "-1e9", "e"])  # 1, 10 and 100 are valid on the way
@pytest.mark.parametrize(("lang", "word"), [("en", "Enter a number"), ("zh", "请输入")])
def test_a_wrong_entry_is_refused_with_a_word_and_changes_nothing(
    open_figure: Open, wrong: str, lang: str, word: str
) -> None:
    figure = steps(lang)
    page = open_figure(figure)
    field = control(page, "scores[1][0][2]")
    field.focus()
    page.keyboard.press("Delete")
    page.keyboard.type(wrong)
    error = page.locator("[data-error]", has_text=word)
    expect(error).to_have_count(1)
    expect(field).to_have_attribute("aria-invalid", "true")
    field.blur()
    expect(field).to_have_value("0.7")
    assert_shows(page, figure)
    field.fill("0.9")
    expect(error).to_have_count(0)


def pull(page: Page, name: str, *pixels: int, button: str = "left") -> None:
    """Drag a number sideways to each of these distances from its start."""
    box = control(page, name).bounding_box()
    assert box
    x, y = box["x"] + 5, box["y"] + 5
    page.mouse.move(x, y)
    page.mouse.down(button=button)
    for distance in pixels:
        page.mouse.move(x + distance, y, steps=6)
    page.mouse.up(button=button)


def test_a_number_that_is_dragged_back_is_what_it_was(open_figure: Open) -> None:
    figure = MaskedSoftmaxFigure(torch.tensor([[[0.1234, 0.2]]]), [2])
    page = open_figure(figure)
    pull(page, "scores[0][0][0]", 300, 0)
    expect(control(page, "scores[0][0][0]")).to_have_value("0.1234")
    assert_shows(page, figure)


def test_only_the_main_button_drags(open_figure: Open) -> None:
    figure = steps()
    page = open_figure(figure)
    pull(page, "scores[0][0][0]", 60, button="right")
    edge = page.locator('[aria-label="attention_weights[1]"] ~ .edges [data-edge="0"]')
    box = edge.bounding_box()
    assert box
    page.mouse.move(box["x"] + 14, box["y"] + 5)
    page.mouse.down(button="right")
    page.mouse.move(box["x"] - 60, box["y"] + 5, steps=6)
    page.mouse.up(button="right")
    assert_shows(page, figure)


def test_what_a_wrong_entry_leads_back_to_is_the_last_good_number(open_figure: Open) -> None:
    figure = steps()
    page = open_figure(figure)
    field = control(page, "scores[0][0][0]")
    pull(page, "scores[0][0][0]", 30)  # 0.8 becomes 1.3
    field.press("ArrowUp")
    field.press("Control+a")
    page.keyboard.type("1001")
    expect(page.locator("[data-error]", has_text="still 1.40")).to_have_count(1)
    scores = torch.tensor(START)
    scores[0, 0, 0] = 1.4
    figure.scores = scores
    assert_shows(page, figure)


def test_a_drag_after_a_wrong_entry_takes_the_word_away(open_figure: Open) -> None:
    page = open_figure(steps())
    control(page, "scores[0][0][0]").fill("")
    expect(page.locator("[data-error]", has_text="Enter a number")).to_have_count(1)
    pull(page, "scores[0][0][0]", 30)
    expect(page.locator("[data-error]", has_text="Enter a number")).to_have_count(0)
    expect(page.locator('[aria-invalid="true"]')).to_have_count(0)


def test_a_number_counts_with_four_decimals_as_in_python(open_figure: Open) -> None:
    page = open_figure(steps())
    field = control(page, "scores[0][0][0]")
    field.fill("0.12345678")
    expect(field).to_have_value("0.12345678")  # while it is typed
    field.blur()
    field.focus()
    expect(field).to_have_value("0.1235")
