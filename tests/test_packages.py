"""Imports go one way: the course imports the figures, and both import the library."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# What a module belongs to, by the beginning of its name; the longest one counts.
LAYERS = {
    "attention_lib": "library",
    "attention_lib.decomposable": "library",
    "attention_figures": "figures",
    **dict.fromkeys(
        [f"attention_lib.{name}" for name in ("course", "dates", "exercises", "measured", "nli")],
        "course",
    ),
}
ALLOWED = {
    "library": {"library"},
    "figures": {"library", "figures"},
    "course": {"library", "figures", "course"},
}


def layer(module: str) -> str | None:
    begun = [name for name in LAYERS if f"{module}.".startswith(f"{name}.")]
    return LAYERS[max(begun, key=len)] if begun else None


def imported(source: str) -> Iterator[str]:
    """Yield the modules that a source imports, anywhere in it, and what it may import from them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are absolute"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def against_the_arrows(module: str, source: str) -> list[str]:
    allowed = ALLOWED[str(layer(module))]
    return [name for name in imported(source) if (layer(name) or "library") not in allowed]


def test_imports_go_from_course_to_figures_to_library() -> None:
    paths = [path for name in {*LAYERS} for path in (ROOT / name.split(".")[0]).rglob("*.py")]
    modules = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths}
    assert {layer(module) for module in modules.values()} == {*ALLOWED}
    found = {m: against_the_arrows(m, path.read_text("utf-8")) for path, m in modules.items()}
    assert {module: names for module, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("attention_figures.dates", "from attention_lib.dates import compose"),
        ("attention_figures.dates", "from attention_lib import dates"),
        ("attention_lib.masking", "import attention_figures"),
        ("attention_lib.masking", "def f():\n    from attention_figures.languages import HAN"),
    ],
)
def test_an_import_against_the_arrows_is_found(module: str, line: str) -> None:
    assert against_the_arrows(module, line)
