"""Test the mask doctor: PyTorch's own functions, entries that are drawn, and what it finds."""

import math

import pytest
import torch
import traitlets
from figure_examples import RANDOM, mask_doctor
from figure_page import Open, assert_shows, control
from interaction import figure_on
from playwright.sync_api import Page, expect
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from attention_figures import MaskDoctorFigure
from attention_lib import masked_softmax

WORDS = ["Mia", "lost", "her", "key"]
LOWEST = torch.finfo(torch.float32).min


def by_torch(mask: Tensor) -> dict[str, Tensor]:
    """Return the weights that our function and PyTorch's compute from equal scores."""
    num_queries, num_keys = mask.shape
    zeros = torch.zeros(1, num_keys, 4, dtype=torch.float64)
    values = torch.eye(num_keys, dtype=torch.float64)[None]
    module = nn.MultiheadAttention(4, 1, batch_first=True, dtype=torch.float64)
    queries = zeros[:, :num_queries]
    weights = {
        "as_lengths": masked_softmax(queries @ zeros.mT, mask.bool().sum(-1)[None]),
        "as_boolean": scaled_dot_product_attention(queries, zeros, values, attn_mask=mask.bool()),
        "as_float": scaled_dot_product_attention(queries, zeros, values, attn_mask=mask),
        "as_ignored": module(queries, zeros, zeros, attn_mask=mask.bool())[1],
    }
    return {name: x.detach() for name, x in weights.items()}


@pytest.mark.parametrize("seed", range(60))
def test_its_weights_are_those_of_pytorch(seed: int) -> None:
    stages = RANDOM["mask_doctor"](seed).stages()
    for name, expected in by_torch(stages["mask"][0]).items():
        assert torch.allclose(stages[name], expected, equal_nan=True, atol=1e-12), name


def test_a_mask_of_keys_is_the_same_row_for_every_query() -> None:
    padding = torch.tensor([False, False, True, True])
    zeros = torch.zeros(1, 4, 4, dtype=torch.float64)
    module = nn.MultiheadAttention(4, 1, batch_first=True, dtype=torch.float64)
    expected = module(zeros, zeros, zeros, key_padding_mask=padding[None])[1].detach()
    figure = MaskDoctorFigure(WORDS, padding.expand(4, 4), "ignored")
    assert torch.allclose(figure.attention_weights, expected)


def test_what_no_length_says_by_hand() -> None:
    stages = MaskDoctorFigure(WORDS, torch.tensor([[1, 1, 0, 0], [0, 1, 1, 0]])).stages()
    assert stages["lengths"].flatten().tolist() == [2, 2]
    assert stages["is_length"].flatten().tolist() == [True, False]
    assert stages["as_lengths"][0].tolist() == [[0.5, 0.5, 0, 0]] * 2
    assert stages["as_boolean"][0, 1].tolist() == [0, 0.5, 0.5, 0]


def test_two_finite_masks_that_are_added_let_padding_read_the_future() -> None:
    padding = torch.tensor([LOWEST, LOWEST, 0, 0])
    table = padding + torch.full((4, 4), LOWEST).triu(1)
    weights = MaskDoctorFigure(WORDS, table, "float").attention_weights[0]
    assert torch.allclose(weights[0], torch.tensor([1, 0, 1, 1]).double() / 3)
    assert weights[3].tolist() == [0, 0, 0.5, 0.5]


@pytest.mark.parametrize(
    "table",
    [
        *([], [[]], [[1], [1]], [[1, 0], [1]], [[math.nan]], [[math.inf]]),
        *([["yes"]], [[1] * 5], [1, 0], 3, None),
    ],
)
def test_what_is_no_table_is_refused(table: object) -> None:
    figure = MaskDoctorFigure(WORDS)
    before = figure.table
    with pytest.raises(ValueError, match="table must"):
        figure.table = table
    assert figure.table == before == [[1] * 4] * 4


def test_tensors_of_any_type_are_tables() -> None:
    for table in (torch.eye(3), torch.eye(3).bool(), torch.eye(3).int()):
        assert MaskDoctorFigure(WORDS, table).table == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert MaskDoctorFigure(WORDS, torch.tensor([[-math.inf, -0.5]])).table == [["-inf", -0.5]]
    with pytest.raises(traitlets.TraitError):
        MaskDoctorFigure(WORDS, reading="mask")


