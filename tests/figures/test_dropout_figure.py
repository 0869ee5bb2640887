"""Test interaction with the dropout figure."""

import pytest
import torch
from figure_examples import DROPOUT, PARTS, dropout, dropout_in, tensors
from figure_page import Open, assert_shows, control, slide, text_sizes
from interaction import figure_on, resize
from node import call_in_node
from playwright.sync_api import Locator, Page, expect

from attention_figures import DropoutFigure, Number

PS = [i / 20 for i in range(19)]  # what the slider leads to


# The parts of the figure, by torch's names.
PLACES = {
    "draws": ".draw",
    "dropped": "[data-used-at]",
    "row_sums": '[data-result="row_sums"]',
    "output": '[data-result="output"]',
    "eval_output": '[data-result="eval_output"]',
    "mean": ".mean-of-draws tbody td",
}


def cells(page: Page, stage: str) -> Locator:
    return page.locator(PLACES[stage])


def numbers(page: Page, stage: str) -> list[float]:
    return [float(text.replace("−", "-")) for text in cells(page, stage).all_inner_texts()]


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
    expect(page.locator("[data-masked] [data-at]")).to_have_count(
        0
    )  # the stored weights are complete
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
    assert numbers(page, "output") == numbers(page, "eval_output")
    assert sentence(page) == "Evaluation mode: dropout changes nothing."
    control(page, "training").check()
    figure.training = True
    assert_shows_all(page, figure)


def test_the_words_count_what_is_dropped_and_name_the_rows_that_lost_all(
    open_figure: Open,
) -> None:
    page = open_figure(dropout())
    assert sentence(page).startswith(
        "Dropped where the draw is below p: 6 of 12 weights. "
        "The others are divided by 1 − p = 0.50. The rows sum to "
    )
    assert "lost" not in sentence(page)
    slide(page, "p", 18)
    assert sentence(page).startswith("Dropped where the draw is below p: 11 of 12 weights.")
    assert sentence(page).endswith("q1, q2 lost every weight: the output is 0.")
    slide(page, "p", 0)
    assert sentence(page).startswith("Dropped where the draw is below p: 0 of 12 weights.")
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


def test_drawing_again_makes_uniform_draws_of_two_decimals(open_figure: Open) -> None:
    torch.manual_seed(0)
    figure = DropoutFigure(torch.zeros(1, 5, 8), torch.ones(1, 8, 1), torch.rand(60, 5, 8), p=0.3)
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
    mean = numbers(page, "mean")
    assert sum(mean) / 40 == pytest.approx(0.125, abs=0.02)
    assert_shows(page, figure)


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


NAMES = {"en": ["uniform", "sloping", "sharp"], "zh": ["均匀", "倾斜", "尖锐"]}


def asked(lang: str) -> DropoutFigure:
    """Return the example with names and a question as long as those of a chapter."""
    figure = DropoutFigure(**tensors(DROPOUT), lang=lang, query_names=NAMES[lang])
    text = {
        "en": "Set `p` to 0.1: one of the twelve draws lies below. What do the rows sum to that "
        "lose nothing?",
        "zh": "把 `p` 设为 0.1，十二个随机数里只有一个比它小。那些什么也没丢的行，和是多少？",
    }
    return figure.ask(
        Number(
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
    for stage in ("dropped", "row_sums", "output", "mean"):
        expect(page.locator(f"{PLACES[stage]}:visible")).to_have_count(0)
    said = figure_on(page).aria_snapshot()
    assert "1.11" not in said
    page.locator("[data-guess]").fill("1")
    page.locator("[data-commit]").click()
    expect(page.locator("[data-verdict]")).to_contain_text("Only on average is it 1.")
    figure = dropout(p=0.1)
    assert_shows_all(page, figure)
    assert page.locator("b.side").all_inner_texts() == NAMES["en"]


def test_names_are_as_many_as_they_name() -> None:
    with pytest.raises(ValueError, match=r"^query_names must be 3 or none; got 1$"):
        DropoutFigure(**tensors(DROPOUT), query_names=["one"])
    html = asked("en")._repr_mimebundle_()[0]["text/html"]
    assert "<th>sharp</th><td>0.2000</td><td>0.4500</td>" in html


@pytest.mark.parametrize("part", PARTS)
def test_parts_stand_alone_and_the_first_control_is_the_handle(
    open_figure: Open, part: str
) -> None:
    page = open_figure(dropout_in(part))
    first = page.locator("[data-handle] [data-control]").first
    assert first.get_attribute("data-control") == PARTS[part][0]
    present = {
        "arcs": ".lines svg",
        "connections": "[data-used-at]",
        "ways": "[data-scores-at]",
        "spread": ".spread svg",
        "mean": ".mean-of-draws",
        "distance": ".curve.distance",
        "resample": '[data-control="resample"]',
    }
    shown = {name for name, place in present.items() if page.locator(place).count()}
    implied = {"connections"} if part == "ways" else set()
    assert shown == present.keys() & {*PARTS[part], *implied}
    assert min([12.0, *text_sizes(page)]) >= 12


def test_a_dropped_score_is_not_a_dropped_weight(open_figure: Open) -> None:
    figure = dropout_in("ways")
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
    figure = dropout_in("trained")
    page = open_figure(figure)
    slide(page, "step", 1)
    figure.step = 1
    assert_shows(page, figure)
    assert sentence(page).startswith("Stored step 1 of 1.")


def test_sums_of_all_ways_to_drop_are_as_likely_as_they_are() -> None:
    terms, p = [0.4, -0.3, 0.2], 0.25
    ways = torch.tensor(call_in_node("maths/dropout.ts", "allSums", terms, p), dtype=torch.float64)
    totals, likely = ways.mT
    assert likely.sum().item() == pytest.approx(1)
    assert (likely @ totals).item() == pytest.approx(0.3)
    squares = sum(x * x for x in terms)
    variance = likely @ (totals - 0.3) ** 2
    assert variance.item() == pytest.approx(p / (1 - p) * squares)


def test_only_few_keys_have_all_their_sums_drawn() -> None:
    with pytest.raises(ValueError, match=r"^spread is of at most 10 keys; got 11$"):
        DropoutFigure(torch.zeros(1, 1, 11), torch.ones(1, 11, 1), torch.zeros(1, 1, 11),
                      parts=["spread"])  # fmt: skip
