"""The pages as a reader has them: alive, without errors, from the site alone."""

import gzip
import re
from collections.abc import Callable
from copy import copy
from pathlib import Path

import pytest
from book_pages import (
    BOOK,
    CHAPTERS,
    CHINESE,
    DESK,
    ENGLISH,
    PAGES,
    PHONE,
    PLAIN,
    WAYS,
    Loaded,
    Look,
    Visit,
    twin,
)
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Locator, Page, expect

OWN_SCRIPT = re.compile(
    r"^_static/(figures-[\w-]+|language|lecture|scrolling|search|terms|twins)\.js$"
)
CONTROL = (
    ":is(input:is([type=range], [type=number], [type=checkbox]), select):not([data-question] *)"
)
SEGMENT = "[data-handle] .segments button[aria-pressed=false]"
HANDLE = "[data-handle]"  # a point to be dragged
NUMBERS = "td, dd, output, [data-at]"
# Puts a figure in the place of itself, and brings it alive.
UNASKED = """([name, html]) => {
  const place = document.createElement("div");
  place.innerHTML = html;
  document.querySelector(`[data-figure="${name}"]`).replaceWith(place);
  hydrateFigures(place);
}"""
PLACES = {"attention_weights": "data-at", "reverse_weights": "data-reverse-at"}
NAVIGATION = [".bd-sidebar-primary", ".bd-header-article", ".prev-next-area", ".language-switch"]


@pytest.mark.parametrize("way", [DESK, PHONE])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_needs_the_site_only_and_reports_no_error_and_fits(
    page: str, way: str, look: Look
) -> None:
    opened = look(page, way)
    assert opened.locator("html").get_attribute("data-theme") == WAYS[way]["color_scheme"]
    assert "error" not in opened.evaluate("[...document.fonts].map((font) => font.status)")
    width = WAYS[way]["viewport"]["width"]
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_figure_lives_and_answers_and_goes_back(page: str, look: Look) -> None:
    opened = look(page, PHONE if page in CHINESE else DESK)
    figures = opened.locator("[data-figure]")
    names = figures.evaluate_all("(all) => all.map((f) => f.dataset.figure)")
    assert names
    for name in names:
        figure = opened.locator(f'[data-figure="{name}"][data-live]')
        parts = figure.locator(":scope > :not([data-announced])")
        start = parts.all_inner_texts()
        _go_to_the_last_step(figure)
        found = [figure.locator(kind).all() for kind in (CONTROL, SEGMENT, HANDLE)]
        controls = next(filter(None, found))
        assert any(_answers(figure, control) for control in controls), name
        figure.locator("[data-control=reset]").click()
        expect(parts).to_have_text(start, use_inner_text=True)


def _answers(figure: Locator, control: Locator) -> bool:
    """Move a control and tell whether any number follows: some only choose what is drawn."""
    numbers = figure.locator(NUMBERS)
    before = numbers.all_inner_texts()
    _move(control)
    try:
        expect(numbers).not_to_have_text(before, use_inner_text=True, timeout=1000)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_figure_shows_the_weights_that_torch_stored(
    page: str, soup: Callable[[str], BeautifulSoup], visit: Visit
) -> None:
    opened, figures = visit(page), soup(page).select("[data-figure]")
    for width in (1280, 390):
        opened.set_viewport_size({"width": width, "height": 900})
        assert sum(_compare_weights(opened, figure) for figure in figures), width


def _compare_weights(opened: Page, figure: Tag) -> int:
    """Put a figure on the page unasked, compare what it shows, and return how many weights."""
    name, stored, compared = figure["data-figure"], copy(figure), 0
    for question in stored.select("[data-ask]"):
        question.decompose()  # until it is answered, there would be nothing to see
    opened.evaluate(UNASKED, [name, str(stored)])
    live = opened.locator(f'[data-figure="{name}"][data-live]')
    # What loads late is there.
    expect(live.locator("[data-at]").get_by_text("?", exact=True)).to_have_count(0)
    for stage, attribute in PLACES.items():
        shown = live.locator(f"[{attribute}]").evaluate_all(
            "(cells, name) => cells.map((cell) => [cell.getAttribute(name), cell.textContent])",
            attribute,
        )
        numbers = {place: float(text.replace("−", "-")) for place, text in shown}
        weights = _stored_weights(figure, stage)
        # A figure in parts shows some of them, or none.
        assert numbers == pytest.approx({at: weights[at] for at in numbers}, abs=0.0051), (
            name,
            opened.viewport_size,
        )
        compared += len(numbers)
    return compared


