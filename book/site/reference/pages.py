"""Provide the base class of the directives that generate reference pages.

A reference page has an introduction and a directive. The directive generates Markdown, so links,
formulas and labels work as on any other page.
"""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective


class ReferenceDirective(SphinxDirective):
    """A directive that generates Markdown in the page's language."""

    def run(self) -> list[nodes.Node]:
        """Parse the generated Markdown; reread in every build, as it depends on other pages."""
        self.env.note_reread()
        lines = StringList(self.markdown().splitlines(), source=self.get_source_info()[0])
        here = self.state_machine.node  # so that headings begin sections of the page
        self.state.nested_parse(lines, self.content_offset, here, match_titles=True)
        return []

    def markdown(self) -> str:
        """Return the Markdown that replaces the directive."""
        raise NotImplementedError

    @property
    def language(self) -> str:
        """The language of the page, `en` or `zh`."""
        return Path(self.env.docname).parent.name

    def pages(self) -> list[Path]:
        """Return the files of all other pages in this language, chapters first."""
        folder = str(Path(self.env.docname).parent)
        names = sorted(name for name in self.env.found_docs if str(Path(name).parent) == folder)
        return [Path(self.env.doc2path(name)) for name in names if name != self.env.docname]


def title(page: Path) -> str:
    """Return the title of a page, in Markdown."""
    markdown = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        markdown = nbformat.reads(markdown, as_version=4).cells[0].source
    heading = re.search(r"^# (.+)", markdown, re.MULTILINE)
    return heading[1] if heading else page.stem


def chapter(page: Path) -> int | None:
    """Return the number of a chapter, and None for any other page.

    >>> chapter(Path("book/en/04-masked-softmax.ipynb"))
    4
    """
    number = re.match(r"\d\d(?=-)", page.name)
    return int(number[0]) if number else None
