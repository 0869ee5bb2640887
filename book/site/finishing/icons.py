"""The icons that the pages show, as inline SVG: icons.svg has their drawings.

The book's templates write `icon("bars")`. The theme's write elements with classes of Font Awesome,
which would load 180 kB; once a page is rendered, they become the drawings of the same names.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.jinja2glue import BuiltinTemplateLoader

SOURCE = Path(__file__).with_suffix(".svg")
_STYLES = {"fa-solid", "fa-lg"}  # say of what size and weight an icon is
_SYMBOL = re.compile(r'<symbol id="([\w-]+)">(.*?)</symbol>')
_THEMES = re.compile(r'<i class="([^"]*\bfa-[^"]*)"([^>]*)></i>')


@cache
def _symbols() -> dict[str, str]:
    return dict(_SYMBOL.findall(SOURCE.read_text("utf-8")))


def icon(name: str, classes: str = "", attributes: str = "") -> str:
    """Return the drawing of an icon, which is decoration: what it stands on has a name in words.

    >>> icon("angle-left")
    '<svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><path d="M10 3 5 8l5 5"/></svg>'
    """
    if name not in _symbols():
        raise ExtensionError(f"{SOURCE.name} should have a symbol {name!r}")
    named = f"icon {classes}".strip()
    start = f'<svg class="{named}" aria-hidden="true" viewBox="0 0 16 16"{attributes}>'
    return f"{start}{_symbols()[name]}</svg>"


def without_font(page: str) -> str:
    """Put drawings in the place of the elements to which Font Awesome would give a character.

    >>> without_font('<i class="theme-switch fa-solid fa-moon fa-lg" data-mode="dark"></i>')[:65]
    '<svg class="icon theme-switch" aria-hidden="true" viewBox="0 0 16'
    """
    return _THEMES.sub(_drawing, page)


def _drawing(element: re.Match[str]) -> str:
    classes = element[1].split()
    (name,) = (one[3:] for one in classes if one.startswith("fa-") and one not in _STYLES)
    return icon(name, " ".join(c for c in classes if not re.match("fas?(-|$)", c)), element[2])


class Templates(BuiltinTemplateLoader):
    """The templates of theme and book, with icons where they name some."""

    def render(self, template: str, context: dict[str, Any]) -> str:  # type: ignore[override]
        """Render a page."""
        return without_font(super().render(template, {**context, "icon": icon}))


def drop_font(app: Sphinx, error: Exception | None) -> None:
    shutil.rmtree(Path(app.outdir, "_static/vendor"), ignore_errors=True)
