"""Test that the lesson plans with phones name sections and answers that the chapters have."""

import json
import re
from pathlib import Path

import pytest

from attention_figures.languages import LANGUAGES

BOOK = Path(__file__).parents[2] / "book"
PLANNED = ("01", "04", "06", "10", "13")
ASKED = re.compile(r"<script[^>]*data-(?:ask|observe)[^>]*>(.*?)</script>", re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
QUOTED = {"en": re.compile(r'"([^"]+)"'), "zh": re.compile(r"“([^”]+)”")}
LINK = r"\]\((?P<page>[\w-]+\.ipynb)#(?P<anchor>[\w-]+)\)"
SECTION = {
    "en": re.compile(rf'at \["(?P<title>[^"]+)"{LINK}'),
    "zh": re.compile(rf"\[“(?P<title>[^”]+)”{LINK}一节"),
}
UNLINKED = {"en": re.compile(r'\bat "([^"]+)"'), "zh": re.compile(r"[^\[]“([^”]+)”一节")}


def plan(lang: str, chapter: str) -> str:
    """Return the plan of a chapter as one line for each paragraph and row of the table."""
    text = (BOOK / lang / "lecture.md").read_text("utf-8")
    start = f'<a id="{lang}-lecture-room-{int(chapter)}"></a>'
    return re.sub(r"(?<=[^|\n])\n(?=[^|\n])", " ", text.split(start)[1].split("<a id=")[0])


def chapter_of(lang: str, chapter: str) -> tuple[set[str], list[list[str]]]:
    """Return the headings of a chapter, and the options of each of its questions."""
    (path,) = (BOOK / lang).glob(f"{chapter}-*.ipynb")
    headings: set[str] = set()
    options = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "markdown":
            headings |= {*HEADING.findall("".join(cell["source"]))}
        for output in cell.get("outputs", ()):
            html = "".join(output.get("data", {}).get("text/html", ""))
            options += [json.loads(record).get("options", []) for record in ASKED.findall(html)]
    return headings, options


def has_section(path: Path, anchor: str, title: str) -> bool:
    """Return whether an anchor of a chapter is that of the section with this title."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    heading = re.compile(rf'<a id="{anchor}"></a>\n#+ {re.escape(title)}$', re.MULTILINE)
    return any(heading.search(source) for source in sources)


@pytest.mark.parametrize("chapter", PLANNED)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_plan_names_two_discussions_and_answers_that_can_be_given(
    lang: str, chapter: str
) -> None:
    text = plan(lang, chapter)
    headings, options = chapter_of(lang, chapter)
    sections = [*SECTION[lang].finditer(text)]
    assert sections
    assert {found["title"] for found in sections} <= headings
    assert {*UNLINKED[lang].findall(text)} & headings == set()
    for found in sections:
        assert has_section(BOOK / lang / found["page"], found["anchor"], found["title"]), found[0]
    assert len(re.findall(r"^\| [\d–]+ \| \*\*", text, re.MULTILINE)) == 2  # discussions
    minutes = [int(end) for end in re.findall(r"^\| \d+–(\d+) \|", text, re.MULTILINE)]
    assert minutes == sorted(minutes)
    (heading,) = HEADING.findall(text)
    assert re.search(rf"[(（]{minutes[-1]} ", heading)
    expected = [line for line in text.splitlines() if line.startswith("*")]
    assert len(expected) == 2
    for line in expected:  # it names misconceptions by the answers to one question
        named = {*QUOTED[lang].findall(line), *re.findall(r"[\d.]*\d", line)}
        assert any(named & {*one} for one in options), line


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_minutes_of_four_sessions_are_those_of_their_chapters(lang: str) -> None:
    text = (BOOK / lang / "lecture.md").read_text("utf-8")
    chapter = re.compile(r"^### (?:Chapter|第) ?(\d+)\D+(\d+) (?:minutes\)|分钟）)$", re.MULTILINE)
    minutes = {int(number): int(spent) for number, spent in chapter.findall(text)[:13]}
    assert [*minutes] == [*range(1, 14)]
    row = re.compile(r"^\| \d \| (\d+)\D+(\d+)[:：][^|]*\| (\d+) \|", re.MULTILINE)
    sessions = [tuple(map(int, found)) for found in row.findall(text)]
    assert len(sessions) == 4
    taught: list[int] = []
    for first, last, stated in sessions:
        chapters = [*range(first, last + 1)]
        assert stated == sum(minutes[one] for one in chapters) <= 90
        taught += chapters
    assert taught == [*minutes]
