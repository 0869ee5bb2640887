"""Make tables accessible: mark row headers, and turn empty header cells into data cells."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

_EMPTY_HEAD = re.compile(r'<th class="head[^"]*">\s*(?:<p>\s*</p>)?\s*</th>')


class NameRows(SphinxTransform):
    """Mark the first column as row headers if the corner of a table is empty."""

    def apply(self, **kwargs: object) -> None:
        """Check the tables of a page."""
        for group in self.document.findall(nodes.tgroup):
            head = next(iter(group.findall(nodes.thead)), None)
            if head is not None and not head[0][0].astext():
                next(iter(group.findall(nodes.colspec)))["stub"] = 1


def drop_empty_heads(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    context["body"] = _EMPTY_HEAD.sub("<td></td>", context.get("body", ""))
