"""Test that all missing parts of a chapter are listed at once."""

import shutil
from pathlib import Path

import nbformat
import pytest

from tools import chapters, notebooks
from tools.parity import BOOK

NAME = "99-by-hand"
ELSEWHERE = [
    "_toc.yml does not list book/{}/99-by-hand",
    "book/descriptions.yml says nothing of it under {}",
    "book/{}/index.ipynb has no picture and no line for it",
]
WITHIN = [
    "book/pictures.yml says nothing of the picture of plot",
    "no cell `outline` has a list of objectives",
    'no heading has a label <a id="…-sources"></a>',
    'no heading has a label <a id="…-exercises"></a>',
    "the first cell of code is no figure with a question",
    "0 figures ask before the exercises, fewer than 5",
    "plot: 9 lines of code are seen, more than 8",
    "half of the cells of code that are seen have more than 4 lines",
    "0 exercises (each begins with **1. and so on), not 3 to 6",
    "no exercise ends in check(…)",
]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Copy the book and the other inputs of the check, and begin a new chapter."""
    for name in ("_toc.yml", "tests/notebooks/faults.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BOOK.parent / name, tmp_path / name)
    shutil.copytree(BOOK, tmp_path / "book", ignore=shutil.ignore_patterns("web", "built", "site"))
    picture = nbformat.v4.new_output("display_data", {"image/png": ""})
    cells = [
        nbformat.v4.new_markdown_cell("# By hand", id="title"),
        nbformat.v4.new_code_cell("1\n" * 9, id="plot", outputs=[picture]),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=notebooks.METADATA)
    for lang in ("en", "zh"):
        nbformat.write(notebook, tmp_path / "book" / lang / f"{NAME}.ipynb")
    return tmp_path / "book"


def test_all_that_a_new_chapter_lacks_is_listed(book: Path) -> None:
    lacks = [f"{NAME}: {lack.format(lang)}" for lang in ("en", "zh") for lack in ELSEWHERE]
    lacks += [
        f"{NAME}: PICTURES in tools/pictures.py draws nothing for 99",
        f"{NAME}: book/objectives.yml has no exercises for its objectives",
        f"{NAME}: tests/notebooks/faults.py has no fault that one of its cells shows",
    ]
    lacks += [f"{lang}/{NAME}: {lack}" for lang in ("en", "zh") for lack in WITHIN]
    assert sorted(chapters.missing(book)) == sorted(lacks)


def test_what_is_gone_from_a_chapter_is_listed(book: Path) -> None:
    for lang in ("en", "zh"):
        (book / lang / f"{NAME}.ipynb").unlink()
    (book / "pictures/12.svg").unlink()
    words = book / "pictures.yml"
    words.write_text(words.read_text("utf-8").replace("  costs-plot:", "  other-plot:"), "utf-8")
    works = book / "en/bibliography.md"
    works.write_text(works.read_text("utf-8").replace("[12](12-", "[11](12-"), "utf-8")
    page = "12-scores-today"
    plots = [
        f"{lang}/{page}: book/pictures.yml {said}"
        for lang in ("en", "zh")
        for said in (
            "says nothing of the picture of costs-plot",
            "tells of a picture of other-plot, which draws none",
        )
    ]
    assert chapters.missing(book) == [
        f"{page}: there is no book/pictures/12.svg; run python -m tools.pictures",
        *plots,
        "book/en/bibliography.md is old; run python -m tools.bibliography",
    ]
