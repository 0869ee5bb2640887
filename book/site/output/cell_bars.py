"""Add a bar with Run and Edit below each code cell, and a hint for pages without a kernel.

A cell whose code is hidden runs only as a dependency of a cell below, and its bar appears only if
that fails or makes another figure than the book's. The script reads its code from the notebook. A figure that it makes is then linked with
the kernel's; other outputs (`data-quiet`) stay, since they are interactive without a kernel.

The buttons are implemented in book/web. The style sheet shows them if the server has kernels
(tools/serving/site.py sets an attribute on the page), and the hint otherwise.
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

from book.site.output import launch_buttons

BAR = "components/cell-bar.html"
HIDDEN_CODE = '<div class="cell-unseen" data-notebook="_sources/{}"{}><div></div>{}</div>'


def add_cell_bars(app: Sphinx, doctree: nodes.document, pagename: str) -> None:
    """Add a bar to the input of each code cell, with the cell id that both languages share.

    Runs after the page's catalogue is activated, since the bar is translated.
    """
    translator = locale.get_translator()
    notebook = str(app.env.doc2path(pagename, base=False))
    cell_ids = _cell_ids(str(app.env.doc2path(pagename)))
    repository = app.config.html_context["repository"]
    hint_shown = False
    for cell in doctree.findall(_is_notebook_element("cell_code")):
        is_folded = any(tag.startswith("hide-") for tag in cell["cell_metadata"].get("tags", []))
        context: dict[str, Any] = {
            "gettext": translator.gettext,
            "ngettext": translator.ngettext,
            "name": cell_ids[cell["cell_index"]],
            "shows_hint": not hint_shown and not is_folded,
            "launchers": launch_buttons.launchers(repository),
            "repository": repository,
        }
        sources = list(cell.findall(_is_notebook_element("cell_code_source")))
        context["shows_hint"] &= bool(sources)
        bar = app.builder.templates.render(BAR, context)
        for source in sources:
            source += nodes.raw("", bar, format="html")
            hint_shown |= context["shows_hint"]
        if not sources:
            cell += nodes.raw("", _hidden_code_bar(cell, notebook, bar), format="html")


def _hidden_code_bar(cell: nodes.Node, notebook: str, bar: str) -> str:
    makes_figure = any("data-figure=" in node.astext() for node in cell.findall(nodes.raw))
    return HIDDEN_CODE.format(notebook, "" if makes_figure else " data-quiet", bar)


def _is_notebook_element(element: str) -> Callable[[nodes.Node], bool]:
    return lambda node: isinstance(node, nodes.container) and node.get("nb_element") == element


@cache
def _cell_ids(notebook: str) -> list[str]:
    if not notebook.endswith(".ipynb"):
        return []
    return [cell["id"] for cell in json.loads(Path(notebook).read_text("utf-8"))["cells"]]
