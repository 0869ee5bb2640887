"""Run the front end's unit tests, `web/*.test.ts`, and test the calls from Python."""

import math
from pathlib import Path

import pytest
from node import call_each_in_node, call_in_node, unit_tests

TESTS = sorted(Path(__file__).parent.joinpath("web").glob("*.test.ts*"))


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name)
def test_units(file: Path, tmp_path: Path) -> None:
    run = unit_tests(file, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "\n# pass 0" not in run.stdout
    assert "\n# pass " in run.stdout
    assert "\n# skipped 0" in run.stdout
    assert "\n# todo 0" in run.stdout


def test_a_unit_test_that_fails_fails_here(tmp_path: Path) -> None:
    file = tmp_path / "wrong.test.ts"
    file.write_text('import test from "node:test";\ntest("it", () => { throw Error("wrong"); });')
    run = unit_tests(file, tmp_path)
    assert run.returncode == 1
    assert "wrong" in run.stdout


def test_a_function_is_called_with_numbers_that_json_does_not_know() -> None:
    path = Path(__file__).with_name("web") / "echo.ts"
    calls = [([1.5, -math.inf, math.inf, None],), ({"x": [math.nan]},), ("Infinitely",)]
    said = call_each_in_node(str(path), "echo", calls)
    assert said == [
        [1.5, "-Infinity", "Infinity", None],
        {"x": ["NaN"]},
        "Infinitely",
    ]
    assert call_in_node(str(path), "default.kinds", [-math.inf, math.nan, "Infinitely"]) == [
        "number",
        "number",
        "string",
    ]


def test_a_call_that_throws_raises() -> None:
    path = str(Path(__file__).with_name("web") / "echo.ts")
    with pytest.raises(RuntimeError, match="RangeError: 3 is too much"):
        call_in_node(path, "refuse", 3)
    with pytest.raises(RuntimeError, match="should export missing"):
        call_in_node(path, "missing")
    assert call_in_node(path, "echo", 1) == 1
