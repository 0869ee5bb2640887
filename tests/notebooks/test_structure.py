"""Test that each rule for notebooks can fail."""

from collections.abc import Callable

import nbformat
import pytest
from nbformat import NotebookNode

from attention_course.exercises import ask, exercise
from tools.notebooks import METADATA, WIDGET_VIEW
from tools.structure import problems


def good() -> NotebookNode:
    output = nbformat.v4.new_output("stream", text="2\n")
    cells = [
        nbformat.v4.new_markdown_cell("# One", id="title"),
        nbformat.v4.new_code_cell("import torch", id="imports", execution_count=1),
        nbformat.v4.new_code_cell("print(2)", id="two", execution_count=2, outputs=[output]),
    ]
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


def test_a_good_notebook_has_no_problem() -> None:
    assert problems(good()) == []


def test_code_that_no_reader_sees_may_be_long_and_is_folded_in_jupyter() -> None:
    notebook = good()
    long_cell(notebook)
    notebook.cells[1].metadata = {"tags": ["remove-input"], "jupyter": {"source_hidden": True}}
    assert problems(notebook) == []
    del notebook.cells[1].metadata["jupyter"]
    assert problems(notebook) == ["imports: metadata other than tags: ['tags']; run make fix"]


def old_format(notebook: NotebookNode) -> None:
    notebook.nbformat_minor = 4


def doubled_id(notebook: NotebookNode) -> None:
    notebook.cells[1].id = "two"


def random_id(notebook: NotebookNode) -> None:
    notebook.cells[0].id = "c0ffee12"


def shouted_id(notebook: NotebookNode) -> None:
    notebook.cells[0].id = "Title"


def cell_metadata(notebook: NotebookNode) -> None:
    notebook.cells[0].metadata["collapsed"] = True


def label_of_mysts(notebook: NotebookNode) -> None:
    notebook.cells[0].source = "(en-one)=\n# One"


def newlines_of_windows(notebook: NotebookNode) -> None:
    notebook.cells[0].source = "# One\r\n\r\nTwo."


def widget_state(notebook: NotebookNode) -> None:
    notebook.metadata["widgets"] = {}


def widget_view(notebook: NotebookNode) -> None:
    data = {WIDGET_VIEW: {"model_id": "1"}, "text/plain": "Figure()"}
    notebook.cells[2].outputs = [nbformat.v4.new_output("display_data", data=data)]


def slanted_word(notebook: NotebookNode) -> None:
    field = ask.number("of *one*, `2*3*4`", 1.0, {}, said="Right.")
    html = exercise("one", field)._repr_mimebundle_()["text/html"]
    data = {"text/html": html, "text/plain": "exercise('one')"}
    notebook.cells[2].outputs = [nbformat.v4.new_output("display_data", data=data)]


def warning(notebook: NotebookNode) -> None:
    notebook.cells[2].outputs[0].name = "stderr"


def machine_path(notebook: NotebookNode) -> None:
    notebook.cells[2].outputs[0].text = "/home/someone/file.py"


def long_cell(notebook: NotebookNode) -> None:
    notebook.cells[1].source = "\n\n".join("abcdefghijklmnopqrstu")


def long_cells(notebook: NotebookNode) -> None:
    for cell in notebook.cells[1:]:
        cell.source = "\n".join("abcdefg")


def not_run(notebook: NotebookNode) -> None:
    notebook.cells[1].execution_count = None


def file_beside(notebook: NotebookNode) -> None:
    notebook.cells[2].source = 'print(open("../measured/costs.json").read())'


def silent(notebook: NotebookNode) -> None:
    notebook.cells[2].outputs = []


def bare_screen(notebook: NotebookNode) -> None:
    notebook.cells[0].source = '<a id="en-one"></a>\n# One'
    notebook.cells[1].metadata = {"slideshow": {"slide_type": "skip"}}
    notebook.cells[2].metadata = {"slideshow": {"slide_type": "slide"}}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (old_format, "nbformat 4.4, not 4.5"),
        (doubled_id, "not a valid notebook"),
        (random_id, "c0ffee12: an id is readable words"),
        (shouted_id, "Title: an id is readable words"),
        (cell_metadata, "title: metadata other than tags: ['collapsed']"),
        (label_of_mysts, "title: JupyterLab shows as text: myst_target en-one"),
        (newlines_of_windows, "title: newlines of Windows within the cell; run make fix"),
        (widget_state, "metadata other than"),
        (widget_view, "two: a widget's view is stored"),
        (slanted_word, "two: an exercise slants nothing, so readers see *one*"),
        (warning, "two: writes to stderr: 2"),
        (machine_path, "two: a path of this machine is stored: /home/"),
        (long_cell, "imports: 21 lines of code, more than 20"),
        (long_cells, "half of the code cells have more than 6 lines"),
        (not_run, "imports: not run in order"),
        (file_beside, "two: reads ../measured/costs.json, which is missing where"),
        (silent, "two: ends in nothing visible"),
        (bare_screen, "title: in a lecture a screen with no more than a heading"),
    ],
)
def test_a_spoiled_notebook_is_named(spoil: Callable[[NotebookNode], None], message: str) -> None:
    notebook = good()
    spoil(notebook)
    found = problems(notebook)
    assert any(problem.startswith(message) for problem in found)
