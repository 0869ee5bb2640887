"""Test that the lines of the forward-pass figure compute what stands behind them."""

import math
import re

import pytest
from figure_examples import traced
from figure_page import Open, control
from playwright.sync_api import Page, expect

from attention_figures.decoder_trace import LINES

NAMES = {"exp": math.exp, "max": max}


def lines(page: Page, part: str) -> dict[str, str]:
    """Return a part of each line, by the line's name."""
    found: list[list[str]] = page.locator(".trace-line").evaluate_all(
        "(rows, part) => rows.map((x) => [x.dataset.line, x.querySelector(part).textContent])", part
    )
    return dict(found)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_computation_gives_its_number(open_figure: Open, lang: str) -> None:
    figure = traced(lang)
    figure.stage = 15
    page = open_figure(figure)
    results, hows = lines(page, "output"), lines(page, ".trace-how")
    stages = [text for text in lines(page, ".trace-stage").values() if text]
    assert stages == [str(stage) for stage in range(1, figure.stage + 1)]
    assert [*results] == [*hows] == [*LINES]
    for name, number in figure.numbers().items():
        shown = float(results[name].replace("−", "-"))
        assert shown == pytest.approx(number, abs=0.005 + 1e-9), name
        _, equals, right = hows[name].rpartition(" = ")
        if not equals:
            assert name == "masked_scores"  # compares places
            continue
        right = re.sub(r" ?[(（][^()（）]*[a-z一-龥][^()（）]*[)）]", "", right)  # remarks
        value = eval(right.replace("−", "-").replace("·", "*"), NAMES)
        assert value == pytest.approx(number, abs=0.08, rel=0.03), (name, hows[name])


def test_lines_appear_one_stage_after_the_other(open_figure: Open) -> None:
    figure = traced()
    figure.stage = 2
    page = open_figure(figure)
    control(page, "stage.next").click()
    results = lines(page, "output")
    assert [name for name, text in results.items() if text] == [*LINES][:5]
    assert page.locator(".trace-line[data-now]").count() == 3
    expect(page.locator("[data-sentence]")).to_contain_text("gives its key and its value")


def test_numbers_that_an_exchanged_word_changes_are_marked(open_figure: Open) -> None:
    figure = traced()
    figure.stage = 15
    page = open_figure(figure)
    changed = page.locator(".trace-line[data-changed]")
    expect(changed).to_have_count(0)
    before = figure.numbers()
    verb = figure.swaps[2][1]
    control(page, "tokens[2]").select_option(str(verb))
    figure.tokens = [*figure.tokens[:2], verb, *figure.tokens[3:]]
    differ = [name for name, x in figure.numbers().items() if abs(x - before[name]) > 1e-9]
    marked = changed.evaluate_all("rows => rows.map((row) => row.dataset.line)")
    assert marked == differ == [*LINES][3:]


def test_a_word_that_comes_later_cannot_be_read(open_figure: Open) -> None:
    page = open_figure(traced())
    control(page, "stage").fill("5")
    control(page, "key").select_option(str(10))
    assert lines(page, "output")["masked_scores"] == "−∞"
    expect(page.locator("[data-sentence]")).to_contain_text("cannot read it")
