"""The scaling figure: its numbers, its traits, and what a reader does with it."""

import math
from typing import Any

import pytest
import torch
import traitlets
from agreement import assert_close, in_browser, state
from figure_host import changed_from_elsewhere, in_strict_model
from figure_page import Open, assert_shows, contrasts, control, slide
from playwright.sync_api import Page, expect

from attention_lib.figures import ScalingFigure


def scaling(lang: str = "en", d: int = 64, scaled: bool = True) -> ScalingFigure:
    """Return a figure of the size that the chapter has."""
    draws = torch.Generator().manual_seed(6)
    inputs = (torch.randn(1, 16, 128, generator=draws).round(decimals=2) for _ in range(2))
    return ScalingFigure(*inputs, d=d, scaled=scaled, lang=lang)


def small(d: int | None = None, scaled: bool = True) -> ScalingFigure:
    """Return one query (2, 0, 0, 0) and the keys (1, 0, 0, 0) and 0."""
    keys = torch.zeros(1, 2, 4)
    keys[0, 0, 0] = 1
    return ScalingFigure(2 * keys[:, :1], keys, d=d, scaled=scaled)


def random_scaling(seed: int) -> ScalingFigure:
    """Return a figure in a random state, some with d = 1, with huge or equal scores, or ties."""
    torch.manual_seed(seed)
    num_queries, num_keys = torch.randint(1, 7, (2,)).tolist()
    size = [1, 2, 3, 8, 20][seed % 5]
    scale = [1, 1, 30, 0][seed % 4]
    queries = scale * torch.randn(1, num_queries + (num_keys == 1), size)
    keys = torch.randn(1, num_keys, size)
    if seed % 3 == 0:  # products such as 0.25, on the edges of the histogram's bars
        queries, keys = (2 * queries).round() / 2, (2 * keys).round() / 2
    figure = ScalingFigure(queries, keys, scaled=seed % 2 == 0)
    figure.d = figure.sizes[seed % len(figure.sizes)]
    return figure


def test_the_browser_agrees_with_torch_on_random_states(page: Page, sources_url: str) -> None:
    figures = [random_scaling(seed) for seed in range(240)] + [scaling(), scaling(scaled=False)]
    states = [state(figure) for figure in figures]
    results = in_browser(page, sources_url, "scaling", "scalingStages", states)
    for figure, result in zip(figures, results, strict=True):
        expected = figure.stages()
        for name in ("scores", "histogram", "entropy", "gradient"):
            assert_close(result[name], expected[name])
        assert_close(result["meanAndVariance"], expected["mean_and_variance"])
        assert_close(result["weights"], expected["attention_weights"])


def test_one_query_by_hand() -> None:
    stages = small().stages()
    assert stages["scores"].tolist() == [[[1, 0]]]  # 2 / √4
    assert stages["mean_and_variance"].tolist() == [[[0.5, 0.5]]]
    weight = 1 / (1 + math.exp(-1))
    assert stages["attention_weights"][0, 0, 0].item() == pytest.approx(weight)
    entropy = -weight * math.log(weight) - (1 - weight) * math.log(1 - weight)
    assert stages["entropy"][0, :, 2].tolist() == pytest.approx([4, 0.3653, entropy], abs=5e-5)
    # Each of the four derivatives of two weights is p(1 - p) in size.
    gradient = 2 * weight * (1 - weight)
    assert stages["gradient"][0, 2, 2].item() == pytest.approx(gradient)
    counts = [0] * 33
    counts[16], counts[18] = 1, 1  # 0 and 1 standard deviation, two bars apart
    assert stages["histogram"].flatten().tolist() == counts


def test_even_weights_have_the_largest_entropy_and_a_known_gradient() -> None:
    figure = ScalingFigure(torch.zeros(1, 2, 4), torch.ones(1, 16, 4))
    stages = figure.stages()
    torch.testing.assert_close(stages["entropy"][0, 1:], torch.full((2, 3), math.log(16)).double())
    # diag(1/16) - 1/256 has the Frobenius norm √15 / 16.
    expected = torch.full((2, 3), math.sqrt(15) / 16).double()
    torch.testing.assert_close(stages["gradient"][0, 1:], expected)


def test_scores_have_variance_d_and_divided_by_its_root_variance_1() -> None:
    figure = scaling(scaled=False)
    for d in (4, 32, 128):
        figure.d, figure.scaled = d, False
        _, variance = figure.stages()["mean_and_variance"].flatten().tolist()
        assert variance / d == pytest.approx(1, rel=0.35)
        figure.scaled = True
        _, divided = figure.stages()["mean_and_variance"].flatten().tolist()
        assert divided == pytest.approx(variance / d)


