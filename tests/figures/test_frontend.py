"""The front end is built when it is stale, from what each script needs, and only then."""

import json
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from types import ModuleType

import pytest

from attention_lib.figures import frontend

KIND = """
import {{ signal }} from "@preact/signals";
import {{ both }} from "../views/both.ts";
{more}
export default {{ name: "{name}", mount: () => () => [signal("{name} itself"), both{uses}] }};
"""
SOURCES = {
    "views/both.ts": 'export const both = () => "for both";\nexport const none = "for nobody";',
    "views/one.ts": 'export const one = () => "for one";',
    "kinds/first.tsx": KIND.format(
        name="first", more='import { one } from "../views/one.ts";', uses=", one"
    ),
    "kinds/second.tsx": KIND.format(name="second", more="", uses=""),
}
TOLD = "for both", "for nobody", "for one", "first itself", "second itself"


@pytest.fixture
def tree(tmp_path: Path) -> ModuleType:
    """Return frontend.py with sources of its own, which has built nothing yet."""
    frontend.install()
    copy(Path(frontend.__file__), tmp_path)
    copytree(frontend.WEB, tmp_path / "web", ignore=ignore_patterns("node_modules", "kinds"))
    (tmp_path / "web/node_modules").symlink_to(frontend.WEB / "node_modules")
    for name, text in SOURCES.items():
        path = tmp_path / "web" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    spec = spec_from_file_location("frontend_copy", tmp_path / "frontend.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _texts(tree: ModuleType) -> dict[str, str]:
    files = (path for path in tree.BUILT.rglob("*") if path.is_file())
    return {path.relative_to(tree.BUILT).as_posix(): path.read_text("utf-8") for path in files}


@pytest.fixture
def says(tree: ModuleType) -> Callable[[str], list[str]]:
    """Build; tell which of the strings in the sources got into a file."""
    tree.build()
    texts = _texts(tree)
    return lambda name: [told for told in TOLD if told in texts[name]]


def test_what_two_kinds_need_is_in_the_core(says: Callable[[str], list[str]]) -> None:
    assert says("core.js") == ["for both"]
    assert says("kinds/first.js") == ["for one", "first itself"]
    assert says("kinds/second.js") == ["second itself"]
    assert says("jupyter.js") == ["for both", "for one", "first itself", "second itself"]


def test_the_packages_that_got_in_are_named_with_their_licences(tree: ModuleType) -> None:
    tree.build()
    packages = json.loads(_texts(tree)["packages.json"])
    names = [package["name"] for package in packages]
    assert names == ["@preact/signals", "@preact/signals-core", "preact"]
    for package in packages:
        assert package["licence"] == "MIT"
        assert "Permission is hereby granted" in package["text"]


def test_it_is_built_again_when_a_source_changes_and_is_the_same_each_time(
    tree: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not tree.fresh()
    tree.build()
    first, source = _texts(tree), tree.WEB / "views/one.ts"
    with monkeypatch.context() as without_node:
        without_node.setattr(tree, "node", lambda: pytest.fail("nothing has changed"))
        tree.build()
    text = source.read_text("utf-8")
    source.write_text(text.replace("for one", "for the other"), "utf-8")
    assert not tree.fresh()
    tree.build()
    assert tree.fresh()
    assert "for the other" in _texts(tree)["kinds/first.js"]
    source.write_text(text, "utf-8")
    tree.build()
    assert _texts(tree) == first


def test_a_fault_in_a_source_is_told_and_leaves_what_was_built(tree: ModuleType) -> None:
    tree.build()
    before = _texts(tree)
    (tree.WEB / "views/one.ts").write_text("export const one = (", "utf-8")
    with pytest.raises(RuntimeError, match=r"views/one\.ts:1:20: ERROR"):
        tree.build()
    assert _texts(tree) == before


def test_a_registry_out_of_reach_is_told_in_a_sentence(
    tree: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree.WEB / "node_modules").unlink()
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    with pytest.raises(RuntimeError, match=r"^the npm registry is out of reach.*ECONN") as told:
        tree.build()
    assert "\n" not in str(told.value)


def test_without_sources_nothing_is_built(tree: ModuleType) -> None:
    (tree.WEB / "package.json").unlink()
    tree.build()
    assert not tree.BUILT.exists()
