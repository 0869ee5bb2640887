"""Test the comparison figure: numbers, traits, interaction."""

import math
from itertools import combinations
from typing import Literal

import pytest
import torch
from figure_examples import COMPARING, comparison
from figure_page import Open, assert_shows, control, grip, move, typed
from interaction import resize
from playwright.sync_api import Page, expect

from attention_course.choosing_a_score import TOWNS, words
from attention_figures import ComparisonFigure, LearnedFigure
from attention_lib import AdditiveAttention, DotProductAttention, scores

NAMES = ["dot", "scaled_dot", "bilinear", "additive", "gaussian", "sum"]
SHOWN = ["dot product", "scaled dot product", "bilinear", "additive", "Gaussian", "sum"]
KEYS = COMPARING["keys"][0]


def row(figure: ComparisonFigure, name: str) -> list[float]:
    weights: list[float] = figure.attention_weights[0, NAMES.index(name)].tolist()
    return weights


def choose(page: Page, name: str) -> None:
    control(page, "score").select_option(index=NAMES.index(name))


def scores_on(page: Page) -> list[float]:
    texts = page.locator('[aria-label="scores[0]"] tbody td').all_inner_texts()
    return [float(text.replace("−", "-")) for text in texts]


def assert_shows_all(page: Page, figure: ComparisonFigure) -> None:
    assert_shows(page, figure)
    assert scores_on(page) == pytest.approx(figure.scores.flatten().tolist(), abs=0.0051)


def test_scores_by_hand() -> None:
    scores = comparison().scores[0]
    assert scores[0].tolist() == [1.75, 3.5, 0, -0.75]
    assert scores[1].tolist() == pytest.approx([x / math.sqrt(2) for x in scores[0].tolist()])
    assert scores[2].tolist() == [0.5, 1, -1, 0.5]  # the key's second number
    assert scores[4].tolist() == [-0.125, -2.125, -1.25, -2]
    # Of the first key, hidden units 1 − 1.5, (0.5 − 0.5) + (0.75 + 0.5) and 0.5 + (1.5 − 0.5).
    hidden = [-0.5, 1.25, 1.5]
    assert scores[5, 0].item() == hidden[0] - 0.5 * hidden[1] + 2 * hidden[2]
    additive = math.tanh(hidden[0]) - 0.5 * math.tanh(hidden[1]) + 2 * math.tanh(hidden[2])
    assert scores[3, 0].item() == pytest.approx(additive)


def test_rows_of_modules_are_theirs() -> None:
    figure = comparison()
    additive = AdditiveAttention(2, 2, 3)
    for name in ("W_q", "W_k", "w_v"):
        getattr(additive, name).weight.data = torch.tensor(COMPARING[name])
    queries, keys = torch.tensor(COMPARING["queries"]), torch.tensor(COMPARING["keys"])
    for name, module in (("additive", additive), ("scaled_dot", DotProductAttention())):
        module.eval()(queries, keys, keys)
        assert row(figure, name) == pytest.approx(module.attention_weights.flatten().tolist())


def test_the_sum_has_the_same_weights_for_every_query_and_nothing_else_has() -> None:
    figure = comparison()
    before = figure.attention_weights[0]
    for query in ([0.0, 0.0], [-3.0, 1.0], [100.0, -50.0]):
        figure.queries = [[query]]
        same = (figure.attention_weights[0] - before).abs().amax(-1) < 1e-12
        assert same.tolist() == [False] * 5 + [True]
    assert figure.scores[0, 5].tolist() != pytest.approx(comparison().scores[0, 5].tolist())


def test_a_longer_key_gains_with_the_dot_product_and_loses_with_the_distance() -> None:
    figure = comparison()
    figure.keys_ = [[KEYS[0], [6.0, 2.0], *KEYS[2:]]]
    assert row(figure, "dot")[1] > row(comparison(), "dot")[1] > row(comparison(), "scaled_dot")[1]
    assert row(figure, "gaussian")[1] < row(comparison(), "gaussian")[1]
    assert max(row(figure, "gaussian")) == row(figure, "gaussian")[0]  # the nearest
    assert repr(figure) == "ComparisonFigure(name='comparison')"


