"""Test the figures of a pair of query and key: the broadcasting grid, the terms of a product."""

import re

import pytest
import torch
from figure_examples import (
    PAIRS,
    RANDOM,
    broadcasting,
    product,
    tensors,
)
from figure_page import Open, assert_numbers, assert_shows, slide, text_sizes
from interaction import figure_on, resize
from playwright.sync_api import Page, expect

from attention_figures import BroadcastingFigure, ChoiceQuestion, NumberQuestion, ProductFigure
from attention_lib import scores


def test_broadcasting_gives_the_additive_score_of_every_pair() -> None:
    for seed in range(40):
        figure = RANDOM["broadcasting"](seed)
        queries, keys, w_v = map(figure._tensor, ("queries", "keys_", "w_v"))
        unit = torch.eye(queries.shape[2], dtype=torch.float64)
        torch.testing.assert_close(figure.scores, scores.additive(queries, keys, unit, unit, w_v))
        pair = queries[0, figure.query] + keys[0, figure.key]
        stages = figure.stages()
        torch.testing.assert_close(stages["pair"][0, 0], pair)
        score = figure.scores[0, figure.query, figure.key]
        torch.testing.assert_close(stages["terms"].sum(), score)


def test_a_product_is_the_last_of_its_partial_sums() -> None:
    for seed in range(40):
        figure = RANDOM["product"](seed)
        last = figure.stages()["partial_sums"][0, 0, -1]
        torch.testing.assert_close(last, figure.products[0, figure.query, figure.key])
        queries, keys = (figure._tensor(name)[..., : figure.d] for name in ("queries", "keys_"))
        torch.testing.assert_close(figure.products, scores.dot(queries, keys))
        score = scores.scaled_dot if figure.scaled else scores.dot
        torch.testing.assert_close(figure.stages()["scores"], score(queries, keys))


