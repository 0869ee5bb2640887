"""Test that reveals show the state that the question asked about, in every chapter."""

import json
import re
from pathlib import Path
from typing import Any

import figures_in_node
import nbformat
import pytest
from figure_examples import EXAMPLES

BOOK = Path(__file__).parents[2] / "book"
_FIGURE = re.compile(
    r'<script type="application/json">(.*?)</script>'
    r'<script type="application/json" data-ask>(.*?)</script>'
)
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def asked() -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Return the state and question of every figure of the book that asks."""
    found = {}
    for notebook in sorted(BOOK.glob("*/*.ipynb")):
        for cell in nbformat.read(notebook, as_version=4).cells:
            for output in cell.get("outputs", []):
                html = "".join(output.get("data", {}).get("text/html", ""))
                for state, question in _FIGURE.findall(html):
                    own = json.loads(state), json.loads(question)
                    found[f"{notebook.parent.name}-{notebook.stem[:2]}-{own[0]['name']}"] = own
    return found


ASKED = asked()


# Answers that only the picture shows and not the caption, with the reason.
_IN_THE_PICTURE = {
    "01-fixed": "where its handle stands: it says what follows",
    "03-doubled": "the score of the key that has moved: it says which is best",
    "05-large": "the largest of all scores: it says weights",
    "03-factor": "how many times as much one weight is as another: it says both weights",
    "06-trap": "what two keys of padding get: it says both weights",
    "12-window": "how many weights are not 0: it speaks of one row",
    "07-modes": "a weight before and after dropout: it says that nothing changes",
    "03-turned": "which key gets least: it says which gets most",
    "07-mean": "what the mean of many draws comes to: it says how far off it is",
    "03-mia": "which component of the query has risen: it says who gets most",
}


@pytest.fixture(scope="module")
def revealed() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the states of the book's figures after a guess, a skip, and a touch of the handle."""
    calls = [(*own, way) for way in ("guess", "skip", "touch") for own in ASKED.values()]
    said = iter(figures_in_node.revealed(calls))
    return {way: {name: next(said) for name in ASKED} for way in ("guess", "skip", "touch")}


def asked_state(name: str, start: dict[str, Any]) -> dict[str, Any]:
    return {**start, **ASKED[name][1]["at"]}


def test_the_book_asks_in_both_languages() -> None:
    languages = [name.split("-")[0] for name in ASKED]
    assert languages.count("en") == languages.count("zh") >= 100


@pytest.mark.parametrize("way", ["guess", "skip"])
def test_a_reveal_shows_the_state_that_was_asked_about(
    way: str, revealed: dict[str, dict[str, dict[str, Any]]]
) -> None:
    for name, figure in revealed[way].items():
        assert figure["now"] == asked_state(name, figure["start"]), name
        assert not figure["elsewhere"], name
        assert not figure["waits"], name


def test_nothing_jumps_when_the_handle_is_touched_and_the_verdict_says_so(
    revealed: dict[str, dict[str, dict[str, Any]]],
) -> None:
    for name, figure in revealed["touch"].items():
        asked = asked_state(name, figure["start"])
        assert figure["now"] == figure["start"], name
        assert figure["status"] == "skipped", name
        assert figure["elsewhere"] == (asked != figure["start"]), name
        assert figure["returned"] == asked, name


@pytest.mark.parametrize("name", ASKED)
def test_the_sentence_agrees_with_the_answer(
    name: str, revealed: dict[str, dict[str, dict[str, Any]]]
) -> None:
    sentence, question = revealed["guess"][name]["sentence"], ASKED[name][1]
    if not _is_checkable(*ASKED[name]):
        return
    picture = name[3:] in _IN_THE_PICTURE
    assert _tells(sentence, question) is not picture, sentence


def _is_checkable(state: dict[str, Any], question: dict[str, Any]) -> bool:
    """Return whether the answer is a number, a place, or a name in the figure."""
    if question["type"] != "choice":
        return True
    option = question["options"][question["answer"]]
    return bool(_NUMBER.fullmatch(option)) or f'"{option}"' in json.dumps(state, ensure_ascii=False)


def _tells(sentence: str, question: dict[str, Any]) -> bool:
    plain = sentence.replace("*", "").replace("\u2212", "-")
    answer, decimals = question["answer"], question.get("decimals", 0)
    if question["type"] != "number":
        option = re.split(r" \(place |（", question["options"][answer])[
            0
        ]  # a word without its place
        if not _NUMBER.fullmatch(option):
            return option in plain
        answer, decimals = float(option), len(option.partition(".")[2])
    # A caption may give a percentage as a share, and a share as a percentage.
    ways = {0, 2 if question.get("unit") == "%" else 0, -2 if 0 < answer <= 1 else 0}
    return any(
        abs(10.0**way * float(told.replace(",", "")) - answer)
        <= 0.5 / 10.0 ** (min(places, decimals) if way >= 0 else places) + 1e-9
        for told in _NUMBER.findall(plain)
        for way in ways
        for places in [len(told.partition(".")[2]) - way]
    )


def test_python_and_the_page_know_the_same_choices() -> None:
    figures = [example("en") for example in EXAMPLES.values()]
    assert {figure.kind: [*figure.view_state] for figure in figures} == figures_in_node.choices()
