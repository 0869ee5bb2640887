"""Says of a passage in another language which one it is, for voices, fonts and hyphenation.

On Chinese pages these are runs of English words, such as a title or a sentence that is quoted, and
single words that explain a Chinese one: 注意力（attention）. Names that Chinese uses as its own,
such as PyTorch or softmax, are left to it. On English pages it is whatever is Chinese. Code and
formulas are in neither language; and what an author has marked (`<span lang="fr">`) is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from book.site.languages import CHINESE, ENGLISH, HAN, language_of

_WORD = r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ0-9’'-]*"
_RUN = rf"{_WORD}(?:[ .,;:&()/?!0-9–-]+{_WORD})*[.?!]?"
_GLOSS = rf"(?<=[（“])({_WORD})(?=[）”])"
_LETTERS = re.compile(r"[A-Za-zÀ-ɏ]{2,}")
FOREIGN = {  # what a page in this language has of the other
    CHINESE: (re.compile(rf"{_GLOSS}|{_RUN}"), ENGLISH),
    ENGLISH: (re.compile(rf"(?:{HAN}|《)(?:[\u3000-\u30ff\uff00-\uffef·]|{HAN})*"), CHINESE),
}
_OPENS = re.compile(r"<[^<>/]+ lang=[^<>]*>$")
_NO_PROSE = (nodes.literal, nodes.FixedTextElement, nodes.math, nodes.math_block, nodes.Invisible)


class MarkPassages(SphinxPostTransform):
    """Wrap each passage in an element that names its language."""

    def run(self, **kwargs: object) -> None:
        """Go through the prose of a page."""
        pattern, other = FOREIGN[language_of(self.env.docname)]
        for element in list(self.document.findall(nodes.TextElement)):
            if _is_prose(element):
                _mark(element, pattern, other.tag)


def _mark(element: nodes.TextElement, pattern: re.Pattern[str], tag: str) -> None:
    said = False  # whether an author has said the language of what comes next
    for child in element.children[:]:
        if isinstance(child, nodes.Text) and not said:
            parts = list(_passages(child.astext(), pattern))
            place = next(i for i, other in enumerate(element) if other is child)
            element[place : place + 1] = [_node(*part, tag) for part in parts if part[0]]
        said = isinstance(child, nodes.raw) and bool(_OPENS.search(child.astext()))


def _passages(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """Divide a text into parts, and tell of each whether it is in the other language.

    >>> pattern, _ = FOREIGN[CHINESE]
    >>> parts = _passages("PyTorch 的注意力（attention）：Let it be.", pattern)
    >>> [part for part, foreign in parts if foreign]
    ['attention', 'Let it be.']
    """
    end = 0
    for found in pattern.finditer(text):
        if re.search(HAN, found[0]) or found[1] or len(_LETTERS.findall(found[0])) > 1:
            yield text[end : found.start()], False
            yield found[0], True
            end = found.end()
    yield text[end:], False


def _node(text: str, foreign: bool, tag: str) -> nodes.Node:
    # docutils turns the class language-en into lang="en"
    return nodes.inline("", text, classes=[f"language-{tag}"]) if foreign else nodes.Text(text)


def _is_prose(element: nodes.Node) -> bool:
    while element is not None:
        said = any(name.startswith("language-") for name in element.get("classes", []))
        if said or isinstance(element, _NO_PROSE):
            return False
        element = element.parent
    return True
