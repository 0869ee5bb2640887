"""Rules that every notebook of the book keeps."""

import ast
import re
from collections.abc import Iterator
from statistics import median

import nbformat
from nbformat import NotebookNode

from tools import prose
from tools.notebooks import METADATA, WIDGET_VIEW, kept, slide_type

MOST_LINES = 20
MEDIAN_LINES = 6
_ID = re.compile(r"(?![0-9a-f]{8}(-|$))[a-z][a-z0-9]*(-[a-z0-9]+)*")  # words, not a random number
_SAID = re.compile(r'data-exercise="[^>]*><script[^>]*>\{"kind": "exercise".*?</script>', re.DOTALL)
_HEADING = re.compile(r"^#.*$|<a id=.*?</a>", re.MULTILINE)  # and the labels above it
_SLANTED = re.compile(r"\*\w[^*`\"]*\*")
_BESIDE = re.compile(r"\.\.($|[/\\])|\./|(book|attention_\w+|tools)/")  # the notebook or above
_MACHINE = re.compile(r"/(home|root|tmp|Users|usr|var)/|site-packages|[A-Z]:\\\\")


def problems(notebook: NotebookNode) -> list[str]:
    """Say where a notebook breaks a rule, one line each."""
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        return [f"nbformat {notebook.nbformat}.{notebook.nbformat_minor}, not 4.5"]
    return [*_of_notebook(notebook), *_of_code_cells(notebook), *_of_lecture(notebook)]


def _of_notebook(notebook: NotebookNode) -> Iterator[str]:
    if not nbformat.validator.isvalid(notebook):
        yield "not a valid notebook"
    if notebook.metadata != METADATA:
        yield f"metadata other than {METADATA}: {dict(notebook.metadata)}"
    for cell in notebook.cells:
        if not _ID.fullmatch(cell.id):
            yield f"{cell.id}: an id is readable words with dashes"
        if "\r" in cell.source:
            yield f"{cell.id}: newlines of Windows within the cell; run make notebooks"
        if cell.metadata != kept(cell.metadata):
            yield f"{cell.id}: metadata other than tags: {list(cell.metadata)}; run make notebooks"
        if cell.cell_type == "markdown":
            for text in prose.shown_as_text(cell.source):
                yield f"{cell.id}: JupyterLab shows as text: {text}"
        for output in cell.get("outputs", []):
            yield from (f"{cell.id}: {problem}" for problem in _of_output(output))


def _of_output(output: NotebookNode) -> Iterator[str]:
    if WIDGET_VIEW in output.get("data", {}):
        yield "a widget's view is stored; run make notebooks"
    if output.get("name") == "stderr":
        yield f"writes to stderr: {output.text}"
    words = {kind: text for kind, text in output.get("data", output).items() if kind[:5] != "image"}
    for said in _SAID.findall(words.get("text/html", "")):
        for word in _SLANTED.findall(re.sub("`[^`]*`", "", said)):
            yield f"an exercise slants nothing, so readers see {word}"
    machine = _MACHINE.search(str(words))
    if machine:
        yield f"a path of this machine is stored: {machine[0]}"


def _of_code_cells(notebook: NotebookNode) -> Iterator[str]:
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    lengths = {cell.id: _length(cell) for cell in cells if not _is_hidden(cell)}
    if median(lengths.values() or [0]) > MEDIAN_LINES:
        yield f"half of the code cells have more than {MEDIAN_LINES} lines"
    for id, length in lengths.items():
        if length > MOST_LINES:
            yield f"{id}: {length} lines of code, more than {MOST_LINES}"
    for number, cell in enumerate(cells, start=1):
        if cell.execution_count != number:
            yield f"{cell.id}: not run in order; run make notebooks"
        for path in _files_beside(cell.source):
            yield f"{cell.id}: reads {path}, which is missing where only the library is installed"
        if not (number == 1 or cell.outputs or _only_prepares(cell.source)):
            yield f"{cell.id}: ends in nothing visible"


def _files_beside(source: str) -> list[str]:
    strings = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [x.value for x in strings if isinstance(x.value, str) and _BESIDE.match(x.value)]


def _of_lecture(notebook: NotebookNode) -> Iterator[str]:
    screens: list[list[NotebookNode]] = []
    for cell in notebook.cells:
        kind = slide_type(cell.metadata)
        if kind == "slide" or (kind in ("", "fragment") and not screens):
            screens.append([])
        if kind not in ("notes", "skip"):
            screens[-1].append(cell)
    for cells in screens:
        if all(cell.cell_type == "markdown" and _only_heads(cell.source) for cell in cells):
            yield f"{cells[0].id}: in a lecture a screen with no more than a heading"


def _only_heads(source: str) -> bool:
    return not _HEADING.sub("", source).strip()


def _is_hidden(cell: NotebookNode) -> bool:
    """Whether no reader is shown its code, such as that of an exercise that takes an answer."""
    return "remove-input" in cell.metadata.get("tags", [])


def _length(cell: NotebookNode) -> int:
    return sum(1 for line in cell.source.splitlines() if line.strip())


def _only_prepares(source: str) -> bool:
    """Whether it imports, and perhaps says how torch computes and prints."""
    return all(
        isinstance(node, ast.Import | ast.ImportFrom) or ast.unparse(node).startswith("torch.set_")
        for node in ast.parse(source).body
    )
