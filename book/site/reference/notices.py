"""Generate the page of third-party notices, and a file with the full licence of each component.

Both are generated from the records in components.py whenever the book is built, so versions and
texts match what is installed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.application import Sphinx

from book.site.reference.components import COMPONENTS, Component
from book.site.reference.pages import ReferenceDirective

FOLDER = "_static/licences"  # in the site
OWN = "this-book.txt"
WITHIN = {"en": "in {} {}", "zh": "包含在 {} {} 中"}
SOURCE = {"en": "source", "zh": "源代码"}
WHOLE = {
    "en": "The licence of {} asks for the source of the whole file that it is in; the link beside "
    "it leads there. The book's own scripts only call that file.",
    "zh": "按照 {} 的许可，包含这个库的整个文件都要公开源代码，点旁边的链接就能看到。"
    "本书自己的脚本只是调用这个文件。",
}


class Notices(ReferenceDirective):
    """List the third-party components: name, version, licence, copyright."""

    def markdown(self) -> str:
        """Return an item for each component, with a link to its full licence."""
        items = "\n".join(self._item(component) for component in COMPONENTS)
        names = [f"`{component.name}`" for component in COMPONENTS if component.source]
        return "\n\n".join([items, *(WHOLE[self.language].format(name) for name in names)])

    def _item(self, component: Component) -> str:
        number = component.number or WITHIN[self.language].format(*component.carrier)
        parts = [f"**[{component.name}]({component.home})** {number}"]
        parts.append(f'<a href="../../{FOLDER}/{component.file}">{component.licence}</a>')
        if component.source:
            parts.append(f"[{SOURCE[self.language]}]({component.sources})")
        parts.append(component.copyright.replace("\n", "; ").replace("<", r"\<"))
        return f"- {' · '.join(filter(None, parts))}"


def text(component: Component) -> str:
    """Return the notice file of a component: name, version, files and licence."""
    number = component.number or WITHIN["en"].format(*component.carrier)
    lines = [f"{component.name} {number}", component.home, f"Licence: {component.licence}"]
    if component.source:
        lines.append(f"Source: {component.sources}, and what its Cargo.lock names, at crates.io")
    lines += ["In this site:", *(f"  {pattern}" for pattern in component.files)]
    return "\n".join([*lines, "", "-" * 80, "", component.notice])


def write_notices(app: Sphinx, error: Exception | None) -> None:
    if error:
        return
    folder = Path(app.outdir, FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(Path(app.confdir, "LICENSE"), folder / OWN)
    for component in COMPONENTS:
        (folder / component.file).write_text(text(component), "utf-8")
