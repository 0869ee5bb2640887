"""Deduplicate large values in the states of a page's figures.

Gzip cannot, as it only looks back 32 kB. `web/core/page.ts` restores the full states.
"""

from __future__ import annotations

import json
import re
from typing import Any

from sphinx.application import Sphinx

from attention_figures.inline_json import inline_json

STATE = re.compile(
    r'(data-figure="([^"]+)"(?:(?!<script).)*<script type="application/json">)([^<]*)', re.DOTALL
)
LARGE = 1000  # characters of JSON


def deduplicate_states(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    if "body" in context:
        context["body"] = deduplicated(context["body"])


def deduplicated(body: str) -> str:
    """Drop large values from a figure's state if an earlier figure has them under the same name.

    >>> def figure(name, x, kind):
    ...     state = json.dumps({"kind": kind, "name": name, "x": x})
    ...     return f'<p data-figure="{name}"><script type="application/json">{state}</script></p>'
    >>> half = [0.5] * 500
    >>> page = deduplicated(figure("one", half, "a") + figure("two", half, "b"))
    >>> print(re.findall("json(.*?)</script>", page)[1])
    " data-rest="one" data-traits="x">{"kind": "b", "name": "two"}
    >>> page = figure("one", 1, "a") + figure("two", 1, "a")
    >>> deduplicated(page) == page
    True
    """
    earlier: dict[str, dict[str, str]] = {}  # large values of the figures so far, as JSON

    def without_common(found: re.Match[str]) -> str:
        state = json.loads(found[3])
        texts = {trait: json.dumps(value) for trait, value in state.items()}
        large = {trait: text for trait, text in texts.items() if len(text) >= LARGE}
        common = {name: large.items() & others.items() for name, others in earlier.items()}
        earlier[found[2]] = large
        source = max(common, key=lambda name: len(common[name]), default="")
        if not source or not common[source]:
            return found[0]
        traits = sorted(trait for trait, _ in common[source])
        own = {trait: value for trait, value in state.items() if trait not in traits}
        mark = f'data-rest="{source}" data-traits="{" ".join(traits)}"'
        return f"{found[1].removesuffix('>')} {mark}>{inline_json(own)}"

    return STATE.sub(without_common, body)
