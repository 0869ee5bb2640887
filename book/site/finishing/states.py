"""Write the numbers that several figures of a page have in common once, in the first of them.

Gzip does not see them: it looks back over 32 kB. `web/core/page.ts` puts the states together again.
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


def share_states(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    if "body" in context:
        context["body"] = shared(context["body"])


def shared(body: str) -> str:
    """Leave out of a figure's state what the first figure of its kind has too, if it is large.

    >>> def figure(name, x):
    ...     state = json.dumps({"kind": "a", "name": name, "x": x})
    ...     return f'<p data-figure="{name}"><script type="application/json">{state}</script></p>'
    >>> page = shared(figure("one", [0.5] * 500) + figure("two", [0.5] * 500) + figure("six", 1))
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
