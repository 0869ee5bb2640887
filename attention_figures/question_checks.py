"""Validate the texts and numbers of questions in figures and exercises."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any


def text(name: str, value: Any) -> str:
    """Require a string and return it.

    >>> text("because", None)
    Traceback (most recent call last):
    TypeError: because must be text; got None
    """
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text; got {value!r}")
    return value


def label(name: str, value: Any) -> str:
    """Require a string that is not blank and return it."""
    if not text(name, value).strip():
        raise ValueError(f"{name} must not be empty")
    return str(value)


def labels(name: str, value: Any, least: int, differ: bool = True) -> list[str]:
    """Require at least `least` labels, all different if `differ`, and return them.

    >>> labels("options", "yes", least=2)
    Traceback (most recent call last):
    TypeError: options must be several texts; got 'yes'
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be several texts; got {value!r}")
    texts = [label(name, item) for item in value]
    if len(texts) < least:
        raise ValueError(f"{name} must be at least {least}; got {texts}")
    if differ and len({*texts}) < len(texts):
        raise ValueError(f"{name} must differ; got {texts}")
    return texts


def mapping(name: str, value: Any) -> Mapping[Any, Any]:
    """Require a mapping and return it."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping; got {value!r}")
    return value


def number(name: str, value: Any) -> float:
    """Require a finite number, possibly in a tensor, and return it as a float.

    >>> number("tolerance", math.inf)
    Traceback (most recent call last):
    ValueError: tolerance must be finite; got inf
    """
    try:
        x = float(value)
    except (TypeError, ValueError, RuntimeError, OverflowError) as error:
        raise ValueError(f"{name} must be one number; got {value!r}") from error
    if not math.isfinite(x):
        raise ValueError(f"{name} must be finite; got {x}")
    return x


def above_zero(name: str, value: Any) -> float:
    """Require a finite number above 0 and return it."""
    x = number(name, value)
    if x <= 0:
        raise ValueError(f"{name} must be more than 0; got {value}")
    return x


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Require a whole number from `low` to `high` and return it.

    >>> whole("decimals", 101, 0, 6)
    Traceback (most recent call last):
    ValueError: decimals must be a whole number from 0 to 6; got 101
    """
    x = number(name, value)
    if not (x.is_integer() and low <= x <= high):
        raise ValueError(f"{name} must be a whole number from {low} to {high}; got {value}")
    return int(x)
