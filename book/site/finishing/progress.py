"""Exercises that come alive before they are painted, and where readers see what they have done."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from sphinx.application import Sphinx

from attention_figures.inline_json import inline_json
from book.site.reference.pages import ReferenceDirective, chapter, title

EXERCISE = re.compile(r'<div class="attention-exercise".*?</div>', re.DOTALL)
ALIVE = "<script>window.hydrateExercises?.(document.currentScript.parentNode)</script>"
_FIGURE = re.compile(r'data-figure="([\w-]+)"')
_ASKS = re.compile(r'data-figure="([\w-]+)"(?:(?!data-figure=).)*?data-ask>', re.DOTALL)
_SHEET = re.compile(r'data-exercise="([\w-]+)"[^>]*><script[^>]*>{"kind": "(exercise|puzzle)"')


def enliven(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Let exercises come alive, and end a chapter with what has been done in it."""
    body = EXERCISE.sub(rf"\g<0>{ALIVE}", context.get("body", ""))
    page = Path(app.srcdir, f"{pagename}.ipynb")
    if chapter(page) and page.exists():
        body += _place("chapter", page.parent.name, [_chapter(page)])
    context["body"] = body


class Progress(ReferenceDirective):
    """A table of what a reader has done in each chapter; it lives by a script alone."""

    def markdown(self) -> str:
        """Return it as HTML."""
        chapters = [_chapter(page) for page in self.pages() if chapter(page)]
        return f"```{{raw}} html\n{_place('book', self.language, chapters)}\n```"


def _place(of: str, language: str, chapters: list[dict[str, Any]]) -> str:
    content = inline_json(chapters)
    return (
        f'<div data-progress-of="{of}" lang="{language}">'
        f'<script type="application/json">{content}</script></div>{ALIVE}'
    )


def _chapter(page: Path) -> dict[str, Any]:
    """Say what a chapter is called, and what can be done in it."""
    name = re.sub(r"[`*]", "", title(page))
    return {"slug": page.stem, "title": name, "href": f"{page.stem}.html", "all": doable(page)}


def doable(page: Path) -> dict[str, list[str]]:
    """Return the ids of the figures, questions, exercises and puzzles that a notebook shows."""
    return _doable(page, page.stat().st_mtime_ns)


@cache
def _doable(page: Path, changed: int) -> dict[str, list[str]]:
    kinds = ("figure", "question", "exercise", "puzzle")
    found: dict[str, dict[str, None]] = {kind: {} for kind in kinds}
    for cell in nbformat.read(page, as_version=4).cells:
        for output in cell.get("outputs", []):
            html = "".join(output.get("data", {}).get("text/html", ""))
            found["figure"] |= dict.fromkeys(_FIGURE.findall(html))
            found["question"] |= dict.fromkeys(_ASKS.findall(html))
            for slug, kind in _SHEET.findall(html):
                found[kind][slug] = None
    return {kind: list(ids) for kind, ids in found.items()}
