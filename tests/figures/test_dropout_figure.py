"""The dropout figure: its numbers, its traits, and what a reader does with it."""

import pytest
import torch
from figure_examples import DROPOUT, dropout
from figure_page import Open, assert_shows, control, slide
from playwright.sync_api import Locator, Page, expect
from random_figures import random_dropout

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


def test_one_row_by_hand() -> None:
    figure = dropout(p=0.5)
    first = torch.tensor([2, 1, 0.5, 0]).double().softmax(0).tolist()
    assert figure.dropped[0, 0].tolist() == pytest.approx([2 * first[0], 0, 0, 2 * first[3]])
    assert figure.dropped[0, 1].tolist() == [0, 0.5, 0, 0.5]  # the draw 0.5 is not below p
    assert figure.stages()["row_sums"][0, 1].tolist() == [1]
    assert figure.output[0, 1].tolist() == [0.5 * 1 + 0.5 * 0.5, 0.5 * 0 + 0.5 * 2]
    figure.draw = 3
    by_hand = torch.tensor([[0, 0.5, 0, 0.5], [0.5, 0, 0.5, 0.5], [0, 0, 0, 0.5]]).mean(0)
    assert figure.mean[0, 1].tolist() == pytest.approx(by_hand.tolist())


def test_what_is_kept_is_what_torch_keeps_and_what_evaluation_mode_gives() -> None:
    for seed in range(40):
        figure = random_dropout(seed)
        figure.training = True
        weights = figure.attention_weights
        torch.manual_seed(seed)
        theirs = torch.nn.functional.dropout(weights, figure.p)
        both = (theirs != 0) & (figure.dropped != 0)
        torch.testing.assert_close(figure.dropped[both], theirs[both])
        figure.training = False
        assert torch.equal(figure.dropped, torch.nn.functional.dropout(weights, training=False))
        assert torch.equal(figure.mean, weights) or figure.draw > 1
        torch.testing.assert_close(figure.mean, weights)


def test_more_is_dropped_as_p_grows_and_nothing_comes_back() -> None:
    figure = dropout()
    before = figure.attention_weights != 0
    for p in PS:
        figure.p = p
        kept = figure.dropped != 0
        assert not (kept & ~before).any()
        before = kept
    assert before.sum() == 1  # of p = 0.9: the draw 0.95 only
    assert figure.stages()["row_sums"].flatten().tolist()[1:] == [0, 0]
    assert figure.output[0, 1:].tolist() == [[0, 0], [0, 0]]


def test_every_hundredth_as_a_draw_gives_the_stored_weight_as_the_exact_mean() -> None:
    hundredths = torch.arange(100).reshape(100, 1, 1) / 100
    figure = DropoutFigure(torch.ones(1, 1, 1), torch.ones(1, 1, 1), hundredths, draw=100)
    assert [draw[0][0] for draw in figure.draws] == [n / 100 for n in range(100)]
    for p in [*PS, 0.01, 0.57, 0.89]:
        figure.p = p
        assert figure.mean.item() == pytest.approx(1, abs=1e-12)


def test_draws_are_cut_off_after_two_decimals_and_stay_when_they_are_assigned_again() -> None:
    figure = dropout()
    draws = torch.tensor(DROPOUT["draws"], dtype=torch.float64)
    draws[0, 0, :3] = torch.tensor([0.299, 0.9999999, 0.29], dtype=torch.float64)
    figure.draws = draws
    assert figure.draws[0][0][:3] == [0.29, 0.99, 0.29]
    for dtype in (torch.float32, torch.float64):
        kept = figure.draws
        figure.draws = torch.tensor(kept, dtype=dtype)
        assert figure.draws == kept


def test_the_mean_over_many_draws_comes_back_to_the_stored_weights() -> None:
    torch.manual_seed(0)
    scores, values, draws = torch.randn(1, 2, 3), torch.randn(1, 3, 1), torch.rand(4000, 2, 3)
    figure = DropoutFigure(scores, values, draws)
    far = []
    for figure.draw in (1, 40, 4000):
        far.append(figure.stages()["deviation"].item())
    assert far[0] > 0.2
    assert far[2] < 0.02 < far[1] < 0.2
    assert repr(figure) == "DropoutFigure(name='dropout')"


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
