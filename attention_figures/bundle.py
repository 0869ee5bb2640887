"""Return the figures' bundles: scripts and style sheets, for Jupyter and for static pages."""

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path

from attention_figures.frontend import FIGURES
from attention_figures.languages import LANGUAGES


def module() -> str:
    """Return the ES module for anywidget."""
    return _built("jupyter.js")


@cache
def core_script(langs: frozenset[str] = frozenset(LANGUAGES)) -> str:
    """Return the classic script that all kinds of figures need, with the strings of languages.

    It works on file:// as well. With the kinds' script after it, figures are hydrated when they
    come near the viewport, or by `hydrateFigures(parent)`.
    """
    return "\n".join(map(_built, ["core.js", *(f"strings/{lang}.js" for lang in sorted(langs))]))


@cache
def kinds_script(
    kinds: frozenset[str] | None = None, langs: frozenset[str] = frozenset(LANGUAGES)
) -> str:
    """Return the classic script of some kinds of figures, or of all.

    >>> len(kinds_script(frozenset({"pooling"}), frozenset({"en"}))) < len(kinds_script())
    True
    """
    shown = sorted(all_kinds() if kinds is None else kinds)
    return "\n".join(_built(f"kinds/{kind}.{lang}.js") for kind in shown for lang in sorted(langs))


def script(
    kinds: frozenset[str] | None = None, langs: frozenset[str] = frozenset(LANGUAGES)
) -> str:
    """Return both scripts as one."""
    return f"{core_script(langs)}\n{kinds_script(kinds, langs)}"


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
