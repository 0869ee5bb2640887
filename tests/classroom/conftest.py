"""Start a class on this machine, once for all its tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.classroom import PASSWORD, opened


@pytest.fixture(scope="session")
def room(site: Path) -> Iterator[str]:
    """Start the class with the built book, and return its URL."""
    with opened(site, PASSWORD) as (address, _):
        yield address
