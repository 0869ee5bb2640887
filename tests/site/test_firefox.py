"""Every chapter in a Firefox: it reports no error, and its first figure lives and answers."""

from collections.abc import Iterator

import pytest
from book_pages import CHAPTERS, alternate_languages
from firefox import Firefox, Tab, start

from tools.browser import find_firefox

pytestmark = pytest.mark.xdist_group("firefox")  # one is enough for all

LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"  # as WebDriver writes the arrows
# Back from the end; a number only goes up, down; a box is ticked and cleared.
WAYS = [(RIGHT, LEFT), (LEFT, RIGHT), (UP, DOWN), (" ", " ")]
FIRST = 5  # controls, of which one must move weights: some only choose what is drawn
FRAMES = 30  # in which a figure answers
TO_START = 600  # frames
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
FOCUS = "(index) => controls[index].focus()"
# The weights, also those that dropout left, and other numbers that a question hides, as soon as
# they differ from those before or in the end.
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
        assert tab.problems() == []


def _weights_follow(tab: Tab, control: int, there: str, back: str) -> bool:
    """Tell whether weights change as a control moves, and change back as it moves back."""
    tab.call(FOCUS, control)
    at_first = _weights(tab)
    tab.press(there)  # the first touch may uncover what a question hides
    before = _weights(tab, at_first)
    tab.press(there)
    after = _weights(tab, before)
    tab.press(back)
    return before != after and _weights(tab, after) == before


def _weights(tab: Tab, before: object = None) -> dict[str, str]:
    """Read the weights that are shown, by place, waiting a little until they are others."""
    weights: dict[str, str] = tab.call(WEIGHTS, before, FRAMES)
    return weights
