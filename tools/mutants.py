"""Mutation testing: plant small faults in the Python code and list those that no test catches.

    python -m tools.mutants            mutants of the Python code
    python -m tools.mutants stages     mutants of the figures' TypeScript (tools.stage_mutants);
                                       add names of files, such as `dates`, to try only those

mutmut creates the mutants and runs the tests that reach each. It caches results in `mutants/`, so a
second run only tries what has changed. It needs fork: on Windows run it in WSL.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tools import stage_mutants

MUTMUT = str(Path(sys.executable).with_name("mutmut"))
CAUGHT = {"killed", "timeout"}  # an endless loop would be noticed
AIM = 0.95


def statuses(listing: str) -> dict[str, str]:
    """Parse the listing of mutmut: the status of each mutant by its name.

    >>> statuses("  attention_lib.masking.x_length_mask__mutmut_6: survived")
    {'attention_lib.masking.x_length_mask__mutmut_6': 'survived'}
    """
    return dict(line.strip().split(": ") for line in listing.splitlines() if "__mutmut_" in line)


def module(mutant: str) -> str:
    """Return the module of a mutant.

    >>> module("attention_figures.base.xǁFigureǁto_html__mutmut_1")
    'attention_figures.base'
    """
    return mutant.rpartition(".x")[0]


def report(status_of: dict[str, str]) -> Iterator[str]:
    """Yield a report: caught mutants per module, and the names of the others."""
    every = Counter(map(module, status_of))
    missed = {mutant: status for mutant, status in status_of.items() if status not in CAUGHT}
    by_module = Counter(map(module, missed))
    for name, count in sorted(every.items()):
        yield f"{count - by_module[name]:5} of {count:5}  {name}"
    yield f"{len(status_of) - len(missed):5} of {len(status_of):5}  {share(status_of):.1%} caught"
    yield from (f"{status}: mutmut show {mutant}" for mutant, status in missed.items())


def share(status_of: dict[str, str]) -> float:
    """Return the share of mutants that are caught.

    >>> share({"a": "killed", "b": "survived"})
    0.5
    """
    return sum(status in CAUGHT for status in status_of.values()) / len(status_of)


def main() -> int:
    """Test every mutant and print a report; return 1 if the share is below AIM."""
    # The tests of several mutants run in parallel.
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    subprocess.run([MUTMUT, "run"], check=True, env=environment)
    listing = [MUTMUT, "results", "--all", "true"]
    status_of = statuses(subprocess.run(listing, check=True, capture_output=True, text=True).stdout)
    print(*report(status_of), sep="\n")
    return int(share(status_of) < AIM)


if __name__ == "__main__":
    sys.exit(stage_mutants.main(sys.argv[2:]) if sys.argv[1:2] == ["stages"] else main())
