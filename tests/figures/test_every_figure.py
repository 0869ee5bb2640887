"""Test figures of every kind: words, colours, phones, numbers to type, tables."""

import re
from collections.abc import Callable

import pytest
import torch
from alignment_examples import alignment
from figure_examples import (
    ALTERNATING_LANGUAGES,
    EACH_KIND,
    EXAMPLES,
    broadcasting,
    comparison,
    dropout_spread,
    look_up,
    pipeline,
    product,
    scoring,
    steps,
)
from figure_page import (
    Open,
    assert_in_proportion,
    assert_shows,
    contrasts,
    control,
    point_sizes,
    text_sizes,
)
from interaction import resize
from playwright.sync_api import Browser

from attention_figures import (
    BandwidthFigure,
    ComparisonFigure,
    DropoutFigure,
    Figure,
    MaskedSoftmaxFigure,
    PoolingFigure,
    ScoreFigure,
    bundle,
)
from tests.missing_rules import missing_rules

RAMP = torch.linspace(0, 1, 16)[None, :, None]  # 16 shades, from palest to strongest
# Names in code and mathematics, the same in every language.
NAMES = re.compile(
    r"\b(float16|queries|keys|values|scores|mask|attention_weights|output|softmax|valid_lens|num_hiddens"
    r"|temperature|score|Epanechnikov|True|False|exp|tanh"
    r"|max|else|if|cos|ln|dropout|dropped|draws?|mean"
    r"|NaN|MiB|step|masked_softmax|pair|premise|hypothesis|reverse_weights|entailment|neutral|contradiction|SDPA|MHA|torch|ones|full|tril|triu|arange|inf|logit|PyTorch|SVG|PNG)\b"
)


