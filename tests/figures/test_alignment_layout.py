"""Test the alignment figure where it has little room: long sentences, phones, many pairs."""

from itertools import pairwise

import pytest
from alignment_examples import alignment, assert_shows_all, vocabulary
from figure_page import Open, contrasts, control
from interaction import figure_on, resize
from playwright.sync_api import expect

from attention_course.nli import LABELS
from attention_figures import AlignmentFigure, ChoiceQuestion

LONG = "An old man with a red dog is running and running in the park, but no animal sleeps there."


def test_long_sentences_are_drawn_on_a_canvas_with_a_row_of_words(open_figure: Open) -> None:
    figure = alignment(premise=LONG)
    page = open_figure(figure)
    resize(page, 390, 800)
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
    resize(page, 390, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    words = page.locator(".words :is(.query-word, .key-word)")
    boxes = page.locator(".words:first-of-type span").evaluate_all(
        "all => all.map((span) => span.getBoundingClientRect()).map((b) => [b.top, b.bottom])"
    )
    assert len(boxes) > 12
    assert all(upper[1] <= lower[0] for upper, lower in pairwise(boxes))
    inside = words.evaluate_all(
        "all => all.every((span) => span.getBoundingClientRect().right <= innerWidth)"
    )
    assert inside
    assert_shows_all(page, figure)
    texts = page.locator(".words span, .alignment :is(th, td):not(:empty)").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min(texts) >= 12


def test_a_word_of_any_length_keeps_its_place(open_figure: Open) -> None:
    page = open_figure(alignment(premise="a " + "x" * 398))
    resize(page, 390, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    first = page.locator('[data-at="0,1,0"]').bounding_box()
    assert first
    assert first["x"] < 200


def test_many_pairs_stay_usable(open_figure: Open) -> None:
    figure = alignment()
    figure.pairs = [[f"{i} {LONG}", f"{i} {LONG}", LABELS[i % 3]] for i in range(600)]
    page = open_figure(figure)
    resize(page, 390, 800)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    groups = control(page, "pair").locator("optgroup")
    assert [groups.nth(i).locator("option").count() for i in range(3)] == [200] * 3
    control(page, "pair").focus()
    page.keyboard.type("599")  # as in any select element
    figure.premise, figure.hypothesis, _ = figure.pairs[599]
    expect(control(page, "premise")).to_have_value(figure.premise)


def test_a_new_heatmap_has_its_colours_at_once(open_figure: Open) -> None:
    texts = ["a dog is running", "a dog is in the park"]  # the same size both ways
    figure = alignment()
    figure.pairs = [[*texts, "neutral"], [*reversed(texts), "neutral"]]
    page = open_figure(figure)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    frame = page.locator(".attention-figure")
    control(page, "pair").select_option("0")
    before = frame.bounding_box()
    control(page, "pair").select_option("1")
    assert frame.bounding_box() == before  # a resize would update the colours as well
    cells = page.locator("[data-at]")
    assert min(contrasts(cells)) >= 4.5
    colours = cells.evaluate_all("all => all.map((td) => getComputedStyle(td).backgroundColor)")
    assert len(set(colours)) > 4


def test_sentences_to_choose_from_share_one_row_on_a_phone(open_figure: Open) -> None:
    figure = alignment()
    others = ("an animal is outdoors", "a dog is running in the park", "a dog rests")
    figure.pairs = [["a dog is running", other, "neutral"] for other in others]
    figure.parts = ["pair", "links", "prediction"]
    page = open_figure(figure)
    resize(page, 390, 800)
    boxes = [button.bounding_box() for button in page.locator(".segments button").all()]
    assert len({(box["y"], box["height"]) for box in boxes if box}) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


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


def asked(lang: str) -> AlignmentFigure:
    """Return sentences of nine words in English, with a question as long as the chapter's."""
    premise = {"en": "A dog is running in the park at noon.", "zh": "一只狗中午在公园里奔跑。"}
    text = {
        "en": "Let the hypothesis be the premise once more, with *night* for *noon*: eight of nine "
        "words agree. What does the model say?",
        "zh": "把前提再写一遍当作假设，只把“*中午*”换成“*晚上*”，其余的词都相同。模型会怎样回答？",
    }
    figure = alignment(lang, premise=premise[lang])
    return figure.ask(
        ChoiceQuestion(
            text[lang],
            options=LABELS,
            answer=lambda figure: int(figure.probabilities.argmax()),
            because={"en": "One clash stays in the sum.", "zh": "冲突留在和里。"}[lang],
            at={"hypothesis": premise[lang]},
        )
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 680), (390, 664)])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_question_handle_and_result_share_a_screen(
    open_figure: Open, lang: str, width: int, height: int
) -> None:
    page = open_figure(asked(lang))
    page.add_style_tag(content="body { margin: 0 16px; max-width: 780px }")
    resize(page, width, height)
    page.locator("[data-skip]").click()
    figure = figure_on(page).bounding_box()
    assert figure
    for part in (".prediction", ".links .arcs", '[data-control="hypothesis"]'):
        box = page.locator(part).bounding_box()
        assert box
        assert box["y"] + box["height"] - figure["y"] <= height
    texts = page.locator(".words span, .prediction :is(dt, dd)").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    assert min(texts) >= 12


