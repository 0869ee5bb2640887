"""The dropout figure: what a reader does with it."""

import pytest
import torch
from figure_examples import dropout
from figure_page import Open, assert_shows, control, slide
from playwright.sync_api import Locator, Page, expect

from attention_lib.figures import DropoutFigure

PS = [i / 20 for i in range(19)]  # what the slider leads to


def cells(page: Page, label: str) -> Locator:
    return page.locator(f'[aria-label="{label}"] tbody td')


def numbers(page: Page, label: str) -> list[float]:
    return [float(text.replace("−", "-")) for text in cells(page, label).all_inner_texts()]


def assert_shows_all(page: Page, figure: DropoutFigure) -> None:
    """Every heatmap holds what torch computes; what is dropped is hatched, and only that."""
    assert_shows(page, figure)
    stages = figure.stages()
    labels = {"draws[draw − 1]": "draws", "row sums": "row_sums", "dropped[0]": "dropped"}
    labels |= {"output[0]": "output", "output without dropout": "eval_output"}
    labels |= {"mean of dropped, draws 1 to n": "mean"}
    for label, stage in labels.items():
        assert numbers(page, label) == pytest.approx(stages[stage].flatten().tolist(), abs=0.0051)
    dropped = (stages["dropped"] == 0).flatten().tolist()
    for label in ("draws[draw − 1]", "dropped[0]"):
        hatched = cells(page, label).evaluate_all("all => all.map((td) => 'masked' in td.dataset)")
        assert hatched == dropped
    expect(page.locator("[data-at][data-masked]")).to_have_count(0)  # what is stored is whole
    expect(page.locator(".plot text.now")).to_have_text(f"{stages['deviation'].item():.2f}")


@pytest.mark.parametrize("place", [0, 3, 10, 18])
def test_p_and_the_draw_change_all_that_is_shown_but_the_stored_weights(
    open_figure: Open, place: int
) -> None:
    figure = dropout()
    page = open_figure(figure)
    assert_shows_all(page, figure)
    stored = page.locator("[data-at]").all_inner_texts()
    slide(page, "p", place)
    figure.p = PS[place]
    expect(page.locator("output").first).to_have_text(f"{PS[place]:g}")
    for figure.draw in (1, 2, 3):
        slide(page, "draw", figure.draw)
        assert_shows_all(page, figure)
        expect(page.locator(f'code:text("draws 1 to {figure.draw}")')).to_have_count(1)
    assert page.locator("[data-at]").all_inner_texts() == stored


def test_evaluation_mode_changes_nothing_and_hatches_nothing(open_figure: Open) -> None:
    figure = dropout()
    page = open_figure(figure)
    slide(page, "p", 18)
    control(page, "training").uncheck()
    figure.p, figure.training = 0.9, False
    assert_shows_all(page, figure)
    expect(page.locator("[data-masked]")).to_have_count(0)
    assert numbers(page, "output[0]") == numbers(page, "output without dropout")
    expect(page.locator(".sentence")).to_contain_text("Evaluation mode")
    control(page, "training").check()
    figure.training = True
    assert_shows_all(page, figure)


def test_the_words_count_what_is_dropped_and_name_the_rows_that_lost_all(
    open_figure: Open,
) -> None:
    page = open_figure(dropout())
    sentence, notice = page.locator(".sentence"), page.locator(".notice")
    expect(sentence).to_contain_text("6 of 12 weights are dropped")
    expect(sentence).to_contain_text("1 − p = 0.50")
    expect(notice).to_have_text("")
    slide(page, "p", 18)
    expect(sentence).to_contain_text("11 of 12 weights are dropped")
    expect(notice).to_have_text("q1, q2 lost every weight: the output is 0.")
    slide(page, "p", 0)
    expect(sentence).to_contain_text("0 of 12 weights are dropped")


def test_drawing_anew_makes_uniform_draws_of_two_decimals(open_figure: Open) -> None:
    torch.manual_seed(0)
    figure = DropoutFigure(torch.zeros(1, 5, 8), torch.ones(1, 8, 1), torch.rand(60, 5, 8), p=0.3)
    page = open_figure(figure)
    seen: list[float] = []
    for _ in range(2):
        control(page, "resample").click()
        for n in (1, 20, 60):
            slide(page, "draw", n)
            draws = numbers(page, "draws[draw − 1]")
            assert draws not in (seen[-40:], [x for row in figure.draws[n - 1] for x in row])
            seen += draws
    assert all(0 <= x < 1 for x in seen)
    assert sum(seen) / len(seen) == pytest.approx(0.495, abs=0.1)  # 240 draws
    assert sum(x >= 0.3 for x in seen) / len(seen) == pytest.approx(0.7, abs=0.15)
    mean = numbers(page, "mean of dropped, draws 1 to n")
    assert sum(mean) / 40 == pytest.approx(0.125, abs=0.02)
    assert_shows(page, figure)


def test_a_new_draw_is_cut_off_and_not_rounded(open_figure: Open) -> None:
    page = open_figure(dropout())
    page.evaluate("Math.random = () => 0.999")
    control(page, "resample").click()
    assert set(cells(page, "draws[draw − 1]").all_inner_texts()) == {"0.99"}
    expect(page.locator("[data-masked]")).to_have_count(0)


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = dropout()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    figure.p, figure.draw = 0.55, 3
    assert_shows_all(page, figure)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.control") == "resample"
    before = numbers(page, "draws[draw − 1]")
    page.keyboard.press("Enter")
    assert numbers(page, "draws[draw − 1]") != before
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.control") == "values[0][0][0]"
    expect(control(page, "values[0][0][0]")).to_have_value("4.1")


def test_more_than_16_keys_are_hatched_on_a_canvas_and_in_the_row_below(open_figure: Open) -> None:
    torch.manual_seed(0)
    sizes = {"scores": (1, 3, 20), "values": (1, 20, 1)}
    inputs = {name: torch.zeros(size) for name, size in sizes.items()}
    draws = torch.rand(2, 3, 20)
    page = open_figure(DropoutFigure(**inputs, draws=draws, p=0.4))
    line = page.locator(".panel", has=page.locator('code:text-is("dropped[0]")')).locator(
        "tbody td"
    )
    for row in range(3):
        page.locator('[aria-label="dropped[0][…]"]').fill(str(row))
        hatched = line.evaluate_all("all => all.map((cell) => 'masked' in cell.dataset)")
        assert hatched == (draws[0, row].double() < 0.4).tolist()
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    pixels = page.locator('canvas[aria-label="dropped[0]"]').evaluate(
        """canvas => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return Array.from({ length: 60 }, (_, i) => [...data.slice(4 * i, 4 * i + 3)].join());
        }"""
    )
    shades = {pixels[i] for i in range(60) if draws[0].flatten()[i] < 0.4}
    assert len(shades) == 2  # chequered
    assert shades.isdisjoint(pixels[i] for i in range(60) if draws[0].flatten()[i] >= 0.4)
