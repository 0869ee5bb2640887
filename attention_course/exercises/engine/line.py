"""Define steps as lines of Python source, so that a puzzle shows the code that runs."""

import math
from typing import Any

import torch

NAMES = {"torch": torch, "math": math}


class Line:
    """A step made from an expression, whose source it keeps.

    >>> line("scores, temperature", "scores / temperature")(6.0, 2.0)
    3.0
    """

    def __init__(self, parameters: str, source: str) -> None:
        self.source = source
        self._f = eval(f"lambda {parameters}: ({source})", dict(NAMES))

    def __call__(self, *arguments: Any) -> Any:
        return self._f(*arguments)

    def __repr__(self) -> str:
        return self.source


def line(parameters: str, source: str) -> Line:
    """Make a step from its parameters, in order, and an expression of them."""
    return Line(parameters, source)


def number(value: float) -> str:
    """Write a number as people do.

    >>> number(-1e6), number(0.0), number(-0.5)
    ('-1e6', '0', '-0.5')
    """
    short = f"{value:g}".replace("e+0", "e")
    return short if float(short) == value else repr(value)