def test_lines_are_as_thick_as_the_weights_either_way(open_figure: Open) -> None:
    figure = alignment()
    page = open_figure(figure)
    for side, weights in (
        ("premise", figure.attention_weights),
        ("hypothesis", figure.reverse_weights),
    ):
        control(page, "direction").select_option(side)
        widths = page.locator(".links .arc").evaluate_all(
            "all => all.map((path) => parseFloat(path.style.strokeWidth))"
        )
        drawn = weights.flatten().tolist()
        expected = [13 * x if x < 0.005 else max(1, 13 * x) for x in drawn]  # a hairline
        assert widths == pytest.approx(expected, abs=0.01)
        first = page.locator(".words").first.locator("span").all_inner_texts()
        assert first == vocabulary().split(getattr(figure, side))


def test_cells_have_no_part_in_how_large_their_heads_are(open_figure: Open) -> None:
    page = open_figure(alignment())
    sizes = """parts => parts.map((part) => ["side", "head"].map((name) =>
      parseFloat(getComputedStyle(part).getPropertyValue(`--attention-${name}`))))"""
    tables = page.locator(".alignment table").evaluate_all(sizes)
    assert all(side > 20 and head > 20 for side, head in tables)
    cells = page.locator(".alignment tbody td").evaluate_all(sizes)
    assert {tuple(size) for size in cells} == {(0, 20)}  # the default without a style


def test_hidden_weights_stand_in_a_dashed_box_beside_and_below_the_words(
    open_figure: Open,
) -> None:
    page = open_figure(alignment())
    control(page, "hide").click()
    for label in ("attention_weights[0]", "reverse_weights[0]"):
        table = page.locator(f'[aria-label="{label}"]')
        cells = table.locator("tbody").evaluate(
            """body => {
              const boxOf = (node) => node.getBoundingClientRect();
              const all = [...body.querySelectorAll("td")];
              const [box, a, b] = [body.closest(".map"), all[0], all.at(-1)].map(boxOf);
              return [a.left - box.left, a.top - box.top, b.right - box.left, b.bottom - box.top];
            }"""
        )
        frame = table.locator("..").evaluate(
            """map => {
              const { borderTopStyle, left, top, width, height } = getComputedStyle(map, "::after");
              const [x, y, w, h] = [left, top, width, height].map(parseFloat);
              return [borderTopStyle, x, y, x + w, y + h];
            }"""
        )
        assert frame[0] == "dashed"
        assert frame[1:] == pytest.approx(cells, abs=3)


def test_a_sentence_that_is_emptied_leaves_its_room(open_figure: Open) -> None:
    page = open_figure(alignment())
    links = page.locator(".links")
    before = links.evaluate("node => node.offsetHeight")
    control(page, "hypothesis").fill("")
    expect(page.locator(".notice")).not_to_be_empty()
    assert links.evaluate("node => node.offsetHeight") == before