def test_points_are_dragged_and_the_sum_stays(open_figure: Open) -> None:
    figure = comparison()
    page = open_figure(figure)
    assert_shows_all(page, figure)
    sums = page.locator('[data-at^="0,5,"]')
    before = sums.all_inner_texts()
    move(page, grip(page, "queries[0][0]"), -60, 40)
    query = [typed(page, f"queries[0][0][{axis}]") for axis in (0, 1)]
    assert query[0] < 1
    assert query[1] < 0.5
    figure.queries = [[query]]
    assert_shows_all(page, figure)
    assert sums.all_inner_texts() == before
    move(page, grip(page, "keys[0][2]"), 30, -90)
    key = [typed(page, f"keys[0][2][{axis}]") for axis in (0, 1)]
    assert key[0] > 0.5
    assert key[1] > -1
    figure.keys_ = [[*KEYS[:2], key, KEYS[3]]]
    assert_shows_all(page, figure)
    assert sums.all_inner_texts() != before


@pytest.mark.parametrize("name", NAMES)
def test_the_plane_shows_the_weights_of_the_chosen_score(open_figure: Open, name: str) -> None:
    figure = comparison()
    page = open_figure(figure)
    choose(page, name)
    lines = page.locator(".link").all()
    widths = [float(str(line.get_attribute("stroke-width"))) for line in lines]
    # 14 pixels for the weight 1, and at least 1, so that every weight is visible
    assert widths == pytest.approx([max(1, 14 * weight) for weight in row(figure, name)])
    chosen = page.locator("tr[data-chosen] th")
    assert chosen.all_inner_texts() == 2 * [SHOWN[NAMES.index(name)]]
    used = {"additive": ["W_q", "W_k", "w_v"], "sum": ["W_q", "W_k", "w_v"], "bilinear": ["W"]}
    for parameter in ("W_q", "W_k", "w_v", "W"):
        shown = control(page, f"{parameter}[0][0]").count() > 0
        assert shown == (parameter in used.get(name, []))
    formula = "".join(page.locator(".controls .formula").inner_text().split())
    assert formula.startswith("a(q,k)=")
    assert ("tanh" in formula) == (name == "additive")
    assert_shows_all(page, figure)


@pytest.mark.parametrize("name", NAMES)
def test_the_line_of_code_computes_the_weights(open_figure: Open, name: str) -> None:
    figure = comparison()
    page = open_figure(figure)
    choose(page, name)
    given = {key: torch.tensor(COMPARING[key]) for key in ("queries", "keys", "W_q", "W_k", "w_v")}
    names = {**vars(scores), **given, "W": torch.tensor(COMPARING["W"])}
    line = page.locator("[data-code]").inner_text().splitlines()[0]
    assert eval(line, names).flatten().tolist() == pytest.approx(row(figure, name))


def test_scores_are_called_as_in_the_menu_of_chapter_3(open_figure: Open) -> None:
    page = open_figure(comparison(lang="zh"))
    menu = control(page, "score").locator("option")
    assert menu.all_inner_texts() == ["点积", "缩放点积", "双线性", "加性", "高斯", "线性相加"]
    choose(page, "gaussian")
    expect(page.locator("[data-sentence]")).to_contain_text("用高斯评分，这里权重最大的是")


def test_parameters_can_be_typed(open_figure: Open) -> None:
    figure = comparison()
    page = open_figure(figure)
    choose(page, "sum")
    control(page, "w_v[0][1]").fill("1.5")
    choose(page, "bilinear")
    control(page, "W[0][0]").fill("-2")
    figure.w_v, figure.W = [[1.0, 1.5, 2.0]], [[-2.0, 1.0], [0.0, 0.0]]
    assert_shows_all(page, figure)


