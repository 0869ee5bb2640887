"""Torch and the browser compute what they computed before the front end was written anew."""

from typing import Any

import pytest
from agreement import assert_close, doubles
from fixtures import FOLDER, State, figure_of, fixture
from front_end import stages

KINDS = sorted(path.name.split(".")[0] for path in (FOLDER / "numbers").iterdir())
kinds = pytest.mark.parametrize("kind", KINDS)


def cases(kind: str) -> tuple[list[State], list[dict[str, Any]]]:
    """Return states, and the stages of each by name."""
    entries = fixture(f"numbers/{kind}")
    assert len(entries) == 40
    return [entry["state"] for entry in entries], [entry["stages"] for entry in entries]


@kinds
def test_torch_computes_what_it_did(kind: str) -> None:
    for state, expected in zip(*cases(kind), strict=True):
        computed = figure_of(state).stages()
        for name, nested in expected.items():
            assert_close(computed[name].tolist(), doubles(nested))


@kinds
def test_the_browser_computes_what_it_did(kind: str) -> None:
    states, expected = cases(kind)
    names = sorted({name for one in expected for name in one})
    computed = stages(states, names)
    for own, one in zip(computed, expected, strict=True):
        for name, nested in one.items():
            # a list of rows may leave out a dimension of 1
            assert_close(doubles(own[name]).squeeze().tolist(), doubles(nested).squeeze())


def test_every_kind_has_its_numbers() -> None:
    assert len(KINDS) == 9
