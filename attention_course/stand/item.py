"""Define an item: a question with options, of which a computed answer says which one is right."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from attention_course.translated import Lang, Text


@dataclass(frozen=True)
class Place:
    """A heading or an entry of the book: a page's file, and an anchor without its language."""

    page: str
    anchor: str

    def label(self, lang: Lang) -> str:
        """Return the anchor in a language.

        >>> misreading("masking").label("en")
        'en-misread-masking'
        """
        return f"{lang}-{self.anchor}"

    def href(self, lang: Lang) -> str:
        """Return a link relative to the pages of the language."""
        return f"{self.page}#{self.label(lang)}"


def section(chapter: str, name: str) -> Place:
    """Return a section of a chapter, such as ("04-masked-softmax", "wrong-masks")."""
    return Place(f"{chapter}.ipynb", name)


def misreading(name: str) -> Place:
    """Return an entry of the page of common misreadings."""
    return Place("misreadings.ipynb", f"misread-{name}")


def work(key: str) -> Place:
    """Return a work of the bibliography by its key in `book/references.bib`."""
    return Place("bibliography.md", f"bib-{key}")


@dataclass(frozen=True)
class Option:
    """An option with the value that it claims, and what it says about who chooses it.

    Attributes:
        text: the option.
        claim: the value that it claims, to be compared with the computed answer.
        said: the misconception in words, or why the option is right.
        source: where the misconception is described; None for the right option.
    """

    text: Text
    claim: Hashable
    said: Text
    source: Place | None = None


@dataclass(frozen=True)
class Item:
    """A question, its options, the index of the right one, and the section that treats it."""

    key: str
    text: Text
    options: tuple[Option, ...]
    right: int
    treated: Place


def item(key: str, text: Text, *options: Option, answer: Hashable, treated: Place) -> Item:
    """Find the right option of an item by the answer.

    Args:
        key: a name, unique among all items.
        text: the question.
        options: three to five.
        answer: the claim of the right option; computed by torch where it can be.
        treated: the section of the book that treats it.

    Raises:
        ValueError: there are not three to five options; not exactly one of them claims the answer;
            a wrong option has no source, or the right one has one.

    >>> a, b = Option(Text("1", "1"), 1, Text("", "")), misreading("nan")
    >>> item("one", Text("?", "？"), a, a, a, answer=2, treated=b)
    Traceback (most recent call last):
    ValueError: one: exactly one option should claim 2; got 0
    """
    right = [i for i, one in enumerate(options) if one.claim == answer]
    if not 3 <= len(options) <= 5:
        raise ValueError(f"{key}: an item has three to five options; got {len(options)}")
    if len(right) != 1:
        raise ValueError(f"{key}: exactly one option should claim {answer}; got {len(right)}")
    for i, one in enumerate(options):
        if (one.source is None) != (i == right[0]):
            raise ValueError(f"{key}: every option but the right one needs a source: {one.text.en}")
    return Item(key, text, options, right[0], treated)
