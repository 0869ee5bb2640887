"""The other language's text for every page, block by block, to show beside or under the page's own.

`PAGE.twin.js` holds, by the names that blocks.py gives, the HTML of the other language's blocks, as
the finished page of that language has them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag
from bs4.filter import SoupStrainer
from sphinx.application import Sphinx

from book.site.languages import OTHER, Language, language_of
from book.site.languages.blocks import PREFIX, has_twin

_HEADING = re.compile(r"h\d")
_ELSEWHERE = re.compile(r"\w+:|\.\./")  # an address that is the same from both languages
_NAMED = SoupStrainer(class_=re.compile(rf"(^|\s){PREFIX}"))


class Block(NamedTuple):
    """A block of text: the name that it shares with its twin, what it is, and its HTML."""

    name: str
    kind: str
    html: str

    @property
    def group(self) -> str:
        """The section that the block belongs to."""
        return self.name.rpartition("-")[0]


def load_script(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    if has_twin(pagename):
        context["twin_script"] = f"{Path(pagename).name}.twin.js"
        context["twin_tag"] = _other(pagename).tag
        app.add_js_file("twins.js")
        app.add_css_file("twins.css")


def _other(pagename: str) -> Language:
    return OTHER[language_of(pagename).code]


def blocks(page: str, path: Path) -> list[Block]:
    """Return the named blocks of a finished page as they may stand on another.

    >>> page = '<section><h2 class="twin-a-0"><a href="#a" id="b">A</a></h2></section>'
    >>> blocks(page, Path("zh/03.html"))
    [Block(name='a-0', kind='h2', html='<p><a href="../zh/03.html#a">A</a></p>')]
    """
    found = []
    for block in BeautifulSoup(page, "html.parser", parse_only=_NAMED).find_all(recursive=False):
        name = next(one for one in _classes(block) if one.startswith(PREFIX))
        found.append(Block(name.removeprefix(PREFIX), block.name, _html(block, path)))
    return found


def _html(block: Tag, page: Path) -> str:
    """Write a block without its names, with links that lead from the other language's page."""
    block["class"] = " ".join(one for one in _classes(block) if not one.startswith(PREFIX))
    for part in block.find_all(True):
        if part.get("role") == "tooltip" or "headerlink" in _classes(part) or _is_place(part):
            part.decompose()
        elif "term" in _classes(part):
            part.replace_with(next(part.stripped_strings))
    for part in [block, *block.find_all(True)]:
        del part["id"]
        address = str(part.get("href", "../"))
        if not _ELSEWHERE.match(address):
            file = page.name if address.startswith("#") else ""
            part["href"] = f"../{page.parent.name}/{file}{address}"
    if block.name == "summary":
        return block.decode_contents().strip()
    if _HEADING.fullmatch(block.name):  # a second heading would be one section more
        block.name = "p"
    if block.name == "table":  # scrolls in a frame, as the theme has it
        return f'<div class="pst-scrollable-table-container">{block}</div>'
    return str(block).replace(' class=""', "", 1)


def _classes(part: Tag) -> list[str]:
    return list(part.get("class") or [])


def _is_place(part: Tag) -> bool:
    """Tell whether an element is there for links to lead to."""
    return part.name == "span" and bool(part.get("id")) and not part.contents


def pair(own: list[Block], others: list[Block]) -> dict[str, str]:
    """Return for the names of a page's own blocks what to show with them.

    A section in which both languages have the same kinds of block pairs them one by one. If not,
    its first block has all that is new in the other language. What is equal needs no counterpart.

    >>> pair([Block("cell-0", "title", "Key")], [Block("cell-0", "title", "键")])
    {'cell-0': '键'}
    """
    theirs, shown = _grouped(others), {}
    for group, blocks in _grouped(own).items():
        twins = theirs[group]
        if [block.kind for block in blocks] == [twin.kind for twin in twins]:
            found = zip(blocks, twins, strict=True)
            shown.update(
                {block.name: twin.html for block, twin in found if block.html != twin.html}
            )
        else:
            known = {block.html for block in blocks}
            rest = [twin.html for twin in twins if twin.html not in known]
            shown.update({blocks[0].name: "".join(rest)} if rest else {})
    return shown


def _grouped(blocks: list[Block]) -> dict[str, list[Block]]:
    groups: dict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        groups[block.group].append(block)
    return groups


def write_scripts(app: Sphinx, error: Exception | None) -> None:
    """Put each two finished pages side by side, unless neither has changed."""
    for name in [] if error else app.env.found_docs:
        if has_twin(name) and language_of(name).code == "en":
            pages = [Path(app.outdir, f"{one}.html") for one in (name, _other(name).page(name))]
            scripts = [page.with_suffix(".twin.js") for page in pages]
            if _changed(pages, scripts):
                first, second = (blocks(page.read_text("utf-8"), page) for page in pages)
                _write(scripts[0], pair(first, second))
                _write(scripts[1], pair(second, first))


def _changed(sources: list[Path], targets: list[Path]) -> bool:
    times = [path.stat().st_mtime_ns if path.exists() else 0 for path in targets]
    return max(source.stat().st_mtime_ns for source in sources) >= min(times)


def _write(script: Path, texts: dict[str, str]) -> None:
    """Write a classic script, because file:// refuses modules and fetches."""
    data = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    script.write_text(f"var twins = {data};\n", encoding="utf-8")
