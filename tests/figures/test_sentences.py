"""Sentences that are typed: cut into words as in Python, painted live, never rewritten."""

import random
from typing import Any

import pytest
from agreement import state
from alignment_examples import KNOWN, SIGNS, alignment, random_text
from figure_page import Open, assert_shows, control
from playwright.sync_api import Page, expect

from attention_lib.nli import Vocabulary

SPLIT = """
async ([url, words, texts]) => {
  const { tokeniser } = await import(`${url}/tokens.js`);
  const { split, id } = tokeniser(words);
  return texts.map((text) => [split(text), split(text).map(id)]);
}
"""
SET_UP = """
async ([url, state]) => {
  const { localModel } = await import(`${url}/model.js`);
  const { render } = await import(`${url}/figure.js`);
  window.model = localModel(state);
  render({ model, el: document.body });
}
"""


def split_there(page: Page, url: str, words: Vocabulary, texts: list[str]) -> Any:
    page.goto(url)
    return page.evaluate(SPLIT, [url, list(words.words), texts])


def test_sentences_are_cut_as_in_python(page: Page, sources_url: str) -> None:
    draw = random.Random(4)
    words = Vocabulary([" ".join(KNOWN)], lexicon=KNOWN)
    texts = [random_text(draw, draw.randrange(30)) for _ in range(3000)]
    texts += ["".join(draw.choices("公园里一只狗猫", k=12)) for _ in range(500)]
    texts += [f"a{sign}b{sign}狗{sign}a" for sign in SIGNS]
    expected = [[words.split(text), words.encode([text])[0][0].tolist()] for text in texts]
    assert split_there(page, sources_url, words, texts) == expected
    assert sum("公园里" in split for split, _ in expected) > 100
    assert sum(1 in ids for _, ids in expected) > 1000


@pytest.mark.parametrize(
    ("text", "by_hand"),
    [
        ("A dog's bone, isn't it?", ["a", "dog's", "bone", "isn't", "it"]),
        ("Don’t", ["don't"]),
        ("一只狗在公园里跑", ["一只", "狗", "在", "公园里", "跑"]),
        ("大老虎和狗", ["大老虎和", "狗"]),
        ("ＡＢ狗ok3只。", ["ａｂ", "狗", "ok3", "只"]),
        ("", []),
        ("…？!", []),
    ],
)
def test_sentences_cut_by_hand(page: Page, sources_url: str, text: str, by_hand: list[str]) -> None:
    words = Vocabulary(["公园里公园 一只 狗"], lexicon=["公园里", "公园", "一只", "狗"])
    assert words.split(text) == by_hand
    assert split_there(page, sources_url, words, [text])[0][0] == by_hand


def test_typing_repaints_with_each_letter_and_the_caret_stays(open_figure: Open) -> None:
    figure = alignment()
    page = open_figure(figure)
    field = control(page, "premise")
    field.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    for typed in ["A d", "A da", "A da "]:  # between "A" and " dog is running."
        page.keyboard.type(typed[-1] if len(typed) > 3 else typed[1:])
        figure.premise = f"{typed} dog is running."
        assert_shows(page, figure)
        assert field.evaluate("input => [input.selectionStart, input.selectionEnd]") == [
            len(typed),
            len(typed),
        ]
    page.keyboard.press("Backspace")
    page.keyboard.type("B")
    assert field.input_value() == "A daB dog is running."


def test_what_an_input_method_composes_is_left_alone_until_it_is_done(
    page: Page, sources_url: str
) -> None:
    figure = alignment("zh", premise="一只在跑")
    page.goto(sources_url)
    page.evaluate(SET_UP, [sources_url, state(figure)])
    field = control(page, "premise")
    field.focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    keyboard = page.context.new_cdp_session(page)
    for letters in ("g", "go", "gou"):
        composed = {"text": letters, "selectionStart": len(letters), "selectionEnd": len(letters)}
        keyboard.send("Input.imeSetComposition", composed)
        page.evaluate("model.set('hypothesis', model.get('hypothesis') + '狗')")  # a repaint
        assert field.input_value() == f"一只{letters}在跑"
        assert page.evaluate("model.get('premise')") == "一只在跑"
        expect(page.locator(".notice")).to_have_text("")
    keyboard.send("Input.insertText", {"text": "狗"})
    assert field.input_value() == "一只狗在跑"
    assert page.evaluate("model.get('premise')") == "一只狗在跑"
    assert field.evaluate("input => input.selectionStart") == 3
    figure.premise = "一只狗在跑"
    figure.hypothesis += "狗狗狗"
    assert_shows(page, figure)


def test_a_field_follows_python_even_while_it_has_the_focus(page: Page, sources_url: str) -> None:
    page.goto(sources_url)
    page.evaluate(SET_UP, [sources_url, state(alignment())])
    control(page, "premise").fill("a cat")
    page.evaluate("model.set('premise', 'a dog')")
    assert control(page, "premise").input_value() == "a dog"
    control(page, "premise").fill("a cat")
    page.evaluate("model.set('premise', 'two\\nlines')")
    assert control(page, "premise").input_value() == "a cat"


def test_everything_can_be_done_from_the_keyboard(open_figure: Open) -> None:
    figure = alignment()
    page = open_figure(figure)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # the first pair of the same label comes next
    figure.premise, figure.hypothesis = "The cat sleeps in the park.", "A cat sleeps."
    assert_shows(page, figure)
    page.keyboard.press("Tab")
    page.keyboard.type("a dog")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.type(" a dog")
    figure.premise, figure.hypothesis = "a dog", "A cat sleeps. a dog"
    assert_shows(page, figure)
    for side in ("premise", "hypothesis"):
        assert page.get_by_label(side, exact=True).get_attribute("data-control") == side
