"""Measure the cost of the tests: `make bench-tests` runs them and stores the table in RESULTS.md.

A virtual machine needs a third more processor time for the same work while its host is busy. The
cost is therefore a multiple of what compiling the Python files of SymPy takes, before and after the
tests. Processor time includes all processes that the tests start: browsers, kernels and servers.
This needs Linux (PR_SET_CHILD_SUBREAPER).
"""

import ctypes
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.resources import files
from statistics import mean
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks import Row
from benchmarks.__main__ import ROOT, report
from tools import limits

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
TIMES = 3  # of compiling, before the tests and after them


class Cost(NamedTuple):
    """Seconds of both processors, and seconds on the clock."""

    processor: float
    wall: float


def rows() -> Iterator[Row]:
    """Run `make check` and `make test`."""
    # Adopt orphaned descendants instead of init, so that their time is counted when they exit.
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    check = _cost("make", "check")
    yield Row("`make check`: time", "s", check.wall, limit=limits.CHECK_SECONDS)
    compiling = [_compiling() for _ in range(TIMES)]
    test = _cost("make", "test")
    compiling += [_compiling() for _ in range(TIMES)]
    unit = Cost(*map(mean, zip(*compiling, strict=True)))
    yield Row("`make test`: time", "s", test.wall, unit.wall, limit=limits.TEST_TIME)
    name = "`make test`: processor time"
    yield Row(name, "s", test.processor, unit.processor, limit=limits.TEST_PROCESSOR_TIME)


def _compiling() -> Cost:
    """Measure compiling the Python files of SymPy, one process for each of two cores."""
    compile_all = [sys.executable, "-m", "compileall", "-q", "-f", "-j2", str(files("sympy"))]
    with TemporaryDirectory() as cache:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": cache}
        return _cost(*compile_all, environment=environment)


def _cost(*command: str, environment: dict[str, str] | None = None) -> Cost:
    """Run a command and measure it with all its descendants."""
    before, began = _processor_seconds(), time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environment)
    wall = time.perf_counter() - began
    with suppress(ChildProcessError):
        while os.wait():
            pass
    cost = Cost(_processor_seconds() - before, wall)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed; its cost was {cost}")
    return cost


def _processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(report(["suite"], "make bench-tests", "bench-tests"))
