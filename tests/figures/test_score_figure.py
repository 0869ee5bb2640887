"""The score figure: its numbers, its traits, and what a reader does with it."""

import math
from typing import Any

import pytest
import torch
import traitlets
from agreement import assert_close, in_browser, state
from figure_host import changed_from_elsewhere, in_strict_model
from figure_page import Open, assert_shows, contrasts, control
from playwright.sync_api import Page, expect

from attention_lib.figures import ScoreFigure

SCORES = ["dot", "scaled_dot", "additive", "gaussian", "cosine", "bilinear"]
FORMULAS = {
    "dot": "qTk",
    "scaled_dot": "qTk/√d,d=2",
    "additive": "wvTtanh(Wqq+Wkk)",
    "gaussian": "−½‖q−k‖²",
    "cosine": "qTk/(‖q‖‖k‖)",
    "bilinear": "qTWk",
}
TENSORS = {
    "queries": [[[3.0, 4.0]]],
    "keys": [[[3.0, 4.0], [6.0, 8.0], [-4.0, 3.0], [0.0, 0.0]]],
    "values": [[[1.0, 0.0], [2.0, 1.0], [3.0, 0.5], [4.0, -1.0]]],
    "W_q": [[1.0, 0.0], [0.5, -1.0], [0.0, 1.0]],
    "W_k": [[-1.0, 0.0], [0.5, 1.0], [1.0, -1.0]],
    "w_v": [[1.0, -0.5, 2.0]],
    "W": [[0.0, 1.0], [0.0, 0.0]],
}


def tensors(**changes: torch.Tensor) -> dict[str, torch.Tensor]:
    return {name: torch.tensor(x) for name, x in TENSORS.items()} | changes


def scoring(score: str = "dot", lang: str = "en") -> ScoreFigure:
    return ScoreFigure(**tensors(), score=score, lang=lang)


def random_scoring(seed: int) -> ScoreFigure:
    """Return a figure in a random state, some with zero vectors, large numbers or one of all."""
    torch.manual_seed(seed)
    num_keys, size, value_size, hiddens = torch.randint(1, 7, (4,)).tolist()
    if seed % 11 == 0:
        num_keys, size = 1, 1
    scale = [1.0, 0.01, 30.0][seed % 3]
    queries, keys = scale * torch.randn(1, 1, size), scale * torch.randn(1, num_keys, size)
    keys[:, :: 2 + seed % 5] *= seed % 4 > 0  # a fourth of the figures have zero vectors
    return ScoreFigure(
        queries if seed % 7 else 0 * queries,
        keys,
        torch.randn(1, num_keys, value_size),
        torch.randn(hiddens, size),
        torch.randn(hiddens, size),
        torch.randn(1, hiddens),
        torch.randn(size, size),
        score=SCORES[seed % 6],
    )


def test_the_browser_agrees_with_torch_on_random_states(page: Page, sources_url: str) -> None:
    figures = [random_scoring(seed) for seed in range(360)]
    states = [state(figure) for figure in figures]
    results = in_browser(page, sources_url, "score", "scoreStages", states)
    for figure, result in zip(figures, results, strict=True):
        expected = figure.stages()
        for name in ("values", "scores", "output"):
            assert_close(result[name], expected[name])
        assert_close(result["weights"], expected["attention_weights"])


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
    assert scoring(score).scores.flatten().tolist() == pytest.approx(by_hand, abs=1e-12)


def test_the_additive_score_by_hand() -> None:
    figure = scoring("additive")
    hidden = [3 - 3, (1.5 - 4) + (1.5 + 4), 4 + (3 - 4)]  # of the query and of the first key
    expected = math.tanh(hidden[0]) - 0.5 * math.tanh(hidden[1]) + 2 * math.tanh(hidden[2])
    assert figure.scores[0, 0, 0].item() == pytest.approx(expected)


