"""The score figure: its numbers, its traits, and what a reader does with it."""

import math
import re

import pytest
import torch
from figure_examples import SCORING, scoring, tensors
from figure_page import Open, assert_shows, columns, control, grip, move, typed
from figures_in_node import formulas, numbers
from interaction import PAINTED, resize
from playwright.sync_api import Page, expect

from attention_course import scoring_functions
from attention_figures import ScoreFigure
from attention_figures.parameters import PARAMETERS
from attention_lib.scores import SCORES


@pytest.mark.parametrize(
    ("score", "by_hand"),
    [
        ("dot", [25, 50, 0, 0]),
        ("scaled_dot", [25 / math.sqrt(2), 50 / math.sqrt(2), 0, 0]),
        ("gaussian", [0, -12.5, -25, -12.5]),
        ("cosine", [1, 1, 0, 0]),
        ("bilinear", [12, 24, 9, 0]),  # 3 times the key's second number
    ],
)
def test_scores_by_hand(score: str, by_hand: list[float]) -> None:
    assert scoring(score=score).scores.flatten().tolist() == pytest.approx(by_hand, abs=1e-12)


def test_the_additive_score_by_hand() -> None:
    figure = scoring(score="additive")
    hidden = [3 - 3, (1.5 - 4) + (1.5 + 4), 4 + (3 - 4)]  # of the query and of the first key
    expected = math.tanh(hidden[0]) - 0.5 * math.tanh(hidden[1]) + 2 * math.tanh(hidden[2])
    assert figure.scores[0, 0, 0].item() == pytest.approx(expected)


FEW = {name: SCORING[name] for name in ("queries", "keys", "values", "W")}


def test_a_parameter_that_is_not_given_is_stored_nowhere_and_its_scores_are_refused() -> None:
    figure = ScoreFigure(**tensors(FEW), score="bilinear")
    stored = figure._page_state()
    assert "W" in stored
    assert not {"W_q", "W_k", "w_v"} & set(stored)
    (shared,) = numbers([figure])
    assert "W\n" in shared
    assert "W_q" not in shared
    with pytest.raises(ValueError, match=r"got additive without W_q, W_k, w_v$"):
        figure.score = "additive"
    with pytest.raises(ValueError, match=r"^W_q must be given when the figure is made; got \[\["):
        figure.W_q = [[1.0, 0.0]]
    assert figure.score == "bilinear"
    assert figure._page_state() == stored


def test_a_menu_has_the_scores_whose_parameters_are_given(open_figure: Open) -> None:
    figure = ScoreFigure(**tensors(FEW), score="bilinear")
    page = open_figure(figure)
    offered = (
        control(page, "score").locator("option").evaluate_all("all => all.map((x) => x.value)")
    )
    assert offered == [name for name in SCORES if set(SCORES[name].parameters) <= {"W"}]
    for score in ("dot", "bilinear"):
        control(page, "score").select_option(score)
        figure.score = score
        assert_shows(page, figure)


def test_equal_scores_give_the_mean_of_the_values() -> None:
    figure = scoring(score="bilinear")
    figure.W = torch.zeros(2, 2)
    assert figure.attention_weights.flatten().tolist() == [0.25] * 4
    assert figure.output.flatten().tolist() == pytest.approx([2.5, 0.125])


def test_the_representation_is_stable_and_its_tables_hold_what_is_shown() -> None:
    figure = scoring(lang="zh", score="bilinear")
    assert repr(figure) == "ScoreFigure(name='scores')"
    text = figure._repr_mimebundle_()[0]["text/html"]
    assert text == scoring(lang="zh", score="bilinear")._repr_mimebundle_()[0]["text/html"]
    for caption in ("queries", "keys", "values", "W", "scores", "attention_weights", "output"):
        assert f"<caption>{caption}[0]</caption>" in text
    assert "<caption>W_q[0]</caption>" not in text


def formula_on(page: Page) -> str:
    return "".join(page.locator(".controls .formula").inner_text().split())


def test_each_score_shows_its_formula_its_parameters_and_its_weights(open_figure: Open) -> None:
    figure = scoring()
    page = open_figure(figure)
    written = {score: text for score, text, _ in formulas()}
    for score in ["cosine", *SCORES]:
        control(page, "score").select_option(score)
        figure.score = score
        assert_shows(page, figure)
        formula = re.sub("[ _^]", "", written[score]) + (",d=2" if score == "scaled_dot" else "")
        assert formula_on(page) == f"a(q,k)={formula}"
        for parameter in PARAMETERS:
            shown = control(page, f"{parameter}[0][0]").is_visible()
            assert shown == (parameter in SCORES[score].parameters)


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = scoring()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.type("cos")  # as in any list of choices
    figure.score = "cosine"
    assert_shows(page, figure)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.control") == "queries[0][0]"
    figure.queries = [[[3.1, 4.0]]]
    assert_shows(page, figure)


