"""Test wheel and sdist: our packages and licences, no more, as PyPI accepts and shows them.

Both contain the built front end of the figures; only the sdist contains its sources.
"""

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from zipfile import ZipFile

import pytest
import yaml

from tools import limits
from tools.citation import FILE, citation
from tools.packages import PACKAGES, PROJECT, ROOT

NAME = f"{PROJECT['project']['name']}-{PROJECT['project']['version']}"
FRONT_END = "attention_figures/built/", "attention_figures/web/"
NOT_COPIED = "__pycache__", "node_modules", "built.lock", "node_modules.lock"
README = (ROOT / "docs/pypi.md").read_text("utf-8")
# The examples of the README, with only the installed wheel.
EXAMPLES = "".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
WHEEL_ALONE = """
import sys
from pathlib import Path
import attention_figures
import attention_lib
from attention_course.nli import load_pairs

for package in (attention_figures, attention_lib):
    assert Path(package.__file__).is_relative_to(sys.argv[1]), package.__file__
assert [len(part) for part in load_pairs(lang="zh")]
print(figure.to_html())
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build from a copy without earlier builds, as `make dist` does."""
    source = tmp_path_factory.mktemp("source")
    (source / "docs").mkdir()
    for name in (".gitignore", "hatch_build.py", "pyproject.toml", "LICENSE", "docs/pypi.md"):
        copy(ROOT / name, source / name)
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


def test_the_wheel_holds_the_packages_and_their_licences(dist: Path) -> None:
    names = set(ZipFile(dist / f"{NAME}-py3-none-any.whl").namelist())
    files = {name for name in names if not name.startswith(f"{NAME}.dist-info/")}
    built, web = FRONT_END
    assert files == {name for name in _files() if not name.startswith(web)}
    assert f"{built}core.js" in files
    assert {*(f"{name}/py.typed" for name in PACKAGES), f"{built}styles.json"} < files
    for licence in PROJECT["project"]["license-files"]:
        assert f"{NAME}.dist-info/licenses/{licence}" in names


def test_the_sdist_holds_the_packages_and_their_licence(dist: Path) -> None:
    with tarfile.open(dist / f"{NAME}.tar.gz") as sdist:
        names = {member.name.removeprefix(f"{NAME}/") for member in sdist if member.isfile()}
    assert names >= _files() | {"LICENSE", "docs/pypi.md", "pyproject.toml"}


def test_the_wheel_is_quick_to_download(dist: Path) -> None:
    assert (dist / f"{NAME}-py3-none-any.whl").stat().st_size <= limits.WHEEL * 1e6


def test_pypi_accepts_both(dist: Path) -> None:
    command = [sys.executable, "-m", "twine", "check", "--strict", *dist.iterdir()]
    checked = subprocess.run(command, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout.count("PASSED") == 2


def test_the_readme_leads_nowhere_that_pypi_does_not_have() -> None:
    assert re.findall(r"\]\((?!https://).*?\)|<(?:a|img)\b", README) == []


def test_the_citation_is_that_of_the_package_and_of_the_book() -> None:
    assert FILE.read_text("utf-8") == citation(), "make fix"
    book = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    named = book.get("repository", {}).get("url")
    assert named == PROJECT["project"]["urls"].get("Repository")


def test_the_examples_of_the_readme_work_from_the_wheel_alone(dist: Path, tmp_path: Path) -> None:
    wheel = dist / f"{NAME}-py3-none-any.whl"
    site = tmp_path / "site-packages"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel]
    subprocess.run([*map(str, pip)], check=True)
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", EXAMPLES + WHEEL_ALONE, site],
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert f"`{run.stdout.splitlines()[0]}`" in README
    assert run.stdout.count('class="attention-figure" data-figure=') == 1
    assert "<script" in run.stdout
