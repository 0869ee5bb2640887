"""Test the pipeline figure: queries, mask, colours, and directions that can be turned."""

import re

import pytest
import torch
from figure_examples import pipeline
from figure_page import Open, assert_shows, control, grip, move
from interaction import resize
from playwright.sync_api import Page, expect

from attention_figures import AttentionFigure
from attention_lib import AdditiveAttention, DotProductAttention

LOOKS = ["dawn", "noon", "dusk", "night"]
FLAGS = ["fish", "ship", "tree", "bird", "rose", "bear"]


def compass() -> AttentionFigure:
    """Return four looks and six flags, as chapter 5 has them."""
    torch.manual_seed(0)
    looks = torch.cat([directions(20, 110, 200, 290), torch.ones(4, 1)], dim=-1)[None]
    modules = [AdditiveAttention(2, 3, hiddens) for hiddens in (1, 16)]
    flags = directions(0, 60, 120, 180, 240, 300)[None]
    numbers = torch.arange(6.0).view(1, 6, 1)
    return AttentionFigure(modules, looks, flags, numbers, names=FLAGS, query_names=LOOKS)


def directions(*degrees: float) -> torch.Tensor:
    angles = torch.tensor(degrees).deg2rad()
    return torch.stack([angles.cos(), angles.sin()], dim=-1)


def colours(page: Page, label: str) -> list[str]:
    found: list[str] = page.locator(f'[aria-label="{label}"] tbody td').evaluate_all(
        "cells => cells.map((cell) => getComputedStyle(cell).backgroundColor)"
    )
    return found


@pytest.mark.parametrize("query_size", [5, 20])
def test_queries_are_drawn_and_named(open_figure: Open, query_size: int) -> None:
    torch.manual_seed(0)
    module = AdditiveAttention(3, query_size, 4)
    inputs = torch.randn(1, 2, query_size), torch.randn(1, 4, 3), torch.randn(1, 4, 2)
    page = open_figure(AttentionFigure(module, *inputs))
    drawn = page.locator('.queries :is(canvas, table)[aria-label="queries[0]"]')
    expect(drawn).to_be_visible()
    scores = page.locator('[aria-label="scores[0]"] tbody th')
    assert scores.all_inner_texts() == ["q0", "q1"]


def test_looks_and_flags_have_names(open_figure: Open) -> None:
    figure = compass()
    page = open_figure(figure)
    scores = page.locator('[aria-label="scores[0]"]')
    assert scores.locator("thead th").all_inner_texts() == FLAGS
    assert scores.locator("tbody th").all_inner_texts() == LOOKS
    needles = page.locator(".compass [data-point] text:not(.drag-me)")
    assert needles.all_text_contents() == LOOKS + FLAGS
    spoken = page.locator('[data-point="queries[0][2]"]').get_attribute("aria-label") or ""
    assert spoken.startswith("query dusk")
    html = figure._repr_mimebundle_()[0]["text/html"]
    assert "<th>rose</th>" in html
    assert "<th>dusk</th>" in html


@pytest.mark.parametrize("wrong", ["names", "query_names"])
def test_names_are_as_many_as_they_name(wrong: str) -> None:
    inputs = torch.zeros(1, 2, 2), torch.ones(1, 3, 2), torch.ones(1, 3, 1)
    with pytest.raises(ValueError, match=rf"^{wrong} must be [23] or none; got 1$"):
        AttentionFigure(DotProductAttention(), *inputs, **{wrong: ["one"]})


def test_the_words_of_each_sentence_are_its_own(open_figure: Open) -> None:
    words = [["good", "morning", "‹pad›"], ["see", "you", "soon"]]
    inputs = torch.zeros(2, 2, 2), torch.ones(2, 3, 2), torch.ones(2, 3, 1), [2, 3]
    queries = [["good", "morning"], ["see", "you"]]
    figure = AttentionFigure(DotProductAttention(), *inputs, names=words, query_names=queries)
    page = open_figure(figure)
    for b in (0, 1):
        heads = page.locator(f'[aria-label="keys[{b}].T"] thead th')
        assert heads.all_inner_texts() == words[b]
        sides = page.locator(f'[aria-label="scores[{b}]"] tbody th')
        assert sides.all_inner_texts() == queries[b]
    sentence = page.locator("[data-sentence]")
    expect(sentence).to_contain_text("good reads good and morning alike (50% each); morning reads")
    examples = page.locator(".pipeline")
    assert [examples.nth(b).is_visible() for b in (0, 1)] == [True, False]
    control(page, "example.1").click()  # one is shown at a time
    expect(sentence).to_contain_text("see reads 3 keys alike (33% each)")
    for width in (1000, 390):
        resize(page, width, 844)
        assert [examples.nth(b).is_visible() for b in (0, 1)] == [False, True]
    assert "<th>soon</th>" in figure._repr_mimebundle_()[0]["text/html"]


