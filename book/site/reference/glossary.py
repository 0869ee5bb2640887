"""Generate the glossary from `book/glossary.yml`, in the language of the page.

The label of an entry is `en-term-ID` or `zh-term-ID`.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import yaml

from book.site.languages import OTHER
from book.site.reference.pages import ReferenceDirective, chapter, title

SOURCE = Path(__file__).parents[2] / "glossary.yml"

Entry = dict[str, Any]


def introduced(number: int | None, language: str) -> list[list[str]]:
    """Return the terms and symbols that a chapter introduces, each with its search names.

    >>> introduced(12, "en")[0]
    ['key–value cache', 'KV cache']
    """
    parts = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    return [
        [entry[language], *entry.get(f"sought_{language}", [])]
        for part in (parts["terms"], parts["notation"])
        for entry in part
        if entry["chapter"] == number
    ]


class Glossary(ReferenceDirective):
    """Write one part of the glossary, `notation` or `terms`."""

    required_arguments = 1

    def markdown(self) -> str:
        """Return the notation as one list, and the terms in a section for each chapter."""
        entries = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))[self.arguments[0]]
        chapters = {chapter(page): page for page in self.pages()}
        if self.arguments[0] == "notation":
            return "\n\n".join(self._entry(e, chapters[e["chapter"]]) for e in entries)
        return "\n\n".join(
            "\n\n".join([self._heading(chapters[number]), *map(self._entry, group)])
            for number, group in groupby(entries, itemgetter("chapter"))
        )

    def _heading(self, page: Path) -> str:
        label = f"{self.language}-terms-{page.stem}"
        return f"({label})=\n### [{chapter(page)} · {title(page)}]({page.name})"

    def _entry(self, entry: Entry, page: Path | None = None) -> str:
        other = OTHER[self.language]
        names = [f"**{entry[self.language]}**"]
        if "symbol" in entry:
            names.insert(0, f"${entry.get('shown', entry['symbol'])}$")
        if entry[other.code] != entry[self.language]:
            names.append(f'<span lang="{other.tag}">{entry[other.code]}</span>')
        place, meaning = f"({self.language}-term-{entry['id']})=", entry[f"meaning_{self.language}"]
        return f"{place}\n{' · '.join(names)}\\\n{meaning}" + (
            self._introduced(page) if page else ""
        )

    def _introduced(self, page: Path) -> str:
        if self.language == "zh":
            return f"见第 [{chapter(page)}]({page.name}) 章。"
        return f" See chapter [{chapter(page)}]({page.name})."
