"""Put titles into the links of "Where do I stand?", whose stored output only has anchors."""

from __future__ import annotations

import re
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from book.site.reference.pages import chapter

_STAND = "data-stand"
_LINK = re.compile(
    r'<a href="(?P<page>[\w-]+)(?P<suffix>\.ipynb|\.md)#(?P<anchor>[\w-]+)">[^<]*</a>'
)
IN_CHAPTER = {"en": "chapter {number}, “{title}”", "zh": "第 {number} 章“{title}”"}
MISREADING = {"en": "common misreadings, {title}", "zh": "常见误读{title}"}


def read_again(app: Sphinx, pagename: str, content: list[str]) -> None:
    """Read the page again in every build, because it shows titles of other pages."""
    if _STAND in content[0]:
        app.env.note_reread()


def add_titles(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Link to the pages of the site, by the titles of what is linked."""
    if _STAND in context.get("body", ""):
        folder = Path(app.env.doc2path(pagename)).parent
        context["body"] = _LINK.sub(partial(_titled, folder), context["body"])


def _titled(folder: Path, link: re.Match[str]) -> str:
    page, anchor = folder / f"{link['page']}{link['suffix']}", link["anchor"]
    title, number = _title(page, anchor), chapter(page)
    if number:
        title = IN_CHAPTER[folder.name].format(number=number, title=title)
    elif page.stem == "misreadings":
        title = MISREADING[folder.name].format(title=title)
    return f'<a href="{page.stem}.html#{anchor}">{escape(title, quote=False)}</a>'


def _title(page: Path, anchor: str) -> str:
    """Return the heading or the bold name that follows an anchor, without markup."""
    text = page.read_text("utf-8")
    if page.suffix == ".ipynb":
        text = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
    named = re.search(rf'^<a id="{anchor}"></a>\n+(?:#+ (.+)|\*\*(.+?)\.?\*\*)', text, re.MULTILINE)
    if not named:
        raise ExtensionError(f"{page.name} should have a heading with the anchor {anchor}")
    plain = re.sub("[`*]", "", named[1] or named[2])
    return re.sub('^"(.*)"$', r"“\1”", plain)
