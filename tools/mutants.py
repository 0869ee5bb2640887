"""Small faults in attention_lib, one at a time, and which of them the tests catch.

    python -m tools.mutants            faults in Python
    python -m tools.mutants stages     faults in the figures' TypeScript: see tools.stage_mutants;
                                       names of files after it, such as `dates`, try those alone

mutmut makes the faults and runs, for each, the tests that reach it. Its work lies in `mutants/`, so
a second run tries only what has changed. It forks, which Windows does not: there it needs WSL.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tools import stage_mutants

MUTMUT = str(Path(sys.executable).with_name("mutmut"))
CAUGHT = {"killed", "timeout"}  # a fault that never ends would not go unnoticed
AIM = 0.95


def statuses(listing: str) -> dict[str, str]:
    """Read what mutmut lists: how each fault fared, by its name.

    >>> statuses("  attention_lib.masking.x_length_mask__mutmut_6: survived")
    {'attention_lib.masking.x_length_mask__mutmut_6': 'survived'}
    """
    return dict(line.strip().split(": ") for line in listing.splitlines() if "__mutmut_" in line)


def module(fault: str) -> str:
    """Return the module that a fault lies in.

    >>> module("attention_figures.base.xǁFigureǁto_html__mutmut_1")
    'attention_figures.base'
    """
    return fault.rpartition(".x")[0]


def report(fared: dict[str, str]) -> Iterator[str]:
    """Lines: how many faults of each module are caught, and the names of those that are not."""
    every = Counter(map(module, fared))
    missed = {fault: status for fault, status in fared.items() if status not in CAUGHT}
    by_module = Counter(map(module, missed))
    for name, count in sorted(every.items()):
        yield f"{count - by_module[name]:5} of {count:5}  {name}"
    yield f"{len(fared) - len(missed):5} of {len(fared):5}  {share(fared):.1%} caught"
    yield from (f"{status}: mutmut show {fault}" for fault, status in missed.items())


def share(fared: dict[str, str]) -> float:
    """Share of the faults that are caught.

    >>> share({"a": "killed", "b": "survived"})
    0.5
    """
    return sum(status in CAUGHT for status in fared.values()) / len(fared)


def main() -> int:
    """Try every fault and report; 1 if fewer are caught than aimed at."""
    own_core = os.environ | {"OMP_NUM_THREADS": "1"}  # the tests of several faults run side by side
    subprocess.run([MUTMUT, "run"], check=True, env=own_core)
    listing = [MUTMUT, "results", "--all", "true"]
    fared = statuses(subprocess.run(listing, check=True, capture_output=True, text=True).stdout)
    print(*report(fared), sep="\n")
    return int(share(fared) < AIM)


if __name__ == "__main__":
    sys.exit(stage_mutants.main(sys.argv[2:]) if sys.argv[1:2] == ["stages"] else main())
