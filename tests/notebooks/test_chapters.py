"""Test the parts of chapters: figures with questions, labs, exercises with verdicts."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from attention_course.exercises.engine.texts import FAILED, PASSED
from book.site.source.anchors import with_labels
from tools.parity import BOOK

CHAPTERS = sorted(BOOK.glob("*/[0-9][0-9]-*.ipynb"))  # other notebooks are for reference
every_chapter = pytest.mark.parametrize(
    "path", CHAPTERS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
# In the other chapters, the figures replace a lab.
LABS = [path for path in CHAPTERS if path.stem.startswith(("02", "03", "04", "06"))]
every_lab = pytest.mark.parametrize(
    "path", LABS, ids=lambda path: f"{path.parent.name}-{path.stem}"
)


def cells(path: Path, kind: str = "code") -> list[NotebookNode]:
    notebook = nbformat.read(path, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def said(cell: NotebookNode) -> str:
    """Return the last output as text."""
    return str(cell.outputs[-1].data["text/plain"])


@every_chapter
def test_a_figure_is_live_in_the_language_of_the_chapter(path: Path) -> None:
    figures = [cell for cell in cells(path) if "data-figure=" in str(cell.outputs)]
    assert figures
    assert all(f'lang="{path.parent.name}"' in str(cell.outputs) for cell in figures)


@every_chapter
def test_figures_ask_before_they_show_and_nothing_twice(path: Path) -> None:
    html = [
        str(output.get("data", {}).get("text/html"))
        for cell in cells(path)
        for output in cell.outputs
    ]
    asked = [
        json.loads(found)["text"] for found in re.findall(r"data-ask>(.*?)</script>", "".join(html))
    ]
    assert asked
    assert len(set(asked)) == len(asked)


@every_lab
def test_a_lab_is_drawn_in_jupyter_and_driven_by_the_notebook(path: Path) -> None:
    code = cells(path)
    drawn = [i for i, cell in enumerate(code) if "remove-output" in tags(cell)]
    assert drawn
    moves = [cell for cell in code[drawn[0] :] if re.search(r"^\w+\.value = ", cell.source, re.M)]
    assert any(cell.outputs for cell in moves)


@every_chapter
def test_there_are_three_to_six_exercises_each_with_a_solution(path: Path) -> None:
    all_cells = nbformat.read(path, as_version=4).cells
    start = next(
        i for i, cell in enumerate(all_cells) if "-exercises)=" in with_labels(cell.source)
    )
    text = "\n\n".join(
        "\n(hidden)\n" if "hide-cell" in tags(cell) else cell.source for cell in all_cells[start:]
    )
    parts = re.split(r"^\*\*\d\. ", text, flags=re.M)[1:]
    assert 3 <= len(parts) <= 6
    assert all("<details>" in part or "(hidden)" in part for part in parts)


@every_chapter
def test_an_exercise_answers_no_to_its_stub_and_yes_to_its_solution(path: Path) -> None:
    lang = path.parent.name
    checks: dict[str, list[NotebookNode]] = {}
    for cell in cells(path):
        call = re.fullmatch(
            rf'check\("([\w-]+)", \w+, lang="{lang}"\)', cell.source.splitlines()[-1]
        )
        if call:
            checks.setdefault(call[1], []).append(cell)
    assert checks
    for answers in checks.values():
        assert "hide-cell" not in tags(answers[0])  # the stub
        hidden = [cell for cell in answers if "hide-cell" in tags(cell)]
        assert hidden
        for cell in answers:
            expected = PASSED if cell in hidden else FAILED
            assert said(cell).startswith(getattr(expected, lang))
