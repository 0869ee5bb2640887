"""What the cells of a chapter are in a lecture: Jupyter's `slideshow` metadata, put on the page.

Where one cell says what it is, a mark comes before what each of them shows; "-" goes on with the
slide. A page without marks is cut into screens by its sections (book/web/lecture).
"""

from __future__ import annotations

import json
import re

from docutils import nodes
from sphinx.application import Sphinx

from tools.notebooks import slide_type

_COMMENT = "slide: "


def mark_cells(app: Sphinx, docname: str, content: list[str]) -> None:
    """Write a comment, which no pass shows, at the beginning of a cell of text."""
    if not app.env.doc2path(docname).endswith(".ipynb"):
        return
    notebook = json.loads(content[0])
    if not any(slide_type(cell["metadata"]) for cell in notebook["cells"]):
        return
    for cell in notebook["cells"]:
        slide = slide_type(cell["metadata"]) or "-"
        cell["metadata"]["slideshow"] = {"slide_type": slide}
        if cell["cell_type"] == "markdown":
            cell["source"] = f"% {_COMMENT}{slide}\n\n{''.join(cell['source'])}"
    content[0] = json.dumps(notebook)


def show_marks(app: Sphinx, doctree: nodes.document, pagename: str) -> None:
    """Put the marks of all cells on the page, where only scripts find them."""
    for comment in list(doctree.findall(nodes.comment)):
        if found := re.fullmatch(rf"{_COMMENT}([\w-]+)", comment.astext()):
            comment.replace_self(_mark(found[1]))
    for cell in list(doctree.findall(nodes.container)):
        if cell.get("nb_element") != "cell_code":
            continue
        if slideshow := cell["cell_metadata"].get("slideshow"):
            cell.parent.insert(cell.parent.index(cell), _mark(slideshow["slide_type"]))


def _mark(slide: str) -> nodes.raw:
    return nodes.raw("", f'<i data-slide="{slide}" hidden></i>', format="html")
