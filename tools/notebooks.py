"""Run the chapters again and store clean outputs: `python -m tools.notebooks [FILE …]`.

`python -m tools.notebooks --clean` only removes what JupyterLab adds to a file that it saves.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

from tools.replacing import write

BOOK = Path(__file__).parents[1] / "book"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # holds a random model id
FOLDED = {"hide-cell", "hide-input"}  # tags of code that a page folds
SLIDES = {"slide", "subslide", "fragment", "notes", "skip"}  # slide types of a cell
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    # nbconvert needs it to export scripts.
    "language_info": {"file_extension": ".py", "name": "python", "nbconvert_exporter": "python"},
}


def pages(folder: Path, *suffixes: str) -> list[Path]:
    """List the files below a folder with these suffixes, without JupyterLab's checkpoints."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in suffixes)
    return [path for path in files if ".ipynb_checkpoints" not in path.parts]


def read(path: Path, text: str | None = None) -> NotebookNode:
    """Parse a notebook from a file, or from `text` if given.

    Raises:
        ValueError: it is no notebook; the message names the file.
    """
    try:
        text = path.read_text("utf-8") if text is None else text
        notebook: NotebookNode = nbformat.reads(text, as_version=4)
    except Exception as error:  # from nbformat, json or decoding
        said = str(error.__cause__ or error).strip().splitlines()[-1]
        raise ValueError(f"{path} should be a notebook of Jupyter; {said}") from error
    return notebook


def execute(path: Path) -> None:
    """Execute a notebook in its folder and this environment, and write it back clean.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails; the file stays as it was.
    """
    notebook = read(path)
    NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,  # a stream arrives in chunks that differ from run to run
    ).execute()
    store(path, notebook)


def store(path: Path, notebook: NotebookNode) -> None:
    """Clean a notebook, and write the file if that changes it."""
    clean(notebook)
    text = nbformat.writes(notebook) + "\n"
    if text != path.read_text("utf-8"):
        write(path, text)


def clean(notebook: NotebookNode) -> None:
    """Remove all metadata but what readers, lecturers and tests need; modifies the notebook."""
    notebook.nbformat_minor = 5
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.source = with_newlines(cell.source)
        cell.metadata = nbformat.from_dict(kept_metadata(cell.metadata))
        for output in cell.get("outputs", []):
            _clean_output(output)


def kept_metadata(metadata: Mapping[str, Any]) -> dict[str, object]:
    """Return the metadata of a cell that is kept: tags, slide type and folding.

    Code that the page hides is folded in JupyterLab too. Code that the page folds may be folded,
    together with its output for hide-cell, until the cell runs.

    >>> kept_metadata({"tags": ["remove-input"], "collapsed": True})
    {'jupyter': {'source_hidden': True}, 'tags': ['remove-input']}
    >>> kept_metadata({"tags": ["hide-cell"], "slideshow": {"slide_type": "skip"}})
    {'slideshow': {'slide_type': 'skip'}, 'tags': ['hide-cell']}
    >>> kept_metadata({"tags": ["hide-cell"], "jupyter": {}})
    {'jupyter': {'source_hidden': True, 'outputs_hidden': True}, 'tags': ['hide-cell']}
    """
    tags = metadata.get("tags", [])
    folded = "jupyter" in metadata and not FOLDED.isdisjoint(tags)
    slide = slide_type(metadata)
    jupyter = {"source_hidden": True} if folded or "remove-input" in tags else {}
    if folded and "hide-cell" in tags:
        jupyter["outputs_hidden"] = True
    return {
        **({"jupyter": jupyter} if jupyter else {}),
        **({"slideshow": {"slide_type": slide}} if slide else {}),
        **({"tags": tags} if tags else {}),
    }


def with_newlines(text: str) -> str:
    r"""Normalise newlines to LF, which our patterns expect.

    >>> with_newlines("one\r\ntwo\rthree\n")
    'one\ntwo\nthree\n'
    """
    return re.sub(r"\r\n?", "\n", text)


def slide_type(metadata: Mapping[str, Any]) -> str:
    """Return the slide type of a cell; "" if it continues the previous cell's slide."""
    slide = metadata.get("slideshow", {}).get("slide_type")
    return slide if slide in SLIDES else ""


def _clean_output(output: NotebookNode) -> None:
    if "data" in output:
        output.data.pop(WIDGET_VIEW, None)
        output.metadata = nbformat.from_dict({})
    if "traceback" in output:  # its lines contain paths of this machine
        output.traceback = [f"{output.ename}: {output.evalue}"]


def main() -> None:
    """Run or clean the named notebooks, or all of the book."""
    names = [name for name in sys.argv[1:] if name != "--clean"]
    for path in map(Path, names) if names else pages(BOOK, ".ipynb"):
        if "--clean" in sys.argv:
            store(path, read(path))
        else:
            print(path, flush=True)
            execute(path)


if __name__ == "__main__":
    main()
