"""Build and load the pages' scripts: ours, bundled from book/web, and the theme's.

`SCRIPTS` maps scripts to the pages that load them. Scripts import `modules` lazily. What every page
loads is one file, `page.js`.
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
    "exercises": re.compile(r'data-(exercise=|progress-of="chapter")'),
    "front": re.compile(r'data-progress-of="book"'),
    "stand": re.compile(r"data-stand "),
}
# The parts of page.js, in order: all in _static.
PAGE = "page.js"
PARTS = (
    *("documentation_options.js", "scripts/sphinx-book-theme.js"),
    *("clipboard.min.js", "copybutton.js", "search.js"),
    *("lecture.js", "report.js", "room.js", "scrolling.js", "terms.js"),
    *("scripts/bootstrap.js", "scripts/pydata-sphinx-theme.js"),
)
_SOURCE_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)


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


class PageScript:
    """Joins the scripts that every page loads into page.js, before the first page is written."""

    def __init__(self) -> None:
        self._joined = False

    def load(
        self, app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
    ) -> None:
        """Load page.js instead of its parts."""
        if not self._joined:
            static = Path(app.outdir, "_static")
            texts = [(static / name).read_text("utf-8") for name in PARTS]
            (static / PAGE).write_text(_SOURCE_MAP.sub("", "\n;".join(texts)), "utf-8")
            self._joined = True
        parts = {f"_static/{name}" for name in PARTS}
        scripts = context["script_files"]
        # The theme's inline script tells documentation_options.js the page's name, which only a
        # menu of versions would read.
        scripts[:] = [one for one in scripts if one.filename and str(one.filename) not in parts]


def delete_parts(app: Sphinx, error: Exception | None) -> None:
    """Delete what page.js holds."""
    static = Path(app.outdir, "_static")
    for name in PARTS:
        (static / name).unlink(missing_ok=True)
    shutil.rmtree(static / "scripts", ignore_errors=True)  # source maps
