"""Check what the questions of figures and exercises are made of: texts and numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any


def text(name: str, value: Any) -> str:
    """Return a text, or say that it is none.

    >>> text("because", None)
    Traceback (most recent call last):
    TypeError: because must be text; got None
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text; got {value!r}")
    return value


def label(name: str, value: Any) -> str:
    """Return a text with something to read in it, or say what is wrong with it."""
    if not text(name, value).strip():
        raise ValueError(f"{name} must not be empty")
    return str(value)


def labels(name: str, value: Any, least: int, differ: bool = True) -> list[str]:
    """Return several labels, at least so many, or say what is wrong with them.

    >>> labels("options", "yes", least=2)
    Traceback (most recent call last):
    TypeError: options must be several texts; got 'yes'
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be several texts; got {value!r}")
    several = [label(name, one) for one in value]
    if len(several) < least:
        raise ValueError(f"{name} must be at least {least}; got {several}")
    if differ and len({*several}) < len(several):
        raise ValueError(f"{name} must differ; got {several}")
    return several


def mapping(name: str, value: Any) -> Mapping[Any, Any]:
    """Return a mapping, or say that it is none."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping; got {value!r}")
    return value


def number(name: str, value: Any) -> float:
    """Return one finite number, be it a tensor's, or say that it is none.

    >>> number("tolerance", math.inf)
    Traceback (most recent call last):
    ValueError: tolerance must be finite; got inf
    """
    try:
        one = float(value)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        raise ValueError(f"{name} must be one number; got {value!r}") from error
    if not math.isfinite(one):
        raise ValueError(f"{name} must be finite; got {one}")
    return one


def above_zero(name: str, value: Any) -> float:
    """Return a finite number above 0, or say what is wrong with it."""
    one = number(name, value)
    if one <= 0:
        raise ValueError(f"{name} must be more than 0; got {value}")
    return one


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Return a whole number from `low` to `high`, or say what is wrong with it.

    >>> whole("decimals", 101, 0, 6)
    Traceback (most recent call last):
    ValueError: decimals must be a whole number from 0 to 6; got 101
    """
    one = number(name, value)
    if not (one.is_integer() and low <= one <= high):
        raise ValueError(f"{name} must be a whole number from {low} to {high}; got {value}")
    return int(one)
