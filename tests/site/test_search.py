"""Search: what a reader types is found where it stands, in the language of the page."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from book_pages import CHINESE, ENGLISH, SEARCH, Visit
from playwright.sync_api import Browser, Locator, Page, Route

CHAPTER = "04-masked-softmax.html"
# Chinese words and parts of words, alone, before an English one and apart; and names in code.
CHINESE_QUERIES = ["掩蔽", "有效长度", "掩蔽softmax", "加性注意力", "度", "掩蔽 梯度", "valid_lens"]
# Exact, inflected, misspelt (the right page first), a name in code, and a beginning.
ENGLISH_QUERIES = ["masked softmax", "masking", "maskd sofmax", "length_mask", "masked softm"]
NOT_TEXT = ".headerlink, .cell_output, [role=tooltip], .math, script, noscript, summary"
# The field in sight holds the query, and its panel what the query finds.
FOUND = """(query) => {
  const field = [...document.querySelectorAll("[name=q]")].find((f) => f.checkVisibility());
  return field.value === query && field.form.nextElementSibling.ariaBusy === "false";
}"""
TEXTS = """async ({ pages, extras }) => {
  const read = async (page) => {
    const text = await (await fetch("/" + page)).text();
    const article = new DOMParser().parseFromString(text, "text/html").querySelector("article");
    article.querySelectorAll(extras).forEach((extra) => extra.remove());
    return [page, article.textContent.replace(/\\s+/g, "").toLowerCase()];
  };
  return Object.fromEntries(await Promise.all(pages.map(read)));
}"""

# Those of some links that lead to no section of their page.
DEAD = """async (links) => {
  const dead = async (link) => {
    const [page, section] = link.split("#");
    const text = await (await fetch("/" + page)).text();
    const found = new DOMParser().parseFromString(text, "text/html");
    return section && !found.getElementById(section) ? [link] : [];
  };
  return (await Promise.all(links.map(dead))).flat();
}"""


def _type(page: Page, query: str) -> Locator:
    """Type a query into the field in sight and return the panel with what it finds."""
    page.locator("[name=q]:visible").fill(query)
    page.wait_for_function(FOUND, arg=query.strip())
    return page.locator(".search-panel:visible")


def _links(panel: Locator) -> list[str]:
    script = "(links) => links.map((link) => new URL(link.href).pathname.slice(1) + link.hash)"
    return [unquote(link) for link in panel.locator(".search-pages a").evaluate_all(script)]


def _pages(panel: Locator) -> list[str]:
    script = "(links) => links.map((link) => new URL(link.href).pathname.slice(1))"
    return panel.locator(".search-pages > li > a").evaluate_all(script)


def _texts(opened: Page, pages: list[str]) -> dict[str, str]:
    """Return what of each page can be found, without any space and in small letters."""
    texts: dict[str, str] = opened.evaluate(TEXTS, {"pages": pages, "extras": NOT_TEXT})
    return texts


def test_the_site_has_one_index_and_nothing_of_the_search_it_replaced(site: Path) -> None:
    names = {path.name for path in site.rglob("*") if path.is_file()}
    assert "pagefind-entry.json" in names
    replaced = ("searchindex.js", "searchtools.js", "doctools.js", "pagefind-ui.js")
    assert [name for name in replaced if name in names] == []


def test_chinese_is_found_on_exactly_the_pages_that_have_it(visit: Visit) -> None:
    opened = visit(SEARCH[1])
    texts = _texts(opened, CHINESE)
    for query in CHINESE_QUERIES:
        words = re.findall(r"[\u4e00-\u9fff]+|\w+", re.sub(r"([a-z_]+)", r" \1 ", query))
        expected = {page for page, text in texts.items() if all(word in text for word in words)}
        assert expected
        panel = _type(opened, query)
        assert set(_pages(panel)) == expected, query
        assert panel.locator(".search-count").inner_text() == f"在 {len(expected)} 个页面中找到。"


def test_english_is_found_however_it_is_inflected_or_misspelt(visit: Visit) -> None:
    opened = visit(SEARCH[0])
    for query in ENGLISH_QUERIES:
        panel = _type(opened, query)
        pages = _pages(panel)
        assert set(pages) <= set(ENGLISH)
        assert pages[0] == ("book/en/api.html" if "_" in query else f"book/en/{CHAPTER}"), query


@pytest.mark.parametrize(
    ("page", "query", "mark", "title"),
    [
        (SEARCH[0], "padding", "pad", "Why there is padding"),
        (SEARCH[1], "注意力权重", "[注意力权重]", "7 · 对注意力权重做 dropout"),
    ],
)
def test_a_find_leads_to_a_section_and_shows_the_words_in_their_place(
    page: str, query: str, mark: str, title: str, visit: Visit
) -> None:
    opened = visit(page)
    panel = _type(opened, query)
    assert opened.evaluate(DEAD, _links(panel)) == []
    assert title in panel.locator("li a").all_inner_texts()
    marks = panel.locator("mark").all_inner_texts()
    assert marks
    assert [text for text in marks if not re.search(mark, text, re.IGNORECASE)] == []
    excerpts = panel.locator("li p").all_inner_texts()
    assert not any(re.search(r"[\u4e00-\u9fff，。] [\u4e00-\u9fff，。]", text) for text in excerpts)


def test_an_excerpt_is_what_the_page_says(visit: Visit) -> None:
    opened, page = visit(SEARCH[1]), f"book/zh/{CHAPTER}"
    panel = _type(opened, "整行都被掩蔽")
    section = panel.locator("ul > li", has_text="整行都被掩蔽").first
    excerpt = section.locator("p").inner_text()
    assert section.locator("mark").first.inner_text() == "整行都被掩蔽"
    body = excerpt.partition("。")[2]  # behind the heading
    assert len(body) > 20
    assert re.sub(r"\s", "", body) in _texts(opened, [page])[page]


@pytest.mark.parametrize(
    ("page", "query", "sentence"),
    [
        (SEARCH[0], "xylophone", "Nothing found for “xylophone”."),
        (SEARCH[1], "函评", "没有找到“函评”。"),
    ],
)
def test_what_is_not_there_is_not_found(page: str, query: str, sentence: str, visit: Visit) -> None:
    panel = _type(visit(page), query)
    assert panel.locator(".search-count").inner_text() == sentence
    assert panel.locator("a").count() == 0


def test_a_page_offers_what_the_other_language_has(visit: Visit) -> None:
    opened = visit(f"book/en/{CHAPTER}")
    opened.keyboard.press("Control+k")
    panel = _type(opened, "加性注意力")
    # the section that has the whole word, before those that have a part of it
    assert panel.locator("li li a").first.inner_text() == "5 · Additive attention"
    offer = panel.locator(".search-more a").last
    number = re.fullmatch(r"In Chinese: (\d+) pages", offer.inner_text())
    assert number
    offer.click()
    opened.wait_for_url("**/search-zh.html?q=*")
    opened.wait_for_function(FOUND, arg="加性注意力")
    assert len(_pages(opened.locator(".search-panel:visible"))) == int(number[1])
    opened.locator("a.language-switch").click()  # takes the query along
    opened.wait_for_url("**/search.html?q=*")
    opened.wait_for_function(FOUND, arg="加性注意力")


def test_the_dialog_is_used_by_keyboard_alone(visit: Visit) -> None:
    opened = visit(f"book/zh/{CHAPTER}")
    button = opened.locator(".search-button__button:visible").first
    button.focus()
    opened.keyboard.press("Enter")
    opened.keyboard.type("掩蔽")
    opened.wait_for_function(FOUND, arg="掩蔽")
    dialog = opened.locator(".search-button__search-container")
    links = dialog.locator(".search-pages a")
    assert len(_pages(dialog)) == 5
    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("ArrowDown")
    assert links.nth(1).evaluate("(link) => link === document.activeElement")
    opened.keyboard.press("ArrowUp")
    opened.keyboard.press("ArrowUp")
    assert dialog.locator("[name=q]").evaluate("(field) => field === document.activeElement")
    opened.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert button.evaluate("(button) => button === document.activeElement")
    opened.keyboard.press("Control+k")
    for _ in range(2):
        opened.keyboard.press("ArrowDown")
    hash = urlsplit(links.nth(1).get_attribute("href") or "").fragment
    opened.keyboard.press("Enter")  # a section of this very page
    opened.wait_for_url(f"**/{CHAPTER}#{hash}")
    assert not dialog.is_visible()


def test_letters_on_their_way_to_being_characters_are_no_query(visit: Visit) -> None:
    opened = visit(SEARCH[1])
    keyboard = opened.context.new_cdp_session(opened)
    step = {"selectionStart": 3, "selectionEnd": 3}
    keyboard.send("Input.imeSetComposition", {"text": "yan", **step})
    opened.wait_for_timeout(400)
    assert opened.locator(".search-count").last.text_content() == ""
    keyboard.send("Input.insertText", {"text": "掩蔽"})
    opened.wait_for_function(FOUND, arg="掩蔽")
    assert f"book/zh/{CHAPTER}" in _pages(opened.locator(".search-panel:visible"))


def test_on_a_phone_every_find_fits_and_can_be_touched(visit: Visit) -> None:
    opened = visit(f"book/en/{CHAPTER}", viewport={"width": 390, "height": 844})
    opened.locator(".search-button__button:visible").first.click()
    panel = _type(opened, "valid_lens")
    heights = [
        (box or {"height": 0})["height"]
        for box in map(Locator.bounding_box, panel.locator("a").all())
    ]
    assert min(heights) >= 44
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    assert panel.evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")


@pytest.mark.parametrize(
    ("page", "word"), [(SEARCH[0], "needs a server"), (SEARCH[1], "需要服务器")]
)
def test_from_disk_a_page_says_that_search_needs_a_server(
    page: str, word: str, visit: Visit
) -> None:
    opened = visit(f"{page}?q=softmax", from_disk=True)
    said = opened.locator(".search-panel:visible").inner_text()
    assert word in said
    assert "make serve" in said


@pytest.mark.parametrize("missing", ["search.js", "search_results.js", "pagefind.js", "wasm."])
def test_a_search_that_does_not_load_says_so(missing: str, browser: Browser, address: str) -> None:
    def refuse(route: Route) -> None:
        route.abort()

    opened = browser.new_page()
    opened.route(f"**/{missing}*", refuse)
    opened.goto(f"{address}{SEARCH[0]}?q=softmax")
    opened.locator(".search-failed:visible").wait_for()
    opened.close()
