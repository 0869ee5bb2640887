"""Measure time and peak memory of five scores on one core, in float32, without gradients.

The results table gets one size. All sizes are stored in a file that chapter 8 plots, and the
chapter is executed again, so that its stored outputs always match the file.
"""

import json
from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from attention_course.measured import FOLDER
from attention_figures.languages import LANGUAGES
from attention_lib import scores
from benchmarks import Row
from benchmarks.measure import machine, milliseconds, peak_memory
from tools.notebooks import BOOK, execute
from tools.replacing import write

FILE = FOLDER / "score_costs.json"
CHAPTERS = [BOOK / lang / "08-choosing-a-score.ipynb" for lang in LANGUAGES]
NUMBERS_OF_KEYS, SIZES = [64, 128, 256, 512, 1024], [16, 32, 64, 128, 256]
NUM_KEYS, SIZE = 256, 64  # fixed while the other varies; both are among the measured sizes
MIN_RUN_TIME = 0.5  # seconds

Series = dict[str, dict[str, list[float]]]  # unit → score → a number for each size


def rows() -> Iterator[Row]:
    """Yield the time at one size, as a ratio to the dot product; then store all sizes."""
    by_keys = _series([(num_keys, SIZE) for num_keys in NUMBERS_OF_KEYS])
    by_size = _series([(NUM_KEYS, size) for size in SIZES])
    times, at = by_keys["ms"], NUMBERS_OF_KEYS.index(NUM_KEYS)
    for name in times:
        if name != "dot":
            what = f"`scores.{name}` against `scores.dot`, {NUM_KEYS} × {NUM_KEYS}, d = H = {SIZE}"
            yield Row(f"{what}: time on one core", "ms", times[name][at], times["dot"][at])
    _store(by_keys, by_size)
    for chapter in CHAPTERS:
        execute(chapter)


def calls(num_keys: int, size: int) -> dict[str, Callable[[], Tensor]]:
    """Return calls of each score on equally many random queries and keys; H = d."""
    queries, keys = torch.randn(2, 1, num_keys, size)
    W_q, W_k, W = torch.randn(3, size, size) / size**0.5
    w_v = torch.randn(1, size) / size**0.5
    return {
        "dot": lambda: scores.dot(queries, keys),
        "scaled_dot": lambda: scores.scaled_dot(queries, keys),
        "bilinear": lambda: scores.bilinear(queries, keys, W),
        "gaussian": lambda: scores.gaussian(queries, keys),
        "additive": lambda: scores.additive(queries, keys, W_q, W_k, w_v),
    }


def _series(cases: list[tuple[int, int]]) -> Series:
    result: Series = {"ms": {}, "MiB": {}}
    for case in cases:
        for name, call in calls(*case).items():
            for unit, value in (
                ("ms", milliseconds(call, MIN_RUN_TIME)),
                ("MiB", peak_memory(call)),
            ):
                result[unit].setdefault(name, []).append(float(f"{value:.3g}"))
    return result


def _store(by_keys: Series, by_size: Series) -> None:
    stored = {
        "machine": machine(),
        "by_keys": {"d": SIZE, "keys": NUMBERS_OF_KEYS, **by_keys},
        "by_d": {"keys": NUM_KEYS, "d": SIZES, **by_size},
    }
    FILE.parent.mkdir(exist_ok=True)
    write(FILE, json.dumps(stored, indent=1) + "\n")
