"""Hold README, CONTRIBUTING and docs to their limits, keep both languages alike and links alive."""

import re
import subprocess
from pathlib import Path

import pytest

from tools import limits
from tools.packages import ROOT

DOCS = sorted((ROOT / "docs").glob("*.md"))
PAIRS = [
    (ROOT / "README.md", ROOT / "README.zh.md"),
    *((path.with_name(f"{path.name[:-6]}.md"), path) for path in DOCS if path.match("*.zh.md")),
]
PAGES = [
    *(
        ROOT / f"{name}.md"
        for name in ("README", "README.zh", "CONTRIBUTING", "CODE_OF_CONDUCT", "SECURITY")
    ),
    *DOCS,
]
HAN = re.compile(r"[\u4e00-\u9fff]")
CODE = re.compile(r"^ *```\w*\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def words(path: Path) -> int:
    return len(path.read_text("utf-8").split())


def commands(text: str) -> list[str]:
    """Return the code blocks line by line, without comments, and without a figure's language."""
    lines = "".join(CODE.findall(text)).splitlines()
    return [re.sub(r"\s*#.*|, lang=\"zh\"", "", line) for line in lines]


def in_first_column(text: str) -> list[str]:
    """Return the code in the first column of each table."""
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [code for row in rows for code in re.findall(r"`[^`]+`", row)]


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ .*", CODE.sub("", text), re.MULTILINE)


def anchors(path: Path) -> list[str]:
    """Return the anchors of a page's headings, as Git hosts make them."""
    titles = (heading.lstrip("#").strip().lower() for heading in headings(path.read_text("utf-8")))
    return [re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles]


def test_what_a_newcomer_reads_first_is_short() -> None:
    for readme in PAIRS[0]:
        assert len(readme.read_text("utf-8").splitlines()) <= limits.README_LINES
    assert words(ROOT / "CONTRIBUTING.md") <= limits.CONTRIBUTING_WORDS
    assert words(ROOT / "docs/architecture.md") <= limits.ARCHITECTURE_WORDS


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=lambda path: path.name)
def test_both_languages_have_the_same_sections_and_commands(english: Path, chinese: Path) -> None:
    ours, theirs = english.read_text("utf-8"), chinese.read_text("utf-8")
    levels = [[heading.split()[0] for heading in headings(text)] for text in (ours, theirs)]
    assert levels[0] == levels[1]
    assert commands(ours) == commands(theirs)
    assert in_first_column(ours) == in_first_column(theirs)
    assert not HAN.search(re.sub(r"\[中文\]", "", ours))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", CODE.sub("", page.read_text("utf-8")))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("http"):
            continue
        name, _, anchor = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


# What the examples create, placeholders, and a media type.
NOT_THERE = re.compile(
    r"14|by[_-]hand|normalise|tempered|NN|KIND|NAME|FILE|\.\.\.|…|[*{ =]|^_build|text/html|\.venv"
)
FILE = re.compile(r"[\w.-]+(/[\w.-]+)*(\.(py|tsx?|mjs|css|yml|md|json|txt|bib|ipynb)|/[\w-]+)")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name != "SECURITY.md"], ids=lambda path: path.name
)
def test_files_that_are_named_exist(page: Path) -> None:
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    there = {f"/{file}" for file in files.stdout.splitlines()}
    there |= {str(parent) for file in there for parent in Path(file).parents}
    named = re.findall(r"`([^`\n]+)`", CODE.sub("", page.read_text("utf-8")))
    paths = [name for name in named if FILE.fullmatch(name) and not NOT_THERE.search(name)]
    assert [name for name in paths if not any(one.endswith(f"/{name}") for one in there)] == []
