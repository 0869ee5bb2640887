"""What a browser does not know of setting text.

It keeps a comma with the character before it, but not with a box, such as a formula; nor does it
break such a box, however narrow the page. And in Chinese it would put the dots that stand for
emphasis under Latin letters, which are slanted instead.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bilingual import HAN
from docutils import nodes
from formulas import TOKEN, width
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

_CLOSING = re.compile(r"[，。、；：？！）」』”…,.;:?!)]+")
_LONG = 10  # em of the text: half a line of a phone
_RELATIONS = {"=", "<", ">", r"\approx", r"\ge", r"\in", r"\le", r"\ne", r"\propto", r"\to"}
_OPEN, _CLOSED = {"{", "(", "[", r"\left", r"\begin"}, {"}", ")", "]", r"\right", r"\end"}


class BreakFormulas(SphinxPostTransform):
    """Part a long formula within a line before its relations, where print would break it."""

    default_priority = 890  # before the punctuation joins the last part

    def run(self, **kwargs: object) -> None:
        """Go through the formulas of a page."""
        for formula in list(self.document.findall(nodes.math)):
            if width(formula.astext()) > _LONG:
                first, *rest = _parts(formula.astext())
                continued = [nodes.math("", part, classes=["continued"]) for part in rest]
                formula.replace_self([nodes.math("", first), *continued])


def _parts(source: str) -> list[str]:
    r"""Cut a formula before each relation that stands in no group.

    >>> _parts(r"e^{x = 1} = \left(1 \le k\right) \le 1")
    ['e^{x = 1} ', '= \\left(1 \\le k\\right) ', '\\le 1']
    """
    depth, cuts = 0, [0]
    for token in TOKEN.finditer(source):
        depth += (token[0] in _OPEN) - (token[0] in _CLOSED)
        if not depth and token[0] in _RELATIONS and token.start():
            cuts.append(token.start())
    return [source[start:end] for start, end in pairwise([*cuts, len(source)])]


class KeepPunctuation(SphinxPostTransform):
    """Put a formula and the punctuation after it into one box that is not broken."""

    default_priority = 900  # when everything else is in place

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

    default_priority = 900

    def run(self, **kwargs: object) -> None:
        """Go through what is emphasised on a page."""
        for emphasis in self.document.findall(nodes.emphasis):
            if not re.search(HAN, emphasis.astext()):
                emphasis["classes"].append("latin")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.add_post_transform(BreakFormulas)
    app.add_post_transform(KeepPunctuation)
    app.add_post_transform(SlantLatin)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
