"""Test the look-up figure: numbers, traits, interaction."""

import math
import re

import pytest
import torch
from figure_examples import LOOK_UP, look_up
from figure_page import Open, assert_shows, control, grip, move, text_sizes, typed
from interaction import figure_on, resize
from playwright.sync_api import Page, expect

from attention_figures import NumberQuestion, PoolingFigure

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
    assert figure.output.item() == pytest.approx(15, abs=0.01)  # almost the plain average


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
        lines = page.locator(".link:not(.legend *)")
        return [float(str(line.get_attribute("stroke-width"))) for line in lines.all()]

    # 14 pixels for the weight 1, and at least 1, so that every weight is visible
    weights = (14 * figure.attention_weights[0]).clamp(min=1).tolist()
    assert widths() == pytest.approx(weights[0])
    control(page, "query").select_option("1")
    assert widths() == pytest.approx(weights[1])
    expect(page.locator(".query[data-chosen] text:visible")).to_have_text("q1")
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
    for _ in range(26):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.dataset.control"))
    points = {
        *(f"queries[0][{q}]" for q in range(2)),
        *(f"keys[0][{k}]" for k in range(4)),
    }
    values = {f"values[0][{k}]" for k in range(4)}
    fields = {f"{name}[{axis}]" for name in points for axis in range(2)}
    assert seen == points | values | fields | {f"{name}[0]" for name in values}
    figure.temperature = 0
    assert_shows(page, figure)


TOWNS = {
    "en": (["Northbridge", "Eastport", "Southlake", "Westhill"], ["Millbrook", "halfway"], "min"),
    "zh": (["北桥", "东港", "南湖", "西山"], ["柳溪", "半路"], "分钟"),
}


def towns(lang: str = "en") -> PoolingFigure:
    """Return the chapter's map."""
    keys = torch.tensor([[[0.0, 2.0], [2.0, 0.0], [0.0, -2.0], [-2.0, 0.0]]])
    queries = torch.tensor([[[0.0, 1.0], [-1.0, 1.0]]])
    values = torch.tensor([[[30.0], [50.0], [20.0], [60.0]]])
    names, query_names, unit = TOWNS[lang]
    return PoolingFigure(
        queries, keys, values, lang=lang, names=names, query_names=query_names, unit=unit
    )


def asked(lang: str) -> PoolingFigure:
    """Return the map with a question of two lines, and a verdict as long as the chapter's."""
    text = {"en": "Four towns with their minutes; near ones count for more. ", "zh": "四镇。" * 12}
    figure = towns(lang)
    return figure.ask(
        NumberQuestion(
            text[lang] + {"en": "What is the average for *Millbrook*?", "zh": "*柳溪*呢？"}[lang],
            answer=lambda figure: figure.output[0, 0, 0],
            because={
                "en": "*Northbridge* is nearest and weighs most, but no weight is 0.",
                "zh": "*北桥*最近，权重最大，可是哪个权重也不是 0。",
            }[lang],
            tolerance=1.5,
            wrong=[(30, {"en": "That is the nearest alone.", "zh": "这只是最近的。"}[lang])],
            unit=TOWNS[lang][2],
            slider=(20, 60, 1),
        )
    )


def sentence(page: Page) -> str:
    return page.locator("[data-sentence]").inner_text().replace("\u202f", " ")


def test_it_speaks_of_towns_and_minutes(open_figure: Open) -> None:
    figure = towns()
    page = open_figure(figure)
    labels = page.locator(".in-the-plane .key text").all_text_contents()
    assert labels == ["Northbridge30", "Eastport50", "Southlake20", "Westhill60"]
    assert sentence(page) == (
        "Millbrook reads Northbridge (78%), Eastport (10%), Westhill (10%), Southlake (1%). "
        "The average is 35.11 min."
    )
    score = page.locator('[aria-label="scores[0]"] tbody td').first
    assert score.inner_text() == "−0.50"
    control(page, "query").select_option(label="halfway")
    assert sentence(page).startswith("halfway reads Northbridge (49%), Westhill (49%)")
    assert score.inner_text() == "−1.00"
    html = figure._repr_mimebundle_()[0]["text/html"]
    assert "<th>Millbrook</th><td>0.7758</td>" in html


@pytest.mark.parametrize("wrong", ["names", "query_names"])
def test_names_are_as_many_as_they_name(wrong: str) -> None:
    inputs = torch.zeros(1, 2, 2), torch.ones(1, 3, 2), torch.ones(1, 3, 1)
    with pytest.raises(ValueError, match=rf"^{wrong} must be [23] or none; got 1$"):
        PoolingFigure(*inputs, **{wrong: ["one"]})


