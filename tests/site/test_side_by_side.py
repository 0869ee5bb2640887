"""Test translations side by side: each block has its counterpart, shown and hidden on demand."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from book_pages import BOOK, OpenPage, translation
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser, Locator, Page, Route, expect

ParseHtml = Callable[[str], BeautifulSoup]
Texts = Callable[[str], dict[str, str]]

ENGLISH, CHINESE = "book/en/04-masked-softmax.html", "book/zh/04-masked-softmax.html"
BLOCKS = "[...document.querySelectorAll('article [class*=translation-]')]"
PROSE = f"{BLOCKS}.map((block) => block.outerHTML)"
DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
NAMES = re.compile(r'class="(?:[^"]*\s)?translation-([\w-]+)')
LOADED = """performance.getEntriesByType("resource").filter(
  (file) => file.name.includes(".translation.js")
).length"""


@pytest.fixture(scope="session")
def texts(site: Path) -> Texts:
    """Return the translated blocks that a page can show, by name."""

    def read(page: str) -> dict[str, str]:
        script = (site / page.replace(".html", ".translation.js")).read_text(encoding="utf-8")
        found: dict[str, str] = json.loads(script.removeprefix("var translations = ").rstrip(";\n"))
        return found

    return read


@pytest.mark.parametrize("page", BOOK)
def test_every_block_of_text_has_its_counterpart(page: str, site: Path, texts: Texts) -> None:
    names, others = (
        NAMES.findall((site / name).read_text(encoding="utf-8"))
        for name in (page, translation(page))
    )
    assert names
    assert len(names) == len(set(names))
    if "api" in page:  # its headings are names; only the Chinese page adds words
        shown, own = {name.rsplit("-", 1)[0] for name in texts(page)}, "api-masked-softmax"
        assert (own in shown) == ("/en/" in page)
    else:
        assert names == others
        assert set(names) == set(texts(page))


@pytest.mark.parametrize("page", [ENGLISH, "book/zh/misreadings.html", "book/en/lecture.html"])
def test_a_counterpart_equals_the_text_of_the_translated_page(
    page: str, parse_html: ParseHtml, texts: Texts
) -> None:
    other = parse_html(translation(page))
    for name, html in texts(page).items():
        (block,) = other.select(f".translation-{name}")
        assert _words(BeautifulSoup(html, "html.parser")) == _words(block), name


def _words(block: Tag) -> str:
    text = BeautifulSoup(str(block), "html.parser")
    for extra in text.select(".headerlink, [role=tooltip]"):
        extra.decompose()
    return text.get_text().strip()


@pytest.mark.parametrize("page", BOOK)
def test_links_in_counterparts_lead_to_places_of_the_other_language(
    page: str, site: Path, texts: Texts
) -> None:
    together = "".join(texts(page).values())
    assert re.findall(r"<[^>]*(?: id=|[ \"]translation-)", together) == []
    for url in re.findall(r'href="([^"]+)"', together):
        target = urlsplit(urljoin(page, url))
        if target.scheme:
            continue
        folders = (
            translation(page).rsplit("/", 1)[0],
            "_static/licences/",
        )  # the second folder has no language
        assert target.path.startswith(folders), url
        html = (site / target.path).read_text(encoding="utf-8")
        assert not target.fragment or f'id="{target.fragment}"' in html, url


def _choose(page: Page, value: str) -> None:
    page.locator(".side-by-side-button").click()
    page.locator(f".side-by-side input[value={value}]").check()
    page.keyboard.press("Escape")
    expect(page.locator(".side-by-side fieldset")).to_be_hidden()


def _box(place: Locator) -> dict[str, float]:
    return place.evaluate("place => place.getBoundingClientRect().toJSON()")


def test_the_whole_page_stands_beside_and_goes_without_a_trace(
    open_page: OpenPage, texts: Texts
) -> None:
    page = open_page(ENGLISH, viewport=DESK)
    before = page.evaluate(PROSE)
    assert page.evaluate(LOADED) == 0
    heading = page.locator("h2.translation-by-hand-0")
    heading.evaluate("heading => heading.scrollIntoView()")
    place = _box(heading)
    _choose(page, "page")
    parts = page.locator(".counterpart[lang='zh-CN']")
    expect(parts).to_have_count(len(texts(ENGLISH)))
    assert page.locator(".counterpart .katex-html").first.is_visible()
    own, other = (
        _box(page.locator(f".translation-by-hand-1{part}")) for part in ("", " + .counterpart")
    )
    assert other["left"] > own["right"]
    assert other["top"] == pytest.approx(own["top"], abs=3)
    assert _box(heading)["top"] == pytest.approx(place["top"], abs=20)
    _choose(page, "off")
    expect(parts).to_have_count(0)
    assert page.evaluate(PROSE) == before


def test_the_choice_is_remembered(open_page: OpenPage) -> None:
    page = open_page("book/en/lecture.html", viewport=DESK)
    _choose(page, "page")
    page.goto(page.url.replace("/en/lecture", "/zh/misreadings"))
    expect(page.locator(".counterpart[lang=en]").first).to_be_visible()
    expect(page.locator(".side-by-side input[value=page]")).to_be_checked()


def test_one_paragraph_is_shown_under_its_own_on_a_phone_from_disk(open_page: OpenPage) -> None:
    page = open_page(CHINESE, from_disk=True, viewport=PHONE, has_touch=True)
    _choose(page, "one")
    buttons = page.locator(".counterpart-place > button")
    expect(buttons.first).to_be_visible()
    assert page.locator(".counterpart").count() == 0
    sizes = buttons.evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().toJSON()).filter((box) => box.width)"
    )
    assert min(min(size["width"], size["height"]) for size in sizes) >= 44
    assert max(size["right"] for size in sizes) <= PHONE["width"]
    page.locator("details:has([class*=translation-]) > summary").first.tap()
    folded = page.locator("details[open] .counterpart-place > button").first
    for button in (buttons.first, folded):
        _shows_and_hides(page, button)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def _shows_and_hides(page: Page, button: Locator) -> None:
    part = page.locator(".counterpart[lang=en]")
    button.tap()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(part).to_be_visible()
    own = _box(page.locator(":has(+ .counterpart)"))
    assert _box(part)["top"] >= own["bottom"]
    button.tap()
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(part).to_have_count(0)


def test_a_text_that_does_not_load_is_owned_up_to_and_can_be_tried_again(
    browser: Browser, address: str
) -> None:
    with browser.new_context() as context:
        opened = context.new_page()
        opened.route("**/*.translation.js", lambda route: route.abort())
        opened.goto(address + ENGLISH)
        said = opened.get_by_text("The Chinese text did not load. Reload the page.")
        opened.locator(".side-by-side-button").click()
        opened.locator(".side-by-side input[value=page]").check()
        expect(said).to_be_visible()
        opened.reload()  # the choice is remembered, and the message appears again
        expect(said).to_be_visible()
        opened.locator(".side-by-side input[value=off]").check()
        expect(said).to_be_hidden()
        opened.unroute_all()
        opened.locator(".side-by-side input[value=page]").check()
        expect(opened.locator(".counterpart").first).to_be_visible()
        expect(said).to_be_hidden()


def test_a_text_that_fails_after_it_was_switched_off_shows_no_message(
    browser: Browser, address: str
) -> None:
    with browser.new_context() as context:
        opened = context.new_page()
        held: list[Route] = []
        opened.route("**/*.translation.js", lambda route: held.append(route))
        opened.goto(address + ENGLISH)
        _choose(opened, "page")
        _choose(opened, "off")
        with opened.expect_event("requestfailed"):
            held[0].abort()
        expect(opened.locator(".side-by-side")).to_have_class("side-by-side alive")
        expect(opened.locator(".side-by-side-failed")).to_be_hidden()


def test_without_its_script_the_menu_has_a_sentence_and_no_choices(
    browser: Browser, address: str
) -> None:
    with browser.new_context() as context:
        opened = context.new_page()
        opened.route("**/side_by_side.js*", lambda route: route.abort())
        opened.goto(address + CHINESE)
        opened.locator(".side-by-side-button").click()
        expect(opened.get_by_text("英文未能加载，请刷新页面。")).to_be_visible()
        expect(opened.locator(".side-by-side input:visible")).to_have_count(0)


@pytest.mark.parametrize("page", [ENGLISH, CHINESE])
def test_without_javascript_there_is_no_dead_menu(page: str, open_page: OpenPage) -> None:
    opened = open_page(page, java_script_enabled=False)
    expect(opened.locator(".side-by-side")).to_be_hidden()
