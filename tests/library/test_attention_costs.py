"""Test the measurement of the costs of attention that chapter 12 plots, and their file."""

import json
from pathlib import Path

import pytest
import torch

from benchmarks import attention_costs
from benchmarks.measure import machine

EAGER = ["ours", "sdpa", "flex"]


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a run measure short texts briefly, without a compiler, and write to another file."""
    monkeypatch.setattr(attention_costs, "LENGTHS", [3, 5])
    monkeypatch.setattr(attention_costs, "LENGTH", 7)
    monkeypatch.setattr(attention_costs, "MIN_RUN_TIME", 0.001)
    monkeypatch.setattr(attention_costs, "FUSED", False)
    monkeypatch.setattr(attention_costs, "CHAPTERS", [])
    monkeypatch.setattr(attention_costs, "FILE", tmp_path / "new" / "costs.json")
    return attention_costs.FILE


def test_all_ways_give_the_same_output(stored: Path) -> None:
    torch.manual_seed(0)
    ours, sdpa, flex = (call() for call in attention_costs.calls(7).values())
    assert ours.shape == (1, attention_costs.HEADS, 7, attention_costs.SIZE)
    torch.testing.assert_close(ours, sdpa)
    torch.testing.assert_close(flex, sdpa)


def test_a_run_stores_each_way_at_each_length_and_compares_the_longest(stored: Path) -> None:
    rows = list(attention_costs.rows())
    content = json.loads(stored.read_text())
    assert content["machine"] == machine()
    assert content["length"] == [3, 5]
    assert list(content["additive"]) == ["ours"]
    for unit in ("ms", "MiB"):
        assert list(content[unit]) == EAGER
        assert all(len(numbers) == 2 and min(numbers) > 0 for numbers in content[unit].values())
    ratios = [(row.measured, row.baseline) for row in rows]
    assert ratios == [
        (content[unit][name][1], content[unit]["sdpa"][1])
        for name in ("ours", "flex")
        for unit in ("ms", "MiB")
    ]


def test_the_chapters_are_run_again_after_the_file_is_written(
    stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[tuple[Path, bool]] = []
    monkeypatch.setattr(attention_costs, "CHAPTERS", [Path("en"), Path("zh")])
    monkeypatch.setattr(
        attention_costs, "execute", lambda path: runs.append((path, stored.exists()))
    )
    list(attention_costs.rows())
    assert runs == [(Path("en"), True), (Path("zh"), True)]


def test_the_stored_file_has_the_lengths_that_a_run_measures() -> None:
    content = json.loads(attention_costs.FILE.read_text())
    assert content["length"] == attention_costs.LENGTHS
    assert list(content["additive"]) == ["ours", "flex, fused"]
    for unit in ("ms", "MiB"):
        assert list(content[unit]) == [*EAGER, "flex, fused"]
