"""Names for the blocks of text on a page, which both languages of the page share.

A block is a paragraph, a list, a table or the like, and gets the class `twin-NAME`. NAME is the id
of its notebook cell, or on other pages the label of its section, and its number therein.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

LINES = 10_000  # MyST-NB counts the lines of a notebook's cell number i from (i + 1) times this
TEXTS = (
    nodes.title,
    nodes.caption,
    nodes.paragraph,
    nodes.bullet_list,
    nodes.enumerated_list,
    nodes.definition_list,
    nodes.table,
    nodes.block_quote,
    nodes.Admonition,
)
_SUMMARY = re.compile(r'<summary(?: class="twin-(\S+)")?>(.*?)</summary>', re.DOTALL)


def has_twin(docname: str) -> bool:
    """Tell whether a page exists in both languages.

    >>> has_twin("book/en/04-masked-softmax"), has_twin("book/index"), has_twin("search")
    (True, False, False)
    """
    return bool(re.match("book/(en|zh)/", docname))


class NameBlocks(SphinxTransform):
    """Give the blocks of a page their names."""

    default_priority = 510  # sections have their labels by now

    def apply(self, **kwargs: object) -> None:
        """Go through the page in order."""
        if not has_twin(self.env.docname):
            return
        path = Path(self.env.doc2path(self.env.docname))
        cells = json.loads(path.read_text("utf-8"))["cells"] if path.suffix == ".ipynb" else []
        numbers: dict[str, int] = defaultdict(int)
        for node in _texts(self.document):
            group = cells[node.line // LINES - 1]["id"] if cells else _label(node)
            _name(node, f"{group}-{numbers[group]}")
            numbers[group] += 1


def _texts(node: nodes.Element) -> Iterator[nodes.Element]:
    """Find blocks of text: none within another, no output, and no picture."""
    for child in node.children:
        summary = isinstance(child, nodes.raw) and _SUMMARY.search(child.astext())
        if isinstance(child, nodes.section | nodes.figure):
            yield from _texts(child)
        elif summary or (isinstance(child, TEXTS) and not isinstance(child[0], nodes.image)):
            yield child


def _label(node: nodes.Element) -> str:
    """Return what both languages call the section that a block stands in."""
    names = [name[3:] for name in node.parent["names"] if name.startswith(("en-", "zh-"))]
    return names[0] if names else "page"


def _name(node: nodes.Element, name: str) -> None:
    if isinstance(node, nodes.raw):
        named = node.astext().replace("<summary>", f'<summary class="twin-{name}">')
        node.children = [nodes.Text(named)]
    else:
        node["classes"].append(f"twin-{name}")


def named_blocks(document: nodes.document) -> dict[str, nodes.Element]:
    """Return the blocks of a page by name, in order."""
    found = {_name_of(node): node for node in document.findall(nodes.Element)}
    return {name: node for name, node in found.items() if name}


def _name_of(node: nodes.Element) -> str:
    if isinstance(node, nodes.raw):
        return (_SUMMARY.search(node.astext()) or [""] * 2)[1]
    return next((name[5:] for name in node["classes"] if name.startswith("twin-")), "")


def words_of_summary(node: nodes.raw) -> str:
    """Return what a fold says of itself.

    >>> words_of_summary(nodes.raw("", "<details><summary>Answer</summary>"))
    'Answer'
    """
    return (_SUMMARY.search(node.astext()) or [""] * 3)[2]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_transform(NameBlocks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
