"""Test dragging points in the plots of the look-up and kernel figures."""

from pathlib import Path

import pytest
from figure_examples import LOOK_UP, REGRESSION, look_up, regression
from figure_page import Open, assert_shows, control, grip, move, place_of, typed
from interaction import copied_link
from playwright.sync_api import Browser, Page, expect

from attention_figures import Figure

QUERIES, KEYS = LOOK_UP["queries"], LOOK_UP["keys"]


def test_points_and_values_are_dragged(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    box = page.locator(".plot").first.bounding_box()
    assert box
    unit = box["width"] / 320 * 268 / 6  # pixels: the axes go from -3 to 3
    move(page, grip(page, "keys[0][1]"), 1.5 * unit, -0.5 * unit)
    moved = [typed(page, f"keys[0][1][{axis}]") for axis in (0, 1)]
    assert moved == pytest.approx([0.5, 0.5], abs=0.01)
    move(page, grip(page, "queries[0][1]"), 0, 2 * unit)
    query = [typed(page, f"queries[0][1][{axis}]") for axis in (0, 1)]
    assert query == pytest.approx([-1.5, -1], abs=0.01)
    line = page.locator(".line-of-values .plot").bounding_box()
    assert line
    move(page, grip(page, "values[0][2]"), -30, 40)  # only along the value axis
    value = typed(page, "values[0][2][0]")
    assert value == pytest.approx(3 - 30 / line["width"] * 320 / 288 * 5.5, abs=0.01)
    figure.keys_ = [[KEYS[0][0], moved, *KEYS[0][2:]]]
    figure.queries = [[QUERIES[0][0], query]]
    figure.values = [[[4.0], [1.0], [value], [0.5]]]
    assert_shows(page, figure)
    move(page, grip(page, "queries[0][1]"), 4, 4)
    outline = "e => [e.dataset.point, getComputedStyle(e).outlineStyle]"
    held = page.locator(":focus")
    assert held.evaluate(outline) == ["queries[0][1]", "none"]  # a pointer shows no focus outline
    page.keyboard.press("ArrowRight")
    assert held.evaluate(outline) == ["queries[0][1]", "solid"]


def test_the_query_and_the_data_are_dragged(open_figure: Open) -> None:
    figure = regression()
    page = open_figure(figure)
    box = page.locator(".plot").first.bounding_box()
    assert box
    across = box["width"] / 330 * 290 / 5.5  # pixels: the axes go from -0.5 to 5 and 0.6 to 3.4
    upward = box["width"] / 330 * (220 - 30) / 2.8
    move(page, grip(page, "queries[0][0]"), across, -30)
    (query,) = place_of(page, "queries[0][0]")
    assert query == pytest.approx(2.5, abs=0.01)
    move(page, grip(page, "keys[0][1]"), 0.5 * across, -upward)
    point = place_of(page, "keys[0][1]")
    assert point == pytest.approx([1.5, 3], abs=0.01)
    figure.queries = [[[query]]]
    figure.keys_ = [[REGRESSION["keys"][0][0], [point[0]], *REGRESSION["keys"][0][2:]]]
    figure.values = [[REGRESSION["values"][0][0], [point[1]], *REGRESSION["values"][0][2:]]]
    assert_shows(page, figure)


def test_of_points_that_lie_together_the_nearest_is_dragged_and_queries_first(
    open_figure: Open,
) -> None:
    figure = look_up()
    figure.keys_ = [[QUERIES[0][0], *KEYS[0][1:]]]  # key 0 lies under query 0
    page = open_figure(figure)
    move(page, grip(page, "keys[0][0]"), 40, 0)
    assert typed(page, "queries[0][0][0]") > 1
    assert typed(page, "keys[0][0][0]") == 0.5
    move(page, grip(page, "keys[0][0]"), -40, 0)
    assert typed(page, "keys[0][0][0]") < 0


def test_a_drag_stops_at_the_edge_and_then_there_is_more_room(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    ticks = page.locator(".plot").first.locator(".axes text")
    before = ticks.all_inner_texts()
    target = grip(page, "keys[0][2]")
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


@pytest.mark.parametrize(
    ("figure", "point", "fields"),
    [
        (look_up(), "keys[0][2]", {"keys[0][2][0]": 1000, "keys[0][2][1]": -1000}),
        (look_up(), "values[0][0]", {"values[0][0][0]": 1000}),
    ],
)
def test_drags_go_no_farther_than_typed_numbers_so_that_a_link_holds_them(
    open_figure: Open, figure: Figure, point: str, fields: dict[str, int]
) -> None:
    page = open_figure(figure)
    for name, limit in fields.items():
        control(page, name).fill(str(limit * 0.9))
        control(page, name).blur()
    for _ in range(2):
        move(page, grip(page, point), 2000, 2000)
    assert {name: typed(page, name) for name in fields} == fields
    link = copied_link(page)
    page.goto("about:blank")
    page.goto(link)
    assert {name: typed(page, name) for name in fields} == fields
    expect(page.locator("[data-link-refused]")).to_have_count(0)


def test_a_point_without_fields_goes_no_farther_either(open_figure: Open) -> None:
    figure = regression()
    figure.keys_ = [[[900.0] if k == 1 else key for k, key in enumerate(figure.keys_[0])]]
    figure.values = [[[-900.0] if k == 1 else value for k, value in enumerate(figure.values[0])]]
    page = open_figure(figure)
    for _ in range(2):
        move(page, grip(page, "keys[0][1]"), 2000, 2000)
    assert place_of(page, "keys[0][1]") == [1000, -1000]
    link = copied_link(page)
    page.goto("about:blank")
    page.goto(link)
    assert place_of(page, "keys[0][1]") == [1000, -1000]


def test_what_leaves_the_axes_during_a_drag_waits_at_their_edge(open_figure: Open) -> None:
    page = open_figure(look_up())
    plot, point = page.locator(".plot").first, grip(page, "keys[0][0]")
    box = grip(page, "keys[0][3]").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    control(page, "keys[0][0][1]").fill("500")
    outer, inner = plot.bounding_box(), point.bounding_box()
    assert outer
    assert inner
    assert outer["y"] < inner["y"] + inner["height"] / 2 < outer["y"] + outer["height"]
    page.mouse.up()


def swipe(page: Page, x: float, y: float, across: float, down: float) -> None:
    """Put a finger down, and move it by this many pixels."""
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
    box, plot = grip(page, "keys[0][3]").bounding_box(), page.locator(".plot").first
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
    grip(page, "keys[0][3]").click(position={"x": 30, "y": 30})
    box = grip(page, "keys[0][0]").bounding_box()
    assert box
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down(button="right")
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.up(button="right")
    assert_shows(page, figure)
