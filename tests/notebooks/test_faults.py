"""Test that a fault in the library changes the output of the cell about it."""

import ast
from pathlib import Path

import nbformat
import pytest
from faults import FAULTS, SLIPS, Fault, Slip, copy_library, planted
from notebook_cells import library, shown_and_stored

import attention_lib
from tools.parity import BOOK

IMPORTED = {"attention_lib", "attention_lib.kernels", "attention_course.nli"}
MEASURED = [  # cells that read data stored with the library
    ("en/08-choosing-a-score.ipynb", "measured-plot"),
    ("en/11-learning-to-align.ipynb", "month-figure"),
    ("en/12-scores-today.ipynb", "costs-plot"),
    ("en/misreadings.ipynb", "reason-experiment"),
]
CELLS = sorted({*MEASURED, *((fault.page, fault.cell) for fault in (*FAULTS, *SLIPS))})


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_library(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.of}: {fault.name}")
def test_a_fault_changes_the_cell_that_is_about_it(fault: Fault, copy: Path) -> None:
    with planted(copy, fault.module, fault.right, fault.wrong), library(copy):
        shown, stored = shown_and_stored(BOOK / fault.page, fault.cell)
    assert shown != stored


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: f"{slip.cell}: {slip.name}")
def test_a_slip_changes_what_its_cell_shows(slip: Slip) -> None:
    shown, stored = shown_and_stored(BOOK / slip.page, slip.cell, slip.right, slip.wrong)
    assert shown != stored


@pytest.mark.parametrize(("page", "cell"), CELLS)
def test_without_a_fault_the_cell_shows_what_is_stored(page: str, cell: str) -> None:
    shown, stored = shown_and_stored(BOOK / page, cell)
    assert shown == stored


def test_there_is_a_fault_on_each_page_and_in_all_that_the_book_uses() -> None:
    pages = list(BOOK.glob("en/*.ipynb"))
    with_faults = [
        page
        for page in pages
        if names_used(page) or "from attention_course.decoder" in page.read_text("utf-8")
    ]
    assert {fault.page for fault in FAULTS} == {f"en/{page.name}" for page in with_faults}
    assert {fault.of for fault in FAULTS} >= set().union(*map(names_used, pages))


def names_used(notebook: Path) -> set[str]:
    """Return the names that a page imports from the library, without figures and exercises."""
    cells = nbformat.read(notebook, as_version=4).cells
    tree = ast.parse("\n".join(cell.source for cell in cells if cell.cell_type == "code"))
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(
                module="attention_lib" | "attention_lib.kernels" | "attention_course.nli"
            ):
                names |= {name.name for name in node.names} - {"kernels", "scores"}
            case ast.Attribute(value=ast.Name(id="kernels" | "scores" as module), attr=name):
                if hasattr(getattr(attention_lib, module), name):  # some tensors are named scores
                    names.add(f"{module}.{name}")
    return names
