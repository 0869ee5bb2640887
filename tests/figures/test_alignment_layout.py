"""Where the alignment figure has little room: long sentences, phones, many pairs, quick typing."""

from itertools import pairwise

import pytest
from alignment_examples import alignment, assert_shows_all, vocabulary
from figure_page import Open, contrasts, control
from playwright.sync_api import expect

from attention_lib.nli import LABELS

LONG = "An old man with a red dog is running and running in the park, but no animal sleeps there."


def test_long_sentences_are_drawn_on_a_canvas_with_a_row_of_words(open_figure: Open) -> None:
    figure = alignment(premise=LONG)
    page = open_figure(figure)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator("canvas")).to_have_count(2)
    reverse = page.locator(".alignment").nth(1)
    reverse.locator("input[type=range]").fill("2")
    words = vocabulary().split(LONG)
    assert len(words) > 16
    assert reverse.locator("th").all_inner_texts() == [*words, "is"]
    shown = [float(text) for text in reverse.locator("td[data-reverse-at]").all_inner_texts()]
    assert shown == pytest.approx(figure.reverse_weights[0, 2].tolist(), abs=0.0051)
    control(page, "premise").fill("a dog")  # and back
    figure.premise = "a dog"
    assert_shows_all(page, figure)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_on_a_phone_sixteen_words_stand_in_the_figure_and_apart(
    open_figure: Open, lang: str
) -> None:
    text = {
        "en": "a photographer in the park " * 3 + "x",
        "zh": "一只狗在公园里睡觉" * 2 + "龙",
    }
    figure = alignment(lang, premise=text[lang])
    page = open_figure(figure)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    frame = page.locator(".attention-figure").bounding_box()
    assert frame
    boxes = page.locator("[aria-label='reverse_weights[0]'] thead th span").evaluate_all(
        "all => all.map((span) => span.getBoundingClientRect()).map((b) => [b.left, b.right])"
    )
    assert len(boxes) > 12
    assert boxes[-1][1] <= frame["x"] + frame["width"]
    assert all(left[1] <= right[0] for left, right in pairwise(boxes))
    assert_shows_all(page, figure)
    sizes = page.locator(".alignment th span").evaluate_all(
        "all => all.map((span) => parseFloat(getComputedStyle(span).fontSize))"
    )
    assert min(sizes) >= 11


def test_a_word_of_any_length_keeps_its_place(open_figure: Open) -> None:
    page = open_figure(alignment(premise="a " + "x" * 398))
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    first = page.locator('[data-at="0,1,0"]').bounding_box()
    assert first
    assert first["x"] < 200


def test_many_pairs_stay_usable(open_figure: Open) -> None:
    figure = alignment()
    figure.pairs = [[f"{i} {LONG}", f"{i} {LONG}", LABELS[i % 3]] for i in range(600)]
    page = open_figure(figure)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    groups = control(page, "pair").locator("optgroup")
    assert [groups.nth(i).locator("option").count() for i in range(3)] == [200] * 3
    control(page, "pair").focus()
    page.keyboard.type("599")  # as in any list of choices
    figure.premise, figure.hypothesis, _ = figure.pairs[599]
    expect(control(page, "premise")).to_have_value(figure.premise)


def test_a_new_heatmap_has_its_colours_at_once(open_figure: Open) -> None:
    texts = ["a dog is running", "a dog is in the park"]  # either way round of one size
    figure = alignment()
    figure.pairs = [[*texts, "neutral"], [*reversed(texts), "neutral"]]
    page = open_figure(figure)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    frame = page.locator(".attention-figure")
    control(page, "pair").select_option("0")
    before = frame.bounding_box()
    control(page, "pair").select_option("1")
    assert frame.bounding_box() == before  # which would bring the colours too
    cells = page.locator("[data-at]")
    assert min(contrasts(cells)) >= 4.5
    colours = cells.evaluate_all("all => all.map((td) => getComputedStyle(td).backgroundColor)")
    assert len(set(colours)) > 4


def test_a_letter_takes_less_than_a_frame(open_figure: Open) -> None:
    page = open_figure(alignment(premise=" ".join(LONG.split()[:16])))
    times = page.evaluate(
        """() => {
          const field = document.querySelector('[data-control="premise"]');
          return Array.from({ length: 40 }, () => {
            const start = performance.now();
            field.value += "x";
            field.dispatchEvent(new Event("input"));
            document.body.offsetWidth;
            return performance.now() - start;
          });
        }"""
    )
    assert min(times) < 16  # the machine may be busy with other things
