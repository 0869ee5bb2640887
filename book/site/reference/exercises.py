"""Add link targets to exercises and solutions, and generate the list of all exercises.

In a section labelled `en-SLUG-exercises`, a paragraph that begins with **1. Title.** gets the id
`en-SLUG-exercise-1`, and the fold after it `solution-en-SLUG-exercise-1`, so the list is never out
of date. Browsers open a fold when they follow a link into it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.transforms import SphinxTransform

from book.site.reference.pages import ReferenceDirective, chapter, title
from book.site.source.anchors import with_labels

LABEL = r"((?:en|zh)-(?:[\w-]+-)?exercise)s"
_FOLD = re.compile(r"<details>\s*<summary>")
_TITLE = re.compile(r"^\*\*(\d+)\. (.+?)[.。]?\*\*", re.MULTILINE)
_CODE = re.compile(r" *(?:\(code\)|（编程）)")
_CHECK = re.compile(r'check\("([\w-]+)"')


class PlaceExercises(SphinxTransform):
    """Add ids to exercises and solutions."""

    def apply(self, **kwargs: object) -> None:
        """Find the exercise sections of a page."""
        for section in self.document.findall(nodes.section):
            for name in section["names"]:
                if label := re.fullmatch(LABEL, name):
                    self._name_exercises(section, label[1])

    def _name_exercises(self, section: nodes.section, label: str) -> None:
        exercise = ""
        for node in section.children:
            if isinstance(node, nodes.paragraph) and (number := _number(node)):
                exercise = f"{label}-{number}"
                self._add_target(node, exercise, exercise)
            elif exercise and (folded := _folded_content(node)):
                self._add_target(folded, f"{exercise}-solution", f"solution-{exercise}")
                exercise = ""  # a second fold explains the first

    def _add_target(self, node: nodes.Element, name: str, place: str) -> None:
        node["ids"].append(place)
        node["names"].append(name)
        self.document.note_explicit_target(node)


def _number(paragraph: nodes.paragraph) -> str:
    first = next((node for node in paragraph if node.astext()), None)  # "" precedes a **
    number = re.match(r"\d+(?=\. )", first.astext()) if isinstance(first, nodes.strong) else None
    return number[0] if number else ""


def _folded_content(node: nodes.Element) -> nodes.Element | None:
    if isinstance(node, nodes.raw) and _FOLD.match(node.astext()):
        return node.next_node(descend=False, siblings=True)
    if isinstance(node, nodes.container) and "tag_hide-cell" in node["classes"]:
        return node[0]
    return None


@dataclass
class Exercise:
    """An entry of the list: id, title in Markdown, and the name that `check` takes."""

    place: str
    title: str
    code: bool
    check: str = ""


class ExerciseList(ReferenceDirective):
    """List the exercises of every chapter, with links to each and to its solution."""

    def markdown(self) -> str:
        """Return a section for each chapter that has exercises."""
        chapters = (page for page in self.pages() if chapter(page))
        return "\n\n".join(part for page in chapters for part in self._chapter_section(page))

    def _chapter_section(self, page: Path) -> Iterator[str]:
        found = exercises(nbformat.read(page, as_version=4))
        if found:
            label = f"{self.language}-solutions-{page.stem}"
            yield f"({label})=\n## {chapter(page)} · {title(page)}"
            yield "\n".join(map(self._list_item, found))

    def _list_item(self, exercise: Exercise) -> str:
        chinese = self.language == "zh"
        number = exercise.place.rpartition("-")[2]
        parts = [f"{number}. [{exercise.title}](#{exercise.place})"]
        if exercise.code:
            parts.append("编程" if chinese else "code")
        if exercise.check:
            parts.append(f"`{exercise.check}`")
        solution = "解答" if chinese else "solution"
        return " · ".join([*parts, f"[{solution}](#{exercise.place}-solution)"])


def exercises(notebook: nbformat.NotebookNode) -> list[Exercise]:
    """Return the exercises of a chapter."""
    found: list[Exercise] = []
    label = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = with_labels(cell.source)
            if start := re.search(rf"^\({LABEL}\)=$", text, re.MULTILINE):
                label = start[1]
            found += [_exercise(label, title) for title in _TITLE.finditer(text) if label]
        elif found and (check := _CHECK.search(cell.source)):
            found[-1].check = check[1]
    return found


def _exercise(label: str, title: re.Match[str]) -> Exercise:
    plain = _CODE.sub("", title[2])
    return Exercise(f"{label}-{title[1]}", plain.rstrip(".。"), code=plain != title[2])
