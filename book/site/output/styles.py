"""Write the style sheets that every page links: theme.css and site.css.

theme.css has the rules of the theme and the extensions that the pages can use, site.css those of
formulas and of book/web/styles. A page with figures links their sheet between them (assets.py).
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
KATEX = ("katex.css", "katex-math.css")  # formulas.py writes another one
ROOM = "room.css"  # scripts/room.ts loads it
_FONT = re.compile(r"(katex/[\w-]+\.woff2)")
_LINK = re.compile(r'(?<=_static/)([\w./-]+\.(?:css|woff2))(?:\?v=\w+)?(?=")')


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


def write_site_sheet(app: Sphinx, error: Exception | None) -> None:
    """Put the rules of formulas before ours, which adjust some of them."""
    if not error:
        static, own = Path(app.outdir, "_static"), PAGES.built / "site.css"
        rules = _versioned(static, _FONT, (static / "katex.css").read_text("utf-8"))
        (static / "site.css").write_text(rules + own.read_text("utf-8"), encoding="utf-8")


def link_sheets(app: Sphinx, error: Exception | None) -> None:
    """Version the links to style sheets and fonts, and delete sheets that no page links."""
    if error:
        return
    static, linked = Path(app.outdir, "_static"), {ROOM}
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text("utf-8")
        linked |= {found[1] for found in _LINK.finditer(page)}
        versioned = _versioned(static, _LINK, page)
        if versioned != page:
            path.write_text(versioned, encoding="utf-8")
    for path in static.glob("*.css"):
        if path.name not in linked:
            path.unlink()
    shutil.rmtree(static / "styles", ignore_errors=True)
    (static / "file.png").unlink(missing_ok=True)  # of a rule in basic.css


def _versioned(static: Path, links: re.Pattern[str], text: str) -> str:
    """Add a hash of the file to each link, as Sphinx does."""

    def version(link: re.Match[str]) -> str:
        file = static / link[1]
        if not file.exists():  # a page that an earlier build has left
            return link[0]
        return f"{link[1]}?v={sha256(file.read_bytes()).hexdigest()[:8]}"

    return links.sub(version, text)
