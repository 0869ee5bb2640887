"""Mark redundant variants of a test, which only `make exhaustive` runs."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def sampled(variants: Iterable[Any], kept: Callable[[Any], bool]) -> list[Any]:
    """Return all variants; those that `kept` rejects run only in `make exhaustive`.

    >>> [one if isinstance(one, str) else one.values for one in sampled(["a", "b"], "a".__eq__)]
    ['a', ('b',)]
    """
    return [variant if kept(variant) else redundant(variant) for variant in variants]


def redundant(variant: Any) -> Any:
    """Return a variant that runs only in `make exhaustive`."""
    values = variant if isinstance(variant, tuple) else (variant,)
    return pytest.param(*values, marks=pytest.mark.exhaustive)