@pytest.mark.parametrize(("kind", "lang"), ALTERNATING_LANGUAGES)
def test_its_words_are_in_its_language_no_rule_is_missing_it_fits_a_phone_and_lengths_are_numbers(
    open_figure: Open, kind: str, lang: str
) -> None:
    figure = EXAMPLES[kind](lang)
    page = open_figure(figure)
    assert missing_rules(page, bundle.stylesheet()) == []
    assert_in_proportion(page, figure)
    said: str = page.locator(".attention-figure").evaluate(
        """figure => [...figure.querySelectorAll("*:not([data-code], [data-code] *)")]
          .flatMap((node) => [
          node.getAttribute("aria-label"), node.getAttribute("title"),
          ...[...node.childNodes].filter((part) => part.nodeType === 3).map((part) => part.data),
        ]).join(" | ")"""
    )
    assert "undefined" not in said
    foreign = "[一-龥]" if lang == "en" else "[A-Za-z]{3,}"
    assert set(re.findall(foreign, NAMES.sub("", said))) == set()
    resize(page, 390, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert min(text_sizes(page), default=11) >= 11  # legible
    assert min(point_sizes(page), default=44) >= 44  # large enough to touch


def ramps() -> dict[str, Figure]:
    """Return figures that show every shade."""
    plane = RAMP.expand(1, 16, 2)
    space = 5 * RAMP.expand(1, 16, 3)
    parameters = (torch.ones(2, 3), torch.ones(2, 3), torch.ones(1, 2), torch.eye(3))
    plain = (torch.eye(2), torch.eye(2), torch.ones(1, 2), torch.eye(2))
    return {
        "steps": MaskedSoftmaxFigure(RAMP.mT.repeat(2, 2, 1).log1p(), [16, 9], step=5),
        "look_up": PoolingFigure(plane, plane, RAMP, temperature=0.05),
        "bandwidth": BandwidthFigure(RAMP, RAMP, torch.zeros(1, 1, 1), kernel="triangular"),
        "scoring": ScoreFigure(torch.tensor([[[1.0, 0.5, 0.0]]]), space, RAMP, *parameters),
        "scaling_weights": EXAMPLES["scaling_weights"]("en"),
        "comparison": ComparisonFigure(torch.ones(1, 1, 2), plane * 3, *plain),
        "alignment": alignment(premise="A dog is running in the park: an animal sleeps there."),
        "dropout": DropoutFigure(RAMP.mT.log1p(), RAMP.mT * 0.99),
    }


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", ramps())
def test_numbers_are_legible_on_every_colour(open_figure: Open, kind: str, theme: str) -> None:
    page = open_figure(ramps()[kind])
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    ratios = contrasts(page.locator(".attention-figure :is(tbody td, .weight-square):visible"))
    assert len(ratios) >= 16
    assert min(ratios) >= 4.5


TYPED: dict[str, tuple[Figure, list[str]]] = {
    "steps": (steps(), ["scores[1][0][3]"]),
    "pipeline": (pipeline(), ["keys[0][1][2]", "values[0][2][0]"]),
    "look_up": (look_up(), ["queries[0][1][0]", "keys[0][3][1]", "values[0][2][0]"]),
    "scoring": (scoring(), ["queries[0][0][1]", "keys[0][3][0]", "values[0][0][0]"]),
    "dropout_spread": (dropout_spread(), ["values[0][2][0]"]),
    "comparison": (comparison(), ["queries[0][0][1]", "keys[0][2][0]"]),
    "broadcasting": (broadcasting(), ["queries[0][0][1]", "keys[0][3][2]", "w_v[0][1]"]),
    "product": (product(), ["queries[0][0][1]", "keys[0][3][2]"]),
    "additive": (scoring(score="additive"), ["W_q[1][0]", "W_k[2][1]", "w_v[0][1]"]),
    "bilinear": (scoring(score="bilinear"), ["W[1][0]"]),
}


@pytest.mark.parametrize("make", [pipeline, alignment])
def test_cells_inherit_their_side_as_a_length(
    open_figure: Open, make: Callable[[], Figure]
) -> None:
    page = open_figure(make())
    sides: list[str] = page.locator("tbody td").evaluate_all(
        """cells => cells.map((cell) =>
          getComputedStyle(cell).getPropertyValue("--attention-cell"))"""
    )
    # A string with the figure's width in it would be computed again whenever its cell changes.
    assert sides
    assert [side for side in sides if not re.fullmatch(r"[\d.]+px", side)] == []


@pytest.mark.parametrize("kind", TYPED)
def test_its_numbers_can_be_typed(open_figure: Open, kind: str) -> None:
    figure, fields = TYPED[kind]
    page = open_figure(figure)
    for field in fields:
        control(page, field).fill("-0.75")
        name, *place = re.findall(r"\w+", field)
        trait = "keys_" if name == "keys" else name
        numbers = torch.tensor(getattr(figure, trait))
        numbers[tuple(map(int, place))] = -0.75
        setattr(figure, trait, numbers)
        assert_shows(page, figure)
    for output in page.locator('[aria-label^="output"] tbody td').all()[:1]:
        shown = float(output.inner_text().replace("−", "-"))
        assert shown == pytest.approx(figure.stages()["output"].flatten()[0].item(), abs=0.005)


@pytest.mark.parametrize("kind", EACH_KIND)
def test_without_javascript_the_numbers_are_tables(browser: Browser, kind: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page = context.new_page()
    figure = EXAMPLES[kind]("en")
    page.set_content(figure.to_html())
    captions = set(page.locator("table caption").all_inner_texts())
    stages = figure.stages()
    assert {re.sub(r"\[\d\]", "", caption) for caption in captions} == set(stages)
    assert page.locator("td").count() < 700
    stage = EXAMPLES[kind].first
    table = page.locator("table", has_text=f"{stage}[0]")
    first = stages[stage][0, 0, 0].item()
    cell = table.locator("tr:not(thead > tr) td").first
    assert cell.inner_text() == f"{first:.4f}"
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
