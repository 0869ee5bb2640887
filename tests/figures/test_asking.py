"""A figure asks before it shows: guesses right and wrong, skipping, covering."""

import json

import pytest
import torch
from figure_page import Open, assert_shows, control, slide
from playwright.sync_api import Locator, Page, expect
from reader import figure_on

from attention_lib.figures import Number, PaddingFigure


def asked(lang: str = "en") -> PaddingFigure:
    """Return a figure that starts with a mask and asks about the state without."""
    words = {"en": ["the", "train"], "zh": ["火车", "晚点"]}[lang]
    figure = PaddingFigure(words, torch.tensor([0.8, 0.2, 0.9, 0.4]), valid_len=3, lang=lang)
    return figure.ask(
        Number(
            "What share does *the* spend on padding, with no mask?",
            answer=lambda figure: 100 * figure.stages()["padding_share"],
            because="Softmax cannot know which scores mean nothing.",
            right="Well guessed.",
            at={"valid_lens": [4]},
            tolerance=5,
            wrong=[(0, "Nobody masks them.")],
            unit="%",
            slider=(0, 100, 1),
        )
    )


def guess(page: Page, value: str) -> None:
    figure_on(page).locator("[data-guess]").fill(value)
    figure_on(page).locator("[data-commit]").click()


def height(page: Page) -> float:
    box = figure_on(page).bounding_box()
    assert box
    return box["height"]


def verdict(page: Page) -> Locator:
    return figure_on(page).locator("[data-verdict]")


def assert_covered(page: Page) -> None:
    """Nothing tells of the weights: what is seen, read aloud, or shared."""
    figure = figure_on(page)
    expect(figure.locator("[data-at]:visible")).to_have_count(0)
    expect(verdict(page)).to_have_text("")
    expect(figure.locator("[data-sentence]")).to_contain_text("Guess first")
    expect(figure.locator("[data-code] samp")).to_have_text("tensor([[[?, ?, ?, ?]]])")
    for tells in ("0.30", "0.33", "53", "0.44"):
        assert tells not in figure.aria_snapshot()
    styles = figure.locator(".arc").evaluate_all("arcs => arcs.map((a) => a.style.cssText)")
    assert set(styles) == {""}
    for name in ("copy-program", "download-numbers"):
        expect(control(page, name)).to_be_disabled()


@pytest.mark.parametrize(
    ("entered", "says"),
    [
        ("20", "You said 20 %. It is 53 %. Softmax cannot"),
        ("0", "You said 0 %. It is 53 %. Nobody masks them. Softmax cannot"),
        ("50", "You said 50 %. Right: it is 53 %. Well guessed. Softmax cannot"),
    ],
)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_guess_is_answered_in_room_that_was_kept_free(
    open_figure: Open, width: int, entered: str, says: str
) -> None:
    figure = asked()
    page = open_figure(figure)
    page.set_viewport_size({"width": width, "height": 700})
    assert_covered(page)
    before = height(page)
    guess(page, entered)
    expect(verdict(page)).to_contain_text(says)
    expect(verdict(page)).to_be_focused()
    assert height(page) == before
    figure.valid_lens = [4]
    assert_shows(page, figure)
    control(page, "reset").click()
    assert_covered(page)
    assert height(page) == before


def test_whoever_moves_the_handle_sees(open_figure: Open) -> None:
    figure = asked()
    page = open_figure(figure)
    slide(page, "valid_lens[0]", 2)
    figure.valid_lens = [2]
    assert_shows(page, figure)
    expect(verdict(page)).to_contain_text("It is 53 %.")
    expect(figure_on(page)).to_have_attribute("data-asked", "skipped")


def test_whoever_asks_to_see_is_told_in_the_state_asked_about(open_figure: Open) -> None:
    figure = asked()
    page = open_figure(figure)
    figure_on(page).locator("[data-skip]").click()
    figure.valid_lens = [4]
    assert_shows(page, figure)
    expect(verdict(page)).to_contain_text("It is 53 %.")


def test_the_answer_is_torchs_and_travels_beside_the_state() -> None:
    figure = asked()
    assert figure.valid_lens == [3]
    assert figure.question["at"] == {"valid_lens": [4]}
    assert figure.question["answer"] == pytest.approx(53.409427)
    html = figure._repr_mimebundle_()[0]["text/html"]
    stored = html.split("data-ask>")[1].split("</script>")[0]
    assert json.loads(stored) == figure.question
