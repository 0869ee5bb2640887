"""Add the placeholders for a reader's progress, which scripts fill in."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from sphinx.application import Sphinx

from attention_figures.inline_json import inline_json
from book.site.output import review
from book.site.reference.pages import ReferenceDirective, chapter, title

_FIGURE = re.compile(r'data-figure="([\w-]+)"')
_QUESTION = re.compile(r'data-figure="([\w-]+)"(?:(?!data-figure=).)*?data-ask>', re.DOTALL)
_EXERCISE_STATE = re.compile(
    r'data-exercise="([\w-]+)"[^>]*><script[^>]*>{"kind": "(exercise|puzzle)"'
)


def add_placeholder(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add the progress placeholder of a chapter at its end."""
    page = Path(app.srcdir, f"{pagename}.ipynb")
    if chapter(page) and page.exists():
        context["body"] += _placeholder("chapter", page.parent.name, [_chapter_record(page)])


class Progress(ReferenceDirective):
    """A placeholder for the progress table, which a script fills in."""

    def markdown(self) -> str:
        """Return the placeholder as raw HTML."""
        pages = [page for page in self.pages() if chapter(page)]
        chapters = [{**_chapter_record(page), "review": _families(page)} for page in pages]
        attributes = (
            f' id="{self.language}-review" data-scripts="{" ".join(review.scripts(pages))}"'
        )
        html = _placeholder("book", self.language, chapters, attributes)
        return f"```{{raw}} html\n{html}\n```"


def _families(page: Path) -> list[list[str]]:
    """Return key, figure and exercise of each family of questions for review."""
    return [[one["key"], one["figure"], one["exercise"]] for one in review.families(page)]


def _placeholder(
    of: str, language: str, chapters: list[dict[str, Any]], attributes: str = ""
) -> str:
    content = inline_json(chapters)
    return (
        f'<div data-progress-of="{of}" lang="{language}"{attributes}>'
        f'<script type="application/json">{content}</script></div>'
    )


def _chapter_record(page: Path) -> dict[str, Any]:
    """Return title, link and activities of a chapter."""
    name = re.sub(r"[`*]", "", title(page))
    return {"slug": page.stem, "title": name, "href": f"{page.stem}.html", "all": activities(page)}


def activities(page: Path) -> dict[str, list[str]]:
    """Return the ids of the figures, questions, exercises and puzzles that a notebook shows."""
    return _activities(page, page.stat().st_mtime_ns)


@cache
def _activities(page: Path, changed: int) -> dict[str, list[str]]:
    kinds = ("figure", "question", "exercise", "puzzle")
    found: dict[str, dict[str, None]] = {kind: {} for kind in kinds}
    for cell in nbformat.read(page, as_version=4).cells:
        for output in cell.get("outputs", []):
            html = "".join(output.get("data", {}).get("text/html", ""))
            found["figure"] |= dict.fromkeys(_FIGURE.findall(html))
            found["question"] |= dict.fromkeys(_QUESTION.findall(html))
            for slug, kind in _EXERCISE_STATE.findall(html):
                found[kind][slug] = None
    return {kind: list(ids) for kind, ids in found.items()}
