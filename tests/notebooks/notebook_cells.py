"""Run a cell of a notebook in this process, after only the cells that it depends on.

A kernel takes seconds to start, and a chapter seconds to run; here a cell takes some milliseconds.
The outputs are those that nbval compares: text and HTML, but no pictures.
"""

import ast
import dis
import sys
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Any, NamedTuple

import matplotlib
import nbformat
import torch
from IPython.core.formatters import DisplayFormatter
from nbformat import NotebookNode

from tools.packages import PACKAGES

matplotlib.use("agg")  # headless on every machine

Shown = dict[str, str]  # outputs of a cell by MIME type; printed text under "stream"

_COMPARED = {"text/plain", "text/html"}
_format = DisplayFormatter().format


def shown_and_stored(
    notebook: Path, cell: str, right: str = "", wrong: str = ""
) -> tuple[Shown, Shown]:
    """Return the outputs of a cell when run now, and its stored outputs.

    The cell runs in an empty folder, as on Colab, where a reader has the library and one notebook.
    `right`, which must occur once in the code of the cell, is replaced by `wrong`.
    """
    cells = [cell for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "code"]
    last = [cell.id for cell in cells].index(cell)
    names: dict[str, Any] = {"__name__": "__main__"}
    with (
        TemporaryDirectory() as empty,
        chdir(empty),
        warnings.catch_warnings(action="ignore"),
        _torch_left_alone(),
    ):
        sources = [cell.source for cell in cells[: last + 1]]
        if right:
            assert sources[-1].count(right) == 1, f"{cell} must hold once {right!r}"
            sources[-1] = sources[-1].replace(right, wrong)
        for source in _needed(sources):
            shown = _run(source, names)
    return shown, _stored(cells[last])


@contextmanager
def library(folder: Path) -> Iterator[None]:
    """Import our packages from another folder, with their current source."""
    ours = {name: sys.modules.pop(name) for name in _imported()}
    # Python matches bytecode to source by the second, and faults are planted faster than that.
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = written
        for name in _imported():
            del sys.modules[name]
        sys.modules.update(ours)


def _imported() -> list[str]:
    return [name for name in sys.modules if name.split(".")[0] in PACKAGES]


class _Names(NamedTuple):
    """Names that a cell binds, that it reads before binding, and that its functions read."""

    bound: set[str]
    read: set[str]
    called_for: set[str]


def _names(source: str) -> _Names:
    code = compile(source, "<cell>", "exec")
    first: dict[str, str] = {}
    bound = set()
    for x in dis.get_instructions(code):
        if x.opname in ("LOAD_NAME", "STORE_NAME"):
            first.setdefault(x.argval, x.opname)
            bound |= {x.argval} if x.opname == "STORE_NAME" else set()
    read = {name for name, operation in first.items() if operation == "LOAD_NAME"}
    return _Names(bound, read, _called_for(code) - bound)


def _called_for(code: CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return set().union(*(const.co_names for const in inner), *map(_called_for, inner))


def _needed(sources: list[str]) -> list[str]:
    """Drop the cells that the last cell does not depend on.

    A cell depends on the last cell before it that binds a name that it reads. Names that functions
    read are looked up at the call, so all cells that bind them are kept.
    """
    cells = list(map(_names, sources))
    needed, todo = set(), {len(cells) - 1}
    while todo:
        i = todo.pop()
        needed.add(i)
        for name in cells[i].read:
            todo.update([j for j in range(i) if name in cells[j].bound][-1:])
        todo.update(j for j, cell in enumerate(cells) if cell.bound & cells[i].called_for)
        todo -= needed
    return [sources[i] for i in sorted(needed)]


def _run(source: str, names: dict[str, Any]) -> Shown:
    printed, shown = StringIO(), {}
    try:
        with redirect_stdout(printed):
            value = _value(source, names)
            if value is not None:
                shown, _ = _format(value, include=_COMPARED)
    except Exception as error:  # as in a kernel, which continues with the next cell
        shown = {"error": repr(error)}
    return shown | ({"stream": printed.getvalue()} if printed.getvalue() else {})


def _value(source: str, names: dict[str, Any]) -> object:
    """Run a cell, and return the value of its last line if that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def _stored(cell: NotebookNode) -> Shown:
    shown: Shown = {}
    for output in cell.outputs:
        texts = {"stream": output.text} if output.output_type == "stream" else output.data
        shown |= {kind: texts[kind] for kind in texts.keys() & {"stream", *_COMPARED}}
    return shown


@contextmanager
def _torch_left_alone() -> Iterator[None]:
    try:
        yield
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_printoptions(profile="default")
