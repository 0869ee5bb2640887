"""Test accessibility: touch targets, zoom, reduced motion, languages, descriptions."""

import re
from collections.abc import Callable
from copy import copy
from pathlib import Path

import pytest
from book_pages import (
    CHAPTERS,
    CHINESE,
    DESK,
    DEVICES,
    ENGLISH,
    PAGES,
    PHONE,
    SEARCH,
    SharedPage,
    alternate_languages,
    default_device,
)
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from tools.notebooks import read

ParseHtml = Callable[[str], BeautifulSoup]
SOME = [ENGLISH[0], CHAPTERS[3], CHAPTERS[-1], SEARCH[1]]
CODE = "pre, code, script, style, template, .math, .terms"
WORDS = re.compile(r"[A-Za-z]{2,}(?:[ ,;:’'-]+[A-Za-z]{2,}){2,}")
UNNAMED = re.compile("Toggle|code cell|代码与输出")  # what the theme says by itself
HAN = re.compile(r"[\u3400-\u9fff]+")
# Touch targets that are too small; links within text and invisible elements are exempt.
SMALL = """() => {
  const inline = "p a, li p a, td a, dd a, dt a, figcaption a, .headerlink, .bd-article li > a";
  const touched =
    "a[href], button, select, summary, input, textarea, [role=button], label:has(input)";
  return [...document.querySelectorAll(touched)].flatMap((e) => {
    if (e.matches(inline) || !e.checkVisibility({ visibilityProperty: true })) return [];
    const area = e.closest("label, td") ?? e; // all of it leads to the field
    const { width, height, right, bottom } = area.getBoundingClientRect();
    if (right <= 0 || bottom + scrollY <= 0 || width <= 1) return []; // beside the screen
    return Math.min(width, height) < 43.5
      ? [`${e.outerHTML.slice(0, 120)} ${width.toFixed(0)} × ${height.toFixed(0)}`] : [];
  });
}"""
# Text that is cut off by a box that does not scroll.
CUT = """() => [...document.querySelectorAll("main *, header *")].flatMap((e) => {
  const style = getComputedStyle(e);
  const cuts = style.overflowX === "hidden" || style.overflowX === "clip";
  const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!cuts || !own || e.clientWidth < 2 || style.textOverflow === "ellipsis") return [];
  return e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1
    ? [e.outerHTML.slice(0, 160)] : [];
})"""
# Formulas that are cut off at the edge, in answers too.
CUT_FORMULAS = """() => {
  const folded = [...document.querySelectorAll("article details:not([open], [data-figure] *)")];
  for (const answer of folded) answer.open = true;
  const edge = ({ parentElement }) => parentElement.getBoundingClientRect().right + 1;
  const cut = [...document.querySelectorAll("article span.math .base")].filter(
    (part) => part.getBoundingClientRect().right
      > Math.min(edge(part.closest(".math")), part.closest("table") ? Infinity : innerWidth)
  );
  for (const answer of folded) answer.open = false;
  return cut.map((part) => part.textContent);
}"""
# Text spacing that readers may set themselves: WCAG 2.2, 1.4.12.
SPACING = """(on) => {
  const id = "text-spacing";
  if (!on) return document.getElementById(id).remove();
  const sheet = Object.assign(document.createElement("style"), { id, textContent: `
    * { line-height: 1.5 !important; letter-spacing: 0.12em !important;
        word-spacing: 0.16em !important; }
    p { margin-bottom: 2em !important; }` });
  document.head.append(sheet);
}"""
WIDTH = "document.documentElement.scrollWidth"
ROOT_SIZE = "size => { document.documentElement.style.fontSize = size; }"
MOTION = """() => [...document.querySelectorAll("*")].flatMap((e) => {
  const style = getComputedStyle(e);
  const seconds = (text) => Math.max(...text.split(",").map(parseFloat));
  const moves = (style.transitionProperty !== "none" && seconds(style.transitionDuration) > 0)
    || style.animationName !== "none" || style.scrollBehavior === "smooth";
  return moves ? [`${e.localName}.${e.className}`] : [];
})"""


@pytest.mark.parametrize("page", SOME)
def test_nothing_is_too_small_for_a_finger(page: str, shared_page: SharedPage) -> None:
    opened = shared_page(page, PHONE)
    opened.evaluate("document.activeElement?.blur()")  # the skip link is for the keyboard
    assert opened.evaluate(SMALL) == []
    sidebar, toggle = opened.locator(".bd-sidebar").first, opened.locator(".primary-toggle").first
    toggle.tap()
    expect(sidebar).to_be_in_viewport()
    assert opened.evaluate(SMALL) == []
    toggle.dispatch_event("click")  # which is below the sidebar now
    expect(sidebar).not_to_be_in_viewport()


@pytest.mark.parametrize("root", ["100%", "200%"])
@pytest.mark.parametrize("page", SOME)
def test_nothing_is_cut_off_when_all_is_twice_as_large(
    page: str, root: str, shared_page: SharedPage
) -> None:
    """1280 pixels at 200 % are 640; or only the text may be enlarged."""
    opened, usual = shared_page(page, DESK), DEVICES[DESK]["viewport"]
    width = usual["width"] // 2 if root == "100%" else usual["width"]
    opened.set_viewport_size({"width": width, "height": 512})
    opened.evaluate(ROOT_SIZE, root)
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.evaluate(CUT) == []
    opened.evaluate(ROOT_SIZE, "")
    opened.set_viewport_size(usual)


