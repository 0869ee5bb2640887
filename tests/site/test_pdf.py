"""Test the book on paper with one chapter and the bibliography, in each language."""

import io
import json
import re
from collections.abc import Iterator
from copy import copy
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pikepdf
import pytest
import torch
from book_pages import BOOK
from bs4 import Tag
from playwright.sync_api import Browser
from pypdf import PdfReader
from pypdf.generic import Destination

from attention_lib import masked_softmax
from book.site.languages import ENGLISH, LANGUAGES, Language
from tools import limits
from tools.pdf import __main__ as command
from tools.pdf import printing
from tools.pdf.book import ABOUT, CONTENTS, Edition
from tools.pdf.part import ANSWERS, QUESTION, as_part

NAMES = ("04-masked-softmax", "bibliography")
BOTH = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
pytestmark = pytest.mark.xdist_group("pdf")
Reader = Any  # a fixture that returns the PDF of a language


@pytest.fixture(scope="module")
def reader(browser: Browser, site: Path, address: str) -> Reader:
    @cache
    def reader(language: Language) -> PdfReader:
        pages = [f"{language.folder}{name}.html" for name in NAMES]
        pdf = printing.print_pages(browser, site, address.rstrip("/"), language, pages)
        assert len(pdf) < limits.PDF * 1e6 / 8  # there are 13 chapters
        return PdfReader(io.BytesIO(pdf))

    return reader


@pytest.fixture
def chapter(parse_html: Any, language: Language) -> Tag:
    return parse_html(f"{language.folder}{NAMES[0]}.html").article


def letters(text: str) -> str:
    """Return a text without what depends on where lines break."""
    return re.sub(r"\s", "", text)


def _without_tooltips(part: Tag) -> str:
    shown = copy(part)
    for extra in shown.select("[role=tooltip]"):
        extra.decompose()
    return shown.get_text()


def printed(reader: PdfReader) -> list[str]:
    return [letters(page.extract_text()) for page in reader.pages]


def entries(outline: list[Any], depth: int = 1) -> Iterator[tuple[int, Destination]]:
    for entry in outline:
        if isinstance(entry, list):
            yield from entries(entry, depth + 1)
        else:
            yield depth, entry


@BOTH
def test_the_outline_has_chapters_and_their_sections(
    language: Language, reader: Reader, chapter: Tag
) -> None:
    found = [(depth, entry.title) for depth, entry in entries(reader(language).outline)]
    titles = [
        (int(tag.name[1]), " ".join(tag.get_text().removesuffix("#").split()))
        for tag in chapter.select("h1, h2, h3")
    ]
    titles[0] = (1, f"4 · {titles[0][1]}")
    start = found.index(titles[0])
    assert found[0] == (1, Edition.of(language, "").said(CONTENTS))
    assert found[start : start + len(titles)] == titles
    assert found[start + len(titles)][1] == Edition.of(language, "").said(ANSWERS)


@BOTH
def test_pages_have_their_numbers_and_the_contents_name_them(
    language: Language, reader: Reader
) -> None:
    pdf = reader(language)
    cover, *others = (page.extract_text() for page in pdf.pages)
    for number, text in enumerate(others, 2):
        assert str(number) in text.splitlines()[:2]
    edition = Edition.of(language, "")
    for said in (edition.title, edition.date[:10], edition.said(ABOUT), "CC BY 4.0"):
        assert letters(said) in letters(cover)
    for depth, entry in entries(pdf.outline[1:]):
        page = pdf.get_destination_page_number(entry) + 1
        line = letters(f"{entry.title}{page}")
        assert (line in letters(others[0])) == (depth < 3)
        assert letters(entry.title) in letters(others[page - 2])


@BOTH
def test_links_lead_into_the_book_or_to_the_web(language: Language, reader: Reader) -> None:
    pdf = reader(language)
    within, web = 0, set()
    for page in pdf.pages:
        for note in page.annotations or []:
            if note["/Subtype"] != "/Link":
                continue
            if "/Dest" in note:
                assert note["/Dest"] in pdf.named_destinations
                within += 1
            else:
                web.add(note["/A"]["/URI"])
    assert within > 50
    assert any("arxiv.org" in url for url in web)
    assert not [url for url in web if not url.startswith("https://")]
    assert not [url for url in web if "127.0.0.1" in url]


@BOTH
def test_questions_stand_at_figures_and_answers_at_the_end(
    language: Language, reader: Reader, chapter: Tag
) -> None:
    pages, pdf = printed(reader(language)), reader(language)
    place = pdf.named_destinations[f"/{NAMES[0]}--answers"]
    end = pdf.get_destination_page_number(place)
    head, tail = (
        pdf.pages[end].extract_text().split(f"\n{Edition.of(language, '').said(ANSWERS)}\n")
    )
    before = "".join(pages[2:end]) + letters(head)
    after = letters(tail) + "".join(pages[end + 1 :])
    asked = [json.loads(tag.text) for tag in chapter.select("[data-ask]")]
    assert len(asked) > 5
    for number, question in enumerate(asked, 1):
        name = letters(Edition.of(language, "").said(QUESTION).format(number))
        plain = [letters(re.sub(r"[*`]", "", question[key])) for key in ("text", "because")]
        assert name in before
        assert name in after
        assert plain[0][-8:] in before
        assert plain[1][-25:] not in before
        assert plain[1][-25:] in after
        for option in question.get("options", []):
            assert letters(option) in before
    for solution in chapter.select("[id^=solution] .highlight"):
        assert letters(solution.get_text())[:40] not in before
        assert letters(solution.get_text())[:40] in after


