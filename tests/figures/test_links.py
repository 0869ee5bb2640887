"""Test links to states of figures."""

import random
import re
from typing import Any

import pytest
import torch
from figure_examples import EACH_KIND, EXAMPLES, look_up, pipeline, steps
from figure_page import Open, assert_shows, control
from interaction import (
    REFUSED,
    change_something,
    copied_link,
    figure_on,
    fingerprint,
    go_to_hash,
    link_hash,
    load,
    snapshot,
)
from matplotlib.image import imsave
from node import call_in_node
from playwright.sync_api import Page, expect

kinds = pytest.mark.parametrize("kind", EACH_KIND)


def texts_and_values(page: Page) -> list[Any]:
    """Return texts and values of cells and controls; scales and choices may depend on the path."""
    shown: list[Any] = figure_on(page).evaluate(
        """(root) => [...root.querySelectorAll(":is(td, [data-control]):not([hidden] *)")].map(
          (node) => [node.dataset.control, node.value, node.checked, node.textContent])"""
    )
    return shown


@kinds
def test_a_link_opens_all_that_was_seen_and_reset_the_start(open_figure: Open, kind: str) -> None:
    page = open_figure(EXAMPLES[kind]("en"))
    file = page.url
    start = snapshot(page)
    change_something(page, start)
    link = copied_link(page)
    assert link.startswith(file + "#figure-")
    before = texts_and_values(page)
    load(page, link)
    assert texts_and_values(page) == before
    again = snapshot(page)
    assert again != start
    assert copied_link(page) == link
    expect(page.locator(REFUSED)).to_have_count(0)
    control(page, "reset").click()
    assert snapshot(page) == start


def test_a_link_holds_only_what_differs_from_the_start(open_figure: Open) -> None:
    figure = steps()
    page = open_figure(figure)
    start = fingerprint(page)
    control(page, "valid_lens[0]").fill("4")
    link = copied_link(page)
    load(page, page.url + link_hash(figure, start, {"valid_lens": [4, 3]}))
    assert copied_link(page) == link
    figure.valid_lens = [4, 3]
    assert_shows(page, figure)


def test_a_link_opens_on_a_page_that_is_open(open_figure: Open) -> None:
    figure = look_up()
    page = open_figure(figure)
    start = fingerprint(page)
    for temperature in (0.01, 10, 0):
        go_to_hash(page, link_hash(figure, start, {"temperature": temperature, "query": 1}))
        figure.temperature = temperature
        assert_shows(page, figure)
        expect(control(page, "query")).to_have_value("1")
    page.go_back()
    figure.temperature = 10
    assert_shows(page, figure)
    go_to_hash(page, "#another")
    assert_shows(page, figure)


def test_it_scrolls_to_the_figure_when_all_above_it_is_there(page: Page, tmp_path: Any) -> None:
    figure = steps()
    late = "<script>setTimeout(() => {}, 0)</script><img src='late.png' style='display: block'>"
    file = tmp_path / "page.html"
    above = f"<p style='height: 3000px'>above</p>{late}"
    below = "<p style='height: 3000px'>below</p>"
    html = figure.to_html().replace('<div class="attention', f'{above}<div class="attention', 1)
    file.write_text(html.replace("</html>", f"{below}</html>"), encoding="utf-8")
    imsave(tmp_path / "late.png", torch.zeros(900, 40))
    page.goto(file.as_uri())
    load(page, file.as_uri() + link_hash(figure, fingerprint(page), {"step": 2}))
    page.wait_for_load_state("load")
    page.wait_for_function(
        "Math.abs(document.querySelector('[data-figure]').getBoundingClientRect().top) < 2"
    )


def test_hidden_weights_stay_hidden_in_a_link(open_figure: Open) -> None:
    page = open_figure(steps())
    control(page, "hide").click()
    link = copied_link(page)
    load(page, link)
    expect(figure_on(page)).to_have_attribute("data-hidden", "")
    expect(page.locator('[data-at="0,0,0"]')).to_be_hidden()
    assert copied_link(page) == link
    control(page, "hide").click()
    load(page, copied_link(page))
    expect(page.locator('[data-at="0,0,0"]')).to_be_visible()


def test_the_figure_in_the_other_language_opens_the_same_link(open_figure: Open) -> None:
    page = open_figure(pipeline("en"))
    control(page, "valid_lens[0]").fill("1")
    link = copied_link(page).split("#")[1]
    twin = pipeline("zh")
    page = open_figure(twin)
    go_to_hash(page, f"#{link}")
    twin.valid_lens = [1, 3]
    assert_shows(page, twin)


def test_a_link_of_another_figure_means_nothing(open_figure: Open) -> None:
    page = open_figure(steps())
    start = snapshot(page)
    load(page, f"{page.url}#figure-masked-softmax-2:e30")
    load(page, f"{page.url}#figure-masked-softmax")
    assert snapshot(page) == start
    expect(page.locator(REFUSED)).to_have_count(0)


def test_any_text_survives_packing() -> None:
    draw = random.Random(5)
    for _ in range(40):
        text = "".join(chr(draw.choice((65, 0xE9, 0x72D7, 0x1F408, 10))) for _ in range(9))
        content = [text, draw.random(), {text: [[-1.5, 1e-7]], "ok": True}]
        packed = call_in_node("core/url_hash.ts", "encodeJson", content)
        assert re.fullmatch(r"[\w-]+", str(packed), re.ASCII)
        assert call_in_node("core/url_hash.ts", "decodeJson", packed) == content


def test_the_mark_of_a_text_is_its_fnv_hash() -> None:
    for text, hashed in (("", 0x811C9DC5), ("a", 0xE40C292C), ("foobar", 0xBF9CF968)):
        assert int(call_in_node("core/url_hash.ts", "fnv1a", text), 36) == hashed
