"""The icons that the pages show, cut out of the theme's font of 1400.

The theme's own way loads 180 kB. Here, once the pages are written, the names that stand in them and
in the scripts, and the characters that stand in style sheets, become a small font and its rules.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from fontTools import subset
from sphinx.application import Sphinx

SOURCE = Path(str(files("pydata_sphinx_theme"))) / (
    "theme/pydata_sphinx_theme/static/vendor/fontawesome/6.5.2"
)
FACE = (
    '@font-face{font-family:"Font Awesome 6 Free";font-weight:900;font-display:block;'
    'src:url("icons.woff") format("woff")}'
)
NAME = re.compile(r"\bfa(?:s|(?:-[a-z0-9]+)+)\b")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
CHARACTER = re.compile(r"[\ue000-\uf8ff]|\\([ef][0-9a-f]{3})\b")
COPYRIGHT, LICENCE, LICENCE_ADDRESS = 0, 13, 14  # entries of a font's table of names


def rules(css: str, names: set[str]) -> Iterator[str]:
    """Give the rules that concern some of these class names, with no other selectors.

    >>> list(rules(".fa-a:before,.fa-b:before{content:'a'}.fa-c{color:red}", {"fa-b"}))
    [".fa-b:before{content:'a'}"]
    """
    for selectors, body in RULE.findall(re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        wanted = [one for one in selectors.split(",") if names & set(re.findall(r"[\w-]+", one))]
        if wanted:
            yield f"{','.join(wanted)}{{{body}}}"


def characters(css: str) -> set[int]:
    r"""Return the private characters in a style sheet, which are icons.

    >>> sorted(map(hex, characters(r'a{content:"\f107"} b{content:"' + chr(0xE000) + '"}')))
    ['0xe000', '0xf107']
    """
    found = CHARACTER.finditer(css)
    return {int(match[1], 16) if match[1] else ord(match[0]) for match in found}


def _cut(app: Sphinx, error: Exception | None) -> None:
    """Write the font and its rules, and leave out the theme's."""
    if error:
        return
    out = Path(app.outdir)
    static = out / "_static"
    shutil.rmtree(static / "vendor")
    whole = (SOURCE / "css/all.min.css").read_text("utf-8")
    css = "".join(rules(whole, _names(out)))
    sheets = "".join(path.read_text("utf-8") for path in static.rglob("*.css"))
    _write_font(static / "icons.woff", characters(css + sheets))
    notice, end, _ = whole.partition("*/")
    (static / "icons.css").write_text(f"{notice}{end}{FACE}{css}\n", "utf-8")
    shutil.copy(SOURCE / "LICENSE.txt", static / "icons-licence.txt")


def _names(out: Path) -> set[str]:
    """Return the class names of icons on pages and in scripts, and what they are based on."""
    texts = [*out.glob("*.html"), *out.glob("book/**/*.html"), *out.glob("_static/**/*.js")]
    found = (NAME.findall(path.read_text("utf-8")) for path in texts)
    return {"root"}.union(*found)


def _write_font(target: Path, wanted: set[int]) -> None:
    """Write these characters of the font, under no name: its licence keeps that for the whole."""
    options = subset.Options(flavor="woff", name_IDs=[COPYRIGHT, LICENCE, LICENCE_ADDRESS])
    font = subset.load_font(str(SOURCE / "webfonts/fa-solid-900.ttf"), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted)
    cutter.subset(font)
    subset.save_font(font, str(target), options)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect to Sphinx."""
    app.connect("build-finished", _cut)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
