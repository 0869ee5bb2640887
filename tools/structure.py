"""Check the rules that every notebook of the book must follow."""

import ast
import re
from collections.abc import Iterator
from statistics import median

import nbformat
from nbformat import NotebookNode

from tools import prose
from tools.notebooks import METADATA, WIDGET_VIEW, kept_metadata, slide_type

MOST_LINES = 20
MEDIAN_LINES = 6
_ID = re.compile(r"(?![0-9a-f]{8}(-|$))[a-z][a-z0-9]*(-[a-z0-9]+)*")  # words, not a random id
_EXERCISE = re.compile(
    r'data-exercise="[^>]*><script[^>]*>\{"kind": "exercise".*?</script>', re.DOTALL
)
_HEADING = re.compile(r"^#.*$|<a id=.*?</a>", re.MULTILINE)  # including its anchors
_ITALIC = re.compile(r"\*\w[^*`\"]*\*")
_RELATIVE_PATH = re.compile(r"\.\.($|[/\\])|\./|(book|attention_\w+|tools)/")
_LOCAL_PATH = re.compile(r"/(home|root|tmp|Users|usr|var)/|site-packages|[A-Z]:\\\\")


def problems(notebook: NotebookNode) -> list[str]:
    """List the rules that a notebook breaks, one line each."""
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        return [f"nbformat {notebook.nbformat}.{notebook.nbformat_minor}, not 4.5"]
    return [*_notebook_problems(notebook), *_code_problems(notebook), *_lecture_problems(notebook)]


def _notebook_problems(notebook: NotebookNode) -> Iterator[str]:
    if not nbformat.validator.isvalid(notebook):
        yield "not a valid notebook"
    if notebook.metadata != METADATA:
        yield f"metadata other than the book's: {dict(notebook.metadata)}; run make fix"
    for cell in notebook.cells:
        if not _ID.fullmatch(cell.id):
            yield f"{cell.id}: an id is readable words with dashes"
        if "\r" in cell.source:
            yield f"{cell.id}: newlines of Windows within the cell; run make fix"
        if cell.metadata != kept_metadata(cell.metadata):
            yield f"{cell.id}: metadata other than tags: {list(cell.metadata)}; run make fix"
        if cell.cell_type == "markdown":
            for text in prose.shown_as_text(cell.source):
                yield f"{cell.id}: JupyterLab shows as text: {text}"
        for output in cell.get("outputs", []):
            yield from (f"{cell.id}: {problem}" for problem in _output_problems(output))


def _output_problems(output: NotebookNode) -> Iterator[str]:
    if WIDGET_VIEW in output.get("data", {}):
        yield "a widget's view is stored; run make fix"
    if output.get("name") == "stderr":
        yield f"writes to stderr: {output.text}"
    texts = {kind: text for kind, text in output.get("data", output).items() if kind[:5] != "image"}
    for text in _EXERCISE.findall(texts.get("text/html", "")):
        for word in _ITALIC.findall(re.sub("`[^`]*`", "", text)):
            yield f"an exercise slants nothing, so readers see {word}"
    local_path = _LOCAL_PATH.search(str(texts))
    if local_path:
        yield f"a path of this machine is stored: {local_path[0]}"


def _code_problems(notebook: NotebookNode) -> Iterator[str]:
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
    return [x.value for x in strings if isinstance(x.value, str) and _RELATIVE_PATH.match(x.value)]


def _lecture_problems(notebook: NotebookNode) -> Iterator[str]:
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
    """Return whether the page hides the cell's code, as for exercises."""
    return "remove-input" in cell.metadata.get("tags", [])


def _length(cell: NotebookNode) -> int:
    return sum(1 for line in cell.source.splitlines() if line.strip())


def _only_prepares(source: str) -> bool:
    """Return whether code only imports modules and configures torch."""
    return all(
        isinstance(node, ast.Import | ast.ImportFrom) or ast.unparse(node).startswith("torch.set_")
        for node in ast.parse(source).body
    )
