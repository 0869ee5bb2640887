"""Add alt texts from `book/pictures.yml`, and sizes, to the pictures of the notebooks.

A picture without an alt text is an error, and so is an alt text without a picture. The size is an
attribute of the `img` element, so that the text does not shift when the picture loads.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.images import get_image_size

Pictures = dict[str, dict[str, str]]

PICTURE = re.compile(
    r'<img(?P<rest>(?![^>]* width=)[^>]* src="[^"]*/_images/(?P<name>[^"/]+)"[^>]*>)'
)


def describe_pictures(app: Sphinx, doctree: nodes.document) -> None:
    page = Path(app.env.doc2path(app.env.docname))
    if page.suffix != ".ipynb":
        return
    source = Path(app.confdir, "book/pictures.yml")
    app.env.note_dependency(str(source))
    known: Pictures = yaml.safe_load(source.read_text(encoding="utf-8")).get(page.stem, {})
    cells = nbformat.read(page, as_version=4).cells
    shown = {cells[cell["cell_index"]].id: picture for cell, picture in _pictures(doctree)}
    if shown.keys() != known.keys():
        lacks, spare = sorted(shown.keys() - known.keys()), sorted(known.keys() - shown.keys())
        raise SphinxError(
            f"book/{source.name} must have a sentence for each picture of {page.parent.name}/"
            f"{page.stem}; got none for {lacks}, and some without a picture for {spare}"
        )
    for name, picture in shown.items():
        picture["alt"] = known[name][page.parent.name]


def _pictures(doctree: nodes.document) -> list[tuple[Any, nodes.image]]:
    """Return the pictures in outputs, each with its code cell."""
    return [
        (cell, picture)
        for cell in doctree.findall(nodes.container)
        if cell.get("nb_element") == "cell_code"
        for picture in cell.findall(nodes.image)
    ]


def _size(app: Sphinx, picture: re.Match[str]) -> str:
    """Add size and lazy loading: a first visit skips pictures far below."""
    files = {name: path for path, name in app.builder.images.items()}
    size = get_image_size(str(Path(app.srcdir, files[unquote(picture["name"])])))
    dimensions = f'width="{size[0]}" height="{size[1]}"' if size else ""
    return f'<img loading="lazy" {dimensions}{picture["rest"]}'


def size_pictures(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    context["body"] = PICTURE.sub(partial(_size, app), context.get("body", ""))
