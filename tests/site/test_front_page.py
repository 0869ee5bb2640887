"""Test the front page: its first screen, and the links to every chapter."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from book_pages import CHINESE, ENGLISH, OpenPage
from bs4 import BeautifulSoup
from playwright.sync_api import expect

from attention_course import thread
from tools.pictures import FOLDER, PICTURES, draw

_NUMBER = re.compile(r"-?\d+\.?\d*")
ParseHtml = Callable[[str], BeautifulSoup]
FRONT = {"en": "book/en/index.html", "zh": "book/zh/index.html"}
CHAPTERS = {
    lang: [page for page in pages if re.search(r"/\d\d-", page)]
    for lang, pages in (("en", ENGLISH), ("zh", CHINESE))
}
languages = pytest.mark.parametrize("lang", FRONT)
SCREENS = [{"width": 1280, "height": 900}, {"width": 390, "height": 844}]


@languages
@pytest.mark.parametrize("viewport", SCREENS, ids=["desk", "phone"])
def test_the_first_screen_has_the_way_in_and_something_to_drag(
    lang: str, viewport: dict[str, int], open_page: OpenPage
) -> None:
    page = open_page(FRONT[lang], viewport=viewport)
    start = page.locator("article p > strong > a").first
    assert start.get_attribute("href") == Path(CHAPTERS[lang][0]).name
    handle = page.locator("[data-figure] [data-handle]").first
    screens = 1 if viewport["width"] > 1000 else 1.5
    for part in (start, handle):
        box = part.bounding_box()
        assert box
        assert box["y"] + box["height"] <= screens * viewport["height"]


def test_the_way_in_leads_to_where_a_reader_goes_on(
    parse_html: ParseHtml, open_page: OpenPage
) -> None:
    (placeholder,) = parse_html(FRONT["zh"]).select("[data-progress-of=book] script")
    figures = {one["slug"]: one["all"]["figure"] for one in json.loads(placeholder.text)}
    slugs = [*figures]
    begun = {slugs[0]: {"figure": figures[slugs[0]]}, slugs[1]: {"figure": figures[slugs[1]][:1]}}
    done = begun | {slugs[8]: {"figure": figures[slugs[8]]}}
    finished = {slugs[-1]: {"figure": figures[slugs[-1]]}}
    page = open_page(FRONT["zh"], viewport=SCREENS[1])
    start = page.locator("article p > strong > a").first
    for record, chapter in [(begun, 1), (done, 9), (finished, 12), ({}, 0)]:
        page.evaluate("(record) => localStorage.setItem('progress', record)", json.dumps(record))
        page.reload()
        text = f"接着读第 {chapter + 1} 章" if record else "从第 1 章开始"
        expect(start).to_have_text(text)
        assert start.get_attribute("href") == f"{slugs[chapter]}.html"


@languages
def test_another_score_finds_another_word(lang: str, open_page: OpenPage) -> None:
    page = open_page(FRONT[lang], viewport=SCREENS[0])
    page.locator("[data-skip]").click()
    sentence = page.locator("[data-sentence]")
    before = sentence.inner_text()
    page.locator('[data-control="score.gaussian"]').click()
    expect(sentence).not_to_have_text(before)
    pronoun = thread.words(lang=lang).pronoun
    assert page.locator(f'[data-at="0,0,{pronoun}"]').inner_text() == "0.79"  # itself, by distance


@languages
def test_every_chapter_has_a_picture_and_a_line(lang: str, parse_html: ParseHtml) -> None:
    rows = [item for item in parse_html(FRONT[lang]).select("article li") if item.img]
    assert [row.a["href"] for row in rows] == [Path(page).name for page in CHAPTERS[lang]]
    assert all(row.img and row.get_text().strip() for row in rows)
    assert len(rows) == len(PICTURES)


def numbers(svg: str) -> list[float]:
    """Return the numbers of a picture, without those in names of its parts."""
    return [float(x) for x in _NUMBER.findall(re.sub(r"#?\b[a-z]*[0-9a-f]{10}\b", "", svg))]


def test_the_pictures_are_those_that_are_drawn() -> None:
    stored = [(FOLDER / f"{number:02}.svg").read_text("utf-8") for number in PICTURES]
    assert [numbers(text) for text in stored] == [
        pytest.approx(numbers(draw(picture)), abs=0.01) for picture in PICTURES.values()
    ]
    assert len([*FOLDER.iterdir()]) == len(PICTURES)
