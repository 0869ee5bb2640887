"""Figures of dropout: what a reader does with them."""

import re

import pytest
import torch
from figure_examples import (
    DROPOUT,
    dropout,
    dropout_mean,
    dropout_row,
    dropout_spread,
    dropout_sums,
    dropout_variants,
    tensors,
    trained_weights,
)
from figure_page import Open, assert_shows, control, slide, text_sizes
from interaction import figure_on, resize
from node import call_in_node
from playwright.sync_api import Locator, Page, expect

from attention_figures import DropoutFigure, DropoutMeanFigure, Figure, NumberQuestion

PS = [i / 20 for i in range(19)]  # what the slider leads to


# The parts of the figure, by torch's names.
PLACES = {
    "draws": ".draw",
    "dropped": "[data-used-at]",
    "row_sums": '[data-result="row_sums"]',
}
MEAN = ".mean-of-draws tbody td"


def cells(page: Page, stage: str) -> Locator:
    return page.locator(PLACES[stage])


def numbers(page: Page, stage: str) -> list[float]:
    return in_numbers(cells(page, stage))


def in_numbers(found: Locator) -> list[float]:
    return [float(text.replace("−", "-")) for text in found.all_inner_texts()]


def sentence(page: Page) -> str:
    return page.locator("[data-sentence]").inner_text()


def assert_shows_all(page: Page, figure: DropoutFigure) -> None:
    """Assert that every number is torch's, and dropped cells, and only those, are hatched."""
    assert_shows(page, figure)
    stages = figure.stages()
    for stage in PLACES:
        assert numbers(page, stage) == pytest.approx(stages[stage].flatten().tolist(), abs=0.0051)
    dropped = (stages["dropped"] == 0).flatten().tolist()
    hatched = (
        """all => all.map((node) => "masked" in node.closest(".draw, .weight-square").dataset)"""
    )
    for stage in ("draws", "dropped"):
        assert cells(page, stage).evaluate_all(hatched) == dropped
    expect(page.locator("[data-masked] [data-at]")).to_have_count(0)  # what is stored is whole


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
    assert page.locator("[data-at]").all_inner_texts() == stored


def test_evaluation_mode_changes_nothing_and_hatches_nothing(open_figure: Open) -> None:
    figure = dropout()
    page = open_figure(figure)
    slide(page, "p", 18)
    control(page, "training").uncheck()
    figure.p, figure.training = 0.9, False
    assert_shows_all(page, figure)
    expect(page.locator("[data-masked]")).to_have_count(0)
    assert sentence(page) == "Evaluation mode: dropout changes nothing."
    control(page, "training").check()
    figure.training = True
    assert_shows_all(page, figure)


def test_the_words_count_what_is_dropped_and_name_the_rows_that_lost_all(
    open_figure: Open,
) -> None:
    page = open_figure(dropout())
    assert sentence(page).startswith(
        "Weights are dropped where the draw is below p: 6 of 12. "
        "The others are divided by 1 − p = 0.50. The rows sum to "
    )
    assert "lost" not in sentence(page)
    slide(page, "p", 18)
    assert sentence(page).startswith("Weights are dropped where the draw is below p: 11 of 12.")
    assert sentence(page).endswith("q1, q2 lost all weights: the output is 0.")
    slide(page, "p", 0)
    assert sentence(page).startswith("Weights are dropped where the draw is below p: 0 of 12.")
    assert sentence(page).endswith("The rows sum to 1.00, 1.00, 1.00.")


def test_a_draw_lies_in_the_hatched_part_of_its_line_where_its_weight_is_dropped(
    open_figure: Open,
) -> None:
    page = open_figure(dropout())
    inside = """all => all.map((node) => {
      const box = (part) => node.querySelector(part).getBoundingClientRect();
      return (box(".dot").left + box(".dot").right) / 2 < box(".below").right - 0.5;
    })"""
    for place in (4, 10, 18):
        slide(page, "p", place)
        dropped = [x == 0 for x in numbers(page, "dropped")]
        assert page.locator(".draw").evaluate_all(inside) == dropped


def test_the_mean_follows_p_and_the_draws(open_figure: Open) -> None:
    figure = dropout_mean()
    page = open_figure(figure)
    for place, figure.draw in ((10, 1), (10, 3), (3, 2), (18, 3)):
        slide(page, "p", place)
        slide(page, "draw", figure.draw)
        figure.p = PS[place]
        stages = figure.stages()
        shown = in_numbers(page.locator(MEAN))
        assert shown == pytest.approx(stages["mean"].flatten().tolist(), abs=0.0051)
        expect(page.locator(f'code:text("draws 1 to {figure.draw}")')).to_have_count(1)
        expect(page.locator(".plot text.now")).to_have_text(f"{stages['deviation'].item():.2f}")
        said = f"The standard error is {stages['standard_error'].item():.2f}."
        assert sentence(page).endswith(said)


