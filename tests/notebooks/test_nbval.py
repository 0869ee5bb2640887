"""Test that the strict comparison of the notebooks can fail."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
from faults import copy_library, planted

from tools import notebooks

ROOT = Path(__file__).parents[2]
CHAPTER = ROOT / "book/en/04-masked-softmax.ipynb"


def nbval(notebook: Path, library: Path | None = None) -> str:
    """Compare a notebook as `make test` does, with another library if given."""
    environment = {**os.environ, **({"PYTHONPATH": str(library)} if library else {})}
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", notebook]
    return subprocess.run(
        [*command, "-vv", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    ).stdout


def write(path: Path, *sources: str) -> Path:
    """Write a notebook of code cells, run it and store its outputs."""
    cells = [nbformat.v4.new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(sources)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=notebooks.METADATA), path)
    notebooks.execute(path)
    return path


def test_a_fault_in_the_mask_turns_the_notebooks_red(tmp_path: Path) -> None:
    one_key_too_many = "valid_lens) < lengths", "valid_lens) <= lengths"
    with planted(copy_library(tmp_path), "attention_lib/masking.py", *one_key_too_many):
        red = nbval(CHAPTER, tmp_path)
    assert re.search(r"[1-9]\d* failed", red)
    assert "[0.6457, 0.3543, 0.0000, 0.0000]" in red  # the numbers of the chapter
    assert "[0.3768, 0.2068, 0.4164, 0.0000]" in red  # with weight on the padding


def test_the_kernel_is_this_environment_and_only_addresses_may_differ(tmp_path: Path) -> None:
    path = tmp_path / "chapter.ipynb"
    write(path, "import sys\nprint(sys.prefix)", "object()", "import random\nrandom.random()")
    assert nbformat.read(path, as_version=4).cells[0].outputs[0].text == f"{sys.prefix}\n"
    compared = nbval(path)
    assert "1 failed, 2 passed" in compared
    assert "random.random()" in compared
