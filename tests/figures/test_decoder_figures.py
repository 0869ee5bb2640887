"""Test what is particular to the figures of a trained decoder."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from figure_examples import decoder_parts, look_ahead
from figure_page import Open, control
from playwright.sync_api import Page, expect

from attention_course.decoder import load_model, sentence
from attention_figures import DecoderPartsFigure, LookAheadFigure


def marked(page: Page, mark: str) -> list[str]:
    """Return the words that are marked so."""
    texts = page.locator(".row-guess").all_inner_texts()
    return [text[2:] for text in texts if text.startswith(mark)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_wrong_words_and_repeated_ones_are_marked(open_figure: Open, lang: str) -> None:
    residual = ["residual-1", "feed-forward", "residual-2"]
    models = load_model(lang), sentence(lang)
    figure = DecoderPartsFigure(*models, residual, name="cut", lang=lang)
    page = open_figure(figure)
    assert marked(page, "✗") == marked(page, "↳") == []
    for part in residual:
        control(page, f"without.{part}").click()
        figure.without = part
        words = figure.words_of(figure.written())
        guesses = figure.words_of(figure.stages()["guessed"][0, 0].tolist())
        repeated = [a for a, b in zip(words, guesses, strict=True) if a == b]
        shown = len(marked(page, "✗")) + len(marked(page, "↳"))
        assert shown == len(figure.wrong()) > 0
        assert set(marked(page, "↳")) <= set(repeated)
    assert figure.wrong("nothing") == []


def test_without_the_network_the_word_just_read_comes_again(open_figure: Open) -> None:
    parts = ["feed-forward"]
    own = load_model("en"), sentence("en")
    figure = DecoderPartsFigure(*own, parts, without="feed-forward")
    assert figure.guess_after("found") == "found"
    page = open_figure(figure)
    assert "found" in marked(page, "↳")
    expect(page.locator("[data-sentence]")).to_contain_text("At 8 of 11 places")


def test_a_word_that_others_determine_follows_what_the_reader_exchanges(
    open_figure: Open,
) -> None:
    figure = decoder_parts()
    page = open_figure(figure)
    control(page, "without.nothing").click()
    figure.without = "nothing"
    place = figure.words_of(figure.tokens).index("lost")
    control(page, f"tokens[{place}]").select_option("hid")
    tokens = list(figure.tokens)
    tokens[place] = figure.vocabulary.index("hid")
    figure.tokens = tokens
    assert figure.probability_of("cellar") > 0.9
    expect(page.locator(".row-word").last).to_have_text("cellar")


def test_only_parts_that_may_be_removed_are() -> None:
    with pytest.raises(ValueError, match=r"without must be one of .*'head-0'.*; got 'mask'"):
        decoder_parts().without = "mask"
    with pytest.raises(ValueError, match="is not in list"):
        decoder_parts().guess_after("cellar")
    with pytest.raises(ValueError, match="is not in list"):
        decoder_parts().probability_of("lost")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_only_training_with_the_mask_helps_where_later_words_are_not_there(lang: str) -> None:
    figure: LookAheadFigure = look_ahead(lang)
    copied, lost = figure.loss(), figure.loss(visible="so_far")
    learnt = figure.loss("masked", "so_far")
    assert copied < 0.1 < learnt < lost / 3


@pytest.mark.parametrize(("lang", "quoted"), [("en", r"\*(\w+)\*"), ("zh", "“(.+?)”")])
def test_the_chapter_names_the_words_that_go_wrong_without_the_mask(lang: str, quoted: str) -> None:
    notebook = Path(__file__).parents[2] / "book" / lang / "13-a-whole-decoder.ipynb"
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    text = "".join(next(cell for cell in cells if cell["id"] == "mask-seen")["source"])
    before, after = re.split("almost no probability|几乎是 0", text)
    figure: LookAheadFigure = look_ahead(lang)
    figure.training, figure.visible = "unmasked", "so_far"
    shares = figure.stages()["probabilities"][0, 0].tolist()
    probable = dict(zip(figure.words_of(figure.tokens[1:]), shares, strict=True))
    wrong = re.findall(quoted, before)
    assert {*wrong} == {word for word, share in probable.items() if share < 0.03}
    assert all(probable[word] > 0.9 for word in re.findall(quoted, after))


def test_a_word_written_twice_in_a_row_is_marked(open_figure: Open) -> None:
    figure = look_ahead()
    page = open_figure(figure)
    words = figure.text().split()
    again = [b for a, b in pairwise(words) if a == b]
    assert page.locator(".by-itself [data-repeated]").all_inner_texts() == again != []
    expect(page.locator(".by-itself output")).to_have_text(figure.text())
    control(page, "training.masked").click()
    figure.training = "masked"
    expect(page.locator(".by-itself output")).to_have_text(figure.text())
    expect(page.locator(".by-itself [data-repeated]")).to_have_count(0)
