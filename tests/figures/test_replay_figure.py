"""Test the replay figure: keys found and lost at each step, and the step slider."""

import pytest
import torch
from figure_examples import replay
from figure_page import Open, assert_shows, control, slide, text_sizes
from interaction import resize
from playwright.sync_api import expect

from attention_figures import ReplayFigure


def test_who_has_found_and_lost_a_key_by_hand() -> None:
    stages = replay().stages()
    assert stages["found"].tolist() == [[[0, 0, 3], [1, 1, 1]]]
    assert stages["lost"].tolist() == [[[0, 0, 0], [2, 2, 2]]]
    # (2/3)² + 2 (1/3)² for each query, halved
    assert stages["loss"][0, 0].tolist() == pytest.approx([1 / 3, 1 / 3, 0], abs=1e-4)


def test_sizes_and_steps_must_fit() -> None:
    weights = torch.full((1, 2, 2, 2), 0.5)
    with pytest.raises(ValueError, match="steps must be 2; got 1"):
        ReplayFigure(weights, [0], ["run"])
    with pytest.raises(ValueError, match="runs must be 1; got 2"):
        ReplayFigure(weights, [0, 1], ["a", "b"])
    with pytest.raises(ValueError, match=r"steps must ascend; got \[1, 1\]"):
        ReplayFigure(weights, [1, 1], ["run"])
    with pytest.raises(ValueError, match="names must be 2 or none; got 1"):
        ReplayFigure(weights, [0, 1], ["run"], names=["a"])
    assert repr(ReplayFigure(weights, [0, 1], ["run"])) == "ReplayFigure(name='replay')"


def test_a_slider_goes_through_the_steps_of_each_run(open_figure: Open) -> None:
    figure = replay()
    page = open_figure(figure)
    for step, run in ((0, 0), (2, 0), (2, 1), (1, 1)):
        slide(page, "step", step)
        control(page, f"run.{run}").click()
        figure.step, figure.run = step, run
        assert_shows(page, figure)
        found = figure.stages()["found"][0, run, step]
        expect(page.locator("[data-sentence]")).to_contain_text(f"{found} of 3 queries have found")
    expect(control(page, "step")).to_have_attribute("aria-valuetext", "10")
    line = page.locator("[data-code]")
    expect(line).to_contain_text("steps.index(10)")  # not the place where it is stored
    control(page, "code.step").press("Home")
    expect(line).to_contain_text(f"steps.index({figure.steps[0]})")


def test_the_keys_to_find_have_a_frame_and_names(open_figure: Open) -> None:
    page = open_figure(replay())
    places = page.locator("td[data-marked]").evaluate_all(
        "cells => cells.map((cell) => cell.dataset.at)"
    )
    assert places == ["0,0,0", "0,1,1", "0,2,2"]
    expect(page.locator("thead th")).to_have_text(["Paris", "Oslo", "Lima"])
    expect(page.locator("tbody th")).to_have_text(["France", "Norway", "Peru"])


@pytest.mark.parametrize("width", [1280, 390])
def test_all_fits_and_can_be_read(open_figure: Open, width: int) -> None:
    page = open_figure(replay())
    resize(page, width, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert min(text_sizes(page)) >= 12


def test_hide_hides_weights_and_losses(open_figure: Open) -> None:
    page = open_figure(replay())
    told = page.locator("[data-at], .curve, circle.now")
    assert told.locator("visible=true").count() >= 11  # a flat line has no height
    control(page, "hide").click()
    expect(told.locator("visible=true")).to_have_count(0)
