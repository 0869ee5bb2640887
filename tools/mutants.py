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
ELSEWHERE = "no tests"  # reaches it in its own process; notebooks and browsers may, in theirs
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
    """Yield a report: caught mutants per module, and the names of the others.

    >>> next(report({"a.x_f__mutmut_1": "killed", "a.x_f__mutmut_2": "no tests"})).strip()
    '1 of     1  a (and 1 that no test reaches)'
    """
    tried = {mutant: status for mutant, status in status_of.items() if status != ELSEWHERE}
    missed = {mutant: status for mutant, status in tried.items() if status not in CAUGHT}
    reached, by_module = Counter(map(module, tried)), Counter(map(module, missed))
    for name, count in sorted(Counter(map(module, status_of)).items()):
        others = count - reached[name]
        note = f" (and {others} that no test reaches)" if others else ""
        yield f"{reached[name] - by_module[name]:5} of {reached[name]:5}  {name}{note}"
    yield f"{len(tried) - len(missed):5} of {len(tried):5}  {share(status_of):.1%} caught"
    yield from (f"{status}: mutmut show {mutant}" for mutant, status in missed.items())


def share(status_of: dict[str, str]) -> float:
    """Return the share of mutants that are caught, of those that a test reaches.

    >>> share({"a": "killed", "b": "survived", "c": "no tests"})
    0.5
    """
    tried = [status for status in status_of.values() if status != ELSEWHERE]
    return sum(status in CAUGHT for status in tried) / len(tried)


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
