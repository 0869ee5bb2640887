"""Represent an exercise in a notebook: as HTML for the page's script, and as a widget."""

import re
from abc import ABC, abstractmethod
from html import escape
from typing import Any

from ipywidgets import VBox

from attention_course.exercises.page import strings
from attention_figures.inline_json import inline_json
from attention_figures.languages import LANGUAGES

_SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class Sheet(ABC):
    """An exercise that takes an answer.

    A page without a kernel gets all replies as data, and for readers without JavaScript, or in
    print, the same exercise to be done on paper. JupyterLab shows a widget.
    """

    kind: str

    def __init__(self, slug: str, lang: str) -> None:
        if lang not in LANGUAGES:
            raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}; got {lang!r}")
        if not _SLUG.fullmatch(slug):
            raise ValueError(f"slug must be lower-case words with dashes; got {slug!r}")
        self.slug, self.lang = slug, lang

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return the initial state for the page, without the kind and the common strings."""

    @abstractmethod
    def paper(self) -> str:
        """Return HTML without controls and without a `div`."""

    @abstractmethod
    def widget(self) -> VBox:
        """Return a widget for JupyterLab."""

    def __repr__(self) -> str:
        return f"{self.kind}({self.slug!r})"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        view = self.widget()._repr_mimebundle_(**kwargs)
        return {**view, "text/plain": repr(self), "text/html": self._fragment()}

    def _fragment(self) -> str:
        own = {"check": getattr(strings.CHECK, self.lang), **self.state()}
        content = inline_json({"kind": self.kind, **own})
        still = escaped(getattr(strings.STILL, self.lang))
        return (
            f'<div class="attention-exercise" data-exercise="{self.slug}" lang="{self.lang}">'
            f'<script type="application/json">{content}</script>'
            f"{self.paper()}<p><em>{still}</em></p></div>"
        )


def escaped(text: str) -> str:
    return escape(text, quote=False)


def marked(text: str) -> str:
    """Render text as HTML, with code between backticks.

    >>> marked("is `a < b` so?")
    'is <code>a &lt; b</code> so?'
    """
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(text))
