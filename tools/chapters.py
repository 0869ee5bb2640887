"""Check that chapters are complete and within the limits; `python -m tools.parity` runs this.

Limits that need the built page, such as the number of words, are in `tests/site/test_form.py`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import yaml
from nbformat import NotebookNode

from attention_figures.languages import LANGUAGES
from tools import bibliography, limits
from tools.notebooks import FOLDED, read
from tools.pictures import PICTURES

REGENERATE = "python -m tools.bibliography"
_EXERCISES = re.compile(r'<a id="\w\w-[\w-]*exercises"></a>')
_SOURCES = re.compile(r'<a id="\w\w-[\w-]*sources"></a>')
_EXERCISE = re.compile(r"^\*\*(\d+)\. ", re.MULTILINE)
_UNSEEN = FOLDED | {"remove-input", "remove-cell"}


def missing(book: Path) -> list[str]:
    """List what each chapter of the book lacks, one line each."""
    pages = sorted(path for lang in LANGUAGES for path in (book / lang).glob("[0-9][0-9]-*.ipynb"))
    stems = sorted({page.stem for page in pages})
    return [
        *(f"{stem}: {lack}" for stem in stems for lack in _missing_entries(stem, book)),
        *(
            f"{page.parent.name}/{page.stem}: {lack}"
            for page in pages
            for lack in _page_problems(page)
        ),
        *(
            f"book/{lang}/bibliography.md is old; run {REGENERATE}"
            for lang in LANGUAGES
            if _is_outdated(lang, book)
        ),
    ]


def _is_outdated(language: str, book: Path) -> bool:
    page = book / language / "bibliography.md"
    return page.read_text("utf-8") != bibliography.generated(page)


def _missing_entries(stem: str, book: Path) -> Iterator[str]:
    toc, descriptions = (_read_yaml(book / name) for name in ("../_toc.yml", "descriptions.yml"))
    files = {part["file"] for one in toc["chapters"] for part in one["sections"]}
    for lang in LANGUAGES:
        if f"book/{lang}/{stem}" not in files:
            yield f"_toc.yml does not list book/{lang}/{stem}"
        if lang not in descriptions.get(stem, {}):
            yield f"book/descriptions.yml says nothing of it under {lang}"
        front = (book / lang / "index.ipynb").read_text("utf-8")
        if f"../pictures/{stem[:2]}.svg) **[" not in front or f"]({stem}.ipynb)**<br>" not in front:
            yield f"book/{lang}/index.ipynb has no picture and no line for it"
    if int(stem[:2]) not in PICTURES:
        yield f"PICTURES in tools/pictures.py draws nothing for {int(stem[:2])}"
    elif not (book / f"pictures/{stem[:2]}.svg").exists():
        yield f"there is no book/pictures/{stem[:2]}.svg; run python -m tools.pictures"
    if stem not in _read_yaml(book / "objectives.yml"):
        yield "book/objectives.yml has no exercises for its objectives"
    if f'"{stem}"' not in (book / "../tests/notebooks/faults.py").read_text("utf-8"):
        yield "tests/notebooks/faults.py has no fault that one of its cells shows"


def _page_problems(page: Path) -> Iterator[str]:
    cells = read(page).cells
    drawn = {cell.id for cell in cells if "'image/png':" in str(cell.get("outputs"))}
    alt_texts = _read_yaml(page.parents[1] / "pictures.yml").get(page.stem, {})
    described = {cell for cell, words in alt_texts.items() if page.parent.name in words}
    for cell in sorted(drawn - described):
        yield f"book/pictures.yml says nothing of the picture of {cell}"
    for cell in sorted(described - drawn):
        yield f"book/pictures.yml tells of a picture of {cell}, which draws none"
    yield from _objective_problems(page, cells)
    if not any(_SOURCES.search(cell.source) for cell in cells):
        yield 'no heading has a label <a id="…-sources"></a>'
    starts = [i for i, cell in enumerate(cells) if _EXERCISES.search(cell.source)]
    if not starts:
        yield 'no heading has a label <a id="…-exercises"></a>'
    start = starts[0] if starts else len(cells)
    yield from _reading_problems(cells[:start])
    yield from _exercise_problems(cells[start:])


def _objective_problems(page: Path, cells: list[NotebookNode]) -> Iterator[str]:
    outlines = [cell.source for cell in cells if cell.id == "outline"]
    objectives = re.findall(r"^- ", "\n".join(outlines), re.MULTILINE)
    if not objectives:
        yield "no cell `outline` has a list of objectives"
        return
    mapped = _read_yaml(page.parents[1] / "objectives.yml").get(page.stem)
    if mapped is None:
        return
    if len(mapped) != len(objectives):
        yield f"book/objectives.yml has {len(mapped)} lists for {len(objectives)} objectives"
    exercises = {int(n) for cell in cells for n in _EXERCISE.findall(cell.source)}
    if exercises != {number for numbers in mapped for number in numbers}:
        yield f"book/objectives.yml must name the exercises {sorted(exercises)}, each at least once"


def _reading_problems(cells: list[NotebookNode]) -> Iterator[str]:
    code = [cell for cell in cells if cell.cell_type == "code"]
    if not code or "data-ask>" not in str(code[0].outputs):
        yield "the first cell of code is no figure with a question"
    asking = sum("data-ask>" in str(cell.outputs) for cell in code)
    if asking < limits.ASKING_FIGURES:
        yield f"{asking} figures ask before the exercises, fewer than {limits.ASKING_FIGURES}"
    visible = [cell for cell in code if _UNSEEN.isdisjoint(cell.metadata.get("tags", []))]
    lengths = {cell.id: sum(1 for x in cell.source.splitlines() if x.strip()) for cell in visible}
    if not 0 < len(lengths) <= limits.SEEN_CELLS:
        most = limits.SEEN_CELLS
        yield f"{len(lengths)} cells of code are seen before the exercises, not 1 to {most}"
    elif median(lengths.values()) > limits.MEDIAN_LINES:
        yield f"half of the cells of code that are seen have more than {limits.MEDIAN_LINES} lines"
    for id, length in lengths.items():
        if length > limits.SEEN_LINES:
            yield f"{id}: {length} lines of code are seen, more than {limits.SEEN_LINES}"


def _exercise_problems(cells: list[NotebookNode]) -> Iterator[str]:
    tasks = sum(bool(re.search(r"^\*\*\d\. ", cell.source, re.MULTILINE)) for cell in cells)
    low, high = limits.EXERCISES
    if not low <= tasks <= high:
        yield f"{tasks} exercises (each begins with **1. and so on), not {low} to {high}"
    if not any(re.search(r"^check\(.*\Z", cell.source, re.MULTILINE) for cell in cells):
        yield "no exercise ends in check(…)"


def _read_yaml(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return content