def test_scores_beyond_the_histogram_count_in_its_last_bars() -> None:
    figure = ScalingFigure(torch.full((1, 1, 1), 100.0), torch.tensor([[[-1.0], [0.2], [1.0]]]))
    counts = figure.stages()["histogram"].flatten().tolist()
    assert (counts[0], counts[-1], sum(counts)) == (1, 2, 3)


def test_a_score_on_the_edge_of_two_bars_counts_in_the_right_one(
    page: Page, sources_url: str
) -> None:
    # The first score is 0.5, but 0.4999999999999997 in binary, and bars are 1 wide.
    query, keys = [[[1.1, -0.9, 0.7, -0.2]]], [[[-0.5, 0.4, 1.9, -0.4], [0.0, 0.0, 0.0, 0.0]]]
    figure = ScalingFigure(torch.tensor(query), torch.tensor(keys), scaled=False)
    assert figure.stages()["scores"][0, 0, 0] < 0.5
    histogram = figure.stages()["histogram"]
    assert histogram.flatten()[16:18].tolist() == [1, 1]
    result = in_browser(page, sources_url, "scaling", "scalingStages", [state(figure)])
    assert_close(result[0]["histogram"], histogram)


@pytest.mark.parametrize(
    ("trait", "wrong", "error", "says"),
    [
        ("d", 3, ValueError, r"d must be one of \[1, 2, 4\]; got 3"),
        ("d", 8, ValueError, r"d must be one of \[1, 2, 4\]; got 8"),
        ("scaled", "yes", traitlets.TraitError, "scaled"),
        ("keys_", [[[1.0]]], ValueError, r"keys_ must have shape \(1, 2, 4\); got \(1, 1, 1\)"),
    ],
)
def test_a_wrong_value_is_refused_with_a_reason(
    trait: str, wrong: object, error: type[Exception], says: str
) -> None:
    figure = small()
    before = getattr(figure, trait)
    with pytest.raises(error, match=says):
        setattr(figure, trait, wrong)
    assert getattr(figure, trait) == before


@pytest.mark.parametrize(
    ("queries", "keys", "says"),
    [
        ((1, 2, 4), (1, 3, 5), r"keys must have shape \(1, K, D\) = \(1, 3, 4\); got \(1, 3, 5\)"),
        ((2, 2, 4), (1, 3, 4), r"queries must have shape \(1, Q, D\)"),
        ((1, 1, 4), (1, 1, 4), "queries and keys must give two scores at least"),
        ((1, 2, 0), (1, 2, 0), "queries must not be empty"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    queries: tuple[int, ...], keys: tuple[int, ...], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        ScalingFigure(torch.zeros(queries), torch.zeros(keys))


def test_d_may_be_all_there_are_even_if_that_is_no_power_of_two() -> None:
    figure = ScalingFigure(torch.ones(1, 2, 20), torch.ones(1, 2, 20))
    assert figure.d == 20
    assert figure.sizes == [1, 2, 4, 8, 16, 20]
    assert repr(figure) == "ScalingFigure(name='scaling')"


def test_the_tables_leave_the_random_draws_out() -> None:
    text = scaling()._repr_mimebundle_()[0]["text/html"]
    assert text == scaling()._repr_mimebundle_()[0]["text/html"]
    assert "<caption>attention_weights[0]</caption>" in text
    assert "<caption>entropy[0]</caption><tr><td>1.0000</td><td>2.0000</td>" in text
    assert text.count("<td>") < 700


def readout(page: Page) -> list[str]:
    return page.locator("dd:not(.hint)").all_inner_texts()


def test_the_slider_and_the_switch_change_all_that_is_shown(open_figure: Open) -> None:
    figure = scaling()
    page = open_figure(figure)
    for place, scaled in ((6, True), (7, True), (7, False), (0, False), (0, True)):
        slide(page, "d", place)
        control(page, "scaled").set_checked(scaled)
        figure.d, figure.scaled = 2**place, scaled
        expect(page.locator("output")).to_have_text(str(2**place))
        assert_shows(page, figure)
        stages = figure.stages()
        expected = [
            *stages["mean_and_variance"].flatten(),
            stages["entropy"][0, 1 + scaled, place],
            stages["gradient"][0, 1 + scaled, place],
        ]
        shown = [float(text.replace("−", "-")) for text in readout(page)]
        assert shown == pytest.approx([x.item() for x in expected], abs=0.0051)
        hints = page.locator("dd.hint").all_inner_texts()
        assert hints[:2] == ["expected: 0", f"expected: {1 if scaled else 2**place}"]
        assert hints[2] == "at most ln 16 = 2.77"


def widest(page: Page) -> float:
    """Tell how wide the drawn bars spread that count something."""
    width: float = page.locator(".bars").evaluate(
        """bars => {
          const boxes = [...bars.children].filter((bar) => Number(bar.getAttribute("height")) > 0)
            .map((bar) => bar.getBoundingClientRect());
          return Math.max(...boxes.map((b) => b.right)) - Math.min(...boxes.map((b) => b.left));
        }"""
    )
    return width


def test_undivided_scores_spread_with_d_and_divided_ones_do_not(open_figure: Open) -> None:
    page = open_figure(scaling())
    slide(page, "d", 3)
    divided = widest(page)
    control(page, "scaled").uncheck()
    narrow = widest(page)
    assert narrow == pytest.approx(divided * math.sqrt(8), rel=0.01)
    slide(page, "d", 7)
    assert widest(page) > 2 * narrow
    control(page, "scaled").check()
    assert widest(page) == pytest.approx(divided, rel=0.4)


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = scaling()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    figure.d, figure.scaled = 32, False
    assert_shows(page, figure)
    expect(control(page, "d")).to_have_attribute("aria-valuetext", "32")


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["divide by √d", "variance", "entropy", "gradient"]),
        ("zh", ["除以 √d", "方差", "熵", "梯度"]),
    ],
)
def test_it_speaks_both_languages(open_figure: Open, lang: str, words: list[str]) -> None:
    page = open_figure(scaling(lang))
    for word in words:
        expect(page.get_by_text(word, exact=True).first).to_be_visible()


