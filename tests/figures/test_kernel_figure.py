"""The kernel figure: its numbers, its traits, and what a reader does with it."""

import math
import re
from typing import Any

import pytest
import torch
import traitlets
from agreement import assert_close, in_browser, state
from figure_host import changed_from_elsewhere, in_strict_model
from figure_page import Open, assert_shows, contrasts, control, move, text_sizes
from playwright.sync_api import Browser, Page, expect

from attention_lib import kernels
from attention_lib.figures import KernelFigure

KERNELS = ["gaussian", "boxcar", "epanechnikov", "triangular", "linear"]
KEYS = [[[0.5], [1.0], [2.0], [3.5], [4.0]]]
VALUES = [[[1.0], [2.0], [3.0], [2.5], [1.5]]]
QUERY = [[[1.5]]]


def regression(lang: str = "en", kernel: str = "gaussian", w: float = 1.0) -> KernelFigure:
    inputs = (torch.tensor(x) for x in (KEYS, VALUES, QUERY))
    return KernelFigure(*inputs, kernel=kernel, w=w, lang=lang)


def random_regression(seed: int) -> KernelFigure:
    """Return a figure in a random state: queries out of reach and single keys among them."""
    torch.manual_seed(seed)
    num_keys = int(torch.randint(1, 16, ()))
    keys = 5 * torch.rand(1, num_keys, 1)
    query = keys[:, :1] if seed % 7 == 0 else 3 * torch.randn(1, 1, 1)
    if seed % 8 == 0:  # whole numbers: some keys at the very edge of the reach
        keys, query = keys.round(), query.round()
    w = [1, 0, 1000, 10 ** torch.empty(1).uniform_(-1, 2).item()][seed % 4]
    values = 10 ** (seed % 3) * torch.randn(1, num_keys, 1)
    return KernelFigure(keys, values, query, kernel=KERNELS[seed % 5], w=w)


def test_the_browser_agrees_with_torch_on_random_states(page: Page, sources_url: str) -> None:
    figures = [random_regression(seed) for seed in range(280)]
    states = [state(figure) for figure in figures]
    results = in_browser(page, sources_url, "kernels", "kernelStages", states)
    names = {
        "queries": "queries",
        "keys": "keys",
        "values": "values",
        "weights": "attention_weights",
        "output": "output",
        "evenQueries": "even_queries",
        "evenWeights": "even_weights",
        "evenOutputs": "even_outputs",
    }
    empty = 0
    for figure, result in zip(figures, results, strict=True):
        expected = figure.stages()
        empty += not expected["attention_weights"].any()
        for here, there in names.items():
            assert_close(result[here], expected[there])
    assert empty > 20  # queries without a key in reach


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_curve_is_that_of_nadaraya_and_watson(
    page: Page, sources_url: str, kernel: str
) -> None:
    figure, xs = (
        regression(kernel=kernel, w=1.6),
        torch.tensor([*range(-3, 8), 0.3, -0.63, 1.49]).double(),
    )
    keys, values = (torch.tensor(x).double().flatten() for x in (KEYS, VALUES))
    function = getattr(kernels, kernel)
    weights = kernels.kernel_weights(xs, keys, function, 1.6)
    expected = kernels.nadaraya_watson(xs, keys, values, function, 1.6)
    page.goto(sources_url)
    curve = page.evaluate(
        """async ([url, state, xs]) =>
          (await import(url)).kernelCurve({ get: (name) => state[name] }, xs)""",
        [f"{sources_url}/kernels.js", state(figure), xs.tolist()],
    )
    gaps = [y is None for y in curve]
    assert gaps == (weights == 0).all(-1).tolist()
    assert any(gaps) == (kernel != "gaussian")  # the linear one at x = 0
    assert_close([y or 0.0 for y in curve], expected)


