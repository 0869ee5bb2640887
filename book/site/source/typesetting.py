"""Fix line breaks after formulas and emphasis on Latin text, which browsers get wrong.

Browsers keep a comma on the line of the character before it, but not on that of an inline box, such
as the end of a formula. And in Chinese text they would put emphasis dots under Latin letters, which
we set in italics instead.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.site.languages import HAN

_CLOSING = re.compile(r"[，。、；：？！）」』”…,.;:?!)]+")


class KeepPunctuation(SphinxPostTransform):
    """Wrap a formula and the punctuation after it in an element without a line break."""

    def run(self, **kwargs: object) -> None:
        """Wrap the formulas of a page."""
        for formula in list(self.document.findall(nodes.math)):
            text = formula.next_node(descend=False, siblings=True)
            if isinstance(text, nodes.Text) and (closing := _CLOSING.match(text)):
                _join(formula, text, closing[0])


def _join(formula: nodes.math, text: nodes.Text, closing: str) -> None:
    """Move closing punctuation from the text into a box with the formula before it.

    >>> formula, comma = nodes.math("", "q"), nodes.Text("、")
    >>> line = nodes.paragraph("", "", nodes.literal("", "k"), nodes.Text("、"), formula, comma)
    >>> _join(formula, comma, "、")
    >>> line.astext()
    'k、q、'
    """
    box = nodes.inline("", "", classes=["unbroken"])
    formula.replace_self(box)
    box += [formula, nodes.Text(closing)]
    # by index: replace() would replace the first equal text, such as another comma
    box.parent[box.parent.index(box) + 1] = nodes.Text(text[len(closing) :])


class SlantLatin(SphinxPostTransform):
    """Mark emphasis on text without Chinese characters, such as an English title."""

    def run(self, **kwargs: object) -> None:
        """Mark the emphasis nodes of a page."""
        for emphasis in self.document.findall(nodes.emphasis):
            if not re.search(HAN, emphasis.astext()):
                emphasis["classes"].append("latin")
