"""Return the figures' bundles: scripts and style sheets, for Jupyter and for static pages."""

import json
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from attention_figures.frontend import FIGURES
from attention_figures.languages import LANGUAGES


def module() -> str:
    """Return the ES module for anywidget."""
    return _built("jupyter.js")


def scripts(
    kinds: Collection[str] | None = None, langs: Collection[str] = LANGUAGES
) -> dict[str, str]:
    """Return the classic scripts that hydrate the figures of a page, by file name, in load order.

    They work on file:// as well. Pages share and cache files of the same name. Figures after the
    scripts are hydrated by calling `hydrateFigures(parent)`.

    >>> list(scripts(["pooling"], ["en"]))
    ['figures-core.js', 'figures-strings-en.js', 'figures-kinds-pooling-en.js']
    """
    shown = sorted(all_kinds() if kinds is None else kinds)
    texts = [f"strings/{lang}" for lang in sorted(langs)]
    own = [f"kinds/{kind}.{lang}" for kind in shown for lang in sorted(langs)]
    names = ["core", *texts, *own]
    return {f"figures-{re.sub('[/.]', '-', name)}.js": _built(f"{name}.js") for name in names}


@cache
def script(
    kinds: frozenset[str] | None = None, langs: frozenset[str] = frozenset(LANGUAGES)
) -> str:
    """Return all `scripts` as one.

    >>> len(script(frozenset({"pooling"}), frozenset({"en"}))) < len(script())
    True
    """
    return "\n".join(scripts(kinds, langs).values())


def stylesheet(kinds: Collection[str] | None = None) -> str:
    """Return the style sheet of figures of these kinds, or of all, for light, dark and print.

    >>> len(stylesheet(["pooling"])) < len(stylesheet())
    True
    """
    shown = set(all_kinds() if kinds is None else kinds)
    users: dict[str, list[str]] = json.loads(_built("styles.json"))  # in cascade order
    needed = [name for name in users if shown.intersection(users[name])]
    return "".join(_built(f"styles/{name}.css") for name in needed)


@cache
def strings(lang: str) -> dict[str, str]:
    """Return the interface strings of a language by their keys in `web/strings`.

    >>> strings("en")["score_gaussian"]
    'Gaussian'
    """
    return dict(json.loads(_built(f"strings/{lang}.json")))


def all_kinds() -> list[str]:
    """Return the kinds of figures: the names of the files in `web/kinds`."""
    return sorted({path.name.split(".")[0] for path in _built_folder().glob("kinds/*.js")})


@cache
def _built(name: str) -> str:
    return (_built_folder() / name).read_text("utf-8")


@cache
def _built_folder() -> Path:
    FIGURES.build()
    return FIGURES.built