def test_the_origin_is_marked_and_stays_in_sight(open_figure: Open) -> None:
    figure = comparison()
    figure.queries, figure.keys_ = [[[8.0, 9.0]]], [[[x + 8, y + 9] for x, y in KEYS]]
    page = open_figure(figure)
    boxes = [
        node.bounding_box()
        for node in (page.locator(".origin"), *page.locator('.axes text:text-is("0")').all())
    ]
    assert all(boxes)
    across, up = (
        [box[start] + box[size] / 2 for box in boxes if box]
        for start, size in (("x", "width"), ("y", "height"))
    )
    assert len(across) == 3
    assert across[0] == pytest.approx(across[1], abs=2)  # above the 0 of the lower axis
    assert up[0] == pytest.approx(up[2], abs=3)


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = comparison()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    expect(page.locator("tr[data-chosen] th").first).to_have_text("sum")
    page.keyboard.press("Tab")
    expect(page.locator("[data-focused]")).to_have_attribute("data-point", "queries[0][0]")
    page.keyboard.press("ArrowUp")
    figure.queries = [[[1.0, 0.6]]]
    assert_shows_all(page, figure)
    seen = set()
    for _ in range(24):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.dataset.control ?? ''"))
    assert {f"keys[0][{k}][{axis}]" for k in range(4) for axis in (0, 1)} < seen


@pytest.mark.parametrize("width", [1280, 390])
def test_rows_stand_by_their_names_and_nothing_is_cut_off(open_figure: Open, width: int) -> None:
    torch.manual_seed(0)
    inputs = [torch.randn(1, n, 2) for n in (1, 6)]
    parameters = [torch.randn(size) for size in ((8, 2), (8, 2), (1, 8), (2, 2))]
    page = open_figure(ComparisonFigure(*inputs, *parameters))
    resize(page, width, 800)
    choose(page, "additive")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    frame = page.locator(".attention-figure").bounding_box()
    assert frame
    for name in ("attention_weights[0]", "scores[0]"):
        table = page.locator(f'[aria-label="{name}"]')
        assert table.locator("tbody th").all_inner_texts() == SHOWN
        box = table.bounding_box()
        assert box
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]


WON = """([score]) => {
  const plot = document.querySelector(".in-the-plane .plot");
  const point = plot.createSVGPoint();
  const at = (x, y) => {
    Object.assign(point, { x, y });
    const region = [...plot.querySelectorAll(".region")].find((r) => r.isPointInFill(point));
    return region ? Number(region.dataset.key) : -1;
  };
  return [60, 110, 160, 210, 260].flatMap((x) => [40, 90, 140, 190, 240].map((y) => at(x, y)));
}"""


@pytest.mark.parametrize("name", NAMES)
def test_regions_are_those_where_each_key_wins_by_torch(open_figure: Open, name: str) -> None:
    figure = comparison()
    page = open_figure(figure)
    choose(page, name)
    ticks = page.locator(".in-the-plane .axes text").evaluate_all(
        "all => all.map((text) => [Number(text.textContent.replace('−', '-')),"
        " Number(text.getAttribute('x')), text.getAttribute('text-anchor')])"
    )
    (a, left, _), (b, right, _) = [tick for tick in ticks if tick[2] == "middle"][:2]
    unit = (right - left) / (b - a)
    zero = left - a * unit
    low = (28 - zero) / unit  # the plane is a square of 268
    expected, margins = [], []
    for x in (60, 110, 160, 210, 260):
        for y in (40, 90, 140, 190, 240):
            figure.queries = [[[(x - zero) / unit, low + (274 - y) / unit]]]
            best = figure.scores[0, NAMES.index(name)].topk(2).values
            margins.append((best[0] - best[1]).item())
            expected.append(int(figure.scores[0, NAMES.index(name)].argmax()))
    won = page.evaluate(WON, [name])
    clear = [i for i, margin in enumerate(margins) if margin > 0.1]
    assert len(clear) > 10
    assert [won[i] for i in clear] == [expected[i] for i in clear]
    names = page.locator(".region-name").all_text_contents()
    assert names == [f"k{k} wins" for k in sorted({int(n[1]) for n in names})]


