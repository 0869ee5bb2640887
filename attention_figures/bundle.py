"""Return the figures' bundles: scripts and style sheets, for Jupyter and for static pages."""

import json
from collections.abc import Collection, Iterable
from functools import cache
from itertools import takewhile
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


def core_stylesheet() -> str:
    """Return the style sheet of what many kinds need, which nearly all pages share."""
    return _styles(_core_styles())


def kinds_stylesheet(kinds: Collection[str] | None = None) -> str:
    """Return the style sheet of some kinds of figures, or of all; it follows the core's.

    >>> len(kinds_stylesheet(["pooling"])) < len(kinds_stylesheet())
    True
    """
    shown = set(all_kinds() if kinds is None else kinds)
    core, users = _core_styles(), _users()
    return _styles(it for it in users if it not in core and shown.intersection(users[it]))


def stylesheet(kinds: Collection[str] | None = None) -> str:
    """Return both style sheets as one, for light, dark and print."""
    return core_stylesheet() + kinds_stylesheet(kinds)


def _core_styles() -> list[str]:
    """Return the parts at the head of the cascade that a third of all kinds need, or more."""
    users, third = _users(), len(all_kinds()) / 3
    return list(takewhile(lambda name: len(users[name]) >= third, users))


def _users() -> dict[str, list[str]]:
    """Return the kinds that need each part of the style sheets, in cascade order."""
    return dict(json.loads(_built("styles.json")))


def _styles(names: Iterable[str]) -> str:
    return "".join(_built(f"styles/{name}.css") for name in names)


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
