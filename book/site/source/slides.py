"""Mark slides on the page for lecture mode, from Jupyter's `slideshow` metadata.

If any cell of a chapter has a slide type, a marker element precedes every cell; "-" continues the
slide. A page without markers is split into screens by its sections (book/web/lecture). A slide
without a notes cell has its speaker notes in book/notes.yml; the marker passes them on to the
speaker's window.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.application import Sphinx

from tools.notebooks import slide_type

_COMMENT = "slide: "
NOTES = Path(__file__).parents[2] / "notes.yml"


@cache
def notes() -> dict[str, dict[str, dict[str, str]]]:
    """Return the speaker notes by chapter, cell id and language."""
    found: dict[str, dict[str, dict[str, str]]] = yaml.safe_load(NOTES.read_text("utf-8"))
    return found


def mark_cells(app: Sphinx, docname: str, content: list[str]) -> None:
    """Insert a comment with slide type and notes before each Markdown cell."""
    if not app.env.doc2path(docname).endswith(".ipynb"):
        return
    notebook = json.loads(content[0])
    if not any(slide_type(cell["metadata"]) for cell in notebook["cells"]):
        return
    app.env.note_dependency(str(NOTES))
    _, lang, chapter = docname.split("/")
    for cell in notebook["cells"]:
        slide = slide_type(cell["metadata"]) or "-"
        say = notes().get(chapter, {}).get(cell["id"], {}).get(lang, "")
        cell["metadata"]["slideshow"] = {"slide_type": slide, "say": say}
        if cell["cell_type"] == "markdown":
            cell["source"] = f"% {_COMMENT}{slide} {say}\n\n{''.join(cell['source'])}"
    content[0] = json.dumps(notebook)


def render_marks(app: Sphinx, doctree: nodes.document, pagename: str) -> None:
    """Insert a hidden marker element before each cell, for the scripts of lecture mode."""
    for comment in list(doctree.findall(nodes.comment)):
        if found := re.fullmatch(rf"{_COMMENT}([\w-]+) ?(.*)", comment.astext()):
            comment.replace_self(_mark(found[1], found[2]))
    for cell in list(doctree.findall(nodes.container)):
        if cell.get("nb_element") != "cell_code":
            continue
        if slideshow := cell["cell_metadata"].get("slideshow"):
            cell.parent.insert(cell.parent.index(cell), _mark(**slideshow))


def _mark(slide_type: str, say: str) -> nodes.raw:
    notes_attribute = f' data-say="{escape(say)}"' if say else ""
    return nodes.raw(
        "", f'<i data-slide="{slide_type}"{notes_attribute} hidden></i>', format="html"
    )
