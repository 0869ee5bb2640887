"""Test the alignment figure on a page: choices and typed sentences, compared with torch."""

import json

import pytest
import torch
from alignment_examples import PAIRS, alignment, assert_shows_all, model, vocabulary
from figure_host import changed_from_elsewhere, in_strict_model, in_views
from figure_page import Open, control
from playwright.sync_api import Page, expect

from attention_figures import AlignmentFigure


def heads(page: Page, label: str) -> tuple[list[str], list[str]]:
    """Return the words beside the rows and above the columns of a heatmap."""
    table = page.locator(f'[aria-label="{label}"]')
    above = table.locator("thead th").all_inner_texts()
    return table.locator("tbody th").all_inner_texts(), above


def test_a_pair_is_chosen_with_its_gold_label(open_figure: Open) -> None:
    figure = alignment()
    page = open_figure(figure)
    for number in (3, 1, 2, 0):
        control(page, "pair").select_option(str(number))
        figure.premise, figure.hypothesis, label = PAIRS["en"][number]
        assert_shows_all(page, figure)
        assert control(page, "premise").input_value() == figure.premise
        gold = page.locator("dl").get_by_text("true label")
        line = page.locator("dt", has_text=label).locator("~ dd.hint").first
        expect(gold).to_have_count(1)
        expect(line.get_by_text("true label")).to_be_visible()


def test_both_heatmaps_have_the_words_along_them(open_figure: Open) -> None:
    page = open_figure(alignment())
    premise, hypothesis = ["a", "dog", "is", "running"], ["an", "animal", "is", "running"]
    assert heads(page, "attention_weights[0]") == (premise, hypothesis)
    assert heads(page, "reverse_weights[0]") == (hypothesis, premise)
    assert page.locator(".alignment .hint").all_inner_texts() == [
        "premise → hypothesis",
        "hypothesis → premise",
    ]


def test_the_labels_have_chinese_names(open_figure: Open) -> None:
    page = open_figure(alignment("zh"))
    names = page.locator("dt").all_inner_texts()
    assert names == ["蕴涵", "中立", "矛盾"]
    expect(page.get_by_text("真实标签").first).to_be_visible()
    groups = control(page, "pair").locator("optgroup").evaluate_all("all => all.map(g => g.label)")
    assert groups == names


def test_a_bar_is_as_long_as_its_probability(open_figure: Open) -> None:
    figure = alignment()
    page = open_figure(figure)
    widths = page.locator(".bar").evaluate_all(
        "bars => bars.map((bar) => bar.getBoundingClientRect().width)"
    )
    shares = [width / sum(widths) for width in widths]
    assert shares == pytest.approx(figure.probabilities.tolist(), abs=0.02)


def test_words_out_of_the_vocabulary_are_named_and_marked(open_figure: Open) -> None:
    figure = alignment()
    page = open_figure(figure)
    notice = page.locator(".notice")
    expect(notice).to_have_text("")
    control(page, "premise").fill("A Unicorn is running: a unicorn, a dodo!")
    figure.premise = "A Unicorn is running: a unicorn, a dodo!"
    assert_shows_all(page, figure)
    expect(notice).to_have_text(
        "Words outside the vocabulary look the same to the model: unicorn, dodo."
    )
    marked = page.locator(".words [data-unknown]")
    assert marked.all_inner_texts() == ["unicorn", "unicorn", "dodo"]
    rows = figure.attention_weights[0]
    assert torch.equal(rows[1], rows[7])  # the same to the model


@pytest.mark.parametrize("empty", ["", " ", "?!", "。"])
@pytest.mark.parametrize("side", ["premise", "hypothesis"])
def test_a_sentence_without_words_is_said_to_have_none(
    open_figure: Open, side: str, empty: str
) -> None:
    figure = alignment()
    page = open_figure(figure)
    control(page, side).fill(empty)
    setattr(figure, side, empty)
    says = f"No words in the {side}: nothing can be aligned with it, and its sum is 0."
    expect(page.locator(".notice")).to_have_text(says)
    expect(page.locator(".alignment:visible")).to_have_count(0)
    shown = [float(text) for text in page.locator("dd:not(.hint)").all_inner_texts()]
    assert shown == pytest.approx(figure.probabilities.tolist(), abs=0.0051)
    assert "NaN" not in page.locator(".attention-figure").inner_html()
    control(page, side).fill("a dog")
    setattr(figure, side, "a dog")
    assert_shows_all(page, figure)
    expect(page.locator(".alignment:visible")).to_have_count(2)


