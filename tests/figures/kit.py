"""What follows from the states of figures, in Node."""

from pathlib import Path
from typing import Any

from agreement import state
from node import told, told_each

from attention_figures import Figure

_FIGURES = str(Path(__file__).with_name("web") / "figures.ts")


def stages(states: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every stage of each state, under the names of Python."""
    return _each("stages", states)


def numbers(figures: list[Figure]) -> list[str]:
    """All that a reader can take along as numbers."""
    return _each("numbers", [state(figure) for figure in figures])


def programs(figures: list[Figure]) -> list[str]:
    """Return the programs that a reader can copy."""
    return _each("program", [state(figure) for figure in figures])


def sentences(figures: list[Figure]) -> list[str]:
    """Return the sentences below the figures, with their marks."""
    return _each("sentence", [state(figure) for figure in figures])


def formulas() -> list[tuple[str, str, list[str]]]:
    """Return each score with the formula that figures show, and the parameters."""
    return [(score, text, parameters) for score, text, parameters in told(_FIGURES, "formulas")]


def _each(function: str, states: list[dict[str, Any]]) -> list[Any]:
    return told_each(_FIGURES, function, [(own,) for own in states])


def revealed(asked: list[tuple[dict[str, Any], dict[str, Any], str]]) -> list[dict[str, Any]]:
    """Return where each figure is after its question; the last of each is the way."""
    return told_each(_FIGURES, "revealed", list(asked))


def choices() -> dict[str, list[str]]:
    """Return what only the picture of each kind knows."""
    return dict(told(_FIGURES, "choices"))
