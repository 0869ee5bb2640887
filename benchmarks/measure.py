"""Measure time and peak memory of a call, and describe the machine."""

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
    """Return the median milliseconds of each call; calls alternate, so that load affects all."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(repeats + 1):
        for call, mine in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            mine.append(1000 * (time.perf_counter() - start))
    return [statistics.median(mine[1:]) for mine in times]  # without the warm-up


def milliseconds(call: Call, min_run_time: float) -> float:
    """Return the minimum milliseconds of a call on one core.

    Torch's timer repeats short calls often enough, on one thread. Other load can only add to a
    time, so the minimum is the best estimate.
    """
    timer = Timer("call()", globals={"call": call})
    return 1000 * min(timer.blocked_autorange(min_run_time=min_run_time).times)


def peak_memory(call: Call) -> float:
    """Return the peak memory of a call in mebibytes, from the records of torch's allocator.

    Unlike the resident size of a process, it is exact and reproducible.
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
    """Describe system, cores and versions."""
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{system}, Python {platform.python_version()}, torch {torch.__version__}"
