"""Hold templates, hooks and the development container to what the project does."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.test_docs import commands
from tools.packages import ROOT

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[0-9]*.yml"))
HAN = re.compile(r"[\u4e00-\u9fff]")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


def test_the_hooks_of_pre_commit_run_what_make_check_runs() -> None:
    (lint,) = re.findall(r"^LINT = (.+)$", MAKEFILE, re.MULTILINE)
    (recipe,) = re.findall(r"^check:\n((?:\t.+\n)+)", MAKEFILE, re.MULTILINE)
    words = recipe.replace("$(LINT)", lint).split()
    ran = [word for word in words if word in TARGETS]
    (local,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert [hook["entry"] for hook in local["hooks"]] == [f"make {target}" for target in ran]
    assert len(ran) == 4


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_every_line_of_an_issue_form_is_in_both_languages(form: Path) -> None:
    fields = read(form)
    texts = [fields["name"], fields["description"]]
    texts += [text for part in fields["body"] for text in part["attributes"].values()]
    for text in texts:
        english, _, chinese = text.partition(" · ")
        assert not HAN.search(english)
        assert HAN.search(chinese)


def test_an_issue_may_be_blank_because_a_report_of_a_page_is() -> None:
    assert len(FORMS) == 3
    assert read(ROOT / ".github/ISSUE_TEMPLATE/config.yml")["blank_issues_enabled"] is True


def test_the_development_container_has_the_python_of_the_image_and_real_commands() -> None:
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text("utf-8"))
    (python,) = set(re.findall(r"^FROM (python:[\d.]+)", (ROOT / "Dockerfile").read_text(), re.M))
    assert container["image"].startswith(f"{python}-")
    *_, made = container["postCreateCommand"].partition("make ")
    assert set(made.split()) <= TARGETS


def test_the_workflow_runs_on_windows_what_the_docs_say() -> None:
    steps = read(ROOT / ".github/workflows/ci.yml")["jobs"]["windows"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    assert "jupyter-book build ." in runs
    said = commands((ROOT / "docs/install.md").read_text("utf-8"))
    assert [run for run in runs if run not in said and "GITHUB_PATH" not in run] == []
