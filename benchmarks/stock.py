"""What our site is compared with: chapters in a Jupyter Book as it comes, sliders for our figures.

Such a page takes MathJax from a CDN. Here it comes from the installed package, which holds the same
release. RequireJS and the widgets' html-manager are not installed by anything, so that they are
neither loaded nor counted, and the sliders do not come alive: the book is lighter than it would be.
"""

import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import nbformat
from nbclient import NotebookClient

CONFIG = 'execute: {execute_notebooks: "off"}\n'  # the outputs are there
SLIDER = "from ipywidgets import IntSlider\n\nIntSlider(3, 0, 4, description='valid_len')"
MATHJAX = re.compile(r"https://cdn\.jsdelivr\.net/npm/mathjax@3/es5/")
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
        _bring_mathjax(pages / f"{name}.html")
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


def _bring_mathjax(page: Path) -> None:
    """Take it from beside the page, and nothing else from other servers."""
    static = page.parent / "_static/mathjax"
    source = Path(str(files("sphinx-mathjax-offline") / "static/mathjax"))
    shutil.copytree(source, static, dirs_exist_ok=True)
    html = MATHJAX.sub("_static/mathjax/", page.read_text("utf-8"))
    page.write_text(ELSEWHERE.sub("", html), "utf-8")
