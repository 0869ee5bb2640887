"""Measure, print the table, and put it in the README: no number there is typed by hand.

`python -m benchmarks NAME …` measures those subjects alone and leaves the README as it is.
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
README = Path(__file__).parent.parent / "README.md"
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
        raise ValueError(f"{README.name} must hold {start} and {end} once each")
    before, after = text.split(start)[0], text.split(end)[1]
    return f"{before}{start}\n{between}\n{end}{after}"


def main(subjects: list[str]) -> int:
    """1 if a limit is not kept."""
    if not subjects:
        rewrite(README.read_text("utf-8"), "")  # a marker that is missing should be told at once
    rows = list(measure(subjects or SUBJECTS))
    print(f"\n{table(rows)}")
    if not subjects:
        write(README, rewrite(README.read_text("utf-8"), table(rows)))
    return int(not all(row.ok for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
