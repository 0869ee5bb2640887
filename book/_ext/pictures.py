"""What the pictures in the notebooks show, for those who do not see them: `book/pictures.yml`.

A picture without its words is an error, and so are words without their picture.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import SphinxError

Pictures = dict[str, dict[str, str]]


def _describe(app: Sphinx, doctree: nodes.document) -> None:
    page = Path(app.env.doc2path(app.env.docname))
    if page.suffix != ".ipynb":
        return
    words = Path(app.confdir, "book/pictures.yml")
    app.env.note_dependency(str(words))
    known: Pictures = yaml.safe_load(words.read_text(encoding="utf-8")).get(page.stem, {})
    cells = nbformat.read(page, as_version=4).cells
    shown = {cells[cell["cell_index"]].id: picture for cell, picture in _pictures(doctree)}
    if shown.keys() != known.keys():
        raise SphinxError(f"{words.name}: {page}: {sorted(shown.keys() ^ known.keys())}")
    for name, picture in shown.items():
        picture["alt"] = known[name][page.parent.name]


def _pictures(doctree: nodes.document) -> list[tuple[Any, nodes.image]]:
    """Return the pictures that code has made, each with the cell of the code."""
    return [
        (cell, picture)
        for cell in doctree.findall(nodes.container)
        if cell.get("nb_element") == "cell_code"
        for picture in cell.findall(nodes.image)
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("doctree-read", _describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