def test_your_own_sentences_come_back(open_figure: Open) -> None:
    page = open_figure(alignment())
    pair = control(page, "pair")
    pair.select_option("-1")
    assert control(page, "premise").input_value() == ""  # enough room to type
    control(page, "premise").fill("the dog")
    control(page, "hypothesis").fill("a cat")
    pair.select_option("2")
    expect(pair).to_have_value("2")
    assert control(page, "hypothesis").input_value() == "A dog sleeps."
    pair.select_option("-1")
    fields = [control(page, side).input_value() for side in ("premise", "hypothesis")]
    assert fields == ["the dog", "a cat"]
    control(page, "hypothesis").fill("A cat sleeps.")
    control(page, "premise").fill("The cat sleeps in the park.")
    expect(pair).to_have_value("3")  # typed, but equal to a pair


def test_two_views_of_a_figure_agree_and_each_keeps_what_was_typed(
    page: Page, module_url: str
) -> None:
    in_views(page, module_url, alignment(), "a", "b")
    first, second = (page.locator(view) for view in ("#a", "#b"))
    control(first, "premise").fill("the dog")
    control(first, "hypothesis").fill("a cat")
    control(first, "pair").select_option("3")
    expect(control(second, "pair")).to_have_value("3")
    assert control(second, "hypothesis").input_value() == "A cat sleeps."
    control(first, "pair").select_option("-1")
    for view in (first, second):
        assert control(view, "premise").input_value() == "the dog"
        assert control(view, "hypothesis").input_value() == "a cat"
        expect(control(view, "pair")).to_have_value("-1")
    control(second, "pair").select_option("2")
    control(second, "pair").select_option("-1")
    assert control(second, "premise").input_value() == "the dog"
    control(first, "pair").select_option("1")
    control(second, "pair").select_option("-1")
    assert control(second, "premise").input_value() == "the dog"
    assert control(second, "hypothesis").input_value() == "a cat"


def test_pairs_and_parameters_change_from_elsewhere(page: Page, module_url: str) -> None:
    figure = alignment()
    script = """
      model.set("pairs", [["a", "b", "neutral"], ["A dog is running.", "x", "neutral"]]);
      await settled();
      const shown = [field("pair").value, field("pair").options.length];
      model.set("hypothesis", "x");
      await settled();
      const numbers = () => [...document.querySelectorAll("dd:not(.hint)")].map((d) => d.innerText);
      const before = numbers();
      model.set("parameters", JSON.parse(model.get("note")));
      await settled();
      return [...shown, field("pair").value, before, numbers()];
    """
    other = AlignmentFigure(model(len(vocabulary())), vocabulary(), PAIRS["en"])
    with_note = script.replace('model.get("note")', json.dumps(json.dumps(other.parameters)))
    chosen, options, then, before, after = changed_from_elsewhere(
        page, module_url, figure, with_note
    )
    assert (chosen, options, then) == ("-1", 3, "1")
    for owner, shown in ((figure, before), (other, after)):
        owner.hypothesis = "x"
        assert [float(x) for x in shown] == pytest.approx(owner.probabilities.tolist(), abs=0.0051)


def test_a_chosen_pair_is_saved_once_and_whole(page: Page, module_url: str) -> None:
    script = """
      const pair = el.querySelector("select");
      pair.value = "3";
      pair.dispatchEvent(new Event("change"));
      await settled();
      return pair.value;
    """
    result = in_strict_model(page, module_url, alignment(), script)
    assert result["shown"] == "3"
    assert result["sets"] == ["premise", "hypothesis", "saved"]