def test_three_points_by_hand() -> None:
    keys, values = torch.tensor([[[0.0], [0.5], [2.0]]]), torch.tensor([[[3.0], [6.0], [9.0]]])
    figure = KernelFigure(keys, values, torch.zeros(1, 1, 1))
    by_hand = {
        "boxcar": [1 / 2, 1 / 2, 0],
        "epanechnikov": [4 / 7, 3 / 7, 0],
        "triangular": [2 / 3, 1 / 3, 0],
        "linear": [0, 0, 0],
    }
    for figure.kernel, weights in by_hand.items():
        assert figure.attention_weights.flatten().tolist() == pytest.approx(weights)
    figure.kernel, figure.w = "gaussian", 2
    terms = [1, math.exp(-0.5), math.exp(-8)]
    expected = [term / sum(terms) for term in terms]
    assert figure.attention_weights.flatten().tolist() == pytest.approx(expected)
    figure.kernel, figure.queries = "linear", [[[-3.0]]]
    assert figure.attention_weights.flatten().tolist() == pytest.approx([0, 0.2, 0.8])
    assert figure.output.item() == pytest.approx(8.4)


def test_where_no_key_is_in_reach_the_weights_are_0(open_figure: Open) -> None:
    figure = regression(kernel="triangular")
    figure.queries = [[[9.0]]]
    assert not figure.attention_weights.any()
    assert figure.output.item() == 0
    page = open_figure(figure)
    assert_shows(page, figure)
    expect(page.locator(".notice[role=status]")).to_contain_text("no key is in reach")
    expect(page.locator(".plot .output")).to_be_hidden()
    control(page, "queries[0][0][0]").fill("4.5")
    figure.queries = [[[4.5]]]
    assert_shows(page, figure)
    expect(page.locator(".notice[role=status]")).to_be_empty()
    expect(page.locator(".plot .output")).to_have_text(f"output {figure.output.item():.2f}")


