"""The strict comparison of the notebooks can fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import attention_lib
from tools import notebooks

ROOT = Path(__file__).parents[2]
CHAPTER = ROOT / "book/en/04-masked-softmax.ipynb"


def nbval(notebook: Path, library: Path | None = None) -> str:
    """Compare a notebook as `make test` does, with another library if one is given."""
    environment = {**os.environ, **({"PYTHONPATH": str(library)} if library else {})}
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", notebook]
    return subprocess.run(
        [*command, "-x", "-vv", "-p", "no:cacheprovider"],
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


def faulty_library(folder: Path, module: str, right: str, wrong: str) -> Path:
    """Copy the library with one fault."""
    shutil.copytree(Path(attention_lib.__file__).parent, folder / "attention_lib")
    path = folder / "attention_lib" / module
    source = path.read_text("utf-8")
    assert source.count(right) == 1
    path.write_text(source.replace(right, wrong), "utf-8")
    return folder


def test_a_fault_in_the_mask_turns_the_notebooks_red(tmp_path: Path) -> None:
    one_key_too_many = "valid_lens) < lengths", "valid_lens) <= lengths"
    red = nbval(CHAPTER, faulty_library(tmp_path, "masking.py", *one_key_too_many))
    assert "1 failed" in red
    assert "[0.6457, 0.3543, 0.0000, 0.0000]" in red  # what the chapter says
    assert "[0.3768, 0.2068, 0.4164, 0.0000]" in red  # with the padding's weight


WITHOUT_A_HALF = "scores.py", "((q - k) / 2)", "(q - k)"
WITHOUT_A_ROOT = "scores.py", "queries / math.sqrt(queries.shape[-1])", "queries"
WITHOUT_TANH = "scores.py", "(q + k).tanh_()", "(q + k)"
WITHOUT_DROPOUT = "scoring.py", "self.dropout(weights)", "weights"
WITH_PADDING_IN_THE_SUM = "decomposable.py", "torch.where(keep, v, 0)", "v"


@pytest.mark.parametrize(
    ("chapter", "fault"),
    [
        ("01-queries-keys-values", WITHOUT_A_HALF),
        ("02-kernel-pooling", WITHOUT_A_HALF),
        ("03-scoring-functions", WITHOUT_A_ROOT),
        ("05-additive-attention", WITHOUT_TANH),
        ("06-scaled-dot-product", WITHOUT_A_ROOT),
        ("07-dropout-on-weights", WITHOUT_DROPOUT),
        ("08-choosing-a-score", WITHOUT_TANH),
        ("09-decomposable-attention", WITH_PADDING_IN_THE_SUM),
        ("misreadings", WITHOUT_A_ROOT),
    ],
)
def test_a_fault_in_the_library_turns_the_page_red(
    chapter: str, fault: tuple[str, str, str], tmp_path: Path
) -> None:
    library = faulty_library(tmp_path, *fault)
    assert "1 failed" in nbval(ROOT / f"book/en/{chapter}.ipynb", library)


def test_the_kernel_is_this_environment_and_only_addresses_may_differ(tmp_path: Path) -> None:
    path = tmp_path / "chapter.ipynb"
    write(path, "import sys\nprint(sys.prefix)", "object()", "import random\nrandom.random()")
    assert nbformat.read(path, as_version=4).cells[0].outputs[0].text == f"{sys.prefix}\n"
    compared = nbval(path)
    assert "1 failed, 2 passed" in compared
    assert "random.random()" in compared
