"""Name the blocks of text on a page, so that a block and its translation share a name.

A block is a paragraph, a list, a table or the like, and gets the class `translation-NAME`. NAME is
the label of its section without the language, and the block's number in the section.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from docutils import nodes
from sphinx.transforms import SphinxTransform

from book.site.languages import LANGUAGES

PREFIX = "translation-"
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


def has_translation(docname: str) -> bool:
    """Return whether a page exists in both languages.

    >>> [has_translation(page) for page in ("book/en/04-masked-softmax", "book/index", "search")]
    [True, False, False]
    """
    return docname.startswith(tuple(language.folder for language in LANGUAGES))


class NameBlocks(SphinxTransform):
    """Add the name of each block as a class."""

    def apply(self, **kwargs: object) -> None:
        """Name the blocks in document order."""
        if not has_translation(self.env.docname):
            return
        numbers: dict[str, int] = defaultdict(int)
        for node in _text_blocks(self.document):
            group = _section_label(node)
            _add_name(node, f"{group}-{numbers[group]}")
            numbers[group] += 1


def _text_blocks(node: nodes.Element) -> Iterator[nodes.Element]:
    """Yield the outermost blocks of text, without outputs and pictures."""
    for child in node.children:
        summary = isinstance(child, nodes.raw) and "<summary>" in child.astext()
        if isinstance(child, nodes.section | nodes.figure):
            yield from _text_blocks(child)
        elif summary or (isinstance(child, TEXTS) and not isinstance(child[0], nodes.image)):
            yield child


def _section_label(node: nodes.Element) -> str:
    """Return the label, without the language, of the section that holds a block."""
    names = [name[3:] for name in node.parent["names"] if name.startswith(_LABELS)]
    return names[0] if names else "page"


def _add_name(node: nodes.Element, name: str) -> None:
    if isinstance(node, nodes.raw):
        named = node.astext().replace("<summary>", f'<summary class="{PREFIX}{name}">')
        node.children = [nodes.Text(named)]
    else:
        node["classes"].append(f"{PREFIX}{name}")
