"""Test pages in the browser: live figures, no errors, no requests outside the site."""

import gzip
import json
from pathlib import Path

import pytest
from book_pages import (
    BOOK,
    CHAPTERS,
    CHINESE,
    DEVICES,
    ENGLISH,
    NO_SCRIPT,
    PAGES,
    PHONE,
    Loaded,
    OpenPage,
    SharedPage,
    alternate_languages,
    alternate_languages_with_devices,
    default_device,
    translation,
    with_devices,
)
from lecturing import PAINTED
from playwright.sync_api import Locator, Page, expect

from tools import limits

CONTROL = (
    ":is(input:is([type=range], [type=number], [type=checkbox]), select):not([data-question] *)"
)
SEGMENT = "[data-handle] .segments button[aria-pressed=false]"
HANDLE = "[data-handle]"  # a draggable point
NUMBERS = "td, dd, output, [data-at]"
# The figures of a page as built, without their questions, which would hide the weights, and the
# weights in the tables for readers without JavaScript.
STORED = """([html, stages]) => {
  const built = new DOMParser().parseFromString(html, "text/html");
  const weights = (tables) => Object.fromEntries(tables.flatMap((table, b) =>
    [...table.tBodies].flatMap(({ rows }) => [...rows]).flatMap((row, q) =>
      [...row.querySelectorAll("td")].map((cell, k) => [[b, q, k], Number(cell.textContent)]))));
  return [...built.querySelectorAll("[data-figure]")].map((figure) => {
    figure.querySelectorAll("[data-ask]").forEach((question) => question.remove());
    const tables = [...figure.querySelectorAll("table")];
    const of = (stage) => tables.filter((table) => table.caption.textContent.startsWith(stage));
    const stored = Object.fromEntries(stages.map((stage) => [stage, weights(of(stage))]));
    return [figure.dataset.figure, figure.outerHTML, stored];
  });
}"""
# As a string, because Playwright serialises every item of a list.
SHOWN = """(figure, attribute) => JSON.stringify(Object.fromEntries(
  [...figure.querySelectorAll(`[${attribute}]`)]
    .map((cell) => [cell.getAttribute(attribute), cell.textContent])))"""
# Replaces a figure by a fresh copy, and makes it live.
UNASKED = """([name, html]) => {
  const place = document.createElement("div");
  place.innerHTML = html;
  document.querySelector(`[data-figure="${name}"]`).replaceWith(place);
  hydrateFigures(place);
}"""
Weights = dict[str, float]  # by place
SEEN = "all => all.map((one) => one.checkVisibility({ visibilityProperty: true }))"
PLACES = {"attention_weights": "data-at", "reverse_weights": "data-reverse-at"}
NAVIGATION = [".bd-sidebar-primary", ".bd-header-article", ".prev-next-area", ".language-switch"]


@pytest.mark.parametrize(("page", "device"), with_devices(PAGES))
def test_a_page_needs_the_site_only_and_reports_no_error_and_fits(
    page: str, device: str, shared_page: SharedPage
) -> None:
    opened = shared_page(page, device)
    assert opened.locator("html").get_attribute("data-theme") == DEVICES[device]["color_scheme"]
    assert "error" not in opened.evaluate("[...document.fonts].map((font) => font.status)")
    width = DEVICES[device]["viewport"]["width"]
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("page", "device"), alternate_languages_with_devices(CHAPTERS))
def test_every_figure_is_live_and_responds_and_can_be_reset(
    page: str, device: str, shared_page: SharedPage
) -> None:
    opened = shared_page(page, device)
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
    """Move a control and return whether any number changes; some controls only choose a view."""
    numbers = figure.locator(NUMBERS)
    before = numbers.all_inner_texts()
    _move(control)
    figure.page.evaluate(PAINTED)
    return numbers.all_inner_texts() != before


@pytest.mark.own_page
@pytest.mark.parametrize(("page", "device"), alternate_languages_with_devices(CHAPTERS))
def test_every_figure_shows_the_weights_that_torch_stored(
    page: str, device: str, shared_page: SharedPage, site: Path
) -> None:
    opened = shared_page(page, device)
    # A page from disk may not fetch itself.
    built = (site / page).read_text("utf-8")
    stored = opened.evaluate(STORED, [built, list(PLACES)])
    assert sum(_compare_weights(opened, *figure) for figure in stored)


def _compare_weights(opened: Page, name: str, html: str, stored: dict[str, Weights]) -> int:
    """Put a figure without its question on the page; return how many weights were compared."""
    opened.evaluate(UNASKED, [name, html])
    live = opened.locator(f'[data-figure="{name}"][data-live]')
    # Lazy scripts are loaded.
    expect(live.locator("[data-at]").get_by_text("?", exact=True)).to_have_count(0)
    compared = 0
    for stage, attribute in PLACES.items():
        shown: dict[str, str] = json.loads(live.evaluate(SHOWN, attribute))
        numbers = {place: float(text.replace("−", "-")) for place, text in shown.items()}
        # A figure in parts may show some weights or none.
        assert numbers == pytest.approx({at: stored[stage][at] for at in numbers}, abs=0.0051), (
            name,
            opened.viewport_size,
        )
        compared += len(numbers)
    return compared


