"""Test that imports between our packages go one way, and that every list names all packages.

The course imports the figures, and both import the library.
"""

import ast
import sys
from collections.abc import Iterator

import pytest

from tools import limits
from tools.packages import PACKAGES, PROJECT, ROOT

# Which of our packages each may import.
ALLOWED = {
    "attention_lib": {"attention_lib"},
    "attention_figures": {"attention_lib", "attention_figures"},
    "attention_course": {"attention_lib", "attention_figures", "attention_course"},
}
# Modules of the project that are not installed.
NEVER = {"benchmarks", "book", "classroom", "tests", "tools"}


TOOLS = PROJECT["tool"]
SDIST = TOOLS["hatch"]["build"]["targets"]["sdist"]["include"]
_, _, QUICK = (ROOT / "Makefile").read_text("utf-8").partition("\nQUICK = ")
QUICK, _, _ = QUICK.partition("\n##")
LISTS = {
    "the wheel": PACKAGES,
    "the sdist": [name.strip("/") for name in SDIST],
    "mypy": TOOLS["mypy"]["files"],
    "pytest, doctests included": TOOLS["pytest"]["ini_options"]["testpaths"],
    "mutmut": TOOLS["mutmut"]["source_paths"],
    "doctests for mutmut": TOOLS["mutmut"]["pytest_add_cli_args_test_selection"],
    "make check": QUICK.split(),
}


def imported(source: str) -> Iterator[str]:
    """Yield the modules that a source imports, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            yield str(node.module)


def against_the_arrows(package: str, source: str) -> list[str]:
    others = {*ALLOWED} - ALLOWED[package] | NEVER
    return [name for name in imported(source) if name.split(".")[0] in others]


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_go_from_course_to_figures_to_library(package: str) -> None:
    found = {
        path.name: against_the_arrows(package, path.read_text("utf-8"))
        for path in (ROOT / package).rglob("*.py")
    }
    assert found
    assert {name: modules for name, modules in found.items() if modules} == {}


@pytest.mark.parametrize(
    ("package", "line"),
    [
        ("attention_figures", "from attention_course.dates import compose"),
        ("attention_figures", "import attention_course"),
        ("attention_lib", "import attention_figures.base"),
        ("attention_lib", "def f():\n    from attention_figures.languages import HAN"),
        ("attention_course", "from tools import limits"),
    ],
)
def test_an_import_against_the_arrows_is_found(package: str, line: str) -> None:
    assert against_the_arrows(package, line)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_names_every_package_of_the_tree(name: str) -> None:
    tree = {path.parent.name for path in ROOT.glob("attention_*/__init__.py")}
    assert tree == {*ALLOWED}
    assert tree - {*LISTS[name]} == set()


def test_the_library_is_small_and_holds_python_alone() -> None:
    files = [
        path
        for path in (ROOT / "attention_lib").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name != "py.typed"
    ]
    assert {path.suffix for path in files} == {".py"}
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in files)
    assert lines <= limits.LIBRARY_LINES


def test_the_library_needs_torch_and_matplotlib_alone() -> None:
    sources = (path.read_text("utf-8") for path in (ROOT / "attention_lib").glob("*.py"))
    packages = {name.split(".")[0] for source in sources for name in imported(source)}
    others = packages - {*sys.stdlib_module_names, "attention_lib"}
    assert others == {"torch", "matplotlib", "numpy"}  # numpy comes with matplotlib
