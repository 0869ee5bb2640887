"""Test that the front end is rebuilt only when stale, and scripts contain what they need."""

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from attention_figures import frontend
from attention_figures.frontend import FIGURES, FrontEnd

KIND = """
import {{ signal }} from "@preact/signals";
import {{ many }} from "../views/common.ts";
{more}
export default {{ name: "{name}", mount: () => () => [signal("{name} itself"), many{uses}] }};
"""
ONE, FEW = (f'import {{ {name} }} from "../views/{name}.ts";' for name in ("one", "few"))
SOURCES = {
    "views/common.ts": 'export const many = () => "for many";\nexport const none = "for nobody";',
    "views/few.ts": 'export const few = () => "for few";',
    "views/one.ts": 'export const one = () => "for one";',
    "kinds/first.tsx": KIND.format(name="first", more=ONE + FEW, uses=', one, few, "orderAdd"'),
    "kinds/second.tsx": KIND.format(name="second", more=FEW, uses=", few"),
} | {f"kinds/k{i}.tsx": KIND.format(name=f"k{i}", more="", uses="") for i in range(4)}
TOLD = "for many", "for nobody", "for few", "for one", "first itself", "second itself"


@pytest.fixture
def tree(tmp_path: Path) -> FrontEnd:
    """Make a small front end with its own kinds, not yet built."""
    FIGURES.install()
    copytree(FIGURES.sources, tmp_path / "web", ignore=ignore_patterns("node_modules", "kinds"))
    (tmp_path / "web/node_modules").symlink_to(FIGURES.sources / "node_modules")
    for name, text in SOURCES.items():
        path = tmp_path / "web" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return FrontEnd(tmp_path / "web", tmp_path / "built")


def _texts(tree: FrontEnd) -> dict[str, str]:
    files = (path for path in tree.built.rglob("*") if path.is_file())
    return {path.relative_to(tree.built).as_posix(): path.read_text("utf-8") for path in files}


@pytest.fixture
def says(tree: FrontEnd) -> Callable[[str], list[str]]:
    """Build, and return a function that lists the source strings in a built file."""
    tree.build()
    texts = _texts(tree)
    return lambda name: [told for told in TOLD if told in texts[name]]


def test_what_many_kinds_need_is_in_the_core_and_what_few_need_is_in_theirs(
    says: Callable[[str], list[str]],
) -> None:
    assert says("core.js") == ["for many"]
    assert says("kinds/first.en.js") == ["for few", "for one", "first itself"]
    assert says("kinds/second.en.js") == ["for few", "second itself"]
    assert says("kinds/k3.en.js") == []
    assert says("jupyter.js") == ["for many", *TOLD[2:]]


def test_a_word_that_one_kind_names_goes_with_it(tree: FrontEnd) -> None:
    tree.build()
    texts = _texts(tree)
    for lang, word in ("en", "Reset"), ("zh", "重置"):
        assert word in texts[f"strings/{lang}.js"]
        assert '"orderAdd"' not in texts[f"strings/{lang}.js"]
        assert '"orderAdd"' in texts[f"kinds/first.{lang}.js"]
        assert '"orderAdd"' not in texts[f"kinds/second.{lang}.js"]
        assert word not in texts[f"kinds/first.{lang}.js"]


def test_the_packages_that_got_in_are_named_with_their_licences(tree: FrontEnd) -> None:
    tree.build()
    packages = json.loads(_texts(tree)["packages.json"])
    names = [package["name"] for package in packages]
    assert names == ["@preact/signals", "@preact/signals-core", "preact"]
    for package in packages:
        assert package["licence"] == "MIT"
        assert "Permission is hereby granted" in package["text"]


def test_it_is_built_again_when_a_source_changes_and_is_the_same_each_time(
    tree: FrontEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not tree.fresh()
    tree.build()
    first, source = _texts(tree), tree.sources / "views/one.ts"
    with monkeypatch.context() as without_node:
        without_node.setattr(frontend, "node", lambda: pytest.fail("nothing has changed"))
        tree.build()
    text = source.read_text("utf-8")
    source.write_text(text.replace("for one", "for the other"), "utf-8")
    assert not tree.fresh()
    tree.build()
    assert tree.fresh()
    assert "for the other" in _texts(tree)["kinds/first.en.js"]
    source.write_text(text, "utf-8")
    tree.build()
    assert _texts(tree) == first
    tree.imports = source.parent  # as if the sources were elsewhere
    assert not tree.fresh()


def test_an_error_in_a_source_is_reported_and_leaves_the_old_build(tree: FrontEnd) -> None:
    tree.build()
    before = _texts(tree)
    (tree.sources / "views/one.ts").write_text("export const one = (", "utf-8")
    with pytest.raises(RuntimeError, match=r"views/one\.ts:1:20: ERROR"):
        tree.build()
    assert _texts(tree) == before


def test_an_unreachable_registry_is_reported_in_a_sentence(
    tree: FrontEnd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree.sources / "node_modules").unlink()
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    with pytest.raises(RuntimeError, match=r"^the npm registry is out of reach.*ECONN") as told:
        tree.build()
    assert "\n" not in str(told.value)


def test_without_sources_nothing_is_built(tree: FrontEnd) -> None:
    (tree.sources / "package.json").unlink()
    tree.build()
    assert not tree.built.exists()
