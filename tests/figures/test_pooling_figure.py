"""The look-up figure: its numbers, its traits, and what a reader does with it."""

import math
import re
from pathlib import Path
from typing import Any

import pytest
import torch
import traitlets
from agreement import assert_close, in_browser, state
from figure_host import changed_from_elsewhere, in_strict_model
from figure_page import Open, assert_shows, contrasts, control, move, text_sizes
from playwright.sync_api import Browser, Page, expect

from attention_lib.figures import PoolingFigure

QUERIES = [[[0.5, 0.5], [-1.5, 1.0]]]
KEYS = [[[1.0, 1.2], [-1.0, 0.0], [2.0, -1.0], [-2.0, 2.0]]]
VALUES = [[[4.0], [1.0], [3.0], [0.5]]]


def look_up(lang: str = "en", temperature: float = 1.0) -> PoolingFigure:
    inputs = (torch.tensor(x) for x in (QUERIES, KEYS, VALUES))
    return PoolingFigure(*inputs, temperature=temperature, lang=lang)


def random_look_up(seed: int) -> PoolingFigure:
    """Return a figure in a random state; in some, all keys are equally far from each query."""
    torch.manual_seed(seed)
    num_queries, num_keys = torch.randint(1, 8, (2,)).tolist()
    temperature = [0, 0.01, 1000, 10 ** torch.empty(1).uniform_(-2, 3).item()][seed % 4]
    queries, keys = torch.randn(1, num_queries, 2), torch.randn(1, num_keys, 2)
    if seed % 3 == 0:
        ring = torch.tensor([[0.7, 0.1], [0.5, 0.5], [-0.1, 0.7], [0.5, -0.5]])
        queries, keys = torch.zeros(1, num_queries, 2), ring[torch.arange(num_keys) % 4][None]
    scale = 10 ** (seed % 3)
    return PoolingFigure(scale * queries, scale * keys, torch.randn(1, num_keys, 1), temperature)


def test_the_browser_agrees_with_torch_on_random_states(page: Page, sources_url: str) -> None:
    figures = [random_look_up(seed) for seed in range(240)]
    states = [state(figure) for figure in figures]
    results = in_browser(page, sources_url, "pooling", "poolingStages", states)
    for figure, result in zip(figures, results, strict=True):
        expected = figure.stages()
        for name in ("queries", "keys", "values", "scores", "output", "mean"):
            assert_close(result[name], expected[name])
        assert_close(result["weights"], expected["attention_weights"])


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


def test_the_smallest_temperature_overflows_nothing() -> None:
    figure = look_up(temperature=0.0001)
    figure.keys_ = [[[1000.0, 1000.0], [-1000.0, 0.0], [0.0, 1000.0], [0.0, -1000.0]]]
    assert figure.attention_weights.isfinite().all()
    assert figure.attention_weights.sum(-1).tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize(
    ("trait", "wrong", "says"),
    [
        ("temperature", -0.1, "temperature must be a number from 0 to 1000; got -0.1"),
        ("temperature", 1001, "temperature must be a number from 0 to 1000; got 1001"),
        ("temperature", math.nan, "temperature must be a number from 0 to 1000; got nan"),
        ("temperature", "hot", "temperature must be a number from 0 to 1000; got 'hot'"),
        ("keys_", [[[1.0, 2.0]]], r"keys_ must have shape \(1, 4, 2\); got \(1, 1, 2\)"),
        ("queries", torch.full((1, 2, 2), torch.inf), "queries must be finite"),
    ],
)
def test_a_wrong_value_is_refused_with_a_reason(trait: str, wrong: object, says: str) -> None:
    figure = look_up()
    before = getattr(figure, trait)
    with pytest.raises(ValueError, match=says):
        setattr(figure, trait, wrong)
    assert getattr(figure, trait) == before