def test_keys_of_equal_weight_are_named_with_their_places_if_names_repeat(
    open_figure: Open,
) -> None:
    words = ["good", "morning", "‹pad›", "‹pad›"]
    keys = torch.tensor([[[1.0], [2.0], [0.0], [1.0]]])
    inputs = torch.ones(1, 1, 1), keys, torch.ones(1, 4, 1)
    figure = AttentionFigure(DotProductAttention(), *inputs, names=words)
    each = f"{100 * figure.attention_weights[0, 0, 0]:.0f}%"
    sentence = open_figure(figure).locator("[data-sentence]")
    expect(sentence).to_contain_text(f"good and ‹pad› (key 3) alike ({each} each)")


def test_names_of_examples_are_as_many_as_these() -> None:
    inputs = torch.zeros(2, 2, 2), torch.ones(2, 3, 2), torch.ones(2, 3, 1)
    with pytest.raises(ValueError, match=r"^names must be lists for 2 examples; got 1$"):
        AttentionFigure(DotProductAttention(), *inputs, names=[["a", "b", "c"]])
    with pytest.raises(ValueError, match=r"^names must be 3 or none; got 2$"):
        AttentionFigure(DotProductAttention(), *inputs, names=[["a", "b", "c"], ["a", "b"]])


def test_a_query_can_be_typed(open_figure: Open) -> None:
    figure = pipeline()
    page = open_figure(figure)
    control(page, "example.1").click()  # one is shown at a time
    control(page, "queries[1][0][2]").fill("−0.75")  # with the minus sign that pages print
    queries = figure.queries
    queries[1][0][2] = -0.75
    figure.queries = queries
    assert_shows(page, figure)


def test_a_mask_that_keeps_everything_is_not_shown_before_it_has_kept_less(
    open_figure: Open,
) -> None:
    page = open_figure(compass())
    mask = page.locator('[aria-label="mask[0]"]')
    expect(mask).to_have_count(0)
    control(page, "valid_lens[0]").fill("4")
    expect(mask).to_be_visible()
    control(page, "valid_lens[0]").fill("6")
    expect(mask).to_be_visible()
    control(page, "reset").click()
    expect(mask).to_have_count(0)


def test_scores_of_one_size_have_colours_of_one_strength(open_figure: Open) -> None:
    module = AdditiveAttention(1, 1, 1)
    for parameter in module.parameters():
        torch.nn.init.ones_(parameter)
    keys = torch.tensor([[[-1.4], [-0.9], [0.0], [0.9], [1.4]]])
    page = open_figure(AttentionFigure(module, torch.zeros(1, 1, 1), keys, torch.ones(1, 5, 1)))
    shades = [
        sum(255 - int(channel) for channel in re.findall(r"\d+", colour)[:3])
        for colour in colours(page, "scores[0]")
    ]
    assert shades[2] == 0  # 0 is pale
    assert shades[0] > shades[1] > 0  # darker with distance from 0, on both sides
    assert shades[4] > shades[3] > 0


def test_a_weight_has_the_same_colour_whatever_the_others_are(open_figure: Open) -> None:
    figure = pipeline()
    figure.valid_lens = [2, 4]
    figure.queries = torch.zeros(2, 2, 5)
    figure.keys_ = torch.zeros(2, 4, 3)  # weights of 1/2, and of 1/4
    page = open_figure(figure)
    half = colours(page, "attention_weights[0]")[0]
    figure.valid_lens = [2, 2]
    page = open_figure(figure)
    assert colours(page, "attention_weights[1]")[0] == half


@pytest.mark.parametrize("name", ["queries[0][0]", "keys[0][1]"])
def test_a_direction_is_turned_by_dragging(open_figure: Open, name: str) -> None:
    figure = compass()
    page = open_figure(figure)
    move(page, grip(page, name), -30, -30)
    trait, index = ("queries", 0) if name.startswith("q") else ("keys_", 1)
    turned = int(page.locator(f'[data-point="{name}"]').get_attribute("aria-valuenow") or "")
    assert turned > (20 if trait == "queries" else 60)
    vectors = torch.tensor(getattr(figure, trait))
    vectors[0, index, :2] = directions(turned)
    setattr(figure, trait, vectors)
    assert_shows(page, figure)


def test_a_direction_is_turned_by_keys_and_by_typing_degrees(open_figure: Open) -> None:
    figure = compass()
    page = open_figure(figure)
    point = page.locator('[data-point="keys[0][1]"]')
    point.press("ArrowUp")
    expect(point).to_have_attribute("aria-valuenow", "61")
    control(page, "degrees[0][1]").fill("40")
    expect(point).to_have_attribute("aria-valuenow", "40")
    figure.keys_ = directions(0, 40, 120, 180, 240, 300)[None]
    assert_shows(page, figure)


def test_the_lines_are_those_of_the_look_that_was_touched(open_figure: Open) -> None:
    figure = compass()
    figure.num_hiddens = 16
    page = open_figure(figure)
    move(page, grip(page, "queries[0][2]"), 0, 0)
    widths = page.locator(".compass .link").evaluate_all(
        "lines => lines.map((line) => Number(line.getAttribute('stroke-width')))"
    )
    expected = (14 * figure.attention_weights[0, 2]).clamp(min=1)
    torch.testing.assert_close(torch.tensor(widths), expected.float(), atol=0.01, rtol=0.01)
    expect(page.locator("[data-sentence]")).to_contain_text("dusk reads")
