"""Write the style sheets of the theme and the extensions as one, with only the rules that pages use.

A page links theme.css, the sheet of its figures, and site.css, which is built from book/web/styles.
"""

from __future__ import annotations

import re
import shutil
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from book.site.output.scripts import PAGES

# In cascade order, in `_static`.
THEME = (
    *("basic.css", "styles/bootstrap.css", "styles/pydata-sphinx-theme.css", "pygments.css"),
    *("styles/sphinx-book-theme.css", "mystnb.*.css", "copybutton.css"),
)
KATEX = ("katex.css", "katex-math.css")  # formulas.py has the rules
_LINK = re.compile(r'(?<=_static/)([\w./-]+\.css)(?:\?v=\w+)?(?=")')


def check_sheets(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Refuse sheets that an extension adds to a page, but that are not part of theme.css."""
    names = [str(sheet.filename).removeprefix("_static/") for sheet in context["css_files"]]
    known = (*THEME, *KATEX)
    unknown = [name for name in names if not any(fnmatch(name, part) for part in known)]
    if unknown:
        raise ExtensionError(f"THEME of {Path(__file__).name} should name {', '.join(unknown)}")


def write_theme_sheet(app: Sphinx, error: Exception | None) -> None:
    static = Path(app.outdir, "_static")
    sheets = [path for part in THEME for path in static.glob(part)]
    if sheets and not error:  # Sphinx copies them unless no page has changed
        (static / "theme.css").unlink(missing_ok=True)  # its variables do not count as used
        names = [str(path.relative_to(app.outdir)) for path in sheets]
        css = PAGES.run("purge.mjs", str(app.outdir), *names)
        (static / "theme.css").write_text(css, encoding="utf-8")


def link_sheets(app: Sphinx, error: Exception | None) -> None:
    """Add the hash of each style sheet to its links, and delete sheets that no page links."""
    if error:
        return
    static, linked = Path(app.outdir, "_static"), dict[str, str]()

    def link(found: re.Match[str]) -> str:
        name = found[1]
        if name not in linked:
            linked[name] = sha256((static / name).read_bytes()).hexdigest()[:8]
        return f"{name}?v={linked[name]}"

    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text("utf-8")
        changed = _LINK.sub(link, page)
        if changed != page:
            path.write_text(changed, encoding="utf-8")
    for path in static.glob("*.css"):
        if path.name not in linked:
            path.unlink()
    shutil.rmtree(static / "styles", ignore_errors=True)
    (static / "file.png").unlink(missing_ok=True)  # of a rule in basic.css
