"""Test a chapter in a real JupyterLab: it runs, its figures are live, its lab is rendered."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from lab_page import Notebook, served_book
from nbformat import NotebookNode
from playwright.sync_api import Browser, Locator, expect

from tests.variants import sampled
from tools.notebooks import BOOK

# Jupyter treats both languages alike. nbval runs all notebooks, and test_toolbar.py renders all
# kinds of figures as Jupyter does. One chapter with a lab and exercises represents the others.
ONE = BOOK / "zh/03-scoring-functions.ipynb"
CHAPTERS = sampled([ONE, *sorted((BOOK / "en").glob("*.ipynb"))], ONE.__eq__)
WEIGHTS = """
from ipywidgets.widgets.widget import _instances
from attention_figures import Figure
named = {figure.name: figure for figure in _instances.values() if isinstance(figure, Figure)}
print(named["NAME"].attention_weights.tolist())
"""
RUN = {"en": "run all cells again", "zh": "请重新运行全部单元格"}  # the text before the first run
HAVE_ROOM = "terms => terms.every((term) => term.scrollWidth <= term.clientWidth)"
SHOWN = "cells => Object.fromEntries(cells.map((cell) => [cell.dataset.at, cell.textContent]))"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the book to JupyterLab, once for all chapters."""
    with served_book(tmp_path_factory.mktemp("chapters")) as address:
        yield address


class _Lab:
    """A JupyterLab that opens one chapter after the other, and collects errors."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address, self.errors = browser, address, list[str]()
        self.notebook: Notebook | None = None

    def open(self, path: str, fresh: bool) -> Notebook:
        self.errors.clear()
        if self.notebook and not fresh:
            self.notebook.open_instead(path)
            return self.notebook
        page = self.browser.new_page(viewport={"width": 1400, "height": 1000})
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.notebook = Notebook(page, self.address.format(path))
        return self.notebook


@pytest.fixture(scope="module")
def lab(address: str, browser: Browser) -> Iterator[_Lab]:
    lab = _Lab(browser, address)
    yield lab
    if lab.notebook:
        lab.notebook.page.close()


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_chapter_runs_and_shows_what_its_kernel_computes(
    path: Path, lab: _Lab, request: pytest.FixtureRequest
) -> None:
    again = (
        getattr(request.node, "execution_count", 1) > 1
    )  # the first try may have stopped half-way
    notebook = lab.open(path.relative_to(BOOK).as_posix(), fresh=again)
    if "data-figure=" in path.read_text("utf-8"):
        expect(notebook.page.get_by_text(RUN[path.parent.name])).not_to_have_count(0)
    assert notebook.run_all() == []
    expect(notebook.page.get_by_text(RUN[path.parent.name])).to_have_count(0)
    for cell in nbformat.read(path, as_version=4).cells:
        _expect_its_widgets(notebook, cell)
    assert lab.errors == []


def test_a_link_within_a_chapter_leads_to_its_target(lab: _Lab) -> None:
    notebook = lab.open("en/02-kernel-pooling.ipynb", fresh=True)
    notebook.cell("shape-read").locator("summary", has_text="product").click()
    notebook.cell("shape-read").get_by_role("link", name="exercise 6").click()
    heading = notebook.page.locator(".jp-MarkdownCell h2", has_text="Exercises")
    expect(heading).to_be_in_viewport()


def _expect_its_widgets(notebook: Notebook, cell: NotebookNode) -> None:
    if "remove-output" in cell.metadata.get("tags", []):
        widget = notebook.cell(cell.id).locator(".jp-OutputArea .jupyter-widgets").first
        expect(widget).to_be_visible()
    if "data-exercise=" in str(cell.get("outputs")):
        output = notebook.cell(cell.id).locator(".jp-OutputArea")
        output.locator(".jupyter-button").click()  # nothing is answered yet
        says = output.get_by_text(re.compile("^(Enter a number|Choose .* first|请填一个数|请先)"))
        expect(says.first).to_be_visible()
    for name in re.findall(r'data-figure="([^"]*)"', str(cell.get("outputs"))):
        figure = notebook.cell(cell.id).locator(f'[data-figure="{name}"][data-live]')
        expect(figure).to_be_visible()
        assert figure.locator("dl > *").evaluate_all(HAVE_ROOM)
        if figure.locator("[data-skip]:visible").count():  # the answer to a question is hidden
            figure.locator("[data-skip]").click()
        _expect_weights(notebook, figure, name)


def _expect_weights(notebook: Notebook, figure: Locator, name: str) -> None:
    """Wait until every weight in the page is the kernel's; changes arrive asynchronously."""
    for _ in range(20):
        shown = figure.locator("[data-at]").evaluate_all(SHOWN)
        if not shown:  # a figure whose parts include no weights
            return
        said = notebook.python(WEIGHTS.replace("NAME", name))
        texts = _texts(json.loads(said)) if said else {}
        if _short(shown).items() <= _short(texts).items():
            return
        notebook.page.wait_for_timeout(100)
    assert shown == said


def _texts(weights: list[list[list[float]]]) -> dict[str, str]:
    return {
        f"{b},{q},{k}": f"{weight:.2f}" if weight else "0"
        for b, rows in enumerate(weights)
        for q, row in enumerate(rows)
        for k, weight in enumerate(row)
    }


def _short(texts: dict[str, str]) -> dict[str, str]:
    """Omit zeros for which a heatmap with many columns has no room."""
    return {at: text.replace("1.00", "1").replace("0.", ".") for at, text in texts.items()}
