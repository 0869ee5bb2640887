"""Test the contents of wheel and sdist: our packages, the licence, no more.

Both contain the built front end of the figures; only the sdist contains its sources.
"""

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from zipfile import ZipFile

import pytest

from tools.packages import PACKAGES, PROJECT, ROOT

NAME = f"{PROJECT['project']['name']}-{PROJECT['project']['version']}"
FRONT_END = "attention_figures/built/", "attention_figures/web/"
NOT_COPIED = "__pycache__", "node_modules", "built.lock", "node_modules.lock"
# A first figure, with only the installed wheel.
FIGURE = """
import sys, torch
from pathlib import Path
import attention_figures
import attention_lib
from attention_course.nli import load_pairs

for package in (attention_figures, attention_lib):
    assert Path(package.__file__).is_relative_to(sys.argv[1]), package.__file__
assert [len(part) for part in load_pairs(lang="zh")]
print(attention_figures.MaskedSoftmaxFigure(torch.randn(1, 2, 4), torch.tensor([3])).to_html())
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build from a copy without earlier builds, as `make dist` does."""
    source = tmp_path_factory.mktemp("source")
    for name in (".gitignore", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE"):
        copy(ROOT / name, source)
    for name in PACKAGES:
        copytree(ROOT / name, source / name, ignore=ignore_patterns(*NOT_COPIED))
    command = [sys.executable, "-m", "build", "--no-isolation", source]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stdout + made.stderr
    return source / "dist"


def _files() -> set[str]:
    files = (path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file())
    names = (path.relative_to(ROOT) for path in files)
    return {name.as_posix() for name in names if not {*NOT_COPIED}.intersection(name.parts)}


def test_the_wheel_holds_the_packages_and_their_licence(dist: Path) -> None:
    names = set(ZipFile(dist / f"{NAME}-py3-none-any.whl").namelist())
    files = {name for name in names if not name.startswith(f"{NAME}.dist-info/")}
    built, web = FRONT_END
    assert files == {name for name in _files() if not name.startswith(web)}
    assert f"{built}core.js" in files
    assert {*(f"{name}/py.typed" for name in PACKAGES), f"{built}styles.json"} < files
    assert f"{NAME}.dist-info/licenses/LICENSE" in names


def test_the_sdist_holds_the_packages_and_their_licence(dist: Path) -> None:
    with tarfile.open(dist / f"{NAME}.tar.gz") as sdist:
        names = {member.name.removeprefix(f"{NAME}/") for member in sdist if member.isfile()}
    assert names >= _files() | {"LICENSE", "README.md", "pyproject.toml"}


def test_figures_work_from_the_wheel_alone(dist: Path, tmp_path: Path) -> None:
    wheel = dist / f"{NAME}-py3-none-any.whl"
    site = tmp_path / "site-packages"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel]
    subprocess.run([*map(str, pip)], check=True)
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", FIGURE, site],
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count('class="attention-figure" data-figure=') == 1
    assert "<script" in run.stdout
