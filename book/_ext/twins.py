"""The other language's text for every page, block by block, to show beside or under the page's own.

`PAGE.twin.js` holds, by the names that blocks.py gives, the HTML of the other language's blocks.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bilingual import OTHER, Language, language_of
from blocks import has_twin, named_blocks, words_of_summary
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from terms import without_marks

_BREAK = "<!-- next block -->"


class Block(NamedTuple):
    """A block of text: the name that it shares with its twin, what it is, and its HTML."""

    name: str
    kind: str
    html: str

    @property
    def group(self) -> str:
        """The cell or section that the block belongs to."""
        return self.name.rpartition("-")[0]


def _keep_blocks(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Keep the blocks of a page that is being written, for its twin, and give it the scripts."""
    if has_twin(pagename):
        context["twin_script"] = f"{Path(pagename).name}.twin.js"
        context["twin_tag"] = _other(pagename).tag
        app.add_js_file("twins.js")
        app.add_css_file("twins.css")
        path = _kept(app, pagename)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(list(_blocks(app, pagename, doctree))), encoding="utf-8")


def _other(pagename: str) -> Language:
    return OTHER[language_of(pagename).code]


def _kept(app: Sphinx, pagename: str) -> Path:
    return Path(app.doctreedir, "twins", f"{pagename}.json")


def _blocks(app: Sphinx, pagename: str, doctree: nodes.document) -> Iterator[Block]:
    """Write the named blocks of a page as they may stand on another."""
    named = named_blocks(doctree)
    together = nodes.container()
    for node in named.values():
        together += [nodes.raw("", _BREAK, format="html"), _copy(node, pagename)]
    assert isinstance(app.builder, StandaloneHTMLBuilder)
    html, _, _ = app.builder.render_partial(together)["fragment"].rpartition("</div>")
    _, *htmls = html.split(_BREAK)
    for (name, node), html in zip(named.items(), htmls, strict=True):
        yield Block(name, node.tagname, html.strip())


def _copy(block: nodes.Element, pagename: str) -> nodes.Element:
    """Copy a block without its names and with links that lead from a page of the other language."""
    if isinstance(block, nodes.raw):
        return nodes.raw("", words_of_summary(block), format="html")
    copy = block.deepcopy()
    without_marks(copy)
    if isinstance(block, nodes.title):  # a second heading would be one section more
        copy = nodes.paragraph("", "", *copy.children)
    for node in list(copy.findall(nodes.Element)):
        node["ids"], node["names"] = [], []
        node["classes"] = [name for name in node["classes"] if not name.startswith("twin-")]
        if isinstance(node, nodes.reference):
            _lead(node, Path(pagename))
        elif isinstance(node, nodes.target):
            node.parent.remove(node)
    return copy


def _lead(link: nodes.reference, page: Path) -> None:
    target = link.get("refuri") or f"{page.name}.html#{link.attributes.pop('refid')}"
    target = f"{page.name}.html{target}" if target.startswith("#") else target
    link["refuri"] = target if re.match(r"\w+:", target) else f"../{page.parent.name}/{target}"


def pair(own: list[Block], others: list[Block]) -> dict[str, str]:
    """Return for the names of a page's own blocks what to show with them.

    A cell in which both languages have the same kinds of block pairs them one by one. If not, its
    first block has all that is new in the other language. What is equal needs no counterpart.

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


def _write_scripts(app: Sphinx, error: Exception | None) -> None:
    """Write each page's script: a classic one, because file:// refuses modules and fetches."""
    for pagename in [] if error else filter(has_twin, app.env.found_docs):
        own, others = (
            [Block(*block) for block in json.loads(_kept(app, name).read_text("utf-8"))]
            for name in (pagename, _other(pagename).page(pagename))
        )
        data = json.dumps(pair(own, others), ensure_ascii=False, separators=(",", ":"))
        script = Path(app.outdir, f"{pagename}.twin.js")
        script.write_text(f"var twins = {data};\n", encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("html-page-context", _keep_blocks)
    app.connect("build-finished", _write_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
