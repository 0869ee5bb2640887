"""Test the measurement of the costs of scores that chapter 8 plots, and their file."""

import json
from pathlib import Path

import pytest
import torch

from attention_lib import scores
from benchmarks import score_costs
from benchmarks.measure import machine

NAMES = ["dot", "scaled_dot", "bilinear", "gaussian", "additive"]
SERIES = [("by_keys", "keys"), ("by_d", "d")]


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a run measure small sizes briefly, and write to another file."""
    monkeypatch.setattr(score_costs, "NUMBERS_OF_KEYS", [3, score_costs.NUM_KEYS])
    monkeypatch.setattr(score_costs, "SIZES", [2, 5])
    monkeypatch.setattr(score_costs, "MIN_RUN_TIME", 0.001)
    monkeypatch.setattr(score_costs, "CHAPTERS", [])
    monkeypatch.setattr(score_costs, "FILE", tmp_path / "new" / "costs.json")
    return score_costs.FILE


def test_what_is_measured_is_all_scores_of_the_library_on_one_case() -> None:
    torch.manual_seed(0)
    results = {name: call() for name, call in score_costs.calls(num_keys=7, size=3).items()}
    assert list(results) == NAMES
    assert all(x.shape == (1, 7, 7) for x in results.values())
    torch.testing.assert_close(results["scaled_dot"] * 3**0.5, results["dot"])
    torch.manual_seed(0)
    queries, keys = torch.randn(2, 1, 7, 3)
    assert torch.equal(results["gaussian"], scores.gaussian(queries, keys))


def test_a_run_stores_each_score_at_each_size_and_compares_one_size(stored: Path) -> None:
    rows = list(score_costs.rows())
    content = json.loads(stored.read_text())
    assert content["machine"] == machine()
    for series, sizes in SERIES:
        for unit in ("ms", "MiB"):
            assert list(content[series][unit]) == NAMES
            for numbers in content[series][unit].values():
                assert len(numbers) == len(content[series][sizes]) == 2
    times = content["by_keys"]["ms"]
    assert [(row.measured, row.baseline) for row in rows] == [
        (times[name][1], times["dot"][1]) for name in NAMES[1:]
    ]
    assert content["by_keys"]["MiB"]["dot"][1] == 0.25  # 256 × 256 numbers of 4 bytes


def test_the_chapters_are_run_again_after_the_file_is_written(
    stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[tuple[Path, bool]] = []
    monkeypatch.setattr(score_costs, "CHAPTERS", [Path("en"), Path("zh")])
    monkeypatch.setattr(score_costs, "execute", lambda path: runs.append((path, stored.exists())))
    list(score_costs.rows())
    assert runs == [(Path("en"), True), (Path("zh"), True)]


def test_the_stored_file_has_the_sizes_that_a_run_measures() -> None:
    content = json.loads(score_costs.FILE.read_text())
    assert content["by_keys"]["keys"] == score_costs.NUMBERS_OF_KEYS
    assert content["by_d"]["d"] == score_costs.SIZES
    for series, _ in SERIES:
        for unit in ("ms", "MiB"):
            assert list(content[series][unit]) == NAMES
            assert all(min(numbers) > 0 for numbers in content[series][unit].values())
