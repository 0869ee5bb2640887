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
    r'(data-figure="([^"]+)"(?:(?!<script).)*<script type="application/json")>([^<]*)', re.DOTALL
)
LARGE = 1000  # characters of JSON


def deduplicate_states(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    if "body" in context:
        context["body"] = deduplicated(context["body"])


def deduplicated(body: str) -> str:
    """Drop large values from a figure's state if the first figure of its kind has them too.

    >>> def figure(name, x):
    ...     state = json.dumps({"kind": "a", "name": name, "x": x})
    ...     return f'<p data-figure="{name}"><script type="application/json">{state}</script></p>'
    >>> half = [0.5] * 500
    >>> page = deduplicated(figure("one", half) + figure("two", half) + figure("six", 1))
    >>> for script in re.findall("<script.*?</script>", page)[1:]:
    ...     print(script)
    <script type="application/json" data-rest="one">{"kind": "a", "name": "two"}</script>
    <script type="application/json">{"kind": "a", "name": "six", "x": 1}</script>
    """
    first: dict[str, tuple[str, dict[str, Any]]] = {}  # by kind

    def without_common(found: re.Match[str]) -> str:
        state = json.loads(found[3])
        name, others = first.setdefault(state["kind"], (found[2], state))
        common = {
            trait
            for trait, value in state.items()
            if name != found[2] and others.get(trait) == value and len(json.dumps(value)) >= LARGE
        }
        if not common:
            return found[0]
        own = {trait: value for trait, value in state.items() if trait not in common}
        return f'{found[1]} data-rest="{name}">{inline_json(own)}'

    return STATE.sub(without_common, body)
