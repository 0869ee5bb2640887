"""Test the generated pages: complete, with working links."""

import inspect
import re
from collections.abc import Callable
from importlib import import_module
from urllib.parse import urljoin

import pytest
from book_pages import CHAPTERS, CHINESE, ENGLISH, ROOT, OpenPage
from bs4 import BeautifulSoup, Tag

from attention_course.exercises import EXERCISES

ParseHtml = Callable[[str], BeautifulSoup]

LANGUAGES = {"en": ENGLISH, "zh": CHINESE}
MODULES = [
    "attention_lib",
    "attention_figures",
    *(f"attention_course.{m}" for m in ("dates", "exercises", "exercises.ask", "nli")),
]


def _page(language: str, name: str) -> str:
    return f"book/{language}/{name}.html"


def _links(page: str, article: Tag) -> list[str]:
    return [urljoin(page, link["href"]) for link in article.find_all("a", href=True)]


def _chapters(language: str) -> list[str]:
    return [page for page in CHAPTERS if page in LANGUAGES[language]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bibliography_holds_every_work_once(language: str, parse_html: ParseHtml) -> None:
    source = (ROOT / "book/references.bib").read_text(encoding="utf-8")
    works = re.findall(r"^@\w+\{(\w+),$", source, re.MULTILINE)
    page = parse_html(_page(language, "bibliography"))
    shown = [place["id"] for place in page.select(f"[id^={language}-bib-]")]
    assert works
    assert sorted(shown) == sorted(f"{language}-bib-{work}" for work in works)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_work_leads_back_to_the_pages_that_cite_it(language: str, parse_html: ParseHtml) -> None:
    bibliography = _page(language, "bibliography")
    cited = {
        (link.split("#")[1], page)
        for page in LANGUAGES[language]
        for link in _links(page, parse_html(page).article)
        if link.startswith(f"{bibliography}#{language}-bib-")
    }
    told = {
        (work["id"], link)
        for work in parse_html(bibliography).select(f"[id^={language}-bib-]")
        for link in _links(bibliography, work)
        if link.startswith("book/")
    }
    assert told == cited


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_names_its_sources(page: str, parse_html: ParseHtml) -> None:
    (sources,) = parse_html(page).select("section:has(> [id$=-sources])")
    assert [link for link in _links(page, sources) if "/bibliography.html#" in link]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_api_page_documents_every_public_name(language: str, parse_html: ParseHtml) -> None:
    names = [f"{module}.{name}" for module in MODULES for name in import_module(module).__all__]
    for module in ("attention_lib.scores", "attention_lib.kernels"):
        functions = inspect.getmembers(import_module(module), inspect.isfunction)
        names += [f"{module}.{n}" for n, f in functions if f.__module__ == module and n[0] != "_"]
    headings = parse_html(_page(language, "api")).select("h3 code")
    shown = [heading.text for heading in headings]
    assert sorted(shown) == sorted(name.removeprefix("attention_lib.") for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_api_page_has_signature_and_docstring_in_english(
    language: str, parse_html: ParseHtml
) -> None:
    entries = parse_html(_page(language, "api")).select("section:has(> h3)")
    assert entries
    for entry in entries:
        assert entry.select(".docstring[lang=en] pre"), entry.h3.text
        own = [p.text for p in entry.find_all("p", recursive=False)]
        assert language == "en" or any(re.search(r"[\u4e00-\u9fff]", text) for text in own)


def test_a_signature_is_spelt_as_in_the_source(parse_html: ParseHtml) -> None:
    entry = parse_html(_page("en", "api")).select_one("section:has(> #en-api-masked-softmax)")
    assert entry
    signature = "masked_softmax(\n    X: Tensor,\n    valid_lens: Tensor | None,\n) -> Tensor\n"
    assert entry.pre.text == signature


def test_a_dataclass_is_spelt_by_its_fields(parse_html: ParseHtml) -> None:
    entry = parse_html(_page("en", "api")).select_one(
        "section:has(> #en-api-attention-course-exercises-verdict)"
    )
    assert entry
    fields = ["passed: bool", "words: tuple[Text, ...]", "mistakes: tuple[str, ...] = ()"]
    lines = [f"    {field},\n" for field in [*fields, "lang: str = 'en'"]]
    assert entry.pre.text == f"Verdict(\n{''.join(lines)})\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exercise_is_listed_with_its_solution(language: str, parse_html: ParseHtml) -> None:
    page = _page(language, "solutions")
    listed = [link for link in _links(page, parse_html(page).article) if "-exercise-" in link]
    there = []
    for chapter in _chapters(language):
        (section,) = parse_html(chapter).select("section:has(> [id$=-exercises])")
        for start in section.select("p > strong"):
            if number := re.match(r"\d+(?=\. )", start.text):
                place = start.parent["id"]
                assert place.endswith(f"-exercise-{number[0]}")
                there += [f"{chapter}#{place}", f"{chapter}#solution-{place}"]
    assert there
    assert sorted(listed) == sorted(there)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lecture_page_maps_every_exercise_to_an_objective(
    language: str, parse_html: ParseHtml
) -> None:
    page = _page(language, "lecture")
    (place,) = parse_html(page).select(f"#{language}-lecture-objectives")
    section = place if place.name == "section" else place.find_parent("section")
    assert section
    rows = section.select("tbody tr")
    chapters = [row.td.text for row in rows if row.td and row.td.text.strip()]
    assert chapters == [str(number + 1) for number in range(len(_chapters(language)))]
    mapped = {link for link in _links(page, section) if "-exercise-" in link}
    solutions = parse_html(_page(language, "solutions")).article
    listed = {link for link in _links(page, solutions) if "-exercise-" in link}
    assert mapped == {link for link in listed if "#solution-" not in link}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_exercise_that_answers_back_is_marked(language: str, parse_html: ParseHtml) -> None:
    codes = parse_html(_page(language, "solutions")).select("li code")
    assert sorted(code.text for code in codes) == sorted(EXERCISES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_link_to_a_solution_unfolds_it(
    language: str, parse_html: ParseHtml, open_page: OpenPage
) -> None:
    links = parse_html(_page(language, "solutions")).select("a[href*='#solution-']")
    for target in (links[0]["href"], links[-1]["href"]):
        chapter = open_page(f"book/{language}/{target}")
        place = chapter.locator(f"[id='{target.split('#')[1]}']")
        assert place.is_visible()
        assert place.evaluate("place => place.closest('details').open")