@pytest.mark.parametrize("page", alternate_languages(PAGES))
def test_a_page_and_its_formulas_fit_320_pixels(page: str, shared_page: SharedPage) -> None:
    """1280 pixels at 400 % are 320."""
    opened, usual = (
        shared_page(page, default_device(page)),
        DEVICES[default_device(page)]["viewport"],
    )
    opened.set_viewport_size({"width": 320, "height": 568})
    width, cut = opened.evaluate(WIDTH), opened.evaluate(CUT_FORMULAS)
    opened.evaluate(SPACING, True)
    spaced = opened.evaluate(WIDTH)
    opened.evaluate(SPACING, False)
    opened.set_viewport_size(usual)  # before any assert: other tests use the page
    assert width <= 320
    assert cut == []
    assert spaced <= 320, "with text spacing"


@pytest.mark.parametrize("page", SOME)
def test_nothing_moves_by_itself_for_those_who_want_no_motion(
    page: str, shared_page: SharedPage
) -> None:
    opened = shared_page(page, DESK)  # all tests request reduced motion
    assert opened.evaluate("document.getAnimations().length") == 0
    assert opened.evaluate(MOTION) == []


def _prose(html: BeautifulSoup, known: str) -> list[str]:
    """Return the paragraphs of a page without code, formulas, and elements with a `lang`."""
    article = copy(html.find("article") or html.main)
    for other in article.select(f"{CODE}, [lang]:not([lang|={known}])"):
        other.replace_with("\N{OBJECT REPLACEMENT CHARACTER}")
    blocks = article.select("p, li, h1, h2, h3, td, th, dt, dd, summary, caption")
    return [block.get_text() for block in blocks]


@pytest.mark.parametrize("page", CHINESE)
def test_english_sentences_on_chinese_pages_say_so(page: str, parse_html: ParseHtml) -> None:
    prose = _prose(parse_html(page), "zh")
    assert prose
    assert [found[0] for text in prose if (found := WORDS.search(text))] == []


@pytest.mark.parametrize("page", ENGLISH)
def test_chinese_words_on_english_pages_say_so(page: str, parse_html: ParseHtml) -> None:
    prose = _prose(parse_html(page), "en")
    assert prose
    assert [found[0] for text in prose if (found := HAN.search(text))] == []


def test_foreign_words_say_so(parse_html: ParseHtml) -> None:
    for language, foreign, words in (
        ("en", "fr", "Bonjour le monde."),
        ("zh", "en", "Open the window."),
    ):
        for page in (page for page in CHAPTERS if f"/{language}/" in page):
            said = [
                node.get_text() for node in parse_html(page).article.select(f"[lang={foreign}]")
            ]
            assert (words in said) == ("01-queries" in page), page


def test_every_page_has_a_title_and_a_description_of_its_own(parse_html: ParseHtml) -> None:
    heads = [parse_html(page) for page in PAGES]
    titles = [head.title.get_text() for head in heads]
    described = [head.select("meta[name=description]") for head in heads]
    about = [metas[0]["content"] for metas in described if len(metas) == 1]
    assert len(set(titles)) == len(set(about)) == len(PAGES)
    assert all(25 <= len(text) <= 160 for text in about)


@pytest.mark.parametrize("page", [*CHINESE, *ENGLISH, *SEARCH])
def test_title_and_description_are_in_the_language_of_the_page(
    page: str, parse_html: ParseHtml
) -> None:
    head = parse_html(page)
    chinese = head.html["lang"] == "zh-CN"
    about = head.select_one("meta[name=description]")["content"]
    for text in (head.title.get_text(), about):
        assert bool(HAN.search(text)) == chinese, text


@pytest.mark.parametrize("page", [*CHINESE, *ENGLISH])
def test_every_picture_says_what_it_shows_in_the_language_of_the_page(
    page: str, parse_html: ParseHtml
) -> None:
    for picture in parse_html(page).article.select("img"):
        assert len(picture["alt"]) > 15
        assert bool(HAN.search(picture["alt"])) == (page in CHINESE)
    assert [i for i in parse_html(page).article.select("object") if not i.get_text().strip()] == []


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_fold_is_called_what_it_asks(page: str, parse_html: ParseHtml) -> None:
    folds = parse_html(page).article.select("details > summary")
    assert folds
    assert [fold for fold in folds if fold.has_attr("aria-label")] == []
    asked = [fold.get_text() for fold in parse_html(page).article.select("details.hide > summary")]
    assert [text for text in asked if UNNAMED.search(text) or not text.strip()] == []
    solutions = [fold for fold in asked if re.search("Show the solution|显示解答", fold)]
    assert solutions
    cells = read(Path(page).with_suffix(".ipynb"))["cells"]
    code = [cell["id"] for cell in cells if cell["cell_type"] == "code"]
    assert len(solutions) == sum(cell.startswith("solution") for cell in code)


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_table_has_heads_with_words(page: str, parse_html: ParseHtml) -> None:
    assert [
        head for head in parse_html(page).article.select("th") if not head.get_text().strip()
    ] == []