def _go_to_the_last_step(figure: Locator) -> None:
    button = figure.locator('[data-control="next"]')
    while button.count() and button.is_enabled():
        button.click()


def _move(control: Locator) -> None:
    """Move a slider or a choice one step forward, or back at its end."""
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
def test_a_page_works_from_disk(page: str, open_page: OpenPage) -> None:
    opened = open_page(page, from_disk=True)
    opened.locator(".theme-switch-button:visible").click()
    opened.locator("a.language-switch").click()
    opened.wait_for_url(f"**/{translation(page)}*")


@pytest.mark.parametrize("page", CHAPTERS)
def test_no_line_begins_with_the_punctuation_after_a_formula(
    page: str, shared_page: SharedPage
) -> None:
    opened = shared_page(page, PHONE)
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


@pytest.mark.parametrize("page", alternate_languages(CHAPTERS))
def test_without_javascript_a_figure_is_its_tables(page: str, shared_page: SharedPage) -> None:
    opened = shared_page(page, NO_SCRIPT)
    tables = opened.locator("[data-figure] table").evaluate_all(SEEN)
    assert tables
    assert all(tables)
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    assert not any(opened.locator("[onclick]").evaluate_all(SEEN))


@pytest.mark.parametrize("page", alternate_languages(BOOK))
def test_on_paper_there_is_no_navigation(page: str, shared_page: SharedPage) -> None:
    opened = shared_page(page, default_device(page))
    assert any(opened.locator(part).first.is_visible() for part in NAVIGATION)
    opened.emulate_media(media="print")
    assert [part for part in NAVIGATION if opened.locator(part).first.is_visible()] == []
    assert opened.locator(".bd-article p").first.is_visible()
    opened.emulate_media(media="screen")


def test_paper_is_light(open_page: OpenPage) -> None:
    opened = open_page(BOOK[0], color_scheme="dark")
    opened.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.locator("html").get_attribute("data-theme") == "light"
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.locator("html").get_attribute("data-theme") == "dark"


@pytest.mark.parametrize("page", [page for page in CHAPTERS if "/04-" in page])
def test_on_paper_folds_are_open_and_questions_are_answered(page: str, open_page: OpenPage) -> None:
    opened = open_page(page)
    covered = opened.locator("[data-figure][data-hidden]")
    asked = opened.locator("[data-figure] [data-question]")
    states = "[data-figure] [data-control]", "all => all.map(({ value }) => value)"
    expect(covered).to_have_count(asked.count())
    before = opened.locator(states[0]).evaluate_all(states[1])
    opened.emulate_media(media="print")
    expect(covered).to_have_count(0)
    answers = asked.locator("[data-verdict] p").all_inner_texts()
    assert len(answers) == asked.count() > 5
    assert all(answers)
    assert "?" not in "".join(opened.locator("[data-figure] [data-code]").all_inner_texts())
    folds = opened.locator(".bd-article details:not([open], .share)")
    contents = folds.locator("> :not(summary)").evaluate_all(SEEN)
    assert len(contents) >= folds.count() > 5
    assert all(contents)
    opened.emulate_media(media="screen")
    expect(covered).to_have_count(asked.count())
    assert opened.locator(states[0]).evaluate_all(states[1]) == before
    assert opened.evaluate("document.activeElement === document.body")
    counted = "document.querySelectorAll('[data-figure][data-hidden]').length"
    # When printing, a browser renders the page as soon as the listeners have returned.
    assert opened.evaluate(f"dispatchEvent(new Event('beforeprint')) && {counted}") == 0
    opened.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(covered).to_have_count(asked.count())


@pytest.mark.parametrize("page", CHAPTERS)
def test_figures_and_answers_lie_on_the_ground_of_the_page(
    page: str, shared_page: SharedPage
) -> None:
    outputs = shared_page(page, default_device(page)).locator(".cell_output .text_html")
    grounds = outputs.evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert set(grounds) == {"rgba(0, 0, 0, 0)"}


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_first_visit_takes_little(page: str, loaded: Loaded, site: Path) -> None:
    sizes = {name: len(gzip.compress((site / name).read_bytes())) for name in loaded(page)}
    assert sum(sizes.values()) <= 1000 * limits.FIRST_VISIT
    assert len(sizes) <= limits.REQUESTS
    scripts = [size for name, size in sizes.items() if name.endswith(".js")]
    assert 0 < sum(scripts) <= 1000 * limits.SCRIPTS


@pytest.mark.parametrize("page", BOOK)
def test_the_chapters_have_numbers_in_the_sidebar_and_the_other_pages_none(
    page: str, shared_page: SharedPage
) -> None:
    links = shared_page(page, default_device(page)).locator(".bd-sidebar-primary nav a")
    numbers = links.evaluate_all(
        """links => links.map((link) => [new URL(link.href).pathname,
          getComputedStyle(link, "::before").content.startsWith("counter")])"""
    )
    numbered = [target.partition("book/")[2] for target, number in numbers if number]
    assert numbered == [chapter[5:] for chapter in CHAPTERS if chapter[:8] == page[:8]]
