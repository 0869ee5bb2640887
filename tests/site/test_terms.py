"""Test that glossary terms in running text show their definition and their translation."""

import re
from collections.abc import Callable
from copy import copy
from pathlib import Path

import pytest
import yaml
from book_pages import CHAPTERS, ROOT, OpenPage
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Locator, Page, expect

ParseHtml = Callable[[str], BeautifulSoup]

PAGES = ["book/en/04-masked-softmax.html", "book/zh/04-masked-softmax.html"]
LANGUAGES = {"en": "zh-CN", "zh": "en"}
NOT_RUNNING = ["h1", "h2", "h3", "a", "code", "strong", "em", "table", "summary", ".math", ".cell"]


def _language(page: str) -> str:
    return page.split("/")[1]


def _tips(language: str) -> dict[str, tuple[str, str]]:
    """Return what each term shows: its definition without formulas, and the translation."""
    terms = yaml.safe_load((ROOT / "book/glossary.yml").read_text(encoding="utf-8"))["terms"]
    (other,) = {"en", "zh"} - {language}
    found: dict[str, tuple[str, str]] = {}
    for term in terms:
        meaning = re.sub(r"\$[^$]+\$|`", "", term[f"meaning_{language}"])
        own = term[other] if term[other].casefold() != term[language].casefold() else ""
        found |= {_stem(x): (meaning, own) for x in re.split("[（）]", term[language]) if x}
    return found


def _stem(word: str) -> str:
    return re.sub(r"(?:y|ies|[ie]s|es|s|e)$", "", re.sub(r"\s+", "", word.casefold()))


def _parts(term: Tag) -> tuple[str, str]:
    word, tip = term.select_one("[tabindex]"), term.select_one("[role=tooltip]")
    assert word["aria-describedby"] == tip["id"]
    return word.text, tip.text


@pytest.mark.parametrize("page", PAGES)
def test_a_term_shows_what_the_glossary_says(page: str, parse_html: ParseHtml) -> None:
    tips = _tips(_language(page))
    terms = parse_html(page).select(".term")
    assert terms
    for term in terms:
        word, _ = _parts(term)
        meaning, counterpart = tips[_stem(word)]
        tip = copy(term.select_one("[role=tooltip]"))
        other = tip.select_one("b[lang]")
        assert (other.text if other else "") == counterpart
        assert not other or other["lang"] == LANGUAGES[_language(page)]
        assert _stem(word) in map(_stem, re.split("[（）]", tip.select_one("b.own").text))
        for part in tip.select("b, .math"):
            part.decompose()
        assert tip.text.strip() == meaning


@pytest.mark.parametrize("page", PAGES)
def test_a_term_is_marked_once_in_a_section_and_in_running_text(
    page: str, parse_html: ParseHtml
) -> None:
    for section in parse_html(page).select("section > section:has(> h2)"):
        shown = [_parts(term)[1] for term in section.select(".term")]
        assert len(shown) == len(set(shown))
    assert parse_html(page).select(", ".join(f"{place} .term" for place in NOT_RUNNING)) == []


@pytest.mark.parametrize("page", PAGES)
def test_the_tab_key_stops_at_a_term_once_on_a_page(page: str, parse_html: ParseHtml) -> None:
    terms = parse_html(page).select(".term")
    stops = [_parts(term)[1] for term in terms if term.select_one('[tabindex="0"]')]
    assert len(stops) == len(set(stops)) < len(terms)
    assert list(dict.fromkeys(_parts(term)[1] for term in terms)) == stops
    assert len(terms) - len(stops) == sum(len(term.select('[tabindex="-1"]')) for term in terms)


@pytest.mark.parametrize("page", PAGES)
def test_it_is_the_first_that_is_marked(page: str, parse_html: ParseHtml) -> None:
    section = parse_html(page).select_one("section > section:has(> h2)")
    assert section
    paragraphs = section.find_all("p")
    (term,) = [t for t in section.select(".term") if _parts(t)[1].split()[-1] in ("batch", "批量")]
    word = _parts(term)[0]
    containing = [paragraph for paragraph in paragraphs if word in paragraph.text]
    assert term in containing[0].select(".term")
    before = [part for part in term.previous_siblings if part.name != "span"]  # no other tooltip
    assert not any(word in part.text for part in before)


