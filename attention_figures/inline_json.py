"""Serialise data as JSON that can be inlined in the HTML of a page."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any


def inline_json(content: Any) -> str:
    r"""Return JSON that is safe between `<script>` and `</script>`.

    Raises:
        ValueError: a number is not finite. Python would write NaN or Infinity, which is not valid
            JSON, and the page's script could not parse it.
        TypeError: a value is neither text, number, bool, list, mapping nor None.

    >>> print(inline_json({"text": "</script>"}))
    {"text": "\u003c/script>"}
    >>> inline_json({"slider": [0, math.inf]})
    Traceback (most recent call last):
    ValueError: slider[1] must be finite; got inf
    """
    try:
        written = json.dumps(content, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        for place, number in _not_finite("", content):
            raise ValueError(f"{place} must be finite; got {number}") from error
        raise
    # "</script>" or "<!--" within a string would change where the element ends.
    return written.replace("<", "\\u003c")


def _not_finite(place: str, content: Any) -> Iterator[tuple[str, float]]:
    if isinstance(content, dict):
        for name, inner in content.items():
            yield from _not_finite(f"{place}.{name}" if place else str(name), inner)
    elif isinstance(content, list | tuple):
        for i, inner in enumerate(content):
            yield from _not_finite(f"{place}[{i}]", inner)
    elif isinstance(content, float) and not math.isfinite(content):
        yield place or "content", content