def test_equal_scores_give_the_mean_of_the_values() -> None:
    figure = scoring("bilinear")
    figure.W = torch.zeros(2, 2)
    assert figure.attention_weights.flatten().tolist() == [0.25] * 4
    assert figure.output.flatten().tolist() == pytest.approx([2.5, 0.125])


@pytest.mark.parametrize(
    ("trait", "wrong", "error", "says"),
    [
        ("score", "euclidean", traitlets.TraitError, "any of .'dot', 'scaled_dot'.*'euclidean'"),
        ("W", [[1.0]], ValueError, r"W must have shape \(2, 2\); got \(1, 1\)"),
        ("keys_", torch.zeros(1, 3, 2), ValueError, r"keys_ must have shape \(1, 4, 2\); got"),
        ("w_v", [[1.0, math.nan, 2.0]], ValueError, "w_v must be finite"),
    ],
)
def test_a_wrong_value_is_refused_with_a_reason(
    trait: str, wrong: object, error: type[Exception], says: str
) -> None:
    figure = scoring()
    before = getattr(figure, trait)
    with pytest.raises(error, match=says):
        setattr(figure, trait, wrong)
    assert getattr(figure, trait) == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"queries": torch.zeros(1, 2, 2)}, r"queries must have shape \(1, 1, d\) = \(1, 1, 2\)"),
        ({"keys": torch.zeros(1, 4, 3)}, r"\(1, K, d\) = \(1, 4, 2\); got \(1, 4, 3\)"),
        ({"values": torch.zeros(1, 3, 2)}, r"\(1, K, V\) = \(1, 4, 2\); got \(1, 3, 2\)"),
        ({"W_k": torch.zeros(4, 2)}, r"W_k must have shape \(H, d\) = \(3, 2\); got \(4, 2\)"),
        ({"w_v": torch.zeros(3)}, r"w_v must have shape \(1, H\); got \(3,\)"),
        ({"W": torch.zeros(2, 3)}, r"W must have shape \(d, d\) = \(2, 2\); got \(2, 3\)"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        ScoreFigure(**tensors(**change))
    with pytest.raises(TypeError, match="W must be floating"):
        ScoreFigure(**tensors(W=torch.zeros(2, 2, dtype=torch.long)))
    with pytest.raises(traitlets.TraitError, match="lang"):
        scoring(lang="fr")


def test_the_representation_is_stable_and_its_tables_hold_what_is_shown() -> None:
    figure = scoring("bilinear", lang="zh")
    assert repr(figure) == "ScoreFigure(name='scores')"
    text = figure._repr_mimebundle_()[0]["text/html"]
    assert text == scoring("bilinear", lang="zh")._repr_mimebundle_()[0]["text/html"]
    for caption in ("queries", "keys", "values", "W", "scores", "attention_weights", "output"):
        assert f"<caption>{caption}[0]</caption>" in text
    assert "<caption>W_q[0]</caption>" not in text


def formula_on(page: Page) -> str:
    return "".join(page.locator(".controls .formula").inner_text().split())


def test_each_score_shows_its_formula_its_parameters_and_its_weights(open_figure: Open) -> None:
    figure = scoring()
    page = open_figure(figure)
    used = {"additive": ["W_q", "W_k", "w_v"], "bilinear": ["W"]}
    for score in ["cosine", *SCORES]:
        control(page, "score").select_option(score)
        figure.score = score
        assert_shows(page, figure)
        assert formula_on(page) == f"a(q,k)={FORMULAS[score]}"
        for parameter in ("W_q", "W_k", "w_v", "W"):
            shown = control(page, f"{parameter}[0][0]").is_visible()
            assert shown == (parameter in used.get(score, []))


def test_everything_that_counts_can_be_typed(open_figure: Open) -> None:
    figure = scoring("bilinear")
    page = open_figure(figure)
    control(page, "queries[0][0][1]").fill("-0.5")
    control(page, "keys[0][3][0]").fill("2")
    control(page, "values[0][0][1]").fill("7")
    control(page, "W[1][0]").fill("0.25")
    figure.queries = [[[3.0, -0.5]]]
    figure.keys_ = [[*TENSORS["keys"][0][:3], [2.0, 0.0]]]
    figure.values = [[[1.0, 7.0], *TENSORS["values"][0][1:]]]
    figure.W = [[0.0, 1.0], [0.25, 0.0]]
    assert_shows(page, figure)
    output = page.locator('[aria-label="output[0].T"] tbody td').all_inner_texts()
    shown = [float(text.replace("−", "-")) for text in output]
    assert shown == pytest.approx(figure.output.flatten().tolist(), abs=0.005)


def test_a_wrong_entry_is_refused_with_a_word(open_figure: Open) -> None:
    figure = scoring("additive")
    page = open_figure(figure)
    control(page, "w_v[0][1]").fill("1001")
    expect(page.locator("[data-error]", has_text="please")).to_have_count(1)
    assert_shows(page, figure)


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = scoring()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.type("cos")  # as in any list of choices
    figure.score = "cosine"
    assert_shows(page, figure)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.control") == "queries[0][0][0]"
    figure.queries = [[[3.1, 4.0]]]
    assert_shows(page, figure)


@pytest.mark.parametrize(
    ("lang", "texts"),
    [
        ("en", ["dot product", "scaled dot product", "additive", "Gaussian distance"]),
        ("zh", ["点积", "缩放点积", "加性", "高斯距离"]),
    ],
)
def test_the_scores_have_names_in_both_languages(
    open_figure: Open, lang: str, texts: list[str]
) -> None:
    page = open_figure(scoring(lang=lang))
    assert control(page, "score").locator("option").all_inner_texts()[:4] == texts


def test_in_jupyter_it_uses_its_own_traits_only_and_leaves_nothing_behind(
    page: Page, sources_url: str
) -> None:
    script = """
      const select = el.querySelector("select");
      select.value = "gaussian";
      select.dispatchEvent(new Event("change"));
      const weight = () => el.querySelector("[data-at='0,0,0']").textContent;
      const first = weight();
      change("keys_", [[[0, 0], [0, 0], [0, 0], [0, 0]]]);
      change("score", "dot");
      return [first, weight(), select.value];
    """
    assert in_strict_model(page, sources_url, scoring(), script) == {
        "sets": ["score", "saved"],
        "shown": ["1.00", "0.25", "dot"],
        "left": 0,
        "html": "",
    }


def test_a_score_from_elsewhere_that_is_none_is_refused(page: Page, sources_url: str) -> None:
    script = 'model.set("score", "best"); return [model.get("score"), said().join("")];'
    result = changed_from_elsewhere(page, sources_url, scoring("cosine"), script)
    assert result == ["cosine", "best is not among the choices; kept cosine"]


@pytest.mark.parametrize("width", [1280, 390])
def test_each_key_is_one_column_from_its_vector_to_its_value(open_figure: Open, width: int) -> None:
    page = open_figure(scoring("additive"))
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    names = ["keys[0].T", "scores[0]", "attention_weights[0]", "values[0].T"]
    edges = [
        page.locator(f'[aria-label="{name}"] tbody tr:first-child td').evaluate_all(
            "cells => cells.map((cell) => cell.getBoundingClientRect().right)"
        )
        for name in names
    ]
    assert max(edges[0]) < width
    for line in edges[1:]:
        assert line == pytest.approx(edges[0], abs=0.5)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_are_legible_on_every_colour(open_figure: Open, theme: str) -> None:
    figure = ScoreFigure(
        torch.tensor([[[1.0, 0.5, 0.0]]]),
        torch.linspace(0, 5, 16)[None, :, None].expand(1, 16, 3),
        torch.linspace(0, 1, 16)[None, :, None],
        *(torch.ones(2, 3), torch.ones(2, 3), torch.ones(1, 2), torch.eye(3)),
    )
    page = open_figure(figure)
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    assert min(contrasts(page.locator("tbody td:visible"))) >= 4.5