@pytest.mark.parametrize(("lang", "hint"), [("en", "drag me"), ("zh", "拖动我")])
def test_its_handle_has_a_hint_until_it_was_moved(open_figure: Open, lang: str, hint: str) -> None:
    page = open_figure(towns(lang))
    expect(page.locator("[data-handle]")).to_have_attribute("data-point", "queries[0][0]")
    said = page.locator("[data-handle]").get_by_text(hint)
    expect(said).to_be_visible()
    move(page, grip(page, "queries[0][0]"), 30, 0)
    expect(said).to_be_hidden()
    control(page, "reset").click()
    expect(said).to_be_visible()


def test_points_are_sliders_for_arrow_keys(open_figure: Open) -> None:
    figure = towns()
    page = open_figure(figure)
    point = page.get_by_role("slider", name="key Southlake", exact=True)
    expect(point).to_have_attribute("aria-valuetext", "0, −2")
    for key in ("ArrowRight", "ArrowUp", "Shift+ArrowUp"):
        point.press(key)
    expect(point).to_have_attribute("aria-valuetext", "0.1, −0.9")
    figure.keys_ = [[*figure.keys_[0][:2], [0.1, -0.9], figure.keys_[0][3]]]
    assert_shows(page, figure)
    value = page.get_by_role("slider", name="value of Westhill")
    value.press("ArrowLeft")
    assert typed(page, "values[0][3][0]") == 59


def test_keys_in_one_place_are_both_seen_and_the_last_one_is_dragged_on(
    open_figure: Open,
) -> None:
    figure = towns()
    figure.keys_ = [[[0.0, 2.0], [0.0, 2.0], *figure.keys_[0][2:]]]
    page = open_figure(figure)
    squares = page.locator(".in-the-plane .key rect")
    assert [square.get_attribute("width") for square in squares.all()][:2] == ["10", "18"]
    boxes = [page.locator(f".in-the-plane .key text >> nth={k}").bounding_box() for k in (0, 1)]
    assert boxes[0]
    assert boxes[1]
    assert abs(boxes[0]["y"] - boxes[1]["y"]) > 10 or abs(boxes[0]["x"] - boxes[1]["x"]) > 60
    control(page, "keys[0][1][0]").fill("1")
    move(page, grip(page, "keys[0][1]"), -20, 0)
    control(page, "keys[0][1][0]").fill("0")
    control(page, "keys[0][1][1]").fill("2")
    move(page, grip(page, "keys[0][0]"), 40, 0)
    assert typed(page, "keys[0][0][0]") == 0
    assert typed(page, "keys[0][1][0]") > 0.5


@pytest.mark.parametrize(("width", "height"), [(1280, 680), (390, 664)])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_question_handle_and_result_share_a_screen(
    open_figure: Open, lang: str, width: int, height: int
) -> None:
    page = open_figure(asked(lang))
    page.add_style_tag(content="body { margin: 0 16px; max-width: 780px }")
    resize(page, width, height)
    figure, last = figure_on(page).bounding_box(), page.locator(".row-output").bounding_box()
    assert figure
    assert last
    assert last["y"] + last["height"] - figure["y"] <= height
    assert min(text_sizes(page)) >= 12
    page.locator("[data-guess]").fill("30")
    page.locator("[data-commit]").click()
    assert page.locator(".row-output").bounding_box() == last


def test_nothing_reveals_the_answer_before_a_guess(open_figure: Open) -> None:
    page = open_figure(asked("en"))
    expect(page.locator("[data-at]:visible")).to_have_count(0)
    for tells in (".link", ".output", '[aria-label^="output"] tbody td'):
        expect(page.locator(f"{tells}:visible:not(.legend *)")).to_have_count(0)
    said = figure_on(page).aria_snapshot()
    assert "35" not in said
    assert "0.78" not in said
    expect(page.locator("[data-code] samp")).to_have_text(
        re.compile(r"tensor\(\[\[\[\?\],\s+\[\?\]\]\]\)")
    )
    page.locator("[data-guess]").fill("40")
    page.locator("[data-commit]").click()
    assert_shows(page, towns())


@pytest.mark.parametrize("value", [0.0, 40.0])
def test_the_names_of_equal_values_stand_apart(open_figure: Open, value: float) -> None:
    towns, values = ["Northbridge", "Eastport", "Southlake", "Westhill"], [[value]] * 4
    given = [torch.tensor(x) for x in (LOOK_UP["queries"], KEYS, [values])]
    page = open_figure(PoolingFigure(*given, names=towns))
    boxes = page.locator(".line-of-values text").evaluate_all(
        """(texts) => texts.map((text) => text.getBoundingClientRect())
          .map(({ left, right, top, bottom }) => [left, right, top + 3, bottom - 3])"""
    )  # of the letters, without ascenders and descenders
    assert len(boxes) > 6  # both averages and the axis included
    for i, (left, right, top, bottom) in enumerate(boxes):
        for other in boxes[:i]:
            assert left >= other[1] or other[0] >= right or top >= other[3] or other[2] >= bottom
