"""Test the replies to numbers, choices and places, in JupyterLab too."""

import json
import re
from html import escape
from typing import Any

import pytest
import torch
from ipywidgets import HTML, Button, RadioButtons, Text, VBox

from attention_course.exercises import exercise, puzzle
from attention_course.exercises.ask import Field, choice, number, parse, place

HALF = number(
    "A half",
    torch.tensor(1.0) / 2,
    {"That is a double.": torch.tensor(2.0), "That is a square.": 0.0625},
    said="Yes, a half.",
)
TOWN = choice("Which `town`?", torch.tensor([0.1, 0.9]).argmax(), {"North": "Far.", "East": "Yes."})
CROSSES = place(
    *("Where?", ["noir", "chat"], ["cat", "black"], torch.eye(2).argmin(-1)),
    {"That keeps the order.": torch.eye(2).argmax(-1)},
    said="Crossed.",
)
PAPER = exercise("three", HALF, TOWN, CROSSES, lang="zh")


@pytest.mark.parametrize(
    ("field", "answer", "words", "right"),
    [
        (HALF, "0.5", "Yes, a half.", True),
        (HALF, "０．５０４", "Yes, a half.", True),
        (HALF, "1/2", "Yes, a half.", True),
        (HALF, "0.506", "", False),
        (HALF, "2", "That is a double.", False),
        (HALF, " 2.0 ", "That is a double.", False),
        (TOWN, 1, "Yes.", True),
        (TOWN, 0, "Far.", False),
        (CROSSES, [1, 0], "Crossed.", True),
        (CROSSES, [0, 1], "That keeps the order.", False),
        (CROSSES, [0, 0], "", False),
    ],
)
def test_an_answer_gets_the_reply_to_its_mistake(
    field: Field, answer: Any, words: str, right: bool
) -> None:
    assert field.judge(answer) == (words, right)


@pytest.mark.parametrize(
    ("field", "answer"), [(HALF, ""), (HALF, "half"), (TOWN, None), (CROSSES, [1, None])]
)
def test_what_is_no_answer_yet_is_not_judged(field: Field, answer: Any) -> None:
    assert field.judge(answer) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-3", -3),
        ("−3", -3),
        ("+.5", 0.5),
        ("1e-6", 1e-6),
        ("3,001,000", 3_001_000),
        ("3 001 000", 3_001_000),
        ("２５", 25),
        ("47,5", 47.5),
        ("４７．５", 47.5),
        ("−４７，５ ％", -0.475),
        ("0,125", 0.125),
        ("1,000.5", 1000.5),
        ("1,5/0,5", 3),
        ("–2E3", -2000),
        ("1/8", 0.125),
        ("9 %", 0.09),
        ("９％", 0.09),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, value: float) -> None:
    assert parse(text) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("text", ["", " ", "x", "1,125", "1/0", "1.2.3", "٣", "e5", "--1", "nan"])
def test_what_is_no_number_is_none(text: str) -> None:
    assert parse(text) is None


