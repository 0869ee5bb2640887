"""Test the languages: the switch, the remembered choice, and the interface of each page."""

import re

import pytest
from book_pages import (
    BOOK,
    CHAPTERS,
    CHINESE,
    ENGLISH,
    ROOT_PAGE,
    SEARCH,
    OpenPage,
    SharedPage,
    default_device,
    translation,
)

MARKS = "article [id^=en-], article [id^=zh-], article [id^=figure-]"
CLOSED = """Object.defineProperty(window, "localStorage", {
  configurable: true,
  get() { throw new DOMException("closed", "SecurityError"); },
});"""
# The places of a page that can be scrolled to, and the link of the language switch at each.
SWITCHED = """(marks) => {
  const link = document.querySelector("a.language-switch");
  const stay = (event) => event.preventDefault();
  addEventListener("click", stay, { capture: true });
  const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop);
  const links = [...document.querySelectorAll(marks)].slice(1).flatMap((mark) => {
    mark.scrollIntoView();
    const here = mark.getBoundingClientRect().top;  // and there may be other labels of the same
    const all = [...document.querySelectorAll(marks)]
      .filter((other) => Math.abs(other.getBoundingClientRect().top - here) < 2);
    const reached = mark.getBoundingClientRect().top < top + 8;
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return reached ? [[all.map(({ id }) => id), link.href]] : [];
  });
  removeEventListener("click", stay, { capture: true });
  return links;
}"""
# The interface strings of a page: outside its text, and in labels within it.
INTERFACE = """() => {
  const foreign = "pre, code, script, style, noscript, .math, .language-switch";
  const labels = "button, summary, label, legend, option, caption, .admonition-title, .prompt";
  const own = (e) => !e.closest(foreign) && (!e.closest("article") || e.closest(labels));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const said = [];
  while (walker.nextNode()) {
    if (own(walker.currentNode.parentElement)) said.push(walker.currentNode.data.trim());
  }
  for (const name of ["title", "aria-label", "placeholder", "alt", "data-bs-original-title"]) {
    // A number that is dragged in a line of code has the code's name.
    for (const e of document.querySelectorAll(`[${name}]:not(.dragged)`))
      said.push(e.getAttribute(name));
  }
  return said.filter((text) => text);
}"""
ENGLISH_WORDS = re.compile(
    r"\b(back|click|code|contents|copied|copy|dark|download|error|example|fullscreen|hide|home"
    r"|hint|keyboard|light|link|main|menu|navigation|next|note|page|permalink|previous|print|reset"
    r"|search|section|show|sidebar|skip|solution|source|step|tip|toggle|top|warning)\b",
    re.IGNORECASE,
)
# The texts of plots and the names of controls in figures.
DRAWN = """() => [
  ...document.querySelectorAll("[data-figure] :is(.plot text, label > :first-child)"),
].map((part) => part.textContent)"""
ENGLISH_IN_PLOTS = re.compile(
    r"\b(attention_weights|draw|hypothesis|keys?|max|mean|output|pair|premise|quer(y|ies)|scores?"
    r"|steps?|temperature|values?|weights?)\b"
)


@pytest.mark.parametrize("page", [page for page in CHAPTERS if page in CHINESE])
def test_chinese_figures_name_axes_and_controls_in_chinese(
    page: str, shared_page: SharedPage
) -> None:
    drawn = shared_page(page, default_device(page)).evaluate(DRAWN)
    assert drawn
    assert [text for text in drawn if ENGLISH_IN_PLOTS.search(text)] == []


@pytest.mark.parametrize("page", BOOK)
def test_the_switch_keeps_the_place(page: str, shared_page: SharedPage) -> None:
    links = shared_page(page, default_device(page)).evaluate(SWITCHED, MARKS)
    assert links
    for places, link in links:
        assert link.endswith(
            tuple(f"{translation(page)}#{_translated_place(place)}" for place in places)
        )


@pytest.mark.parametrize("page", [ENGLISH[0], CHAPTERS[3], CHINESE[-1]])
def test_the_switch_arrives_at_the_place(page: str, open_page: OpenPage) -> None:
    opened = open_page(page, viewport={"width": 800, "height": 300})
    place = opened.locator(MARKS).last.get_attribute("id")
    opened.evaluate("(id) => document.getElementById(id).scrollIntoView()", place)
    opened.locator("a.language-switch").click()
    opened.wait_for_url(f"**/{translation(page)}#{_translated_place(place)}")
    top = "document.querySelector(location.hash).getBoundingClientRect().top"
    opened.wait_for_function(f"0 <= {top} && {top} < innerHeight")


def _translated_place(place: str) -> str:
    swapped = {"en": "zh", "zh": "en"}
    prefix, _, rest = place.partition("-")
    return f"{swapped.get(prefix, prefix)}-{rest}"


@pytest.mark.parametrize(
    ("start", "locale", "home"),
    [
        (ROOT_PAGE, "en-GB", ENGLISH[0]),
        (ROOT_PAGE, "zh-TW", CHINESE[0]),
        (ROOT_PAGE, "fr-FR", ENGLISH[0]),
        ("index.html", "zh-CN", CHINESE[0]),
    ],
)
def test_the_root_page_goes_to_the_readers_language(
    start: str, locale: str, home: str, open_page: OpenPage
) -> None:
    opened = open_page(start, locale=locale)
    opened.wait_for_url(f"**/{home}")


@pytest.mark.parametrize("from_disk", [False, True], ids=["server", "disk"])
def test_the_root_page_remembers_the_choice(from_disk: bool, open_page: OpenPage) -> None:
    opened = open_page(ENGLISH[0], from_disk=from_disk, locale="en-GB")
    root = opened.url.replace(ENGLISH[0], ROOT_PAGE)
    opened.locator("a.language-switch").click()
    opened.wait_for_url(f"**/{CHINESE[0]}*")
    # Another process writes what a page stores; this page sees it once it is written.
    opened.wait_for_function("localStorage.stored('language')?.startsWith('zh')")
    opened.goto(root)
    opened.wait_for_url(f"**/{CHINESE[0]}")


def test_a_reader_whose_browser_stores_nothing_gets_everything_else(open_page: OpenPage) -> None:
    opened = open_page(ROOT_PAGE, before=CLOSED, locale="zh-CN")
    opened.wait_for_url(f"**/{CHINESE[0]}")
    opened.locator("a.language-switch").click()
    opened.wait_for_url(f"**/{ENGLISH[0]}*")
    opened.locator(".theme-switch-button:visible").click()


@pytest.mark.parametrize("page", [*CHINESE, SEARCH[1]])
def test_a_chinese_page_has_a_chinese_interface(page: str, shared_page: SharedPage) -> None:
    said = shared_page(page, default_device(page)).evaluate(INTERFACE)
    assert "跳到正文" in said
    named = [
        re.sub(r"[\w/-]+\.html", "", text) for text in said
    ]  # a file has the same name in both languages
    assert [text for text in named if ENGLISH_WORDS.search(text)] == []


@pytest.mark.parametrize("page", [*ENGLISH, SEARCH[0]])
def test_an_english_page_has_an_english_interface(page: str, shared_page: SharedPage) -> None:
    said = shared_page(page, default_device(page)).evaluate(INTERFACE)
    assert "Skip to main content" in said
    assert [text for text in said if re.search(r"[\u4e00-\u9fff]", text)] == []
