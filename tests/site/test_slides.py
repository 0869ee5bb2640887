"""Test chapters with slide metadata as lectures: screens, fragments, speaker notes."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import nbformat
import pytest
from book_pages import (
    CHINESE,
    DEVICES,
    ENGLISH,
    ROOM,
    OpenPage,
    SharedPage,
    alternate_languages,
    is_alternate,
    translation,
)
from lecturing import PROJECTOR, SECTIONS, begin, says
from playwright.sync_api import Page, expect

from book.site.source.slides import notes
from tests.variants import sampled
from tools import limits
from tools.notebooks import BOOK, slide_type


def _has_slides(page: str) -> bool:
    notebook = BOOK.parent / page.replace(".html", ".ipynb")
    if not notebook.exists():
        return False
    return any(slide_type(cell.metadata) for cell in nbformat.read(notebook, as_version=4).cells)


PAGES = [page for page in ENGLISH + CHINESE if _has_slides(page)]
# Both languages of a chapter have the same slide metadata, which the parity of notebooks ensures.
# Every page-down tries many layouts. The five lessons with phones (lecture.md) stand for all.
LESSONS = re.compile(r"/(01|04|06|10|13)-")
every_chapter = pytest.mark.parametrize(
    "page", sampled(PAGES, lambda page: bool(LESSONS.search(page)) and is_alternate(page))
)
WORD = {
    "en": re.compile(r"[\w’'-]*[A-Za-z][\w’'-]*"),
    "zh": re.compile(r"[\u3400-\u9fff]|[A-Za-z]+"),
}
SCREEN = """() => {
  const stage = document.querySelector("article");
  const seen = (node) => node.getClientRects().length > 0;
  const other = "[data-figure], [data-exercise], pre, .no-kernel, li p";
  const prose = [...stage.querySelectorAll("section :is(p, li, dt, dd)")]
    .filter((node) => seen(node) && !node.closest(other));
  const text = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll(".math, .katex, code, [role=tooltip]").forEach((part) => part.remove());
    return copy.textContent;
  };
  const low = stage.getBoundingClientRect().bottom + 1;
  const texts = (stage) => [...stage.querySelectorAll("[data-figure] *, pre *")]
    .filter((node) => seen(node) && [...node.childNodes].some((text) => text.nodeType === 3
      && text.data.trim()) && !node.closest(".unseen, .katex, option"))
    .map((node) => parseFloat(getComputedStyle(node).fontSize)
      * (node.ownerSVGElement?.getScreenCTM().a ?? 1) + 0.05);
  const share = (node) => 100 * parseFloat(getComputedStyle(node).fontSize) / innerHeight + 0.01;
  const read = "[data-figure] :is(.asked, [data-guess], .verdict, [data-sentence])";
  const range = document.createRange();
  const broken = ({ firstChild: text }) => [...(text?.data ?? "").matchAll(/[A-Za-z]+/g)]
    .filter(({ 0: word, index }) => {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map(([word]) => word);
  const [said, count] = [".lecture-bar [role=status]", ".lecture-count"]
    .map((part) => document.querySelector(part).innerText);
  return {
    said,
    count,
    cells: [...stage.querySelectorAll(".cell")].filter(seen)
      .map((cell) => cell.getBoundingClientRect().toJSON()),
    headings: [...stage.querySelectorAll("h1, h2, h3")].filter(seen).length,
    prose: prose.map(text).join(" "),
    code: [...stage.querySelectorAll(".cell_input pre")].filter(seen)
      .map((code) => code.innerText.trim().split("\\n").filter((line) => line.trim()).length),
    figures: [...stage.querySelectorAll("[data-figure]")].filter(seen)
      .map((figure) => figure.dataset.figure),
    cut: [...stage.querySelectorAll("[data-on-screen]")].filter(seen)
      .filter((node) => node.getBoundingClientRect().bottom > low).length,
    scrolls: stage.scrollHeight > stage.clientHeight + 1,
    letters: parseFloat(getComputedStyle(document.documentElement).fontSize),
    least: Math.min(...texts(stage)),
    questions: [...stage.querySelectorAll(read)].filter(seen).map(share),
    wide: [...stage.querySelectorAll("pre")].filter(seen)
      .filter((code) => code.scrollWidth > code.clientWidth + 1).length,
    broken: [...stage.querySelectorAll("[data-figure] thead th")].filter(seen).flatMap(broken),
  };
}"""


FIGURES = """() => {
  const exercises = document.querySelector("[id$=-exercises]");
  return [...document.querySelectorAll("[data-figure]")].filter((figure) =>
    figure.compareDocumentPosition(exercises) & Node.DOCUMENT_POSITION_FOLLOWING)
    .map((figure) => figure.dataset.figure);
}"""


Shown = dict[str, Any]


class Lecture(NamedTuple):
    """The figures of a chapter, and what its lecture shows after each key press."""

    figures: list[str]
    presses: list[Shown]

    @property
    def screens(self) -> list[Shown]:
        """The final content of each screen."""
        return list({shown["count"]: shown for shown in self.presses}.values())

    @property
    def fragment(self) -> int:
        """The first key press that adds a cell to the current screen."""
        return next(
            press
            for press, (before, after) in enumerate(pairwise(self.presses), 1)
            if before["count"] == after["count"] and len(before["cells"]) < len(after["cells"])
        )


Walk = Callable[[str], Lecture]


def begun(shared_page: SharedPage, name: str) -> Page:
    """Begin the lecture of a page at its first screen, also after other tests."""
    page = shared_page(name, ROOM)
    if page.locator(".lecture-bar").count():
        page.keyboard.press("Escape")
        expect(page.locator(".lecture-bar")).to_have_count(0)
    begin(page)
    page.keyboard.press("Home")
    return page


def walked(page: Page) -> Lecture:
    """Go through the lecture of a page, and record it."""
    presses = [page.evaluate(SCREEN)]
    while len(presses) < 2 or presses[-1]["said"] != presses[-2]["said"]:
        page.keyboard.press("PageDown")
        presses.append(page.evaluate(SCREEN))
    return Lecture(page.evaluate(FIGURES), presses[:-1])


@pytest.fixture(scope="module")
def lectures() -> dict[str, Lecture]:
    """Cache the record of each lecture."""
    return {}


@pytest.fixture
def walk(
    request: pytest.FixtureRequest, lectures: dict[str, Lecture], shared_page: SharedPage
) -> Walk:
    """Return the cached record of a page's lecture; a retried test records it again."""
    if getattr(request.node, "execution_count", 1) > 1:
        lectures.clear()

    def walk(page: str) -> Lecture:
        if page not in lectures:
            lectures[page] = walked(begun(shared_page, page))
        return lectures[page]

    return walk


@every_chapter
def test_a_room_can_read_every_screen(page: str, walk: Walk) -> None:
    shown = walk(page).screens
    lang = page.split("/")[1]
    assert len(shown) <= limits.SCREENS
    for number, screen in enumerate(shown):
        assert screen["headings"] == 1, number
        words = WORD[lang].findall(str(screen["prose"]))
        assert len(words) <= limits.SCREEN_WORDS[lang], (number, screen["prose"])
        assert max(screen["code"], default=0) <= limits.SCREEN_LINES, number
        assert not screen["scrolls"], number
        assert screen["cut"] == 0, number
        assert screen["letters"] >= 14, number
        assert screen["wide"] == 0, number
        assert screen["broken"] == [], number
        assert screen["least"] >= limits.SMALLEST_LETTERS, number
        assert min(screen["questions"], default=9) >= limits.LEAST_QUESTION, number
    # A few figures have no room for larger letters.
    assert sum(screen["least"] < 16 for screen in shown) <= 4
    small = [screen for screen in shown if min(screen["questions"], default=9) < limits.QUESTION]
    assert len(small) <= limits.SMALL_QUESTIONS
    assert any(screen["figures"] for screen in shown[: limits.SCREENS_TO_FIGURE])


@every_chapter
def test_every_figure_of_the_text_has_a_screen_with_its_question(page: str, walk: Walk) -> None:
    names, shown = walk(page)
    assert [name for screen in shown for name in screen["figures"]] == names


@every_chapter
def test_question_figure_and_verdict_share_a_screen(page: str, shared_page: SharedPage) -> None:
    opened = begun(shared_page, page)
    opened.keyboard.press("PageDown")
    figure = opened.locator("[data-figure]:visible")
    figure.locator("[data-skip]").click()
    stage = opened.locator("article").bounding_box()
    assert stage
    for part in ("[data-verdict]", "[data-question]", "[data-handle]", "[data-sentence]"):
        box = figure.locator(part).first.bounding_box()
        assert box
        assert box["y"] + box["height"] <= stage["height"] + 1


@every_chapter
def test_a_fragment_comes_with_a_press_of_its_own_and_moves_nothing(page: str, walk: Walk) -> None:
    lecture = walk(page)
    before, after = (lecture.presses[lecture.fragment - i]["cells"] for i in (1, 0))
    assert after[:-1] == before


@pytest.mark.parametrize("page", alternate_languages([page for page in PAGES if "/04-" in page]))
def test_a_fragment_that_is_there_stays_when_the_window_changes(
    page: str, walk: Walk, shared_page: SharedPage
) -> None:
    press = walk(page).fragment
    opened = begun(shared_page, page)
    for _ in range(press):
        opened.keyboard.press("PageDown")
    cells = opened.locator("article .cell:visible")
    count = cells.count()
    opened.set_viewport_size({"width": 1200, "height": 700})
    expect(cells).to_have_count(count)
    opened.keyboard.press("PageUp")
    expect(cells).to_have_count(count - 1)
    opened.set_viewport_size(DEVICES[ROOM]["viewport"])


@pytest.mark.parametrize("page", sampled(PAGES, PAGES[3::10].__contains__))
def test_the_speaker_has_notes_the_next_screen_and_the_time(
    page: str, shared_page: SharedPage
) -> None:
    opened = begun(shared_page, page)
    with opened.expect_popup() as popup:
        opened.keyboard.press("s")
    notes = popup.value
    expect(notes.locator("[data-part=heading]")).to_have_text(
        opened.locator("article h1").evaluate("(h) => h.firstChild.textContent")
    )
    expect(notes.locator("[data-part=next] [data-figure]")).to_have_count(1)
    notes.keyboard.press("PageDown")
    expect(opened.locator(".lecture-count")).to_contain_text("2 /")
    said = opened.locator("article .bd-content li, article section > ul li").first
    expect(notes.locator("[data-part=notes] li").first).to_have_text(said.text_content() or "")
    assert re.fullmatch(r"\d+:\d\d", notes.locator("[data-part=time]").inner_text())
    before = notes.locator("[data-part=elapsed]").inner_text()
    expect(notes.locator("[data-part=elapsed]")).not_to_have_text(before)
    assert notes.evaluate("document.documentElement.lang") == opened.locator("html").get_attribute(
        "lang"
    )
    assert notes.locator("[id]").count() == 0
    with notes.expect_event("close"):
        opened.keyboard.press("Escape")


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", [page for page in PAGES if page in ENGLISH])
def test_both_languages_have_the_same_screens(page: str, walk: Walk) -> None:
    one, other = (walk(name).screens for name in (page, translation(page)))
    assert [screen["figures"] for screen in one] == [screen["figures"] for screen in other]
    assert [screen["code"] for screen in one] == [screen["code"] for screen in other]


def test_a_large_projector_begins_with_the_title_and_shows_whole_lines(open_page: OpenPage) -> None:
    large = {"width": 1920, "height": 1080}
    opened = open_page(PAGES[11], viewport=large, before=DEVICES[ROOM]["before"])
    begin(opened)
    assert says(opened).startswith("Screen 1 of ")
    for screen in walked(opened).presses:
        assert screen["wide"] == screen["cut"] == 0, screen["said"]
        assert screen["least"] >= 16, screen["said"]


def test_the_clock_stops_for_a_break_and_knows_what_was_planned(open_page: OpenPage) -> None:
    opened = open_page(PAGES[11], viewport=PROJECTOR, before=DEVICES[ROOM]["before"])
    opened.context.clock.install()
    begin(opened)
    with opened.expect_popup() as popup:
        opened.keyboard.press("s")
    speaker = popup.value
    elapsed, left, field, rest = (
        speaker.locator(f"[data-part={part}]") for part in ("elapsed", "left", "planned", "pause")
    )
    assert left.inner_text() == ""
    field.fill("４５")  # as a Chinese input method enters it
    opened.context.clock.run_for("10:00")
    expect(elapsed).to_have_text(re.compile(r"10:0\d"))
    expect(left).to_have_text(re.compile(r"3[45]:\d\d"))
    rest.click()
    stopped = elapsed.inner_text()
    opened.context.clock.run_for("20:00")
    assert elapsed.inner_text() == stopped
    opened.keyboard.press("p")
    opened.context.clock.run_for("40:00")
    expect(left).to_have_text(re.compile(r"−[45]:\d\d"))
    # The current screen with whole lines of code, and another one by its number.
    speaker.keyboard.press("PageDown")
    now = speaker.locator("[data-part=now]")
    expect(now.locator("[data-figure]")).to_have_count(1)
    opened.locator("[data-figure]:visible [data-skip]").click()
    expect(now.locator("[data-figure]")).not_to_have_attribute("data-hidden", "", timeout=20_000)
    speaker.locator("[data-part=jump]").select_option(index=16)
    assert says(opened).startswith("Screen 17 of ")
    code = now.locator("pre").first
    assert code.evaluate("(code) => code.scrollWidth <= code.clientWidth + 1")
    assert speaker.locator("[data-part=notes]").inner_text()


def test_every_slide_has_notes() -> None:
    for page in PAGES:
        _, lang, name = page.removesuffix(".html").split("/")
        missing: list[str] = []
        for cell in nbformat.read(BOOK / lang / f"{name}.ipynb", as_version=4).cells:
            kind = slide_type(cell.metadata)
            if kind in ("slide", "subslide"):
                missing.append(cell.id)
            elif kind == "notes" and missing and missing[-1]:
                missing[-1] = ""
        given = [cell for cell, say in notes()[name].items() if say[lang]]
        assert given == [cell for cell in missing if cell], page


def test_a_blocked_window_is_reported(open_page: OpenPage) -> None:
    opened = open_page(PAGES[0], viewport=PROJECTOR, before="window.open = () => null;")
    begin(opened)
    opened.locator("[data-act=notes]").click()
    said = opened.locator(".lecture-note")
    expect(said).to_have_text("The browser did not open the window.")


def test_a_chapter_whose_cells_say_nothing_has_no_notes(open_page: OpenPage) -> None:
    opened = open_page(SECTIONS, viewport=PROJECTOR)
    begin(opened)
    expect(opened.locator("[data-act=notes]")).to_have_count(0)
    assert says(opened).startswith("Section 1 of ")
