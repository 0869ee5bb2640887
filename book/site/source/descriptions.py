"""Set the meta description of each page, from `book/descriptions.yml`.

A page without an entry is described by its first sentences.
"""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.application import Sphinx

from book.site.languages import language_of

SOURCE = "book/descriptions.yml"
LIMIT = 160  # search engines cut off longer descriptions
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])")


def describe_page(app: Sphinx, doctree: nodes.document) -> None:
    name = app.env.docname
    app.env.note_dependency(str(Path(app.confdir, SOURCE)))
    known = record(app, name)
    paragraph = next(iter(doctree.findall(nodes.paragraph)), None)
    first = shorten(" ".join(paragraph.astext().split())) if paragraph else ""
    about = app.env.metadata[name].get("description") or known.get(language_of(name).code, first)
    app.env.metadata[name]["description"] = about


def record(app: Sphinx, page: str) -> dict[str, str]:
    """Return the entry of a page in descriptions.yml, or an empty one."""
    known = yaml.safe_load(Path(app.confdir, SOURCE).read_text(encoding="utf-8"))
    return dict(known.get(Path(page).name, {}))


def shorten(text: str) -> str:
    """Return as many whole sentences as fit, or the beginning of the first.

    >>> shorten("One sentence. And one that is far too long" + ", on and on" * 20)
    'One sentence.'
    >>> shorten("word " * 40)[-10:]
    'word word…'
    """
    first, *others = _SENTENCE_END.split(text)
    if len(first) > LIMIT:
        return re.sub(r"\s\S*$", "…", first[:LIMIT])
    for sentence in others:
        longer = f"{first} {sentence}" if first[-1] in ".?!" else first + sentence
        if len(longer) > LIMIT:
            break
        first = longer
    return first
