"""What our site is compared with: chapters in a Jupyter Book as it comes, sliders for our figures.

Such a page takes MathJax, RequireJS and the widgets' html-manager from a CDN. Nothing installs
them, so that they are neither loaded nor counted, and neither formulas nor sliders come alive: the
book is lighter than it would be.
"""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

CONFIG = 'execute: {execute_notebooks: "off"}\n'  # the outputs are there
SLIDER = "from ipywidgets import IntSlider\n\nIntSlider(3, 0, 4, description='valid_len')"
ELSEWHERE = re.compile(r'<script[^>]* src="https://[^>]*></script>')


def build(folder: Path, chapters: list[Path]) -> Path:
    """Make a book of these notebooks; return the folder of its pages."""
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
    """Run a notebook that shows a slider, and keep its state as JupyterLab does."""
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
    """Take nothing from other servers."""
    page.write_text(ELSEWHERE.sub("", page.read_text("utf-8")), "utf-8")