def test_a_temperature_is_rounded_and_may_be_a_tensor() -> None:
    figure = look_up(temperature=0.123456)
    assert figure.temperature == 0.1235
    figure.temperature = torch.tensor(2.5)
    assert figure.temperature == 2.5
    assert repr(figure) == "PoolingFigure(name='pooling')"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"queries": torch.zeros(1, 2, 3)}, r"queries must have shape \(1, Q, 2\) = \(1, 2, 2\)"),
        ({"queries": torch.zeros(2, 2)}, r"queries must have shape \(1, Q, 2\); got \(2, 2\)"),
        ({"keys": torch.zeros(2, 4, 2)}, r"keys must have shape .* \(1, 4, 2\); got \(2, 4, 2\)"),
        ({"values": torch.zeros(1, 3, 1)}, r"\(1, K, 1\) = \(1, 4, 1\); got \(1, 3, 1\)"),
        ({"keys": torch.zeros(1, 0, 2), "values": torch.zeros(1, 0, 1)}, "keys must not be empty"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(change: dict[str, Any], says: str) -> None:
    inputs = {"queries": QUERIES, "keys": KEYS, "values": VALUES}
    tensors = {name: torch.tensor(x) for name, x in inputs.items()} | change
    with pytest.raises(ValueError, match=says):
        PoolingFigure(**tensors)
    with pytest.raises(TypeError, match="queries must be floating"):
        PoolingFigure(torch.zeros(1, 2, 2, dtype=torch.long), tensors["keys"], tensors["values"])
    with pytest.raises(traitlets.TraitError, match="lang"):
        look_up("fr")


def typed(page: Page, name: str) -> float:
    """Read the number in a field, with all its decimals."""
    control(page, name).focus()
    return float(control(page, name).input_value())


def handle(page: Page, name: str) -> Any:
    return page.locator(f'[data-point="{name}"] .hit')


def test_points_and_values_are_dragged(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    box = page.locator(".plot").first.bounding_box()
    assert box
    unit = box["width"] / 340 * 292 / 6  # pixels: the axes go from -3 to 3
    move(page, handle(page, "keys[0][1]"), 1.5 * unit, -0.5 * unit)
    moved = [typed(page, f"keys[0][1][{axis}]") for axis in (0, 1)]
    assert moved == pytest.approx([0.5, 0.5], abs=0.01)
    move(page, handle(page, "queries[0][1]"), 0, 2 * unit)
    query = [typed(page, f"queries[0][1][{axis}]") for axis in (0, 1)]
    assert query == pytest.approx([-1.5, -1], abs=0.01)
    move(page, handle(page, "values[0][2]"), -30, 40)  # only along their line
    value = typed(page, "values[0][2][0]")
    assert value == pytest.approx(3 - 30 / box["width"] * 340 / 308 * 5.5, abs=0.01)
    figure.keys_ = [[KEYS[0][0], moved, *KEYS[0][2:]]]
    figure.queries = [[QUERIES[0][0], query]]
    figure.values = [[[4.0], [1.0], [value], [0.5]]]
    assert_shows(page, figure)


def test_of_points_that_lie_together_the_nearest_is_dragged_and_queries_first(
    open_figure: Open,
) -> None:
    figure = look_up()
    figure.keys_ = [[QUERIES[0][0], *KEYS[0][1:]]]  # key 0 lies under query 0
    page = open_figure(figure)
    move(page, handle(page, "keys[0][0]"), 40, 0)
    assert typed(page, "queries[0][0][0]") > 1
    assert typed(page, "keys[0][0][0]") == 0.5
    move(page, handle(page, "keys[0][0]"), -40, 0)
    assert typed(page, "keys[0][0][0]") < 0


def test_a_drag_stops_at_the_edge_and_then_there_is_more_room(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    ticks = page.locator(".plot").first.locator(".axes text")
    before = ticks.all_inner_texts()
    target = handle(page, "keys[0][2]")
    box = target.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(3000, box["y"] + box["height"] / 2, steps=4)
    assert ticks.all_inner_texts() == before  # nothing jumps under the pointer
    page.mouse.up()
    assert typed(page, "keys[0][2][0]") == 3
    assert ticks.all_inner_texts() != before
    figure.keys_ = [[*KEYS[0][:2], [3.0, -1.0], KEYS[0][3]]]
    assert_shows(page, figure)


def swipe(page: Page, x: float, y: float, across: float, down: float) -> None:
    """Put a finger down, and move it by so many pixels."""
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    for i in range(1, 9):
        touch("touchMove", {"x": x + across * i / 8, "y": y + down * i / 8})
    touch("touchEnd")


def test_a_finger_drags_a_point_and_scrolls_the_page_elsewhere(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "figure.html"
    file.write_text(look_up().to_html(), encoding="utf-8")
    size = {"width": 390, "height": 600}
    page = browser.new_page(viewport=size, has_touch=True, is_mobile=True)
    page.goto(file.as_uri())
    box, plot = handle(page, "keys[0][3]").bounding_box(), page.locator(".plot").first
    outer = plot.bounding_box()
    assert box
    assert outer
    swipe(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, 30, 150)
    assert typed(page, "keys[0][3][1]") < 0
    page.evaluate("scrollTo(0, 0)")
    swipe(page, outer["x"] + 40, outer["y"] + outer["height"] - 60, 0, -150)
    page.wait_for_function("scrollY > 50")
    page.close()


def test_a_click_on_a_point_changes_nothing_and_other_buttons_drag_nothing(
    open_figure: Open,
) -> None:
    figure = look_up()
    page = open_figure(figure)
    handle(page, "keys[0][3]").click(position={"x": 30, "y": 30})
    box = handle(page, "keys[0][0]").bounding_box()
    assert box
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down(button="right")
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.up(button="right")
    assert_shows(page, figure)


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
    handle(page, "queries[0][0]").click()
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
    plot, point = page.locator(".plot").first, page.locator('[data-point="keys[0][0]"] .hit')
    outer, inner = plot.bounding_box(), point.bounding_box()
    assert outer
    assert inner
    assert outer["y"] < inner["y"] + inner["height"] / 2 < outer["y"] + outer["height"]


def test_what_leaves_the_axes_during_a_drag_waits_at_their_edge(open_figure: Open) -> None:
    page = open_figure(look_up())
    plot, point = page.locator(".plot").first, handle(page, "keys[0][0]")
    box = handle(page, "keys[0][3]").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    control(page, "keys[0][0][1]").fill("500")
    outer, inner = plot.bounding_box(), point.bounding_box()
    assert outer
    assert inner
    assert outer["y"] < inner["y"] + inner["height"] / 2 < outer["y"] + outer["height"]
    page.mouse.up()


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


def test_in_jupyter_it_uses_its_own_traits_only_and_leaves_nothing_behind(
    page: Page, sources_url: str
) -> None:
    script = """
      const slider = el.querySelector("[data-control=temperature]");
      slider.value = "0";
      slider.dispatchEvent(new Event("input"));
      const weight = el.querySelector("[data-at='0,0,0']").textContent;
      change("keys_", [[[9, 9], [0.5, 0.5], [9, 9], [9, 9]]]);
      return [weight, el.querySelector("[data-at='0,0,0']").textContent];
    """
    result = in_strict_model(page, sources_url, look_up(), script)
    assert result == {
        "sets": ["temperature", "saved"],
        "shown": ["1.00", "0"],
        "left": 0,
        "html": "",
    }


@pytest.mark.parametrize("wrong", ["-1", "2000", "NaN", "'hot'"])
def test_a_temperature_from_elsewhere_that_cannot_be_is_refused(
    page: Page, sources_url: str, wrong: str
) -> None:
    script = f"""
      model.set("temperature", {wrong});
      const refused = [model.get("temperature"), said().join("")];
      model.set("temperature", 5);
      return [...refused, said().join("")];
    """
    result = changed_from_elsewhere(page, sources_url, look_up(), script)
    assert result == [1, "a number from 0 to 1000, please; kept 1", ""]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["hard maximum", "key and its value", "mean", "query"]),
        ("zh", ["只取分数最大的键", "键和它的值", "平均值", "查询"]),
    ],
)
def test_its_words_are_those_of_its_language(
    open_figure: Open, lang: str, words: list[str]
) -> None:
    text = open_figure(look_up(lang)).locator(".attention-figure").inner_text()
    assert [word for word in words if word not in text] == []
    assert (re.search("[一-龥]", text) is None) == (lang == "en")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_are_legible_in_every_colour(open_figure: Open, theme: str) -> None:
    ramp = torch.linspace(0, 1, 16)[None, :, None]  # 16 shades, from palest to strongest
    figure = PoolingFigure(ramp.expand(1, 16, 2), ramp.expand(1, 16, 2), ramp, temperature=0.05)
    page = open_figure(figure)
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    ratios = contrasts(page.locator(".attention-figure tbody td"))
    assert len(ratios) > 300
    assert min(ratios) >= 4.5


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_fits_a_phone_with_text_to_read_and_points_to_touch(
    open_figure: Open, lang: str
) -> None:
    page = open_figure(look_up(lang))
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert min(text_sizes(page)) >= 11
    sizes = page.locator(".hit").evaluate_all(
        "all => all.map((hit) => hit.getBoundingClientRect().width)"
    )
    assert min(sizes) >= 44


def test_without_javascript_the_numbers_are_tables(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(look_up().to_html())
    captions = page.locator("table caption").all_inner_texts()
    assert {"queries[0]", "keys[0]", "values[0]", "attention_weights[0]", "output[0]"} <= set(
        captions
    )
    context.close()