def test_a_step_of_the_slider_takes_less_than_a_frame(open_figure: Open) -> None:
    page = open_figure(scaling())
    times = page.evaluate(
        """() => {
          const slider = document.querySelector('[data-control="d"]');
          return Array.from({ length: 40 }, (_, i) => {
            const start = performance.now();
            slider.value = String(i % 8);
            slider.dispatchEvent(new Event("input"));
            document.body.offsetWidth;
            return performance.now() - start;
          });
        }"""
    )
    assert min(times) < 16  # the machine may be busy with other things


def test_in_jupyter_it_uses_its_own_traits_only_and_leaves_nothing_behind(
    page: Page, sources_url: str
) -> None:
    script = """
      const [slider, box] = el.querySelectorAll("input");
      const weight = () => el.querySelector("[data-at='0,0,0']").textContent;
      slider.value = "0";
      slider.dispatchEvent(new Event("input"));
      const first = weight();
      change("scaled", false);
      change("d", 4);
      return [first, weight(), slider.value, box.checked];
    """
    assert in_strict_model(page, sources_url, small(), script) == {
        "sets": ["d", "saved"],
        "shown": [".88", ".88", "2", False],  # 1 / (1 + exp(-2)): √1 divides by nothing either
        "left": 0,
        "html": "",
    }


def test_a_size_from_elsewhere_that_is_none_is_refused(page: Page, sources_url: str) -> None:
    script = """
      model.set("d", 3);
      return [model.get("d"), said().join(""), field("d").value];
    """
    result = changed_from_elsewhere(page, sources_url, small(d=2), script)
    assert result == [2, "3 is not among the choices; kept 2", "1"]


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_cut_off(open_figure: Open, width: int) -> None:
    page = open_figure(scaling())
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    frame = page.locator(".attention-figure").bounding_box()
    assert frame
    for part in page.locator(".scaling > *, [data-at='0,15,15']").all():
        box = part.bounding_box()
        assert box
        assert frame["x"] <= box["x"]
        assert box["x"] + box["width"] <= frame["x"] + frame["width"]


def test_on_a_phone_the_controls_stay_with_what_is_read(open_figure: Open) -> None:
    page = open_figure(scaling())
    page.set_viewport_size({"width": 390, "height": 600})
    page.locator(".plot").last.scroll_into_view_if_needed()
    expect(control(page, "d")).to_be_in_viewport()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_are_legible_on_every_colour(open_figure: Open, theme: str) -> None:
    page = open_figure(scaling(scaled=False))
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    ratios = contrasts(page.locator("tbody td"))
    assert len(ratios) == 256
    assert min(ratios) >= 4.5


def test_a_large_one_is_a_canvas(open_figure: Open) -> None:
    inputs: list[Any] = [torch.randn(1, 64, 2), torch.randn(1, 64, 2)]
    page = open_figure(ScalingFigure(*inputs))
    expect(page.locator("canvas")).to_have_attribute("width", "64")