@BOTH
def test_a_figure_covers_what_answers_its_question(
    language: Language, reader: Reader, chapter: Tag
) -> None:
    kinds = [str(figure["data-kind"]) for figure in chapter.select("[data-figure]")]
    place = f"/{NAMES[0]}--question-{kinds.index('masked_softmax') + 1}"
    pdf = reader(language)
    page = pdf.pages[pdf.get_destination_page_number(pdf.named_destinations[place])]
    numbers = page.extract_text().split()
    weights = masked_softmax(torch.tensor([[[0.8, 0.2, 0.9, 0.4]]]), torch.tensor([2]))[0, 0]
    assert "0.80" in numbers  # a masked score
    assert f"{weights[0]:.2f}" not in numbers


@BOTH
def test_text_can_be_copied_and_fonts_are_inside(
    language: Language, reader: Reader, chapter: Tag
) -> None:
    pdf = reader(language)
    text = "".join(printed(pdf))
    assert not re.search(r"[\u2e80-\u2fdf]", text)  # radicals instead of characters
    items = chapter.select("#en-summary ~ ul li, #zh-summary > ul li")
    sentences = [_without_tooltips(item) for item in items if not item.select(".katex")]
    assert len(sentences) > 2
    assert [sentence for sentence in sentences if letters(sentence) not in text] == []
    for page in pdf.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            for part in font.get("/DescendantFonts", [font]):
                inside = part.get_object().get("/FontDescriptor", {})
                assert font["/Subtype"] == "/Type3" or {"/FontFile2", "/FontFile3"} & set(inside)


@BOTH
def test_the_properties_tell_title_language_and_date_of_the_commit(
    language: Language, reader: Reader
) -> None:
    pdf = reader(language)
    assert pdf.metadata.title == language.title
    assert pdf.root_object["/Lang"] == language.tag
    assert pdf.root_object["/MarkInfo"]["/Marked"]
    date = Edition.of(language, "").date
    assert pdf.metadata.creation_date.isoformat()[:10] <= date[:10]


def test_a_link_to_a_page_that_is_not_printed_leads_to_the_site_or_is_text() -> None:
    html = """<article><h1>Title</h1><a href="b.html#x">b</a> <a href="https://c.org/">c</a>
      <a href="#y">y</a><svg id="y"><use href="#z"/><path style="fill: url(#z)"/></svg></article>"""
    pages = ["book/en/a.html"]
    for url, target in (("", None), ("https://a.org/", "https://a.org/book/en/b.html#x")):
        link = partial(printing.link, pages=pages, url=url)
        part = as_part(pages[0], html, {}, "en", link)
        found = {a.get_text(): a["href"] for a in part.select("a")}
        assert found == {"c": "https://c.org/", "y": "#a--y"} | ({"b": target} if target else {})
        assert part.svg["id"] == "a--y"
        assert part.use["href"] == "#a--z"
        assert part.path["style"] == "fill: url(#a--z)"


def test_a_link_that_leads_nowhere_is_refused() -> None:
    pdf, written = pikepdf.new(), io.BytesIO()
    page = pdf.add_blank_page()
    action = pikepdf.Dictionary(S=pikepdf.Name.URI, URI="http://127.0.0.1:1/on-paper.html#gone")
    page.Annots = pikepdf.Array([pikepdf.Dictionary(Subtype=pikepdf.Name.Link, A=action)])
    pdf.save(written)
    with pytest.raises(RuntimeError, match=r"should lead somewhere.*gone"):
        printing.finished(written.getvalue(), Edition(ENGLISH, "", ""))


def test_a_book_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "print_pages", lambda *_: bytes(limits.PDF * 10**6 + 1))
    with pytest.raises(RuntimeError, match=f"at most {limits.PDF} MB"):
        printing.print_language(None, tmp_path, "", ENGLISH, tmp_path / "book.pdf")
    assert list(tmp_path.iterdir()) == []


def test_an_old_chromium_is_refused(tmp_path: Path) -> None:
    old = SimpleNamespace(version=f"{printing.OLDEST - 1}.0.6723.58")
    with pytest.raises(RuntimeError, match=f"Chromium {printing.OLDEST} or newer; got"):
        printing.print_pages(old, tmp_path, "", ENGLISH, [])


@pytest.mark.parametrize(("chromium", "said"), [(None, "needs Chromium"), ("/it", "needs fonts")])
def test_what_is_missing_is_said_in_one_line(
    chromium: str | None,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "is_built", lambda _: True)
    monkeypatch.setattr(command, "find_chromium", lambda: chromium)
    monkeypatch.setattr(command, "has_fonts", lambda: False)
    assert command.main() == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_the_whole_book_has_all_its_pages_in_order() -> None:
    assert [page for language in LANGUAGES for page in printing.pages_of(language)] == BOOK
