"""Test every chapter in Firefox, whose first figure must respond, and a room that guesses."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from book_pages import CHAPTERS, alternate_languages
from firefox import Firefox, Tab, start

from tests.room.lecture import CHOICE, lecture
from tools.browser import find_firefox

pytestmark = pytest.mark.xdist_group("firefox")  # one Firefox is enough for all tests

LEFT, UP, RIGHT, DOWN = (
    "\ue012",
    "\ue013",
    "\ue014",
    "\ue015",
)  # arrow keys as WebDriver encodes them
# Keys that move a control and move it back: from its end too, up and down, or tick and untick.
WAYS = [(RIGHT, LEFT), (LEFT, RIGHT), (UP, DOWN), (" ", " ")]
FIRST = 5  # controls, of which one must change weights: some only choose a view
FRAMES = 30  # within which a figure responds
TO_START = 600  # frames
CLICK = "(selector) => document.querySelector(selector).click()"
# Waits for an element, and returns its text.
FIND = """async (selector, frames) => {
  const found = () => document.querySelector(selector);
  for (; !found() && frames; frames--) await new Promise(requestAnimationFrame);
  return found()?.textContent ?? null;
}"""
LECTURE = """() => {
  delete Element.prototype.requestFullscreen; // which needs a key press
  location.hash = "figure-sentence";
  document.querySelector(".lecture-button").click();
}"""
ALIVE = """async (frames) => {
  const alive = () => document.querySelector("[data-figure][data-live]") !== null;
  for (; !alive() && frames; frames--) await new Promise(requestAnimationFrame);
  return alive();
}"""
CONTROLS = """() => {
  const live = document.querySelector("[data-figure][data-live]");
  window.controls = [...live.querySelectorAll("[data-control]")].filter((control) =>
    control.matches("input, select, [role=slider]") && control.checkVisibility());
  return controls.map((control) => control.dataset.control);
}"""
# Firefox checks formulas while a page is still arriving, and then finds some of them incomplete.
ARRIVING = "Invalid markup: Incorrect number of children"
FOCUS = "(index) => controls[index].focus()"
# The weights, also those after dropout, and other numbers that a question hides. Returns as soon as
# they differ from those before, or at a timeout.
WEIGHTS = """async (before, frames) => {
  const live = document.querySelector("[data-figure][data-live]");
  const read = () => Object.fromEntries(
    [...live.querySelectorAll("[data-at], [data-used-at], output[data-tells]")].map((cell, i) =>
      [cell.dataset.at ?? `other ${cell.dataset.usedAt ?? i}`, cell.textContent]));
  const same = () => JSON.stringify(read()) === JSON.stringify(before);
  for (; same() && frames; frames--) await new Promise(requestAnimationFrame);
  return read();
}"""


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    path = find_firefox()
    assert path, "no Firefox: run python -m tools.browser"
    with start(path, tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox


@pytest.mark.parametrize("page", alternate_languages(CHAPTERS))
def test_a_chapter_reports_no_error_and_its_first_figure_answers(
    page: str, address: str, firefox: Firefox
) -> None:
    with firefox.open(address + page) as tab:
        assert tab.call(ALIVE, TO_START), tab.problems()
        controls = tab.call(CONTROLS)[:FIRST]
        moved = ((index, *way) for index in range(len(controls)) for way in WAYS)
        assert any(_weights_follow(tab, *move) for move in moved), controls
        problems = tab.problems()
    if problems and all(ARRIVING in problem for problem in problems):
        with firefox.open(address + page) as tab:  # from the cache, all at once
            assert tab.call(ALIVE, TO_START), tab.problems()
            problems = tab.problems()
    assert problems == []


def _weights_follow(tab: Tab, control: int, there: str, back: str) -> bool:
    """Return whether weights change as a control moves, and change back as it moves back."""
    tab.call(FOCUS, control)
    at_first = _weights(tab)
    tab.press(there)  # the first touch may reveal what a question hides
    before = _weights(tab, at_first)
    tab.press(there)
    after = _weights(tab, before)
    tab.press(back)
    return before != after and _weights(tab, after) == before


def _weights(tab: Tab, before: object = None) -> dict[str, str]:
    """Return the shown weights by place, after waiting a little for a change."""
    weights: dict[str, str] = tab.call(WEIGHTS, before, FRAMES)
    return weights


def test_a_phone_guesses_and_a_lecturer_reveals(site: Path, firefox: Firefox) -> None:
    page = f"book/en/{CHOICE['page']}.html"
    with lecture(site) as running:
        member = running.lecturer()
        with firefox.open(f"{running.room}/{page}?room") as phone:
            member.say({"type": "open", "question": {**CHOICE, "lang": "en"}})
            assert phone.call(FIND, "[data-room-phase=open]", TO_START), phone.problems()
            phone.call(CLICK, "[data-room-guess='1']")
            member.hear(lambda said: said.get("guessed") == 1)
            for command in ("close", "reveal"):
                member.say({"type": command})
            assert "exactly 2/7" in phone.call(FIND, "[data-verdict]:not(:empty)", TO_START)
            assert phone.problems() == []
        member.say({"type": "end"})
        token = f"token={running.served.token}"
        with firefox.open(f"{running.served.origin}/{page}?{token}") as lecturer:
            member = running.phone()
            lecturer.call(LECTURE)
            for key, waits_for in (("v", "open"), ("v", "closed"), ("r", "revealed")):
                assert lecturer.call(FIND, "html[data-lecture=figure]", TO_START)
                lecturer.press(key)
                panel = f".room-panel[data-phase={waits_for}]"
                assert lecturer.call(FIND, panel, TO_START), lecturer.problems()
                said = member.state(phase=waits_for)
                if waits_for == "open":
                    member.say({"type": "guess", "vote": said["vote"], "guess": 2})
                    member.state(mine=2)
            assert "Right: 100%" in lecturer.call(FIND, ".room-right", TO_START)
            assert lecturer.problems() == []
