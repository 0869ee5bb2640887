"""Write data as JSON into the HTML of a page, where a browser's script reads it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any


def inline_json(content: Any) -> str:
    r"""Return JSON that may stand between `<script>` and `</script>`.

    Raises:
        ValueError: a number is not finite. Python would write it as NaN or Infinity, which is no
            JSON, and the page's script would stop there.
        TypeError: something is neither text, number, truth value, list, mapping nor None.

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
    # "</script>" or "<!--" within a string would move the end of the element.
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
