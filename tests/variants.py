"""Mark the variants of a test that others make redundant: `make exhaustive` alone runs them."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def sampled(variants: Iterable[Any], kept: Callable[[Any], bool]) -> list[Any]:
    """Return all variants, those that are not kept for `make exhaustive`.

    >>> [one if isinstance(one, str) else one.values for one in sampled(["a", "b"], "a".__eq__)]
    ['a', ('b',)]
    """
    return [variant if kept(variant) else redundant(variant) for variant in variants]


def redundant(variant: Any) -> Any:
    """Return a variant that `make exhaustive` alone runs."""
    values = variant if isinstance(variant, tuple) else (variant,)
    return pytest.param(*values, marks=pytest.mark.exhaustive)