# The regions without a name and without their key, whose label would name them.
NAMELESS = """() => {
  const places = [...document.querySelectorAll(".in-the-plane [data-point^='keys']")];
  const names = [...document.querySelectorAll(".region-name")].map((name) => name.textContent);
  return [...document.querySelectorAll(".region")].filter((region) => {
    const place = places[Number(region.dataset.key)];
    const label = place.querySelector("text").textContent;
    const { e, f } = place.transform.baseVal.consolidate().matrix;
    return !names.some((name) => name.startsWith(label)) &&
      !region.isPointInFill(new DOMPoint(e, f));
  }).map((region) => region.dataset.key);
}"""
LABELS = """() => [...document.querySelectorAll(".in-the-plane :is(.region-name, .handle text)")]
  .map((text) => [text.textContent, text.getBoundingClientRect().toJSON()])"""


@pytest.mark.parametrize("query", [(0.3, 0.2), (1.5, 0.0), (1.5, 1.0), (-2.0, -1.0), (2.0, 0.4)])
@pytest.mark.parametrize(("width", "lang"), [(390, "en"), (1280, "zh")])
def test_no_name_on_the_map_covers_another(
    open_figure: Open, query: tuple[float, float], width: int, lang: Literal["en", "zh"]
) -> None:
    parameters = {name: torch.tensor(COMPARING[name]) for name in ("W_q", "W_k", "w_v", "W")}
    figure = ComparisonFigure(
        torch.tensor([[query]]), TOWNS, **parameters, names=words(lang).towns, lang=lang
    )
    page = open_figure(figure)
    resize(page, width, 900)
    for name in NAMES:
        choose(page, name)
        labels = page.evaluate(LABELS)
        assert len(labels) > 7
        assert page.evaluate(NAMELESS) == []
        for (text, one), (other, box) in combinations(labels, 2):
            apart = (
                one["right"] < box["left"] + 1,
                box["right"] < one["left"] + 1,
                one["bottom"] < box["top"] + 3,  # room for descenders
                box["bottom"] < one["top"] + 3,
            )
            assert any(apart), (name, text, other)


HELD = """() => [...document.querySelectorAll(".regions > g")].every((name) => {
  const [line, text] = [name.querySelector("path"), name.querySelector("text").getBBox()];
  if (!line) return true;
  const { x, y } = line.getPointAtLength(line.getTotalLength());
  return x > text.x - 4 && x < text.x + text.width + 4 && y > text.y - 4
    && y < text.y + text.height + 4;
})"""


@pytest.mark.parametrize(("width", "lang"), [(390, "en"), (390, "zh"), (1280, "en")])
def test_no_region_is_nameless_however_small(
    open_figure: Open, width: int, lang: Literal["en", "zh"]
) -> None:
    torch.manual_seed(2)
    steps = 6
    hidden = [2 * torch.randn(steps, *size) for size in ((8, 3), (8, 3), (1, 8))]
    figure = LearnedFigure(
        torch.tensor([[[1.5, 1.0]]]),
        TOWNS,
        torch.randn(steps, 3, 3),
        *hidden,
        torch.rand(1, 2, steps),
        steps=range(steps),
        names=words(lang).towns,
        lang=lang,
    )
    page = open_figure(figure)
    resize(page, width, 900)
    with_a_line = 0
    for step in range(steps):
        control(page, "step").fill(str(step))
        assert page.locator(".region").count() > 1
        assert page.evaluate(NAMELESS) == []
        with_a_line += page.locator("path.region-leader").count()
        assert page.evaluate(HELD)
    assert with_a_line


def test_of_two_scores_it_says_who_wins_by_the_other(open_figure: Open) -> None:
    near = {
        "keys": torch.tensor([[[1.0, 0.0], [3.0, 0.0]]]),
        "queries": torch.tensor([[[1.0, 0.0]]]),
    }
    given = {name: torch.tensor(x) for name, x in COMPARING.items() if name not in near} | near
    figure = ComparisonFigure(**given, names=["near", "far", "you"], compared=["gaussian", "dot"])
    page = open_figure(figure)
    sentence = page.locator("[data-sentence]")
    expect(sentence).to_contain_text("Under the dot product score, far wins.")
