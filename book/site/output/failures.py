"""Attach the error message that start.ts shows if a script or style sheet does not load.

The message is an attribute of the `script` or `link` element, in the language of the page.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sphinx.application import Sphinx


class Part(NamedTuple):
    """A part of a page that depends on a script."""

    name: str  # the style sheets hide the controls that need it
    files: str  # pattern of its file names
    sentence: str
    where: str = "article"  # CSS selector; the sentence is prepended to each match


PARTS = [
    Part(
        "figures",
        r"figures-[\w-]+",
        "This figure did not load; reload the page to move it.",
        "[data-figure]",
    ),
    Part(
        "exercises",
        "exercises",
        "This exercise did not load; reload the page to answer it.",
        "[data-exercise]",
    ),
    Part(
        "progress",
        "front",
        "Your progress did not load; reload the page to see it.",
        '[data-progress-of="book"]',
    ),
    Part(
        "stand",
        "stand",
        "The page cannot judge your answers: its script did not load. Reload the page.",
        "[data-stand]",
    ),
    Part("lecture", r"lecture(_mode)?", "Lecture mode did not load. Reload the page."),
    Part("running", "run", "The code does not run: its script did not load. Reload the page."),
    Part("buttons", "page", "Some buttons did not load. Reload the page."),
]


def attributes(file: str, gettext: Any) -> dict[str, str]:
    """Return the failure attributes for the element of a script or a style sheet.

    >>> attributes("_static/lecture.js", str.upper)["data-part"]
    'lecture'
    >>> attributes("_static/doctools.js", str.upper)
    {}
    """
    for part in PARTS:
        if re.search(rf"(^|/){part.files}\.(js|css)$", file):
            where = {"data-part": part.name, "data-where": part.where}
            return {**where, "data-failed": gettext(part.sentence)}
    return {}


def add_failure_function(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """Add `failure(name)` to the template context, for files that templates load."""
    context["failure"] = lambda file: attributes(file, context["gettext"])


def mark_scripts(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    for script in context["script_files"]:
        script.attributes.update(attributes(str(script.filename or ""), context["gettext"]))
