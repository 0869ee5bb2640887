"""Run the chapters again and store clean outputs: `python -m tools.notebooks [FILE …]`."""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

BOOK = Path(__file__).parents[1] / "book"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # holds a random model id
FOLDED = {"hide-cell", "hide-input"}  # tags of code that a page folds
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def execute(path: Path) -> None:
    """Run a notebook where it lies, in this environment, and write it back clean.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell fails; the file stays as it was.
    """
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,  # a stream arrives in chunks that differ from run to run
    ).execute()
    clean(notebook)
    nbformat.write(notebook, path)


def clean(notebook: NotebookNode) -> None:
    """Keep what readers and tests need: cells, ids, tags, counts and outputs, in place."""
    notebook.nbformat_minor = 5
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        folded = "jupyter" in cell.metadata
        cell.metadata = nbformat.from_dict(cell_metadata(cell.metadata.get("tags", []), folded))
        for output in cell.get("outputs", []):
            _clean_output(output)


def cell_metadata(tags: list[str], folded: bool = False) -> dict[str, object]:
    """Return what a cell with these tags has; code that no page shows is folded in JupyterLab too.

    Code that the page folds may be, if it is `folded`.

    >>> cell_metadata(["remove-input"])
    {'jupyter': {'source_hidden': True}, 'tags': ['remove-input']}
    >>> cell_metadata(["hide-cell"])
    {'tags': ['hide-cell']}
    """
    source_hidden = "remove-input" in tags or (folded and not FOLDED.isdisjoint(tags))
    hidden = {"jupyter": {"source_hidden": True}} if source_hidden else {}
    return {**hidden, **({"tags": tags} if tags else {})}


def _clean_output(output: NotebookNode) -> None:
    if "data" in output:
        output.data.pop(WIDGET_VIEW, None)
        output.metadata = nbformat.from_dict({})
    if "traceback" in output:  # its lines name files of this machine
        output.traceback = [f"{output.ename}: {output.evalue}"]


def main() -> None:
    """Run the named notebooks, or all of the book."""
    for path in [Path(name) for name in sys.argv[1:]] or sorted(BOOK.rglob("*.ipynb")):
        print(path, flush=True)
        execute(path)


if __name__ == "__main__":
    main()
