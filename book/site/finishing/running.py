"""Add what runs the code of a page: a bar below each cell, and a sentence if there is no Python.

A cell whose code the page does not show has its bar below its output, and its code in the notebook,
from where the script takes it. It is offered to readers if it makes a figure; others, whose output
is alive on the page by itself, run only with what needs them.

What the buttons do is in book/web; the style sheet run.css shows them where the server has kernels
(tools/serving/site.py says so to the page), and the word elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import locale
from sphinx.application import Sphinx

from book.site.finishing import launching

BAR = "components/cell-bar.html"
UNSEEN = '<div class="cell-unseen" data-notebook="_sources/{}"{}><div></div>{}</div>'


def add_bars(app: Sphinx, doctree: nodes.document, pagename: str) -> None:
    """Add a bar to the input of each code cell, with the name that the cell has in both languages.

    It comes after the page's language was chosen.
    """
    words = locale.get_translator()
    notebook = str(app.env.doc2path(pagename, base=False))
    names = _names(str(app.env.doc2path(pagename)))
    repository = app.config.html_context["repository"]
    told = False
    for cell in doctree.findall(_is("cell_code")):
        is_folded = any(tag.startswith("hide-") for tag in cell["cell_metadata"].get("tags", []))
        context: dict[str, Any] = {
            "gettext": words.gettext,
            "ngettext": words.ngettext,
            "name": names[cell["cell_index"]],
            "tells": not told and not is_folded,
            "places": launching.places(repository),
            "repository": repository,
        }
        sources = list(cell.findall(_is("cell_code_source")))
        context["tells"] &= bool(sources)
        bar = app.builder.templates.render(BAR, context)
        for source in sources:
            source += nodes.raw("", bar, format="html")
            told |= context["tells"]
        if not sources:
            cell += nodes.raw("", _unseen(cell, notebook, bar), format="html")


def _unseen(cell: nodes.Node, notebook: str, bar: str) -> str:
    makes_figure = any("data-figure=" in node.astext() for node in cell.findall(nodes.raw))
    return UNSEEN.format(notebook, "" if makes_figure else " data-quiet", bar)


def _is(element: str) -> Callable[[nodes.Node], bool]:
    return lambda node: isinstance(node, nodes.container) and node.get("nb_element") == element


@cache
def _names(notebook: str) -> list[str]:
    if not notebook.endswith(".ipynb"):
        return []
    return [cell["id"] for cell in json.loads(Path(notebook).read_text("utf-8"))["cells"]]