def test_the_longest_term_wins_and_words_within_others_are_none(site: Path) -> None:
    whole = re.compile(r'aria-describedby="[^"]+">([^<]+)</span>')
    english, chinese = set(), set()
    for page in CHAPTERS:
        html = (site / page).read_text(encoding="utf-8")
        marked = chinese if "/zh/" in page else english
        marked.update(" ".join(word.casefold().split()) for word in whole.findall(html))
        assert not re.search(r'(?:均|数|绝对)<span class="term">[^>]+>值<', html)
        assert not re.search(r'[关按]<span class="term">[^>]+>键<', html)
        assert not re.search(r'\w<span class="term">', html) or "/zh/" in page
    assert {"masked softmax", "attention weights", "queries", "hypotheses"} <= english
    assert {"注意力", "注意力权重", "掩蔽 softmax", "值", "键"} <= chinese


def test_a_plain_word_is_no_term_before_its_chapter(parse_html: ParseHtml) -> None:
    early = {
        _parts(term)[0] for term in parse_html("book/zh/03-scoring-functions.html").select(".term")
    }
    late = {
        _parts(t)[0] for t in parse_html("book/zh/09-decomposable-attention.html").select(".term")
    }
    assert not {"比较", "假设", "前提"} & early
    assert {"比较", "假设", "前提"} <= late


def _tip(term: Locator) -> Locator:
    return term.locator("[role=tooltip]")


@pytest.mark.parametrize("page", PAGES)
def test_a_term_answers_to_focus_and_pointer_and_is_dismissed(
    page: str, open_page: OpenPage
) -> None:
    opened = open_page(page)
    term = opened.locator("p .term").first
    expect(opened.locator("[role=tooltip]").locator("visible=true")).to_have_count(0)
    _answers_to_focus(opened, term)
    term.hover()
    expect(_tip(term)).to_be_visible()
    _tip(term).hover()  # the pointer can reach the tooltip
    expect(_tip(term)).to_be_visible()
    opened.keyboard.press("Escape")
    expect(_tip(term)).to_be_hidden()
    opened.mouse.move(0, 0)
    term.hover()
    expect(_tip(term)).to_be_visible()


def _answers_to_focus(page: Page, term: Locator) -> None:
    word = term.locator("[tabindex]")
    word.focus()
    expect(_tip(term)).to_be_visible()
    expect(word).to_have_accessible_description(_tip(term).inner_text())
    page.keyboard.press("Escape")
    expect(_tip(term)).to_be_hidden()
    expect(word).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(_tip(term)).to_be_visible()
    page.keyboard.press("Tab")
    expect(_tip(term)).to_be_hidden()


def test_after_a_tap_the_name_of_a_button_does_not_cover_the_page(open_page: OpenPage) -> None:
    size = {"width": 390, "height": 844}
    page = open_page(PAGES[1], viewport=size, has_touch=True, is_mobile=True)
    page.locator(".theme-switch-button:visible").first.tap()
    tip = page.locator("body > .tooltip")
    expect(tip).to_have_count(1)  # of the theme, which keeps it until something else is tapped
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_tap_shows_the_counterpart_within_a_phones_screen(
    script: bool, open_page: OpenPage
) -> None:
    size = {"width": 390, "height": 844}
    opened = open_page(PAGES[1], viewport=size, has_touch=True, java_script_enabled=script)
    terms = opened.locator("section > p .term")
    for term in terms.all()[:8] if script else [terms.first]:
        term.locator("[tabindex]").tap()
        expect(_tip(term)).to_be_visible()
        box = _tip(term).bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert not script or opened.evaluate("document.documentElement.scrollWidth") == 390
