"""Measure, print the table, and store it: no number in RESULTS.md or the README is typed by hand.

`python -m benchmarks NAME …` measures those subjects alone and stores nothing.
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
    """Rows of each subject, every one told as it comes."""
    for subject in subjects:
        for row in import_module(f"benchmarks.{subject}").rows():
            print(*filter(None, row.cells()), sep=" · ", flush=True)
            yield row


def table(rows: list[Row], command: str = "make bench") -> str:
    """Markdown of the rows, and of what they were measured on, and how."""
    lines = [HEAD, ["---", *["--:"] * 4, "---"], *(row.cells() for row in rows)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{body}\n\nMeasured by `{command}` on {machine()}."


def rewrite(text: str, between: str, name: str = "bench") -> str:
    """Text with what stands between two markers replaced."""
    start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
    if text.count(start) != 1 or text.count(end) != 1:
        raise ValueError(f"the file must hold {start} and {end} once each")
    before, after = text.split(start)[0], text.split(end)[1]
    return f"{before}{start}\n{between}\n{end}{after}"


def quoted(rows: list[Row]) -> list[Row]:
    """Return the rows that the README quotes, in its order."""
    return [row for start in QUOTED for row in rows if row.what.startswith(start)]


def report(subjects: list[str], command: str, name: str) -> int:
    """Measure, and put the table between the markers of this name; 1 if a limit is not kept."""
    rewrite(RESULTS.read_text("utf-8"), "", name)  # a marker that is missing is told at once
    rows = list(measure(subjects))
    print(f"\n{table(rows, command)}")
    write(RESULTS, rewrite(RESULTS.read_text("utf-8"), table(rows, command), name))
    if name == "bench":
        write(README, rewrite(README.read_text("utf-8"), table(quoted(rows), command)))
    return int(not all(row.ok for row in rows))


def main(subjects: list[str]) -> int:
    """Measure all and store it, or some and print them; 1 if a limit is not kept."""
    if not subjects:
        return report(SUBJECTS, "make bench", "bench")
    rows = list(measure(subjects))
    print(f"\n{table(rows)}")
    return int(not all(row.ok for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
