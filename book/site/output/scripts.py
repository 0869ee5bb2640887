"""Build and load the pages' own scripts, bundled from the TypeScript in book/web.

`SCRIPTS` maps scripts to the pages that load them. Scripts import `modules` lazily.
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
# Name of a script → pattern of the HTML that needs it.
SCRIPTS = {
    "run": re.compile(r'<div class="cell-bar"'),
    "exercises": re.compile(r"data-(exercise|progress-of)="),
}


def built() -> list[Path]:
    """Return the bundled files, rebuilt if they are stale.

    Raises:
        ExtensionError: the build fails.
    """
    try:
        PAGES.build()
    except RuntimeError as error:
        raise ExtensionError(str(error)) from error
    return sorted(path for path in PAGES.built.rglob("*") if path.suffix in (".js", ".css"))


def copy_built(app: Sphinx, static: Path) -> None:
    """Copy the bundled files into the folder that becomes `_static`."""
    for path in built():
        target = static / path.relative_to(PAGES.built)
        target.parent.mkdir(exist_ok=True)
        shutil.copy(path, target)


def load_scripts(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add the scripts that a page needs."""
    for name, need in SCRIPTS.items():
        if need.search(context.get("body", "")):
            app.add_js_file(f"{name}.js")