def test_a_key_is_dragged_around_the_query(open_figure: Open) -> None:
    figure = scoring()
    page = open_figure(figure)
    move(page, grip(page, "keys[0][1]"), -40, 25)
    key = [typed(page, f"keys[0][1][{i}]") for i in (0, 1)]
    assert key[0] < 6
    assert key[1] < 8
    keys = figure.keys_
    keys[0][1] = key
    figure.keys_ = keys
    assert_shows(page, figure)
    score = page.locator('[aria-label="scores[0]"] tbody td').nth(1).inner_text()
    assert float(score.replace("−", "-")) == pytest.approx(figure.scores[0, 0, 1].item(), abs=0.005)


CONTOURS = """group => [...group.querySelectorAll("text")].map((text) => {
  return [Number(text.textContent.replace("−", "-")), Number(text.getAttribute("x")),
    Number(text.getAttribute("y")) - 4];
})"""


# Numbers on contours that stand on a name: a part of one would be another number.
ON_NAMES = """plane => {
  const texts = [...plane.querySelectorAll("text")];
  const boxes = texts.map((text) => [text, text.getBoundingClientRect()]);
  const numbers = boxes.filter(([text]) => text.closest(".contours"));
  const apart = (a, b) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  return numbers.flatMap(([number, box]) => boxes.flatMap(([text, other]) =>
    text === number || apart(box, other) ? [] : [`${number.textContent} on ${text.textContent}`]));
}"""


@pytest.mark.parametrize("score", SCORES)
def test_a_number_on_a_contour_is_the_score_of_a_key_there(open_figure: Open, score: str) -> None:
    names = ["curry", "chilli jam", "custard", "yoghurt"]
    figure = scoring(score=score, names=names, query_name="The guest", axes=["sweet", "hot"])
    page = open_figure(figure)
    assert page.locator("svg:has(.contours)").evaluate(ON_NAMES) == []
    numbers = page.locator(".contours").evaluate(CONTOURS)
    assert len(numbers) > 1
    # Where two points of the plane stand says how its places become numbers.
    places = {}
    for name, point in (("keys[0][2]", figure.keys_[0][2]), ("keys[0][1]", figure.keys_[0][1])):
        at = page.locator(f'[data-point="{name}"]').get_attribute("transform") or ""
        places[tuple(point)] = [float(x) for x in re.findall(r"-?[\d.]+", at)]
    (a, (left, bottom)), (b, (right, top)) = places.items()
    for level, x, y in numbers:
        key = [
            a[0] + (x - left) / (right - left) * (b[0] - a[0]),
            a[1] + (y - bottom) / (top - bottom) * (b[1] - a[1]),
        ]
        there = scoring(score=score)
        there.keys_ = [[key, *figure.keys_[0][1:]]]
        spread = max(abs(number) for number, *_ in numbers)
        assert there.scores[0, 0, 0].item() == pytest.approx(level, abs=0.03 * spread)


def test_contours_follow_the_query_and_the_parameters(open_figure: Open) -> None:
    page = open_figure(scoring(score="bilinear"))
    contours = "group => [...group.querySelectorAll('.line')].map((line) => line.getAttribute('d'))"
    seen = [page.locator(".contours").evaluate(contours)]
    for field in ("queries[0][0][0]", "W[0][0]"):
        control(page, field).fill("1.5")
        page.evaluate(PAINTED)
        seen.append(page.locator(".contours").evaluate(contours))
        assert seen[-1] != seen[-2]


def test_without_a_plane_there_are_only_numbers(open_figure: Open) -> None:
    three = torch.ones(1, 2, 3)
    parameters = torch.ones(2, 3), torch.ones(2, 3), torch.ones(1, 2), torch.eye(3)
    figure = ScoreFigure(three[:, :1], three, three, *parameters)
    page = open_figure(figure)
    expect(page.locator(".plot")).to_have_count(0)
    assert_shows(page, figure)


@pytest.mark.parametrize("width", [1280, 390])
def test_each_key_is_one_column_from_its_vector_to_its_value(open_figure: Open, width: int) -> None:
    page = open_figure(scoring(score="additive"))
    resize(page, width, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    names = ["keys[0].T", "scores[0]", "attention_weights[0]", "values[0].T"]
    edges = [columns(page, name) for name in names]
    assert max(edges[0]) < width
    for line in edges[1:]:
        assert line == pytest.approx(edges[0], abs=0.5)


def test_the_axes_reach_the_place_that_a_question_names(open_figure: Open) -> None:
    say = scoring_functions.words(lang="en")
    figure = ScoreFigure(*scoring_functions.INPUTS, score="dot", compact=True, names=say.menu)
    highest = []
    for seen in (False, True):
        if seen:
            figure.ask(say.landscape).ask_after_moving(say.landscape_seen)  # from (2, 2) to (3, 3)
        page = open_figure(figure)
        ticks = page.locator(".in-the-plane .axes text").all_text_contents()
        highest.append(max(float(tick.replace("−", "-")) for tick in ticks))
    assert highest[0] < 3 <= highest[1]
