"""The figures' scripts and rules, as frontend.py builds them: for Jupyter, and for static pages."""

import json
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from attention_figures.frontend import FIGURES
from attention_figures.languages import LANGUAGES


def module() -> str:
    """One ES module for anywidget."""
    return _built("jupyter.js")


def scripts(
    kinds: Collection[str] | None = None, langs: Collection[str] = LANGUAGES
) -> dict[str, str]:
    """Classic scripts that bring the figures of a page alive, by the names of files, in order.

    They work on file:// as well. Pages share those that have equal names. Figures below them on the
    page follow by `hydrateFigures(parent)`, each as soon as it is there.

    >>> list(scripts(["pooling"], ["en"]))
    ['figures-core.js', 'figures-words-en.js', 'figures-kinds-pooling-en.js']
    """
    shown = sorted(all_kinds() if kinds is None else kinds)
    words = [f"words/{lang}" for lang in sorted(langs)]
    own = [f"kinds/{kind}.{lang}" for kind in shown for lang in sorted(langs)]
    names = ["core", *words, *own]
    return {f"figures-{re.sub('[/.]', '-', name)}.js": _built(f"{name}.js") for name in names}


@cache
def script(
    kinds: frozenset[str] | None = None, langs: frozenset[str] = frozenset(LANGUAGES)
) -> str:
    """All `scripts` as one.

    >>> len(script(frozenset({"pooling"}), frozenset({"en"}))) < len(script())
    True
    """
    return "\n".join(scripts(kinds, langs).values())


def stylesheet() -> str:
    """Rules for every figure, in light, dark and print."""
    return _built("figures.css")


@cache
def words(lang: str) -> dict[str, str]:
    """Return the words of a language by their names in `web/words`.

    >>> words("en")["score_gaussian"]
    'Gaussian'
    """
    return dict(json.loads(_built(f"words/{lang}.json")))


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