def test_drawing_anew_makes_uniform_draws_of_two_decimals(open_figure: Open) -> None:
    torch.manual_seed(0)
    figure = DropoutFigure(torch.zeros(1, 5, 8), torch.rand(60, 5, 8), p=0.3)
    page = open_figure(figure)
    seen: list[float] = []
    for _ in range(2):
        control(page, "resample").click()
        for n in (1, 20, 60):
            slide(page, "draw", n)
            draws = numbers(page, "draws")
            assert draws not in (seen[-40:], [x for row in figure.draws[n - 1] for x in row])
            seen += draws
    assert all(0 <= x < 1 for x in seen)
    assert sum(seen) / len(seen) == pytest.approx(0.495, abs=0.1)  # 240 draws
    assert sum(x >= 0.3 for x in seen) / len(seen) == pytest.approx(0.7, abs=0.15)
    assert_shows(page, figure)


def test_the_mean_of_new_draws_is_near_the_weights(open_figure: Open) -> None:
    torch.manual_seed(0)
    page = open_figure(DropoutMeanFigure(torch.zeros(1, 5, 8), torch.rand(60, 5, 8), p=0.3))
    before = page.locator(MEAN).all_inner_texts()
    control(page, "resample").click()
    slide(page, "draw", 60)
    assert page.locator(MEAN).all_inner_texts() != before
    assert sum(in_numbers(page.locator(MEAN))) / 40 == pytest.approx(0.125, abs=0.02)


def test_a_new_draw_is_cut_off_and_not_rounded(open_figure: Open) -> None:
    page = open_figure(dropout())
    page.evaluate("Math.random = () => 0.999")
    control(page, "resample").click()
    assert set(cells(page, "draws").all_inner_texts()) == {"0.99"}
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
    before = numbers(page, "draws")
    page.keyboard.press("Enter")
    assert numbers(page, "draws") != before


def test_values_are_changed_from_the_keyboard(open_figure: Open) -> None:
    page = open_figure(dropout_spread())
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.control") == "values[0][0][0]"
    expect(control(page, "values[0][0][0]")).to_have_value("4.1")
    figure = dropout_spread()
    figure.values = [[[4.1], [1.0], [3.0], [0.5]]]
    output = figure.stages()["eval_output"].item()
    expect(page.locator('[data-result="eval_output"]')).to_have_text(f"{output:.2f}")


def test_more_than_16_keys_are_hatched_on_a_canvas_and_in_the_row_below(open_figure: Open) -> None:
    torch.manual_seed(0)
    draws = torch.rand(2, 3, 20)
    page = open_figure(DropoutFigure(torch.zeros(1, 3, 20), draws, p=0.4))
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


NAMES = {"en": ["uniform", "sloping", "sharp"], "zh": ["均匀", "倾斜", "集中"]}


