"""Find dead links within the book; links must work on the site and in JupyterLab.

JupyterLab opens the file of a link and scrolls to an `<a id="…"></a>` in it; on the site that is a
label (`book/site/source/anchors.py`). So a link to a label of another page includes its file name.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

from tools.notebooks import read, with_newlines

_ANCHOR = re.compile(r'^<a id="([\w-]+)"></a>$', re.MULTILINE)
_PARSER = MarkdownIt()


def dead(page: Path) -> list[str]:
    """List the dead links and missing pictures of a page, one line each."""
    return [f"a link leads nowhere: {link}" for link in _links(page) if not _is_alive(link, page)]


def _is_alive(link: str, page: Path) -> bool:
    name, _, label = link.partition("#")
    target = page.parent / name if name else page
    return target.is_file() and (not label or label in _ANCHOR.findall(_markdown(target)))


def _links(page: Path) -> Iterator[str]:
    """Yield the targets of a page's links within the book."""
    for block in _PARSER.parse(_markdown(page)):
        for token in block.children or []:
            link = str(token.attrs.get("href", token.attrs.get("src", "")))
            if link and not re.match(r"[a-z]+:", link):
                yield link


def _markdown(page: Path) -> str:
    if page.suffix != ".ipynb":
        return page.read_text("utf-8")
    cells = read(page).cells
    return with_newlines("\n\n".join(c.source for c in cells if c.cell_type == "markdown"))
