"""Measure the time of the tests: `make bench-tests` runs them and stores the table in RESULTS.md.

Processor time includes all processes that the tests start: browsers, kernels and servers. This
needs Linux (PR_SET_CHILD_SUBREAPER).
"""

import ctypes
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from benchmarks import Row
from benchmarks.__main__ import ROOT, report
from tools import limits

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h


def rows() -> Iterator[Row]:
    """Run `make check` and `make test`."""
    # Adopt orphaned descendants instead of init, so that their time is counted when they exit.
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    _, seconds = _run("check")
    yield Row("`make check`: time", "s", seconds, limit=limits.CHECK_SECONDS)
    processor, seconds = _run("test")
    yield Row("`make test`: time", "s", seconds, limit=limits.TEST_SECONDS)
    yield Row("`make test`: processor time", "s", processor, limit=limits.TEST_PROCESSOR_SECONDS)


def _run(target: str) -> tuple[float, float]:
    """Run a make target; return processor and wall time in seconds."""
    before, began = _processor_seconds(), time.perf_counter()
    subprocess.run(["make", target], cwd=ROOT, check=True)
    seconds = time.perf_counter() - began
    with suppress(ChildProcessError):
        while os.wait():
            pass
    return _processor_seconds() - before, seconds


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(report(["suite"], "make bench-tests", "bench-tests"))
