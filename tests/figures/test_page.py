"""Test the pipeline figure on its own page, compared with torch."""

import pytest
import torch
from figure_examples import pipeline, steps
from figure_page import Open, assert_shows, control, drag, slide
from interaction import resize
from playwright.sync_api import Browser, expect

from attention_figures import AttentionFigure, Figure
from attention_lib import DotProductAttention


@pytest.mark.parametrize("figure", [pipeline(), steps()], ids=["pipeline", "steps"])
def test_a_slider_changes_one_examples_length(open_figure: Open, figure: Figure) -> None:
    page = open_figure(figure)
    assert_shows(page, figure)
    for lengths in ([4, 3], [4, 0], [1, 2]):
        for b, length in enumerate(lengths):
            slide(page, f"valid_lens[{b}]", length)
        figure.valid_lens = lengths
        assert_shows(page, figure)


@pytest.mark.parametrize("figure", [pipeline(), steps()], ids=["pipeline", "steps"])
def test_the_switch_gives_each_query_its_own_length(open_figure: Open, figure: Figure) -> None:
    page = open_figure(figure)
    figure.valid_lens = [2, 3]
    control(page, "per_query").check()
    assert_shows(page, figure)
    slide(page, "valid_lens[0][1]", 4)
    slide(page, "valid_lens[1][0]", 0)
    figure.valid_lens = [[2, 4], [0, 3]]
    assert_shows(page, figure)
    control(page, "per_query").uncheck()
    figure.valid_lens = [4, 3]
    assert_shows(page, figure)


def test_the_mask_edge_can_be_dragged_in_the_heatmap(open_figure: Open) -> None:
    figure = pipeline()
    page = open_figure(figure)
    control(page, "example.1").click()  # one is shown at a time
    edge = page.locator('[aria-label="attention_weights[1]"] ~ .edges [data-edge="0"]')
    drag(page, edge, page.locator('[data-at="1,0,0"]'), side=0.9)
    figure.valid_lens = [2, 1]
    assert_shows(page, figure)
    control(page, "per_query").check()
    drag(page, edge.nth(0), page.locator('[data-at="1,0,3"]'), side=1)
    figure.valid_lens = [[2, 2], [4, 1]]
    assert_shows(page, figure)


def test_masked_cells_are_hatched_and_only_they(open_figure: Open) -> None:
    page = open_figure(pipeline())
    hatched = page.locator("[data-at][data-masked]")
    places = hatched.evaluate_all("cells => cells.map(cell => cell.dataset.at)")
    assert places == ["0,0,2", "0,0,3", "0,1,2", "0,1,3", "1,0,3", "1,1,3"]
    assert "gradient" in hatched.first.evaluate("cell => getComputedStyle(cell).backgroundImage")


def test_num_hiddens_changes_the_scores(open_figure: Open) -> None:
    figure = pipeline()
    page = open_figure(figure)
    for number in (16, 4, 1):
        control(page, "num_hiddens").select_option(str(number))
        figure.num_hiddens = number
        assert_shows(page, figure)


def test_one_module_needs_no_choice(open_figure: Open) -> None:
    inputs = torch.randn(1, 2, 3), torch.randn(1, 4, 3), torch.randn(1, 4, 2)
    figure = AttentionFigure(DotProductAttention(), *inputs)
    page = open_figure(figure)
    assert_shows(page, figure)
    expect(control(page, "num_hiddens")).to_have_count(0)


def test_the_walk_goes_forward_and_back(open_figure: Open) -> None:
    page = open_figure(steps(step=0))
    expect(control(page, "back")).to_be_disabled()
    ahead = page.locator(".stage[data-ahead]")
    for left in range(5, 0, -1):
        expect(ahead).to_have_count(left)
        control(page, "next").click()
    expect(ahead).to_have_count(0)
    expect(control(page, "next")).to_be_disabled()
    control(page, "back").click()
    expect(ahead).to_have_count(1)
    slide(page, "step", 2)
    expect(ahead).to_have_count(3)
    expect(page.locator('[data-at="0,0,0"]')).to_be_hidden()


def test_on_a_phone_the_buttons_stay_with_the_step_that_is_read(open_figure: Open) -> None:
    page = open_figure(steps())
    resize(page, 390, 600)
    page.locator(".stage").last.scroll_into_view_if_needed()
    expect(control(page, "back")).to_be_in_viewport()


def test_all_later_stages_follow_a_changed_score(open_figure: Open) -> None:
    page = open_figure(steps())
    control(page, "scores[0][0][1]").fill("0.8")
    rows = page.locator(".steps .stage tbody tr:nth-child(1)")
    texts = [rows.nth(i).inner_text().split() for i in range(0, 12, 2)]
    assert texts[1] == ["0", "2"]
    assert texts[2] == ["0", "True", "True", "False", "False"]
    assert texts[3] == ["0", "0.80", "0.80", "−∞", "−∞"]
    assert texts[4] == ["0", "1.00", "1.00", "0", "0", "2.00"]
    assert texts[5] == ["0", "0.50", "0.50", "0", "0"]


def test_a_score_of_padding_changes_nothing_after_the_mask(open_figure: Open) -> None:
    page = open_figure(steps())
    later = page.locator(".steps .stage:not(:first-child)")
    before = [stage.inner_html() for stage in later.all()]
    control(page, "scores[0][0][3]").fill("100")
    assert [stage.inner_html() for stage in later.all()] == before
    control(page, "scores[0][0][0]").fill("100")
    assert [stage.inner_html() for stage in later.all()] != before


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = steps(step=0)
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    figure.valid_lens = [3, 3]
    for _ in range(3):
        page.keyboard.press(
            "Tab"
        )  # the other length, the switch, the step buttons: back is disabled
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.dataset.control") == "step"
    assert_shows(page, figure)
    expect(page.locator(".stage[data-ahead]")).to_have_count(0)


def test_in_print_every_step_is_there_and_no_control(open_figure: Open) -> None:
    page = open_figure(steps(step=0))
    page.emulate_media(media="print")
    expect(page.locator('[data-at="1,1,2"]')).to_be_visible()
    expect(page.locator('[data-at="1,1,2"]')).to_have_css("print-color-adjust", "exact")
    for each in page.locator('input:not([type="number"], .number), button, .edge').all():
        expect(each).to_be_hidden()


def test_a_figure_that_fails_keeps_its_tables_and_lets_the_others_live(browser: Browser) -> None:
    page, errors = browser.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    broken = steps()._fragment().replace('"lang": "en"', '"lang": "none"')
    page.set_content(broken + steps().to_html())
    expect(page.locator("[data-live]")).to_have_count(1)
    expect(page.locator("[data-figure]:not([data-live]) table").first).to_be_visible()
    assert len(errors) == 1
    page.close()
