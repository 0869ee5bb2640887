"""Move the stub of a `check` exercise into its puzzle, where the page lets the reader write code.

The page does not show the stub's cell, which JupyterLab keeps. The puzzle's JSON gets `code`:
the stub, the name of the function to write, and the program with blanks in its gaps. An exercise
that asks for a class keeps its cell, since the browser cannot judge a class.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from sphinx.application import Sphinx

from attention_course.exercises import EXERCISES
from attention_course.exercises.engine.puzzle import fill, gaps
from attention_figures.inline_json import inline_json

BLANK = "____"  # the same as in book/web/exercises/blanks.ts
_PUZZLE = re.compile(r'^puzzle\("([\w-]+)"')
_STATE = re.compile(r'(?<=<script type="application/json">)([^<]*)')
_STUB = re.compile(
    r'(?P<code>def .*\.\.\.)\s*check\("(?P<slug>[\w-]+)", (?P<name>\w+)[^)]*\)\s*', re.DOTALL
)

Cell = dict[str, Any]


def move_stubs(app: Sphinx, docname: str, content: list[str]) -> None:
    """Move the stubs of a notebook before it is parsed."""
    if app.env.doc2path(docname).endswith(".ipynb"):
        notebook = json.loads(content[0])
        moved(notebook["cells"])
        content[0] = json.dumps(notebook)


def moved(cells: list[Cell]) -> None:
    r"""Move the stubs into the puzzles above them, and tag their cells to be left out.

    >>> html = {"text/html": '<script type="application/json">{}</script>'}
    >>> puzzle = {"source": 'puzzle("masked-sum", lang="en")', "outputs": [{"data": html}]}
    >>> stub = "def f(v, lens):\n    ..." + "\n\n\n"
    >>> cell = {"source": stub + 'check("masked-sum", f, lang="en")', "metadata": {}}
    >>> moved([puzzle, cell])
    >>> cell["metadata"], '"code": {"name": "f"' in html["text/html"][0]
    ({'tags': ['remove-cell']}, True)
    """
    puzzles: dict[str, Cell] = {}
    for cell in cells:
        source = "".join(cell["source"])
        if found := _PUZZLE.match(source):
            puzzles[found[1]] = cell
        stub = _STUB.fullmatch(source)
        if stub and stub["slug"] in puzzles:
            _give(puzzles[stub["slug"]], _code(**stub.groupdict()))
            cell["metadata"].setdefault("tags", []).append("remove-cell")


def _give(puzzle: Cell, code: dict[str, str]) -> None:
    for output in puzzle["outputs"]:
        before, state, after = _STATE.split("".join(output["data"]["text/html"]))
        own = inline_json({**json.loads(state), "code": code})
        output["data"]["text/html"] = [before + own + after]


def _code(code: str, slug: str, name: str) -> dict[str, str]:
    return {"name": name, "stub": code, "blanks": with_blanks(slug)}


@cache
def with_blanks(slug: str) -> str:
    """Return the program of a puzzle with a blank in each gap.

    >>> print(with_blanks("masked-sum").splitlines()[1])
        keep = ____
    """
    puzzle = EXERCISES[slug].puzzle
    assert puzzle is not None
    return fill(puzzle, dict.fromkeys(gaps(puzzle), BLANK)).rstrip()
