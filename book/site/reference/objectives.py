"""List the learning objectives of every chapter, each with the exercises that practise it.

The objectives are the list in the cell `outline` of a chapter; book/objectives.yml has the numbers
of the exercises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import yaml

from book.site.reference.exercises import exercises
from book.site.reference.pages import ReferenceDirective, chapter

SOURCE = Path(__file__).parents[2] / "objectives.yml"
HEADS = {"en": ("chapter", "objective", "exercises"), "zh": ("章", "学完以后能够", "练习")}
NONE = {"en": "none", "zh": "无"}


class ObjectiveTable(ReferenceDirective):
    """Write a table of all chapters' objectives, with links to the exercises."""

    def markdown(self) -> str:
        """Return the table."""
        self.env.note_dependency(str(SOURCE))
        rows = (row for page in self.pages() if chapter(page) for row in self._rows(page))
        table = [HEADS[self.language], ("---",) * 3, *rows]
        return "\n".join(f"| {' | '.join(row)} |" for row in table)

    def _rows(self, page: Path) -> Iterator[tuple[str, str, str]]:
        notebook = nbformat.read(page, as_version=4)
        places = [exercise.place for exercise in exercises(notebook)]
        name = f"[{chapter(page)}]({page.name})"
        practised = mapped()[page.stem]
        for objective, numbers in zip(objectives(notebook), practised, strict=True):
            links = ", ".join(f"[{number}](#{places[number - 1]})" for number in numbers)
            yield name, objective, links or NONE[self.language]
            name = ""


def mapped() -> dict[str, list[list[int]]]:
    """Return the numbers of the exercises for each objective, by chapter."""
    numbers: dict[str, list[list[int]]] = yaml.safe_load(SOURCE.read_text("utf-8"))
    return numbers


def objectives(notebook: nbformat.NotebookNode) -> list[str]:
    r"""Return the objectives of a chapter, in Markdown.

    >>> cell = nbformat.v4.new_markdown_cell("You can\n\n- mask keys;\n- count.", id="outline")
    >>> objectives(nbformat.v4.new_notebook(cells=[cell]))
    ['mask keys', 'count']
    """
    (outline,) = (cell.source for cell in notebook.cells if cell.id == "outline")
    return [item.rstrip(";.；。") for item in re.findall(r"^- (.+)$", outline, re.MULTILINE)]