def cells(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.locator("[data-pair]").evaluate_all(
        "cells => cells.map((cell) => [cell.dataset.pair, cell.textContent])"
    )
    return found


@pytest.mark.parametrize(("query", "key"), [(0, 0), (1, 3)])
def test_a_pair_is_picked_in_the_grid_or_by_its_sliders(
    open_figure: Open, query: int, key: int
) -> None:
    figure = broadcasting()
    page = open_figure(figure)
    for name in ("W_q(queries)[0]", "W_k(keys)[0].T"):  # not the queries and keys themselves
        expect(page.get_by_role("table", name=name, exact=True)).to_be_visible()
    assert_numbers(cells(page), figure.scores)
    page.locator(f'[data-pair="0,{query},{key}"]').click()
    figure.query, figure.key = query, key
    assert_picked(page, figure)
    slide(page, "query", 1 - query)
    slide(page, "key", 2)
    figure.query, figure.key = 1 - query, 2
    assert_picked(page, figure)


def assert_picked(page: Page, figure: BroadcastingFigure) -> None:
    """Assert that the terms belong to the pair, which is framed with its query and key."""
    terms = [
        float(text.replace("−", "-"))
        for text in page.locator(".terms output").all_inner_texts()
        if "→" not in text
    ]
    stages = figure.stages()
    rows = [
        figure._tensor("queries")[0, figure.query],
        figure._tensor("keys_")[0, figure.key],
        *(stages[name].flatten() for name in ("pair", "hidden", "terms")),
    ]
    assert terms == pytest.approx(torch.cat(rows).tolist(), abs=0.0051)
    score = stages["scores"][0, figure.query, figure.key]
    expect(page.locator(".terms output.wide")).to_have_text(f"→ {score:.2f}".replace("-", "−"))
    q, k = figure.query, figure.key
    places = (".made", f'[data-pair="0,{q},{k}"]'), (".above", f'[data-control="keys[0][{k}][0]"]')
    for part, inside in (*places, (".beside", f'[data-control="queries[0][{q}][0]"]')):
        frame = page.locator(f"{part} .picked").bounding_box()
        cell = page.locator(f"{part} {inside}").bounding_box()
        assert frame
        assert cell
        middle = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
        assert frame["x"] < middle[0] < frame["x"] + frame["width"]
        assert frame["y"] < middle[1] < frame["y"] + frame["height"]
    assert_shows(page, figure)


def test_the_shapes_that_are_broadcast_are_said(open_figure: Open) -> None:
    page = open_figure(broadcasting())
    expect(page.locator(".shapes")).to_have_text("(1, 2, 1, 3) + (1, 1, 4, 3) → (1, 2, 4, 3)")


def test_terms_add_up_on_the_line_as_d_grows(open_figure: Open) -> None:
    figure = product()
    page = open_figure(figure)
    axis = page.locator(".adding-up .axes").first.inner_html()
    for d in (1, 3, 2):
        slide(page, "d", d)
        figure.d = d
        assert_numbers(cells(page), figure.products)
        assert_shows(page, figure)
        terms = page.locator(".term")
        expect(terms).to_have_count(d)
        backwards = terms.evaluate_all("all => all.map((term) => 'negative' in term.dataset)")
        assert backwards == (figure.stages()["terms"][0, 0] < 0).tolist()
        total = figure.products[0, 1, 2].item()
        texts = page.locator(".adding-up :is(.whole, .part) text").all_text_contents()
        expected = [f"sum {total:.2f}", f"sum / √{d} {total / d**0.5:.2f}"]
        assert texts == [text.replace("-", "−") for text in expected]
    assert page.locator(".adding-up .axes").first.inner_html() == axis  # it does not move


def test_components_that_do_not_count_are_veiled(open_figure: Open) -> None:
    page = open_figure(product(d=3))
    expect(page.locator(".unused")).to_have_count(0)
    slide(page, "d", 1)
    for part, field in ((".above", "keys[0][0][1]"), (".beside", "queries[0][0][1]")):
        veil = page.locator(f"{part} .unused").bounding_box()
        cell = page.locator(f'[data-control="{field}"]').bounding_box()
        assert veil
        assert cell
        assert veil["x"] < cell["x"] + cell["width"] / 2 < veil["x"] + veil["width"]
        assert veil["y"] < cell["y"] + cell["height"] / 2 < veil["y"] + veil["height"]


def test_more_than_16_components_are_on_the_line_alone(open_figure: Open) -> None:
    torch.manual_seed(0)
    figure = ProductFigure(torch.randn(1, 2, 64), torch.randn(1, 3, 64))
    page = open_figure(figure)
    expect(page.locator(".term")).to_have_count(64)
    assert_shows(page, figure)
    assert_numbers(cells(page), figure.products)


ASKED = {
    "en": (
        "How many sums of vectors does one line of code make here?",
        "Each query meets each key.",
    ),
    "zh": ("一行代码在这里一共算出多少个向量之和？", "每个查询都和每个键相加一次。"),
}


def asked(lang: str) -> BroadcastingFigure:
    text, because = ASKED[lang]
    return broadcasting(lang).ask(
        NumberQuestion(
            text * 2,
            answer=lambda figure: figure.scores.numel(),
            because=because,
            tolerance=0.5,
            wrong=[(6, because)],
            slider=(1, 24, 1),
        )
    )


def product_asked(lang: str) -> ProductFigure:
    text, because = ASKED[lang]
    options = ["< 0", "0", "> 0"]
    return product(lang).ask(
        ChoiceQuestion(
            text * 2,
            options=options,
            answer=lambda figure: int(figure.products[0, 1, 2].sign()) + 1,
            because=because,
            at={"d": 2},
        )
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 680), (390, 664)])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("make", [asked, product_asked])
def test_question_handle_and_result_share_a_screen(
    open_figure: Open, make: object, lang: str, width: int, height: int
) -> None:
    assert callable(make)
    page = open_figure(make(lang))
    page.add_style_tag(content="body { margin: 0 16px; max-width: 780px }")
    resize(page, width, height)
    figure, last = figure_on(page).bounding_box(), page.locator(".made").bounding_box()
    assert figure
    assert last
    assert last["y"] + last["height"] - figure["y"] <= height
    written = page.locator(".pairs :is(th, td):not(:empty), .terms *").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min([*written, *text_sizes(page)]) >= 12


def test_nothing_reveals_the_answer_before_a_guess(open_figure: Open) -> None:
    page = open_figure(product_asked("en"))
    for tells in (".adding-up .plot", "[data-pair]", "[data-at]"):
        expect(page.locator(f"{tells}:visible")).to_have_count(0)
    said = figure_on(page).aria_snapshot()
    assert not re.search(r"-2\.\d|−2\.\d", said)
    page.locator("[data-guess]").select_option("0")
    page.locator("[data-commit]").click()
    figure = product(d=2)
    assert_numbers(cells(page), figure.products)


def test_both_are_made_of_what_additive_and_dot_scores_read() -> None:
    figure = product()
    assert figure.stages()["scores"].shape == broadcasting().scores.shape == (1, 2, 4)
    with pytest.raises(ValueError, match=r"^d must be one of 1\.\.3; got 9$"):
        ProductFigure(**tensors(PAIRS), d=9)
