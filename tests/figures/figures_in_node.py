"""Compute stages, numbers, programs and captions of figures in Node."""

from pathlib import Path
from typing import Any

from agreement import state
from node import call_each_in_node, call_in_node

from attention_figures import Figure

_FIGURES = str(Path(__file__).with_name("web") / "figures.ts")


def stages(states: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return all stages of each state, under the names that Python uses."""
    return _call_each("stages", states)


def numbers(figures: list[Figure]) -> list[str]:
    """Return the numbers that a reader can download."""
    return _call_each("numbers", [state(figure) for figure in figures])


def programs(figures: list[Figure]) -> list[str]:
    """Return the programs that a reader can copy."""
    return _call_each("program", [state(figure) for figure in figures])


def sentences(figures: list[Figure]) -> list[str]:
    """Return the captions of the figures, with their markup."""
    return _call_each("sentence", [state(figure) for figure in figures])


def formulas() -> list[tuple[str, str, list[str]]]:
    """Return each score with its formula and the parameters that figures show."""
    return [
        (score, text, parameters) for score, text, parameters in call_in_node(_FIGURES, "formulas")
    ]


def _call_each(function: str, states: list[dict[str, Any]]) -> list[Any]:
    return call_each_in_node(_FIGURES, function, [(own,) for own in states])


def revealed(asked: list[tuple[dict[str, Any], dict[str, Any], str]]) -> list[dict[str, Any]]:
    """Return the state of each figure after its question was answered, skipped or bypassed.

    The last item of each tuple is "guess", "skip" or "touch".
    """
    return call_each_in_node(_FIGURES, "revealed", list(asked))


def choices() -> dict[str, list[str]]:
    """Return the choices of each kind that only the front end has."""
    return dict(call_in_node(_FIGURES, "choices"))
