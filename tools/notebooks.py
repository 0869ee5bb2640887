"""Run the chapters again and store clean outputs: `python -m tools.notebooks [FILE …]`."""

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
SLIDES = {"slide", "subslide", "fragment", "notes", "skip"}  # what a cell is in a lecture
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    # nbconvert asks it what to write as a script, and what the file's name ends in.
    "language_info": {"file_extension": ".py", "name": "python", "nbconvert_exporter": "python"},
}


def pages(folder: Path, *suffixes: str) -> list[Path]:
    """List the files below a folder that end so, but for copies that JupyterLab keeps hidden."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in suffixes)
    return [path for path in files if ".ipynb_checkpoints" not in path.parts]


def read(path: Path, text: str | None = None) -> NotebookNode:
    """Return a notebook, the file's own text unless another one is given.

    Raises:
        ValueError: it is no notebook; the message names the file.
    """
    try:
        text = path.read_text("utf-8") if text is None else text
        notebook: NotebookNode = nbformat.reads(text, as_version=4)
    except Exception as error:  # of nbformat, json, the encoding
        said = str(error.__cause__ or error).strip().splitlines()[-1]
        raise ValueError(f"{path} should be a notebook of Jupyter; {said}") from error
    return notebook


def execute(path: Path) -> None:
    """Run a notebook where it lies, in this environment, and write it back clean.

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
    clean(notebook)
    write(path, nbformat.writes(notebook) + "\n")


def clean(notebook: NotebookNode) -> None:
    """Keep what readers, lecturers and tests need: cells, ids, tags, counts, outputs, in place."""
    notebook.nbformat_minor = 5
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.source = with_newlines(cell.source)
        cell.metadata = nbformat.from_dict(kept(cell.metadata))
        for output in cell.get("outputs", []):
            _clean_output(output)


def kept(metadata: Mapping[str, Any]) -> dict[str, object]:
    """Return what stays of a cell's metadata: its tags, what it is in a lecture, and its fold.

    Code that no page shows is folded in JupyterLab too; code that the page folds may be, and with
    it the output that stands in the same fold, until the cell runs.

    >>> kept({"tags": ["remove-input"], "collapsed": True})
    {'jupyter': {'source_hidden': True}, 'tags': ['remove-input']}
    >>> kept({"tags": ["hide-cell"], "slideshow": {"slide_type": "skip"}})
    {'slideshow': {'slide_type': 'skip'}, 'tags': ['hide-cell']}
    >>> kept({"tags": ["hide-cell"], "jupyter": {}})
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
    r"""Return the same text with the newlines of Unix, which patterns look for.

    >>> with_newlines("one\r\ntwo\rthree\n")
    'one\ntwo\nthree\n'
    """
    return re.sub(r"\r\n?", "\n", text)


def slide_type(metadata: Mapping[str, Any]) -> str:
    """Return what a cell is in a lecture; nothing, if it goes with the one before."""
    slide = metadata.get("slideshow", {}).get("slide_type")
    return slide if slide in SLIDES else ""


def _clean_output(output: NotebookNode) -> None:
    if "data" in output:
        output.data.pop(WIDGET_VIEW, None)
        output.metadata = nbformat.from_dict({})
    if "traceback" in output:  # its lines name files of this machine
        output.traceback = [f"{output.ename}: {output.evalue}"]


def main() -> None:
    """Run the named notebooks, or all of the book."""
    for path in [Path(name) for name in sys.argv[1:]] or pages(BOOK, ".ipynb"):
        print(path, flush=True)
        execute(path)


if __name__ == "__main__":
    main()