def asked(lang: str) -> DropoutFigure:
    """Return the example with names and a question as long as those of a chapter."""
    figure = DropoutFigure(**tensors(DROPOUT), lang=lang, query_names=NAMES[lang])
    text = {
        "en": "Set `p` to 0.1: one of the twelve draws lies below. What do the rows sum to that "
        "lose nothing?",
        "zh": "把 `p` 设为 0.1，十二个随机数里只有一个比它小。那些什么也没丢的行，和是多少？",
    }
    return figure.ask(
        NumberQuestion(
            text[lang],
            answer=lambda figure: figure.stages()["row_sums"][0, 0],
            because={"en": "Nothing is lost, and all is divided by 0.9: " * 2, "zh": "没丢。" * 9}[
                lang
            ],
            tolerance=0.02,
            decimals=2,
            wrong=[(1, {"en": "Only on average is it 1.", "zh": "平均才是 1。"}[lang])],
            at={"p": 0.1},
            slider=(0.5, 1.5, 0.01),
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
    result = page.locator("[data-used-at], .result").last
    figure, last = figure_on(page).bounding_box(), result.bounding_box()
    assert figure
    assert last
    assert last["y"] + last["height"] - figure["y"] <= height
    sizes = page.locator(".connections *").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min([*sizes, *text_sizes(page)]) >= 12
    page.locator("[data-guess]").fill("1")
    page.locator("[data-commit]").click()
    assert result.bounding_box() == last


def test_nothing_reveals_the_answer_before_a_guess(open_figure: Open) -> None:
    page = open_figure(asked("en"))
    for stage in ("dropped", "row_sums"):
        expect(page.locator(f"{PLACES[stage]}:visible")).to_have_count(0)
    said = figure_on(page).aria_snapshot()
    assert "1.11" not in said
    page.locator("[data-guess]").fill("1")
    page.locator("[data-commit]").click()
    expect(page.locator("[data-verdict]")).to_contain_text("Only on average is it 1.")
    figure = dropout(p=0.1)
    assert_shows_all(page, figure)
    assert page.locator("b.side").all_inner_texts() == NAMES["en"]


def test_names_head_the_rows_of_tables() -> None:
    html = asked("en")._repr_mimebundle_()[0]["text/html"]
    assert "<th>sharp</th><td>0.2000</td><td>0.4500</td>" in html


@pytest.mark.parametrize(
    ("figure", "handle"),
    [
        (dropout(), "p"),
        (dropout_row(), "p"),
        (dropout_variants(), "p"),
        (dropout_mean(), "draw"),
        (dropout_spread(), "p"),
        (dropout_sums(), "p"),
        (trained_weights(), "step"),
    ],
)
def test_the_first_control_is_the_handle_and_letters_are_large_enough(
    open_figure: Open, figure: Figure, handle: str
) -> None:
    page = open_figure(figure)
    first = page.locator("[data-handle] [data-control]").first
    assert first.get_attribute("data-control") == handle
    assert min([12.0, *text_sizes(page)]) >= 12


def test_one_query_has_lines_to_its_keys_and_several_have_none(open_figure: Open) -> None:
    expect(open_figure(dropout_row()).locator(".lines svg")).to_have_count(1)
    expect(open_figure(dropout()).locator(".lines svg")).to_have_count(0)


def test_sums_of_rows_are_drawn_without_weights_and_values(open_figure: Open) -> None:
    figure = dropout_sums()
    page = open_figure(figure)
    assert sentence(page).startswith("Row sums, mean ± standard deviation: q0 1.00 ± 0.")
    expect(page.locator("[data-at], [data-control^=values]")).to_have_count(0)
    code, printed = page.locator("[data-code]").inner_text().split("tensor(")
    p, attention_weights = figure.p, figure.stages()["attention_weights"]
    expected = (p / (1 - p) * attention_weights**2).sum(-1).sqrt()
    assert ") * attention_weights**2).sum(-1).sqrt()" in code
    found = [float(number) for number in re.findall(r"\d\.\d+", printed)]
    assert found == pytest.approx(expected.flatten().tolist(), abs=1e-4)
    page = open_figure(dropout_spread())
    assert sentence(page).startswith("Outputs, mean ± standard deviation: her ")
    for k in range(4):
        control(page, f"values[0][{k}][0]").fill("1")
    assert sentence(page).startswith("Row sums")
    expect(control(page, "values[0][3][0]")).to_be_visible()  # they stay, to be changed again


def test_a_dropped_score_is_not_a_dropped_weight(open_figure: Open) -> None:
    figure = dropout_variants()
    page = open_figure(figure)
    for stage, place in [
        ("scores_dropped", "data-scores-at"),
        ("renormalised", "data-renormalised-at"),
    ]:
        shown = [float(text) for text in page.locator(f"[{place}]").all_inner_texts()]
        assert shown == pytest.approx(figure.stages()[stage].flatten().tolist(), abs=0.0051)
    assert "*" not in sentence(page)
    assert sentence(page).startswith("found is dropped: it weighs 0")


def test_steps_of_training_are_replayed(open_figure: Open) -> None:
    figure = trained_weights()
    page = open_figure(figure)
    for figure.step in (0, 11):
        slide(page, "step", figure.step)
        assert_shows(page, figure)
        assert sentence(page).startswith(f"After {10 * figure.step} of 110 training steps.")


def test_sums_of_all_ways_to_drop_are_as_likely_as_they_are() -> None:
    terms, p = [0.4, -0.3, 0.2], 0.25
    ways = torch.tensor(call_in_node("maths/dropout.ts", "allSums", terms, p), dtype=torch.float64)
    totals, likely = ways.mT
    assert likely.sum().item() == pytest.approx(1)
    assert (likely @ totals).item() == pytest.approx(0.3)
    squares = sum(x * x for x in terms)
    variance = likely @ (totals - 0.3) ** 2
    assert variance.item() == pytest.approx(p / (1 - p) * squares)
