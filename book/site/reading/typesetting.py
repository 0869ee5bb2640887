"""What a browser does not know of setting text.

It keeps a comma with the character before it, but not with a box, such as the last part of a
formula. And in Chinese it would put the dots that stand for emphasis under Latin letters, which are
slanted instead.
"""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.site.languages import HAN

_CLOSING = re.compile(r"[，。、；：？！）」』”…,.;:?!)]+")


class KeepPunctuation(SphinxPostTransform):
    """Put a formula and the punctuation after it into one box, which is not broken between them."""

    def run(self, **kwargs: object) -> None:
        """Go through the formulas of a page."""
        for formula in list(self.document.findall(nodes.math)):
            text = formula.next_node(descend=False, siblings=True)
            if isinstance(text, nodes.Text) and (closing := _CLOSING.match(text)):
                _join(formula, text, closing[0])


def _join(formula: nodes.math, text: nodes.Text, closing: str) -> None:
    """Move the closing marks from the text into a box with the formula before it.

    >>> formula, comma = nodes.math("", "q"), nodes.Text("、")
    >>> line = nodes.paragraph("", "", nodes.literal("", "k"), nodes.Text("、"), formula, comma)
    >>> _join(formula, comma, "、")
    >>> line.astext()
    'k、q、'
    """
    box = nodes.inline("", "", classes=["unbroken"])
    formula.replace_self(box)
    box += [formula, nodes.Text(closing)]
    # by its place: replace() takes the first text that reads the same, such as another lone comma
    box.parent[box.parent.index(box) + 1] = nodes.Text(text[len(closing) :])


class SlantLatin(SphinxPostTransform):
    """Mark emphasis on words without a Chinese character, such as an English title."""

    def run(self, **kwargs: object) -> None:
        """Go through what is emphasised on a page."""
        for emphasis in self.document.findall(nodes.emphasis):
            if not re.search(HAN, emphasis.astext()):
                emphasis["classes"].append("latin")
