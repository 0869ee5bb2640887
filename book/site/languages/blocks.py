"""Names for the blocks of text on a page, which both languages of the page share.

A block is a paragraph, a list, a table or the like, and gets the class `twin-NAME`. NAME is the
label of its section without the language, and its number therein.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from docutils import nodes
from sphinx.transforms import SphinxTransform

from book.site.languages import LANGUAGES

PREFIX = "twin-"
_LABELS = tuple(f"{language.code}-" for language in LANGUAGES)
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


def has_twin(docname: str) -> bool:
    """Tell whether a page exists in both languages.

    >>> has_twin("book/en/04-masked-softmax"), has_twin("book/index"), has_twin("search")
    (True, False, False)
    """
    return docname.startswith(tuple(language.folder for language in LANGUAGES))


class NameBlocks(SphinxTransform):
    """Give the blocks of a page their names."""

    def apply(self, **kwargs: object) -> None:
        """Go through the page in order."""
        if not has_twin(self.env.docname):
            return
        numbers: dict[str, int] = defaultdict(int)
        for node in _texts(self.document):
            group = _label(node)
            _name(node, f"{group}-{numbers[group]}")
            numbers[group] += 1


def _texts(node: nodes.Element) -> Iterator[nodes.Element]:
    """Find blocks of text: none within another, no output, and no picture."""
    for child in node.children:
        summary = isinstance(child, nodes.raw) and "<summary>" in child.astext()
        if isinstance(child, nodes.section | nodes.figure):
            yield from _texts(child)
        elif summary or (isinstance(child, TEXTS) and not isinstance(child[0], nodes.image)):
            yield child


def _label(node: nodes.Element) -> str:
    """Return what both languages call the section that a block stands in."""
    names = [name[3:] for name in node.parent["names"] if name.startswith(_LABELS)]
    return names[0] if names else "page"


def _name(node: nodes.Element, name: str) -> None:
    if isinstance(node, nodes.raw):
        named = node.astext().replace("<summary>", f'<summary class="{PREFIX}{name}">')
        node.children = [nodes.Text(named)]
    else:
        node["classes"].append(f"{PREFIX}{name}")
