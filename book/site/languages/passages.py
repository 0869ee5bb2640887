"""Add `lang` to passages in the other language, for screen readers, fonts and hyphenation.

On Chinese pages these are runs of English words, such as titles and quotations, and single words
that gloss a Chinese one: 注意力（attention）. Names that Chinese text uses, such as PyTorch or
softmax, are not marked. On English pages all Chinese text is marked. Code and formulas are skipped,
and so are passages that the author has marked (`<span lang="fr">`).
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
FOREIGN = {  # pattern of passages in the other language, by the page's
    CHINESE: (re.compile(rf"{_GLOSS}|{_RUN}"), ENGLISH),
    ENGLISH: (re.compile(rf"(?:{HAN}|《)(?:[\u3000-\u30ff\uff00-\uffef·]|{HAN})*"), CHINESE),
}
_OPENS = re.compile(r"<[^<>/]+ lang=[^<>]*>$")
_NO_PROSE = (nodes.literal, nodes.FixedTextElement, nodes.math, nodes.math_block, nodes.Invisible)


class MarkPassages(SphinxPostTransform):
    """Wrap each passage in an element with its language."""

    def run(self, **kwargs: object) -> None:
        """Mark the passages in the prose of a page."""
        pattern, other = FOREIGN[language_of(self.env.docname)]
        for element in list(self.document.findall(nodes.TextElement)):
            if _is_prose(element):
                _mark(element, pattern, other.tag)


def _mark(element: nodes.TextElement, pattern: re.Pattern[str], tag: str) -> None:
    has_language = False  # whether the author has marked the language of the next child
    for child in element.children[:]:
        if isinstance(child, nodes.Text) and not has_language:
            parts = list(_passages(child.astext(), pattern))
            place = next(i for i, other in enumerate(element) if other is child)
            element[place : place + 1] = [_text_node(*part, tag) for part in parts if part[0]]
        has_language = isinstance(child, nodes.raw) and bool(_OPENS.search(child.astext()))


def _passages(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """Split a text into parts, each with whether it is in the other language.

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


def _text_node(text: str, foreign: bool, tag: str) -> nodes.Node:
    # docutils turns the class language-en into lang="en"
    return nodes.inline("", text, classes=[f"language-{tag}"]) if foreign else nodes.Text(text)


def _is_prose(element: nodes.Node) -> bool:
    while element is not None:
        has_language = any(name.startswith("language-") for name in element.get("classes", []))
        if has_language or isinstance(element, _NO_PROSE):
            return False
        element = element.parent
    return True
