"""A class on this machine, once for all tests of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.classroom import PASSWORD, opened


@pytest.fixture(scope="session")
def room(site: Path) -> Iterator[str]:
    """Open the class with the built book; give its address."""
    with opened(site, PASSWORD) as (address, _):
        yield address
