"""Test that `make notebooks` stores clean and reproducible outputs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from sphinx.errors import SphinxError

from book.site.source import anchors
from tools import links, notebooks, parity, structure

SOURCES = {
    "imports": "from ipywidgets import IntSlider, Output\nimport matplotlib.pyplot as plt",
    "slider": "IntSlider(3)",
    "picture": "plt.plot([1, 2]); plt.gcf()",
    "streams": "for i in range(200):\n    print(i, flush=True)",
    "error": "# of Windows\r\nIntSlider('three')",
}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a notebook as an author leaves it, and run it once."""
    path = tmp_path_factory.mktemp("book") / "chapter.ipynb"
    cells = [nbformat.v4.new_code_cell(source, id=id) for id, source in SOURCES.items()]
    slide = {"slideshow": {"slide_type": "fragment", "else": 1}}
    cells[-1].metadata = {"tags": ["raises-exception"], "collapsed": True, **slide}
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    notebooks.execute(path)
    return path


def test_what_is_stored_keeps_the_rules(stored: Path) -> None:
    notebook = nbformat.read(stored, as_version=4)
    assert structure.problems(notebook) == []
    assert [cell.id for cell in notebook.cells] == list(SOURCES)
    slide = {"slideshow": {"slide_type": "fragment"}}
    assert notebook.cells[-1].metadata == {"tags": ["raises-exception"], **slide}


def test_it_becomes_a_script_of_python(stored: Path) -> None:
    command = [sys.executable, "-m", "nbconvert", "--to", "script", stored]
    subprocess.run([*command, "--output-dir", stored.parent / "script"], check=True)
    (script,) = (stored.parent / "script").iterdir()
    assert script.name == "chapter.py"


def test_copies_that_jupyterlab_keeps_are_no_pages(stored: Path) -> None:
    before = notebooks.pages(stored.parent, ".ipynb")
    copy = stored.parent / ".ipynb_checkpoints/chapter-checkpoint.ipynb"
    copy.parent.mkdir()
    shutil.copy(stored, copy)
    assert notebooks.pages(stored.parent, ".ipynb") == before == [stored]


def test_what_jupyterlab_adds_is_removed_without_a_run(
    stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / stored.name
    notebook = notebooks.read(stored)
    notebook.metadata.kernelspec.display_name = "Python 3 (ipykernel)"
    notebook.cells[0].metadata.collapsed = True
    nbformat.write(notebook, saved)
    monkeypatch.setattr(sys, "argv", ["notebooks", "--clean", str(saved)])
    notebooks.main()
    assert saved.read_bytes() == stored.read_bytes()
    written = saved.stat().st_mtime_ns
    notebooks.main()
    assert saved.stat().st_mtime_ns == written


def test_a_second_run_changes_no_byte(stored: Path) -> None:
    before = stored.read_bytes()
    notebooks.execute(stored)
    assert stored.read_bytes() == before


@pytest.mark.parametrize("text", ['{"cells": [{"source": ["x', "", "[]", "{}", '{"nbformat": 4}'])
def test_what_is_no_notebook_is_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "chapter.ipynb"
    path.write_text(text, "utf-8")
    page = SimpleNamespace(env=SimpleNamespace(doc2path=lambda name: path))
    for reads in (
        notebooks.execute,
        links.dead,
        lambda path: parity.page_differences(path, path),
        lambda path: anchors.convert_labels_and_folds(page, "chapter", [text]),
    ):
        with pytest.raises((ValueError, SphinxError), match=f"^{re.escape(str(path))} should be"):
            reads(path)
    assert path.read_text("utf-8") == text
