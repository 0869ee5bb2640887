"""Measure the time of all notebooks under nbval."""

import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks import Row
from tools import limits
from tools.notebooks import BOOK, pages


def rows() -> Iterator[Row]:
    """Yield the time of one strict run over the book, including the start of kernels."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "pytest", "book"], check=True, capture_output=True, cwd=BOOK.parent
    )
    count = len(pages(BOOK, ".ipynb"))
    yield Row(
        f"{count} notebooks under nbval", "s", time.perf_counter() - start, limit=limits.NOTEBOOKS
    )
