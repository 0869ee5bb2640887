"""Translate labels that JupyterLab understands into MyST's before a page is read.

`<a id="en-by-hand"></a>` on a line of its own is the label of what comes next, be that a heading,
a paragraph or an equation: JupyterLab shows nothing of it, and follows links to it, while it would
show a label of MyST's as text. A link to a label of another page names its file, which JupyterLab
needs and MyST does not. `<!-- progress -->` is a directive for the same reason. A folded cell is
called what its first line asks: `# Why not -1e6?`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from tools.notebooks import read, with_newlines

_ANCHOR = r'<a id="((?:en|zh)-[\w-]+)"></a>\n'
_LABEL = re.compile(rf"^{_ANCHOR}", re.MULTILINE)
_EQUATION = re.compile(rf"^{_ANCHOR}(\$\$\n.*?\n\$\$)$", re.MULTILINE | re.DOTALL)
_ELSEWHERE = re.compile(r"(?<=\]\()[\w-]+\.(?:ipynb|md)(?=#)")
_DIRECTIVE = re.compile(r"^<!-- ([a-z-]+) -->$", re.MULTILINE)
_ASKS = re.compile(r"# *(.+[?？])\n")
_FOLDED = {"hide-cell", "hide-input", "hide-output"}


def with_labels(markdown: str) -> str:
    r"""Return the same text in MyST's words: labels, links to them, directives.

    >>> with_labels('<a id="en-by-hand"></a>\n## By hand')
    '(en-by-hand)=\n## By hand'
    >>> with_labels('<a id="en-eq-sum"></a>\n$$\n1 + 1\n$$')
    '$$\n1 + 1\n$$ (en-eq-sum)'
    >>> with_labels("<!-- progress -->")
    '```{progress}\n```'
    >>> with_labels("[Cho](bibliography.md#en-bib-cho2014)")
    '[Cho](#en-bib-cho2014)'
    >>> with_labels('<a id="en-by-hand"></a>\r\n## By hand')
    '(en-by-hand)=\n## By hand'
    """
    markdown = with_newlines(markdown)
    markdown = _ELSEWHERE.sub("", _DIRECTIVE.sub(r"```{\1}\n```", markdown))
    return _LABEL.sub(r"(\1)=\n", _EQUATION.sub(r"\2 (\1)", markdown))


def name_labels_and_folds(app: Sphinx, docname: str, content: list[str]) -> None:
    """Rewrite a page that is about to be read, or the cells of a notebook."""
    if Path(app.env.doc2path(docname)).suffix != ".ipynb":
        content[0] = with_labels(content[0])
        return
    try:
        notebook = read(Path(app.env.doc2path(docname)), content[0])
    except ValueError as error:
        raise ExtensionError(str(error)) from error
    for cell in notebook["cells"]:
        source = with_newlines("".join(cell["source"]))
        if cell["cell_type"] == "markdown":
            cell["source"] = with_labels(source)
        else:
            _name_fold(cell["metadata"], source)
    content[0] = json.dumps(notebook)


def _name_fold(metadata: dict[str, Any], source: str) -> None:
    asks = _ASKS.match(source)
    if asks and _FOLDED & {*metadata.get("tags", [])}:
        name = {f"code_prompt_{way}": asks[1] for way in ("show", "hide")}
        metadata["mystnb"] = name
