"""Render icons as inline SVG, from the symbols in icons.svg, and buttons without scripts.

The book's templates call `icon("bars")`. The theme's use Font Awesome classes, which would load
180 kB; after a page is rendered, they are replaced by the symbols of the same names.
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
_STYLES = {"fa-solid", "fa-lg"}  # size and weight, no names of icons
_SYMBOL = re.compile(r'<symbol id="([\w-]+)">(.*?)</symbol>')
_WRITTEN = re.compile(r"<script>\s*document\.write\(`(.*?)`\);\s*</script>", re.DOTALL)
_THEMES = re.compile(r'<i class="([^"]*\bfa-[^"]*)"([^>]*)></i>')


@cache
def _symbols() -> dict[str, str]:
    return dict(_SYMBOL.findall(SOURCE.read_text("utf-8")))


def icon(name: str, classes: str = "", attributes: str = "") -> str:
    """Return an icon as SVG, hidden from screen readers: its button or link has a label.

    >>> icon("angle-left")
    '<svg class="icon" aria-hidden="true" viewBox="0 0 16 16"><path d="M10 3 5 8l5 5"/></svg>'
    """
    if name not in _symbols():
        raise ExtensionError(f"{SOURCE.name} should have a symbol {name!r}")
    named = f"icon {classes}".strip()
    start = f'<svg class="{named}" aria-hidden="true" viewBox="0 0 16 16"{attributes}>'
    return f"{start}{_symbols()[name]}</svg>"


def without_font(page: str) -> str:
    """Replace Font Awesome elements with inline SVG.

    >>> without_font('<i class="theme-switch fa-solid fa-moon fa-lg" data-mode="dark"></i>')[:65]
    '<svg class="icon theme-switch" aria-hidden="true" viewBox="0 0 16'
    """
    return _THEMES.sub(_drawing, page)


def without_document_write(page: str) -> str:
    """Replace scripts that write buttons with the buttons; book.css hides them without scripts.

    `document.write` blocks the parser, and Lighthouse counts it as bad practice.

    >>> without_document_write("<script> document.write(` <button>Go</button> `); </script>")
    '<button>Go</button>'
    """
    return _WRITTEN.sub(lambda script: script[1].strip(), page)


def _drawing(element: re.Match[str]) -> str:
    classes = element[1].split()
    (name,) = (one[3:] for one in classes if one.startswith("fa-") and one not in _STYLES)
    return icon(name, " ".join(c for c in classes if not re.match("fas?(-|$)", c)), element[2])


class Templates(BuiltinTemplateLoader):
    """Sphinx's template loader, with icons as inline SVG and without `document.write`."""

    def render(self, template: str, context: dict[str, Any]) -> str:  # type: ignore[override]
        """Render a page, with `icon()` available to templates."""
        page = super().render(template, {**context, "icon": icon})
        return without_font(without_document_write(page))


def delete_icon_font(app: Sphinx, error: Exception | None) -> None:
    shutil.rmtree(Path(app.outdir, "_static/vendor"), ignore_errors=True)
