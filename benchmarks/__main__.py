"""Measure, print the table, and put it in the README: no number there is typed by hand.

`python -m benchmarks NAME …` measures those subjects alone and leaves the README as it is.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from benchmarks import Row
from benchmarks.measure import machine

SUBJECTS = [
    "masked_softmax",
    "additive_memory",
    "padding",
    "score_costs",
    "figures",
    "site",
    "notebooks",
]
README = Path(__file__).parent.parent / "README.md"
START, END = "<!-- bench:start -->", "<!-- bench:end -->"
HEAD = ["what", "measured", "compared with", "ratio", "limit", "kept"]


def measure(subjects: list[str]) -> Iterator[Row]:
    """Rows of each subject, every one told as it comes."""
    for subject in subjects:
        for row in import_module(f"benchmarks.{subject}").rows():
            print(*filter(None, row.cells()), sep=" · ", flush=True)
            yield row


def table(rows: list[Row]) -> str:
    """Markdown of the rows, and of what they were measured on."""
    lines = [HEAD, ["---", *["--:"] * 4, "---"], *(row.cells() for row in rows)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{body}\n\nMeasured by `make bench` on {machine()}."


def rewrite(text: str, between: str) -> str:
    """Text with what stands between the two markers replaced."""
    if text.count(START) != 1 or text.count(END) != 1:
        raise ValueError(f"{README.name} must hold {START} and {END} once each")
    before, after = text.split(START)[0], text.split(END)[1]
    return f"{before}{START}\n{between}\n{END}{after}"


def main(subjects: list[str]) -> int:
    """1 if a limit is not kept."""
    if not subjects:
        rewrite(README.read_text("utf-8"), "")  # a marker that is missing should be told at once
    rows = list(measure(subjects or SUBJECTS))
    print(f"\n{table(rows)}")
    if not subjects:
        README.write_text(rewrite(README.read_text("utf-8"), table(rows)), "utf-8")
    return int(not all(row.ok for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
