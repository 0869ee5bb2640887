"""Build the baseline: chapters in a stock Jupyter Book, with ipywidgets sliders as figures.

Such pages load MathJax, RequireJS and html-manager from a CDN. We remove these scripts, so they are
not counted, and formulas and sliders do not work: the baseline is lighter than a real stock book.
"""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

CONFIG = 'execute: {execute_notebooks: "off"}\n'  # outputs are stored
SLIDER = "from ipywidgets import IntSlider\n\nIntSlider(3, 0, 4, description='valid_len')"
ELSEWHERE = re.compile(r'<script[^>]* src="https://[^>]*></script>')


def build(folder: Path, chapters: list[Path]) -> Path:
    """Build a stock book from these notebooks; return the folder of its HTML."""
    slider = _slider()
    for chapter in chapters:
        nbformat.write(_with_sliders(chapter, slider), folder / chapter.name)
    names = [chapter.stem for chapter in chapters]
    listed = "".join(f"  - file: {name}\n" for name in names[1:])
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: {names[0]}\nchapters:\n{listed}")
    (folder / "_config.yml").write_text(CONFIG)
    jupyter_book = str(Path(sys.executable).with_name("jupyter-book"))
    subprocess.run([jupyter_book, "build", str(folder)], check=True, capture_output=True)
    pages = folder / "_build/html"
    for name in names:
        _cut_off(pages / f"{name}.html")
    return pages


def _slider() -> nbformat.NotebookNode:
    """Execute a notebook with a slider, and store its widget state as JupyterLab does."""
    notebook: nbformat.NotebookNode = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(SLIDER)]
    )
    NotebookClient(notebook, store_widget_state=True).execute()
    return notebook


def _with_sliders(chapter: Path, slider: nbformat.NotebookNode) -> nbformat.NotebookNode:
    notebook: nbformat.NotebookNode = nbformat.read(chapter, as_version=4)
    for cell in notebook.cells:
        if any("data-figure" in str(output) for output in cell.get("outputs", [])):
            cell.source, cell.outputs = slider.cells[0].source, slider.cells[0].outputs
    notebook.metadata.widgets = slider.metadata.widgets
    return notebook


def _cut_off(page: Path) -> None:
    """Remove scripts from other servers."""
    page.write_text(ELSEWHERE.sub("", page.read_text("utf-8")), "utf-8")
