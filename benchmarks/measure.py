"""Time and peak memory of a call, and what it was measured on."""

import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils.benchmark import Timer

Call = Callable[[], object]


def medians(*calls: Call, repeats: int) -> list[float]:
    """Median milliseconds of each call, one after the other in turn: a busy moment hits all."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(repeats + 1):
        for call, mine in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            mine.append(1000 * (time.perf_counter() - start))
    return [statistics.median(mine[1:]) for mine in times]  # the first is to warm up


def milliseconds(call: Call, min_run_time: float) -> float:
    """Least milliseconds of a call on one core, repeated for so many seconds.

    Torch's own timer repeats short calls often enough, and keeps to one thread. What else the
    machine does can only add to a time, so the least one is nearest to the cost of the call.
    """
    timer = Timer("call()", globals={"call": call})
    return 1000 * min(timer.blocked_autorange(min_run_time=min_run_time).times)


def peak_memory(call: Call) -> float:
    """Most mebibytes that torch held at once for the call.

    Its own allocator says so, byte by byte: exact, the same in every run and on every system,
    which the resident size of a process is not.
    """
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        call()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder, "trace.json")
        profiler.export_chrome_trace(str(trace))
        events = json.loads(trace.read_text())["traceEvents"]
    memory = sorted((e for e in events if e["name"] == "[memory]"), key=lambda e: e["ts"])
    peak: int = max(accumulate(e["args"]["Bytes"] for e in memory))
    return peak / 2**20


def machine() -> str:
    """System, cores and versions that the numbers depend on."""
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{system}, Python {platform.python_version()}, torch {torch.__version__}"