def sentence(page: Page) -> str:
    return page.locator("[data-sentence]").inner_text()


PASTED = """tensor([[0., -inf, -inf],
        [0., 0., -inf]], dtype=torch.float64)"""


def test_a_mask_is_pasted_and_what_is_none_changes_nothing(open_figure: Open) -> None:
    figure = mask_doctor(reading="float")
    page = open_figure(figure)
    control(page, "table").fill(PASTED)
    figure.table = [[0, "-inf", "-inf"], [0, 0, "-inf"]]
    assert_shows(page, figure)
    for wrong, said in [
        ("[[1, 0], [maybe, 1]]", "Expected 0, 1, True, False, -inf or a number; got “maybe”"),
        ("[[1, 0], [1]]", "row 0 has 2 entries, and row 1 has 1"),
        ("", "got nothing"),
        ("1 0 1 0 1 0 1", "at most 6 columns"),
        ("1; 0; 1", "at most 1 rows"),
    ]:
        control(page, "table").fill(wrong)
        expect(page.locator("[data-error]")).to_contain_text(said)
        expect(page.locator("[data-error]")).to_contain_text("The old mask stays.")
        assert control(page, "table").input_value() == wrong
        assert_shows(page, figure)
    control(page, "table").blur()
    assert control(page, "table").input_value() == "[[0, -inf, -inf], [0, 0, -inf]]"
    expect(page.locator("[data-error]")).to_be_empty()


def test_a_mask_is_drawn_by_clicks_strokes_and_keys(open_figure: Open) -> None:
    figure = mask_doctor()
    page = open_figure(figure)
    control(page, "table[0][3]").click()
    control(page, "table[1][2]").hover()
    page.mouse.down()
    control(page, "table[1][3]").hover()
    page.mouse.up()
    control(page, "pen.-inf").click()
    control(page, "table[2][3]").focus()
    page.keyboard.press("Enter")
    control(page, "table[3][0]").focus()
    page.keyboard.press("Space")
    figure.table = [[1, 0, 0, 1], [1, 1, 1, 1], [1, 1, 1, "-inf"], [0, 1, 1, 1]]
    assert_shows(page, figure)
    control(page, "invert").click()
    figure.table = [[0, 1, 1, 0], [0] * 4, [0] * 4, [1, 0, 0, 0]]
    assert_shows(page, figure)


def test_it_finds_what_is_wrong(open_figure: Open) -> None:
    page = open_figure(mask_doctor())
    assert sentence(page) == "late reads the (25%), train (25%), left (25%), late (25%)."
    control(page, "reading.ignored").click()
    assert "late ignores every key and gets NaN." in sentence(page)
    control(page, "row[0]").click()
    assert "the other way round" in sentence(page)
    control(page, "reading.float").click()
    assert "no key is hidden" in sentence(page)
    control(page, "reading.lengths").click()
    assert "Valid lengths: 1, 2, 3, 4." in sentence(page)
    control(page, "table").fill("[[0, 0, 1, 1]]")
    assert "No length can say this" in sentence(page)
    control(page, "reading.boolean").click()
    control(page, "table").fill("[[1, 0, 0, 0], [1, 1, 0, 0]]")
    assert "upper left" in sentence(page)
    control(page, "table").fill("[[1, 1, 0], [0, 0, 0], [1, 1, 1]]")
    assert "train has no key: 0 here, NaN in a plain softmax." in sentence(page)
    control(page, "row[1]").click()
    assert "train reads nothing: its output is 0. A plain softmax gives NaN there." in sentence(
        page
    )
    control(page, "table").fill("[[1, 1], [1, 1]]")
    assert "the reads words that come after it." in sentence(page)


def test_nothing_is_told_before_the_question_is_answered(open_figure: Open) -> None:
    page = open_figure(mask_doctor())
    shades = page.locator(".miniature i[style], .weight-square[data-masked]")
    assert shades.count() > 0
    control(page, "hide").click()
    expect(figure_on(page)).to_have_attribute("data-hidden", "")
    expect(page.locator(".miniature i[data-nan], .weight-square[data-masked]")).to_have_count(0)
    assert page.locator('.miniature i[style*="level"]').count() == 0