AB = {"a": "", "b": ""}
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: number("n", 1, {"near": 1.005}, said=""), "n: 1.005 and 1.0 cannot be told apart"),
        (lambda: number("n", 1, {"a": 2, "b": 2}, said=""), "n: 2.0 and 2.0 cannot be told apart"),
        (lambda: number("n", torch.tensor(torch.nan), {}, said=""), "n: right must be finite; got"),
        (lambda: number("n", torch.ones(2), {}, said=""), "n: right must be one number; got"),
        (lambda: number("n", None, {}, said=""), "n: right must be one number; got None"),
        (lambda: number("n", 1, {"w": INF}, said=""), "n: the answer of 'w' must be finite; got"),
        (lambda: number("n", 1, {}, said="", within=INF), "n: within must be finite; got inf"),
        (lambda: number("n", 1, {}, said="", within=NAN), "n: within must be finite; got nan"),
        (lambda: number("n", 1, {}, said="", within=0), "n: within must be more than 0; got 0"),
        (lambda: number(" ", 1, {}, said=""), "label must not be empty"),
        (lambda: choice("c", 2, AB), "c: right must be a whole number from 0 to 1; got 2"),
        (lambda: choice("c", -1, AB), "c: right must be a whole number from 0 to 1; got -1"),
        (lambda: choice("c", 0.7, AB), "c: right must be a whole number from 0 to 1; got 0.7"),
        (lambda: choice("c", 0, {"a": ""}), r"c: options must be at least 2; got \['a'\]"),
        (lambda: choice("c", 0, {"": "", "b": ""}), "c: options must not be empty"),
        (lambda: place("p", "ab", ["x", "y"], [0], {}, said=""), "rows must be several texts"),
        (lambda: place("p", ["a"], "xy", [0], {}, said=""), "columns must be several texts"),
        (lambda: place("p", [*"ab"], [*"xy"], [0], {}, said=""), r"p: 2 columns .*; got \(0,\)"),
        (lambda: place("p", [*"ab"], [*"xy"], [0, 2], {}, said=""), "p: right must .* to 1; got 2"),
        (lambda: place("p", [*"ab"], [*"xy"], [0, 0.5], {}, said=""), "p: right must .*; got 0.5"),
        (
            lambda: place("p", ["a"], [*"xy"], [0], {"w": [0]}, said=""),
            "p: two answers are the sam",
        ),
        (lambda: place("p", ["a"], [*"xx"], [0], {}, said=""), "p: columns must differ; got"),
        (lambda: place("p", [], [*"xy"], [], {}, said=""), "p: rows must be at least 1; got"),
        (lambda: number("n", 1, {}, said=None), "n: said must be text; got None"),
        (lambda: number("n", 1, {None: 2}, said=""), "what is said to a mistake must be text; got"),
        (lambda: number("n", 1, None, said=""), "n: mistakes must be a mapping; got None"),
        (lambda: number("n", 1, {}, said="", others=None), "n: others must be text; got None"),
        (lambda: number(None, 1, {}, said=""), "label must be text; got None"),
        (lambda: choice("c", 0, ["a", "b"]), "c: options must be a mapping; got"),
        (
            lambda: choice("c", 0, {"a": "", "b": None}),
            "what is said to 'b' must be text; got None",
        ),
        (lambda: place("p", [1], [*"xy"], [0], {}, said=""), "p: rows must be text; got 1"),
        (lambda: exercise("none"), "none: an exercise has at least one field"),
        (lambda: exercise("none", "half"), "none: a field must be made by ask; got 'half'"),
        (lambda: exercise("No slug", HALF), "slug must be lower-case words with dashes"),
        (lambda: exercise("half", HALF, lang="fr"), "lang must be one of en, zh; got 'fr'"),
    ],
)
def test_what_cannot_be_asked_is_an_error(make: Any, told: str) -> None:
    with pytest.raises((ValueError, TypeError), match=told):
        make()


def test_the_page_gets_all_as_data_and_readers_without_scripts_as_text() -> None:
    html = str(PAPER._repr_mimebundle_()["text/html"])
    content = re.search(r'<script type="application/json">([^<]*)</script>', html)
    assert content
    state = json.loads(content[1])
    assert [field["kind"] for field in state["fields"]] == ["number", "choice", "place"]
    assert state["fields"][0]["points"][1] == {
        **{"value": 2.0, "words": "That is a double.", "right": False}
    }
    assert "<p>A half ______</p>" in html
    assert "<p>Which <code>town</code>?</p><ul><li>North</li><li>East</li></ul>" in html
    assert "<li>noir：cat / black</li>" in html  # a Chinese page has a full-width colon
    assert repr(PAPER) == "exercise('three')"
    assert html == PAPER._repr_mimebundle_()["text/html"]


def inside(box: VBox, kind: type) -> list[Any]:
    return [one for one in box.children if isinstance(one, kind)]


def test_in_jupyter_widgets_ask_and_answer() -> None:
    box = PAPER.widget()
    said, (button,) = inside(box, HTML)[1::2], inside(box, Button)
    button.click()
    assert [one.value for one in said] == [
        "请填一个数，例如 0.5 或 1/2。",
        "请先选一个答案。",
        "请先在每一行里选一个位置。",
    ]
    inside(box, Text)[0].value = "1,125"
    button.click()
    assert said[0].value == "这里的逗号有歧义，小数请用小数点。"
    inside(box, Text)[0].value = "2"
    for radio, value in zip(inside(box, RadioButtons), (1, 1, 0), strict=True):
        radio.value = value
    button.click()
    assert [one.value for one in said] == ["That is a double.", "Yes.", "Crossed."]


def test_in_jupyter_a_puzzle_says_what_the_page_says() -> None:
    sheet = puzzle("leave-one-out")
    box = sheet.widget()
    (button,), said = inside(box, Button), inside(box, HTML)[-1]
    program, frames = inside(box, HTML)[1], inside(box, VBox)
    button.click()
    assert said.value == "Choose a line for every gap first."
    right = next(places for places, one in sheet.said.items() if one.right)
    for frame, label, lines, value in zip(frames, sheet.labels, sheet.gaps, right, strict=True):
        (radio,), (legend,) = inside(frame, RadioButtons), inside(frame, HTML)
        assert label in legend.value
        assert program.value.count(legend.value) == 1
        radio.value = value
        assert f"{legend.value} {escape(lines[value].strip(), quote=False)}" in program.value
    button.click()
    assert said.value == "<p>Correct. It passes every hidden case.</p>"
