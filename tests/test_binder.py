"""Follow the steps of Binder in a new environment, and run a chapter there."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fresh import Environment
from tools.packages import PACKAGES, ROOT

PROJECT = ("pyproject.toml", "hatch_build.py", "LICENSE", "docs/pypi.md")
PROJECT += ("constraints.txt", "torch-cpu.txt")
CHAPTER = "book/en/04-masked-softmax.ipynb"
NOT_COPIED = shutil.ignore_patterns("__pycache__", "node_modules*", "built*")


@pytest.mark.exhaustive  # it takes 35 processor-seconds; test_package.py installs the same packages
def test_a_chapter_runs_after_the_steps_in_an_environment_of_its_own(tmp_path: Path) -> None:
    project, place = tmp_path / "project", tmp_path / "environment"
    shutil.copytree(ROOT / "binder", project / "binder")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, project / name, ignore=NOT_COPIED)
    (project / "docs").mkdir()
    for name in PROJECT:
        shutil.copy(ROOT / name, project / name)
    environment = Environment(place)
    environment.run("bash", "binder/postBuild", cwd=project)
    shutil.rmtree(project)  # only the installation counts
    cells = json.loads((ROOT / CHAPTER).read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    chapter = tmp_path / "chapter.py"
    chapter.write_text("\n\n".join([*code, "print(masked_softmax.__module__)"]), "utf-8")
    said = environment.run("ipython", chapter, cwd=tmp_path)
    assert said.endswith("attention_lib.masking\n")


def test_binder_has_the_python_that_the_versions_were_run_with() -> None:
    (oldest,) = re.findall(r'requires-python = ">=([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert (ROOT / "binder/runtime.txt").read_text().strip() == f"python-{oldest}"
    assert sys.version_info >= tuple(map(int, oldest.split(".")))


@pytest.mark.skipif(os.name == "nt", reason="Binder's machines have Linux")
def test_binder_starts_jupyter_with_the_settings_of_make_lab(tmp_path: Path) -> None:
    said = subprocess.run(
        [ROOT / "binder/start", sys.executable, "-m", "jupyter", "--paths", "--json"],
        cwd=tmp_path,
        env=os.environ | {"JUPYTER_CONFIG_PATH": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    own, before, *_ = json.loads(said.stdout)["config"]
    assert Path(own).resolve() == ROOT / "tools/lab"
    assert Path(before) == tmp_path  # must still exist
