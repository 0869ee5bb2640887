"""The pages' own scripts that are bundled: TypeScript in book/web, built as the figures' is.

`SCRIPTS` says which page loads which; what else a script needs it imports at need, from `modules`.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from attention_figures.frontend import FrontEnd

BOOK = Path(__file__).parents[2]
PAGES = FrontEnd(BOOK / "web", BOOK / "built", imports=BOOK.parent / "attention_figures/web/core")
# By the name of a script, and of the style sheet that goes with it: a page that needs it has this.
SCRIPTS = {
    "run": re.compile(r'<div class="cell-bar"'),
    "exercises": re.compile(r"data-(exercise|progress-of)="),
}


def built() -> list[Path]:
    """Return the files that the pages load, built anew if they are stale.

    Raises:
        ExtensionError: they cannot be built.
    """
    try:
        PAGES.build()
    except RuntimeError as error:
        raise ExtensionError(str(error)) from error
    return sorted(path for path in PAGES.built.rglob("*") if path.suffix in (".js", ".css"))


def provide(app: Sphinx, static: Path) -> None:
    """Copy them to what becomes `_static`."""
    for path in built():
        target = static / path.relative_to(PAGES.built)
        target.parent.mkdir(exist_ok=True)
        shutil.copy(path, target)


def load(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Let a page load the scripts that it needs."""
    for name, need in SCRIPTS.items():
        if need.search(context.get("body", "")):
            app.add_js_file(f"{name}.js")
            app.add_css_file(f"{name}.css")
