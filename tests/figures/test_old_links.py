"""Links and programs that readers took along before the front end was written anew still work."""

import json
import re
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from agreement import assert_close, doubles
from figure_page import assert_shows, control
from fixtures import State, figure_of, fixture
from front_end import copied, downloaded, is_covered, live, page_of, uncover
from playwright.sync_api import Locator, Page, expect
from reader import REFUSED, go
from test_programs import assert_computes
from test_shared_numbers import assert_holds, read

from attention_lib.figures import AttentionFigure, Figure

BOOK = Path(__file__).parents[2]
STATE = re.compile(
    r'data-figure="([a-z0-9-]+)"[^>]*><script type="application/json">(.*?)</script>'
)
CASES: list[dict[str, Any]] = fixture("shared")
THEN: list[State] = [entry["state"] for entry in fixture("states")]
# Nothing that a reader changes: the model of an alignment figure, the truth of a kernel's.
GIVEN = {"parameters", "words", "pairs", "truth", "units", "names", "parts"}
FIGURES = [list(own) for _, own in groupby(CASES, lambda case: (case["figure"], *case["pages"]))]
cases = pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['figure']}: {case['about']}"
)


@cache
def starts(page: str) -> dict[str, State]:
    """Return the states of the figures that a page of the book has now, by their keys."""
    notebook = json.loads((BOOK / page).with_suffix(".ipynb").read_text("utf-8"))
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    html = "".join("".join(output.get("data", {}).get("text/html", "")) for output in outputs)
    return {key: json.loads(text) for key, text in STATE.findall(html)}


def start(case: dict[str, Any], page: str) -> State:
    return starts(page)[case["figure"]]


def start_then(case: dict[str, Any], page: str) -> State:
    """Return the state that the page stored when the link was made."""
    lang = page.split("/")[1]
    return next(s for s in THEN if s["name"] == case["figure"] and s["lang"] == lang)


def state_of(
    case: dict[str, Any], page: str, model_then: bool = False
) -> tuple[Figure, dict[str, Any]]:
    """Return the figure in the state that the link must open, and choices that are no traits.

    All that a reader could change is as it was then, but what is given is the page's: a model may
    have been trained anew; only a program that was copied holds what the model of then computed.
    """
    before = start_then(case, page)
    if not model_then:
        before = before | {name: x for name, x in start(case, page).items() if name in GIVEN}
    traits = {name: x for name, x in case["changes"].items() if name in before}
    choices = {name: x for name, x in case["changes"].items() if name not in before}
    return figure_of({**before, **traits}), choices


def assert_opened(shown: Locator, case: dict[str, Any], page: str) -> None:
    """See in the figure what the link says, and nowhere that it was refused."""
    figure, choices = state_of(case, page)
    expect(shown.page.locator(REFUSED)).to_have_count(0)
    if case["hidden"]:
        assert is_covered(shown)
        uncover(shown)
    assert_shows(shown.page, figure)
    taken = read(downloaded(shown))
    assert_holds(taken, figure)
    assert {name: taken[name] for name in choices} == {name: [x] for name, x in choices.items()}


@cases
def test_a_link_opens_its_state_and_the_program_of_it_computes_the_same(
    page: Page, tmp_path: Path, case: dict[str, Any]
) -> None:
    name, file = case["pages"][0], tmp_path / "figure.html"
    file.write_text(page_of(start(case, name)), encoding="utf-8")
    shown = live(page, file, case["fragment"])
    assert_opened(shown, case, name)
    assert_computes(copied(shown, "copy-program"), state_of(case, name)[0])


@pytest.mark.parametrize("own", FIGURES, ids=lambda own: own[0]["figure"])
def test_the_links_of_a_figure_open_one_after_another_in_the_other_language(
    page: Page, tmp_path: Path, own: list[dict[str, Any]]
) -> None:
    name, file = own[0]["pages"][-1], tmp_path / "figure.html"
    file.write_text(page_of(start(own[0], name)), encoding="utf-8")
    shown = live(page, file)
    for case in own:
        go(page, case["fragment"])
        assert_opened(shown, case, name)


BEHIND = [case for case in CASES if case["changes"].get("key_preset", "own") != "own"]


@pytest.mark.parametrize("case", BEHIND, ids=lambda case: case["about"])
def test_a_link_brings_the_readers_own_keys_that_stood_behind_others(
    page: Page, tmp_path: Path, case: dict[str, Any]
) -> None:
    name, file = case["pages"][0], tmp_path / "figure.html"
    file.write_text(page_of(start(case, name)), encoding="utf-8")
    shown = live(page, file, case["fragment"])
    figure, _ = state_of(case, name)
    assert isinstance(figure, AttentionFigure)
    figure.key_preset = "own"
    control(shown, "key_preset").select_option("own")
    assert_shows(page, figure)


def amounts(text: str) -> list[float]:
    """Return the numbers in what torch prints, the shape of an empty tensor among them."""
    return [float(x) for x in re.findall(r"-?\b\d[\d.]*(?:e[+-]\d+)?", text)]


@cases
def test_a_program_that_was_copied_prints_and_computes_the_same_numbers(
    case: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    figure, _ = state_of(case, case["pages"][0], model_then=True)
    since = figure.stages().keys() - case["stages"].keys()
    assert_computes(case["program"], figure, since)
    assert amounts(capsys.readouterr().out) == pytest.approx(amounts(case["printed"]), abs=2e-4)
    for name, nested in case["stages"].items():
        assert_close(figure.stages()[name].tolist(), doubles(nested))