def _stored_weights(figure: Tag, stage: str) -> dict[str, float]:
    """Read the tables that the notebook keeps for readers without JavaScript."""
    tables = [t for t in figure.find_all("table") if t.caption.text.startswith(stage)]
    return {
        f"{b},{q},{k}": float(cell.text)
        for b, table in enumerate(tables)
        for q, row in enumerate(table.select("tr:not(thead > tr)"))
        for k, cell in enumerate(row.find_all("td"))
    }


def _go_to_the_last_step(figure: Locator) -> None:
    button = figure.locator('[data-control="next"]')
    while button.count() and button.is_enabled():
        button.click()


def _move(control: Locator) -> None:
    """Take a slider or a choice one step further, or back from its end."""
    if control.get_attribute("role") == "slider":
        control.press("ArrowRight")
    elif control.get_attribute("type") == "range":
        at_the_end = control.input_value() == control.get_attribute("max")
        control.press("ArrowLeft" if at_the_end else "ArrowRight")
    elif control.get_attribute("type") in ("checkbox", "button"):
        control.click()
    elif control.get_attribute("type") == "number":
        control.fill(str(float(control.input_value()) + 1))
    else:
        chosen = control.evaluate("select => select.selectedIndex")
        control.select_option(index=chosen - 1 if chosen else 1)


@pytest.mark.parametrize("page", [ENGLISH[0], CHAPTERS[3], CHINESE[-1]])
def test_a_page_works_from_disk(page: str, visit: Visit) -> None:
    opened = visit(page, from_disk=True)
    opened.locator(".theme-switch-button:visible").click()
    opened.locator("a.language-switch").click()
    opened.wait_for_url(f"**/{twin(page)}*")


@pytest.mark.parametrize("page", CHAPTERS)
def test_no_line_begins_with_the_punctuation_after_a_formula(page: str, look: Look) -> None:
    opened = look(page, PHONE)
    parted = opened.evaluate(
        """() => [...document.querySelectorAll(".unbroken")].map((box) => {
          const mark = document.createRange();
          mark.selectNode(box.lastChild);
          return [box.textContent, mark.getBoundingClientRect().top,
            [...box.querySelectorAll(".base")].at(-1).getBoundingClientRect().bottom];
        })"""
    )
    assert parted
    assert [text for text, top, bottom in parted if top > bottom] == []


@pytest.mark.parametrize("page", CHAPTERS)
def test_without_javascript_a_figure_is_its_tables(page: str, look: Look) -> None:
    opened = look(page, PLAIN)
    tables = opened.locator("[data-figure] table").all()
    assert tables
    assert all(table.is_visible() for table in tables)
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    assert not any(button.is_visible() for button in opened.locator("[onclick]").all())


@pytest.mark.parametrize("page", BOOK)
def test_on_paper_there_is_no_navigation(page: str, look: Look) -> None:
    opened = look(page, DESK)
    assert any(opened.locator(part).first.is_visible() for part in NAVIGATION)
    opened.emulate_media(media="print")
    assert [part for part in NAVIGATION if opened.locator(part).first.is_visible()] == []
    assert opened.locator(".bd-article p").first.is_visible()
    opened.emulate_media(media="screen")


def test_paper_is_light(visit: Visit) -> None:
    opened = visit(BOOK[0], color_scheme="dark")
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.locator("html").get_attribute("data-theme") == "light"
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.locator("html").get_attribute("data-theme") == "dark"


@pytest.mark.parametrize("page", CHAPTERS)
def test_figures_and_answers_lie_on_the_ground_of_the_page(page: str, look: Look) -> None:
    outputs = look(page, PHONE).locator(".cell_output .text_html")
    grounds = outputs.evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert set(grounds) == {"rgba(0, 0, 0, 0)"}


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_first_visit_takes_little(page: str, loaded: Loaded, site: Path) -> None:
    sizes = {name: len(gzip.compress((site / name).read_bytes())) for name in loaded(page)}
    assert sum(sizes.values()) <= 345_000
    ours = [size for name, size in sizes.items() if OWN_SCRIPT.search(name)]
    assert 0 < sum(ours) <= 68_000


@pytest.mark.parametrize("page", BOOK)
def test_the_chapters_have_numbers_in_the_sidebar_and_the_other_pages_none(
    page: str, look: Look
) -> None:
    links = look(page, DESK).locator(".bd-sidebar-primary nav a")
    numbers = links.evaluate_all(
        """links => links.map((link) => [new URL(link.href).pathname.slice(1),
          getComputedStyle(link, "::before").content.startsWith("counter")])"""
    )
    numbered = [target for target, number in numbers if number]
    assert numbered == [chapter for chapter in CHAPTERS if chapter[:8] == page[:8]]
