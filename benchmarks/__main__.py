"""Run the benchmarks, and write the tables in RESULTS.md and the README.

`python -m benchmarks NAME …` only measures and prints these subjects.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from benchmarks import Row
from benchmarks.measure import machine
from tools.replacing import write

SUBJECTS = [
    "masked_softmax",
    "additive_memory",
    "padding",
    "score_costs",
    "self_attention",
    "attention_costs",
    "verdicts",
    "figures",
    "site",
    "notebooks",
]
RESULTS = Path(__file__).with_name("RESULTS.md")
README = RESULTS.parents[1] / "README.md"
QUOTED = (  # in the README
    "first visit to a chapter, gzipped",
    "navigation to the first live figure",
    "a cell that prints, click to result",
)
HEAD = ["what", "measured", "compared with", "ratio", "limit", "kept"]


def measure(subjects: list[str]) -> Iterator[Row]:
    """Yield the rows of each subject, and print each as it is measured."""
    for subject in subjects:
        for row in import_module(f"benchmarks.{subject}").rows():
            print(*filter(None, row.cells()), sep=" · ", flush=True)
            yield row


def table(rows: list[Row], command: str = "make bench") -> str:
    """Return a Markdown table, with the command and the machine."""
    lines = [HEAD, ["---", *["--:"] * 4, "---"], *(row.cells() for row in rows)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{body}\n\nMeasured by `{command}` on {machine()}."


def rewrite(text: str, between: str, name: str = "bench") -> str:
    """Replace the text between two markers."""
    start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    if text.count(start) != 1 or text.count(end) != 1:
        raise ValueError(f"the file must hold {start} and {end} once each")
    before, after = text.split(start)[0], text.split(end)[1]
    return f"{before}{start}\n{between}\n{end}{after}"


def quoted(rows: list[Row]) -> list[Row]:
    """Return the rows for the README, in its order."""
    return [row for start in QUOTED for row in rows if row.what.startswith(start)]


def report(subjects: list[str], command: str, name: str) -> int:
    """Measure, and write the table between the markers; return 1 if a limit is exceeded."""
    rewrite(RESULTS.read_text("utf-8"), "", name)  # fails early if a marker is missing
    rows = list(measure(subjects))
    print(f"\n{table(rows, command)}")
    write(RESULTS, rewrite(RESULTS.read_text("utf-8"), table(rows, command), name))
    if name == "bench":
        write(README, rewrite(README.read_text("utf-8"), table(quoted(rows), command)))
    return int(not all(row.ok for row in rows))


def main(subjects: list[str]) -> int:
    """Measure and store everything, or print some subjects; return 1 if a limit is exceeded."""
    if not subjects:
        return report(SUBJECTS, "make bench", "bench")
    rows = list(measure(subjects))
    print(f"\n{table(rows)}")
    return int(not all(row.ok for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
