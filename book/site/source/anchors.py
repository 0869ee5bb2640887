"""Convert anchors that JupyterLab understands into MyST labels before a page is parsed.

`<a id="en-by-hand"></a>` on its own line is the label of the heading, paragraph or equation that
follows: JupyterLab hides it and follows links to it, but would show a MyST label as text. A link
to a label of another page names the page's file, which JupyterLab needs and MyST does not.
`<!-- progress -->` is a directive for the same reason. The title of a folded cell is the question
in its first line: `# Why not -1e6?`. A folded cell with an id `solution-…` has the title of a
solution.
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
_FILE_OF_LINK = re.compile(r"(?<=\]\()[\w-]+\.(?:ipynb|md)(?=#)")
_DIRECTIVE = re.compile(r"^<!-- ([a-z-]+) -->$", re.MULTILINE)
_QUESTION = re.compile(r"# *(.+[?？])\n")
_SOLUTION = {
    "en": {"show": "Show the solution", "hide": "Hide the solution"},
    "zh": {"show": "显示解答", "hide": "收起解答"},
}
_FOLDED = {"hide-cell", "hide-input", "hide-output"}


def with_labels(markdown: str) -> str:
    r"""Return the text with MyST's labels, links and directives.

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
    markdown = _FILE_OF_LINK.sub("", _DIRECTIVE.sub(r"```{\1}\n```", markdown))
    return _LABEL.sub(r"(\1)=\n", _EQUATION.sub(r"\2 (\1)", markdown))


def convert_labels_and_folds(app: Sphinx, docname: str, content: list[str]) -> None:
    """Convert a Markdown page, or the cells of a notebook, before it is parsed."""
    if Path(app.env.doc2path(docname)).suffix != ".ipynb":
        content[0] = with_labels(content[0])
        return
    page = Path(app.env.doc2path(docname))
    try:
        notebook = read(page, content[0])
    except ValueError as error:
        raise ExtensionError(str(error)) from error
    for cell in notebook["cells"]:
        source = with_newlines("".join(cell["source"]))
        if cell["cell_type"] == "markdown":
            cell["source"] = with_labels(source)
        else:
            _name_fold(cell, source, page.parent.name)
    content[0] = json.dumps(notebook)


def _name_fold(cell: dict[str, Any], source: str, lang: str) -> None:
    """Set what MyST-NB shows on a folded cell, where the cell says what it contains."""
    if not _FOLDED & {*cell["metadata"].get("tags", [])}:
        return
    if question := _QUESTION.match(source):
        names = dict.fromkeys(("show", "hide"), question[1])
    elif cell.get("id", "").startswith("solution") and lang in _SOLUTION:
        names = _SOLUTION[lang]
    else:
        return
    cell["metadata"]["mystnb"] = {f"code_prompt_{way}": name for way, name in names.items()}