@pytest.mark.parametrize(
    ("trait", "wrong", "says"),
    [
        ("w", -0.1, "w must be a number from 0 to 1000; got -0.1"),
        ("w", math.inf, "w must be a number from 0 to 1000; got inf"),
        ("kernel", "cubic", "kernel.*'gaussian', 'boxcar', 'epanechnikov', 'triangular'"),
        ("queries", [[1.0]], r"queries must have shape \(1, 1, 1\); got \(1, 1\)"),
        ("values", torch.full((1, 5, 1), torch.nan), "values must be finite"),
    ],
)
def test_a_wrong_value_is_refused_with_a_reason(trait: str, wrong: object, says: str) -> None:
    figure = regression()
    before = getattr(figure, trait)
    with pytest.raises((ValueError, traitlets.TraitError), match=says):
        setattr(figure, trait, wrong)
    assert getattr(figure, trait) == before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"query": torch.zeros(1, 2, 1)}, r"query must have shape \(1, 1, 1\)"),
        ({"keys": torch.zeros(5)}, r"keys must have shape \(1, K, 1\); got \(5,\)"),
        ({"values": torch.zeros(1, 4, 1)}, r"\(1, K, 1\) = \(1, 5, 1\); got \(1, 4, 1\)"),
        ({"keys": torch.zeros(1, 0, 1), "values": torch.zeros(1, 0, 1)}, "keys must not be empty"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(change: dict[str, Any], says: str) -> None:
    inputs = {"keys": KEYS, "values": VALUES, "query": QUERY}
    with pytest.raises(ValueError, match=says):
        KernelFigure(**{name: torch.tensor(x) for name, x in inputs.items()} | change)
    with pytest.raises(TypeError, match="query must be floating"):
        KernelFigure(torch.tensor(KEYS), torch.tensor(VALUES), torch.ones(1, 1, 1).long())


def typed(page: Page, name: str) -> float:
    """Read the number in a field, with all its decimals."""
    control(page, name).focus()
    return float(control(page, name).input_value())


def handle(page: Page, name: str) -> Any:
    return page.locator(f'[data-point~="{name}"] .hit')


def test_the_query_and_the_data_are_dragged(open_figure: Open) -> None:
    figure = regression()
    page = open_figure(figure)
    box = page.locator(".plot").first.bounding_box()
    assert box
    across = box["width"] / 340 * 292 / 5.5  # pixels: the axes go from -0.5 to 5 and 0.5 to 3.5
    upward = box["width"] / 340 * (264 - 54) / 3
    move(page, handle(page, "queries[0][0]"), across, -30)
    query = typed(page, "queries[0][0][0]")
    assert query == pytest.approx(2.5, abs=0.01)
    move(page, handle(page, "keys[0][1]"), 0.5 * across, -upward)
    point = [typed(page, f"{name}[0][1][0]") for name in ("keys", "values")]
    assert point == pytest.approx([1.5, 3], abs=0.01)
    figure.queries = [[[query]]]
    figure.keys_ = [[KEYS[0][0], [point[0]], *KEYS[0][2:]]]
    figure.values = [[VALUES[0][0], [point[1]], *VALUES[0][2:]]]
    assert_shows(page, figure)


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_kernel_can_be_chosen_and_w_be_moved(open_figure: Open, kernel: str) -> None:
    figure = regression(kernel="boxcar" if kernel == "gaussian" else "gaussian")
    page = open_figure(figure)
    control(page, "kernel").select_option(kernel)
    figure.kernel = kernel
    assert_shows(page, figure)
    for figure.w in (1.3, 1.6, 2):
        control(page, "w").press("ArrowRight")
        assert_shows(page, figure)
    expect(page.locator("label:has([data-control=w]) output")).to_have_text("2")
    control(page, "w").press("End")
    figure.w = 100
    assert_shows(page, figure)


def test_the_pictures_follow_the_weights(open_figure: Open) -> None:
    figure = regression(kernel="triangular", w=0.8)
    page = open_figure(figure)

    def read(selector: str, attribute: str) -> list[float]:
        return [float(str(x.get_attribute(attribute))) for x in page.locator(selector).all()]

    for figure.queries in ([[[1.5]]], [[[3.0]]]):
        control(page, "queries[0][0][0]").fill(str(figure.queries[0][0][0]))
        stages = figure.stages()
        weights = stages["attention_weights"].flatten()
        areas = torch.tensor(read(".training .key .weight", "r")) ** 2 / 20**2
        torch.testing.assert_close(areas.double(), weights, atol=1e-6, rtol=0)
        heights = torch.tensor(read(".bars.weight rect", "height"))
        torch.testing.assert_close(heights / heights.sum(), weights.float(), atol=1e-4, rtol=0)
        even = stages["even_weights"].flatten()
        shades = torch.tensor(read(".weights rect", "fill-opacity"))
        torch.testing.assert_close(shades, (even / even.max()).float(), atol=0.0006, rtol=0)


def test_a_gap_in_reach_is_a_gap_in_the_curve(open_figure: Open) -> None:
    page = open_figure(regression(kernel="boxcar", w=1))
    curve = page.locator(".curve.outputs")
    assert str(curve.get_attribute("d")).count("M") == 1
    control(page, "w").press("End")  # only at the keys themselves, too narrow for even samples
    assert str(curve.get_attribute("d")).count("M") >= 5


def test_negative_weights_are_told_apart(open_figure: Open) -> None:
    figure = regression(kernel="linear")
    page = open_figure(figure)
    expect(page.locator("[data-negative]")).to_have_count(0)
    control(page, "keys[0][0][0]").fill("-2")
    figure.keys_ = [[[-2.0], *KEYS[0][1:]]]
    assert figure.attention_weights[0, 0, 0] < 0
    assert_shows(page, figure)
    expect(page.locator(".training .key [data-negative]")).to_have_count(1)
    expect(page.locator(".weights [data-negative]")).to_have_count(17)  # in each row


def test_an_output_beyond_the_axes_stays_at_their_edge_with_its_number(open_figure: Open) -> None:
    figure = regression(kernel="linear")
    figure.keys_ = [[[0.5], [1.0], [2.0], [3.5], [-6.9]]]
    page = open_figure(figure)
    assert_shows(page, figure)
    output = page.locator(".plot .output")
    expect(output).to_have_text(f"output {figure.output.item():.2f}")
    outer, inner = page.locator(".plot").first.bounding_box(), output.bounding_box()
    assert outer
    assert inner
    assert outer["y"] <= inner["y"] <= outer["y"] + outer["height"]


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    page = open_figure(regression())
    seen = []
    for _ in range(13):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.dataset.control"))
    fields = [f"{name}[0][{k}][0]" for name in ("keys", "values") for k in range(5)]
    assert [name for name in seen if name] == ["kernel", "w", *fields, "queries[0][0][0]"]
    control(page, "values[0][3][0]").focus()
    expect(page.locator("[data-focused]")).to_have_attribute(
        "data-point", "keys[0][3] values[0][3]"
    )


def test_in_jupyter_it_uses_its_own_traits_only_and_leaves_nothing_behind(
    page: Page, sources_url: str
) -> None:
    script = """
      const slider = el.querySelector("[data-control=w]");
      slider.value = slider.max;
      slider.dispatchEvent(new Event("input"));
      change("queries", [[[2]]]);
      const near = el.querySelector("[data-at='0,0,2']").textContent;
      change("kernel", "boxcar");
      change("w", 0.1);
      return [near, el.querySelector("[data-at='0,0,2']").textContent];
    """
    result = in_strict_model(page, sources_url, regression(), script)
    assert result == {"sets": ["w", "saved"], "shown": ["1.00", "0.20"], "left": 0, "html": ""}


@pytest.mark.parametrize(
    ("trait", "wrong", "says"),
    [
        ("w", "2000", "a number from 0 to 1000, please; kept 1"),
        ("kernel", "'cubic'", "cubic is not among the choices; kept gaussian"),
    ],
)
def test_what_comes_from_elsewhere_and_cannot_be_is_refused(
    page: Page, sources_url: str, trait: str, wrong: str, says: str
) -> None:
    script = f"""
      const before = model.get("{trait}");
      model.set("{trait}", {wrong});
      return [model.get("{trait}") === before, said().join("")];
    """
    result = changed_from_elsewhere(page, sources_url, regression(), script)
    assert result == [True, says]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["training point", "weight, as area", "strongest colour"]),
        ("zh", ["训练样本", "圆的面积", "颜色最浓处"]),
    ],
)
def test_its_words_are_those_of_its_language(
    open_figure: Open, lang: str, words: list[str]
) -> None:
    text = open_figure(regression(lang)).locator(".attention-figure").inner_text()
    assert [word for word in words if word not in text] == []
    assert (re.search("[一-龥]", text) is None) == (lang == "en")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_are_legible_in_every_colour(open_figure: Open, theme: str) -> None:
    ramp = torch.linspace(0, 1, 16)[None, :, None]  # 16 shades, from palest to strongest
    page = open_figure(KernelFigure(ramp, ramp, torch.zeros(1, 1, 1), kernel="triangular"))
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    ratios = contrasts(page.locator(".attention-figure tbody td"))
    assert len(ratios) > 48
    assert min(ratios) >= 4.5


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_fits_a_phone_with_text_to_read_and_points_to_touch(
    open_figure: Open, lang: str
) -> None:
    figure = regression(lang)
    page = open_figure(figure)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert min(text_sizes(page)) >= 11
    sizes = page.locator(".hit").evaluate_all(
        "all => all.map((hit) => hit.getBoundingClientRect().width)"
    )
    assert min(sizes) >= 44


@pytest.mark.parametrize("num_keys", [1, 16, 40])
def test_any_number_of_keys_has_its_place(open_figure: Open, num_keys: int) -> None:
    keys = torch.linspace(0, 5, num_keys)[None, :, None]
    figure = KernelFigure(keys, keys.sin(), torch.ones(1, 1, 1), w=4)
    page = open_figure(figure)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert_shows(page, figure)
    expect(page.locator(".training .key")).to_have_count(num_keys)
    control(page, f"values[0][{num_keys - 1}][0]").fill("3.5")
    control(page, f"keys[0][{num_keys - 1}][0]").fill("1.5")
    keys, values = torch.tensor(figure.keys_), torch.tensor(figure.values)
    keys[0, -1, 0], values[0, -1, 0] = 1.5, 3.5
    figure.keys_, figure.values = keys, values
    expect(page.locator(".plot .output")).to_have_text(f"output {figure.output.item():.2f}")


def test_without_javascript_the_numbers_are_tables(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.set_content(regression().to_html())
    captions = page.locator("table caption").all_inner_texts()
    assert {"keys[0]", "values[0]", "attention_weights[0]", "even_weights[0]"} <= set(captions)
    assert page.locator("tr").count() < 100
    context.close()
