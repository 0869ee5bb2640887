"""Write the translation of every page, block by block, for the side-by-side view.

`PAGE.translation.js` maps the block names of blocks.py to the HTML of the blocks on the page in the
other language.
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
from book.site.languages.blocks import PREFIX, has_translation

_HEADING = re.compile(r"h\d")
_SAME_FROM_BOTH = re.compile(r"\w+:|\.\./")  # links that are valid on pages of both languages
_NAMED = SoupStrainer(class_=re.compile(rf"(^|\s){PREFIX}"))


class Block(NamedTuple):
    """A block of text: the name that it shares with its translation, its tag, and its HTML."""

    name: str
    kind: str
    html: str

    @property
    def group(self) -> str:
        """The section of the block."""
        return self.name.rpartition("-")[0]


def load_script(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    if has_translation(pagename):
        context["translation_script"] = f"{Path(pagename).name}.translation.js"
        context["translation_tag"] = _other(pagename).tag
        app.add_js_file("side_by_side.js")


def _other(pagename: str) -> Language:
    return OTHER[language_of(pagename).code]


def blocks(page: str, path: Path) -> list[Block]:
    """Return the named blocks of an HTML page, ready to be inserted into another page.

    >>> page = '<section><h2 class="translation-a-0"><a href="#a" id="b">A</a></h2></section>'
    >>> blocks(page, Path("zh/03.html"))
    [Block(name='a-0', kind='h2', html='<p><a href="../zh/03.html#a">A</a></p>')]
    """
    found = []
    for block in BeautifulSoup(page, "html.parser", parse_only=_NAMED).find_all(recursive=False):
        name = next(one for one in _classes(block) if one.startswith(PREFIX))
        found.append(Block(name.removeprefix(PREFIX), block.name, _html(block, path)))
    return found


def _html(block: Tag, page: Path) -> str:
    """Return a block's HTML without names and ids, with links that work from the other page."""
    block["class"] = " ".join(one for one in _classes(block) if not one.startswith(PREFIX))
    for part in block.find_all(True):
        if part.decomposed:
            continue
        if part.get("role") == "tooltip" or "headerlink" in _classes(part) or _is_link_target(part):
            part.decompose()
        elif "term" in _classes(part):
            part.replace_with(next(part.stripped_strings))
    for part in [block, *block.find_all(True)]:
        del part["id"]
        address = str(part.get("href", "../"))
        if not _SAME_FROM_BOTH.match(address):
            file = page.name if address.startswith("#") else ""
            part["href"] = f"../{page.parent.name}/{file}{address}"
    if block.name == "summary":
        return block.decode_contents().strip()
    if _HEADING.fullmatch(block.name):  # a second heading would start a section
        block.name = "p"
    if block.name == "table":  # the theme's scroll container
        return f'<div class="pst-scrollable-table-container">{block}</div>'
    return str(block).replace(' class=""', "", 1)


def _classes(part: Tag) -> list[str]:
    return list(part.get("class") or [])


def _is_link_target(part: Tag) -> bool:
    """Return whether an element is only a link target."""
    return part.name == "span" and bool(part.get("id")) and not part.contents


def pair(own: list[Block], translated: list[Block]) -> dict[str, str]:
    """Return the translation of each block, by its name.

    If both languages have the same kinds of blocks in a section, they are paired one by one. If
    not, the first block gets all blocks that differ. Equal blocks need no translation.

    >>> pair([Block("cell-0", "title", "Key")], [Block("cell-0", "title", "键")])
    {'cell-0': '键'}
    """
    theirs, result = _grouped(translated), {}
    for group, blocks in _grouped(own).items():
        others = theirs[group]
        if [block.kind for block in blocks] == [other.kind for other in others]:
            paired = zip(blocks, others, strict=True)
            result.update(
                {block.name: other.html for block, other in paired if block.html != other.html}
            )
        else:
            known = {block.html for block in blocks}
            rest = [other.html for other in others if other.html not in known]
            result.update({blocks[0].name: "".join(rest)} if rest else {})
    return result


def _grouped(blocks: list[Block]) -> dict[str, list[Block]]:
    groups: dict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        groups[block.group].append(block)
    return groups


def write_scripts(app: Sphinx, error: Exception | None) -> None:
    """Write the translations of each pair of pages, unless neither page has changed."""
    for name in [] if error else app.env.found_docs:
        if has_translation(name) and language_of(name).code == "en":
            both = name, _other(name).page(name)
            pages = [Path(app.outdir, f"{one}.html") for one in both]
            scripts = [page.with_suffix(".translation.js") for page in pages]
            if _changed(pages, scripts):
                first, second = (blocks(page.read_text("utf-8"), page) for page in pages)
                _write(scripts[0], pair(first, second))
                _write(scripts[1], pair(second, first))


def _changed(sources: list[Path], targets: list[Path]) -> bool:
    times = [path.stat().st_mtime_ns if path.exists() else 0 for path in targets]
    return max(source.stat().st_mtime_ns for source in sources) >= min(times)


def _write(script: Path, texts: dict[str, str]) -> None:
    """Write a classic script: on file:// browsers block modules and fetch."""
    data = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    script.write_text(f"var translations = {data};\n", encoding="utf-8")
