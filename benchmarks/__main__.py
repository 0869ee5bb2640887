"""Run the benchmarks, and write the tables in RESULTS.md and in both READMEs.

`python -m benchmarks NAME …` only measures and prints these subjects. With `--store` before the
names, their rows replace those in RESULTS.md: for a subject that changed, or was slow by chance.
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
    "fused",
    "attention_costs",
    "verdicts",
    "judge",
    "figures",
    "site",
    "notebooks",
]
RESULTS = Path(__file__).with_name("RESULTS.md")
ROOT = RESULTS.parents[1]
# How the README begins to name a row that it quotes, and its Chinese name in README.zh.md.
QUOTED = {
    "first visit to a chapter, gzipped": (
        "初次打开一章的下载量，gzip 压缩后"
        "（对照：普通的书，不计 MathJax、RequireJS 和 html-manager）"
    ),
    "navigation to the first live figure": (
        "从打开页面到第一幅图可以操作（对照：普通的书，其滑块要靠 CDN 才能用）"
    ),
    "a cell that prints, click to result": "运行一个打印的单元格，从点击到出结果",
}
HEADS = {
    "en": ["what", "measured", "compared with", "ratio", "limit", "kept"],
    "zh": ["项目", "测得", "对照", "比值", "上限", "达标"],
}
MEASURED = {
    "en": "Measured by `{}` on {}.",
    "zh": "以上由 `{}` 测得，测量环境为 {}。",
}
KEPT = {"yes": "是", "**no**": "**否**"}


def measure(subjects: list[str]) -> Iterator[Row]:
    """Yield the rows of each subject, and print each as it is measured."""
    for subject in subjects:
        for row in import_module(f"benchmarks.{subject}").rows():
            print(*filter(None, row.cells()), sep=" · ", flush=True)
            yield row


def table(rows: list[Row], command: str = "make bench", lang: str = "en") -> str:
    """Return a Markdown table, with the command and the machine."""
    cells = [row.cells() for row in rows]
    if lang == "zh":
        cells = [[_chinese(what), *numbers, KEPT.get(kept, "")] for what, *numbers, kept in cells]
    lines = [HEADS[lang], ["---", *["--:"] * 4, "---"], *cells]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{body}\n\n{MEASURED[lang].format(command, machine())}"


def replace_rows(text: str, rows: list[Row]) -> str:
    """Replace the rows of the same names in the tables of a page."""
    lines = text.splitlines(keepends=True)
    for row in rows:
        found = [i for i, line in enumerate(lines) if line.startswith(f"| {row.what} | ")]
        if len(found) != 1:
            raise ValueError(f"expected one row {row.what!r}, but found {len(found)}")
        lines[found[0]] = f"| {' | '.join(row.cells())} |\n"
    return "".join(lines)


def _chinese(what: str) -> str:
    """Return the Chinese name of a row that the README quotes."""
    return next(name for start, name in QUOTED.items() if what.startswith(start))


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
        for lang, name in (("en", "README.md"), ("zh", "README.zh.md")):
            text = (ROOT / name).read_text("utf-8")
            write(ROOT / name, rewrite(text, table(quoted(rows), command, lang)))
    return int(not all(row.ok for row in rows))


def main(subjects: list[str]) -> int:
    """Measure everything, or some subjects; return 1 if a limit is exceeded."""
    if not subjects:
        return report(SUBJECTS, "make bench", "bench")
    store = subjects[0] == "--store"
    rows = list(measure(subjects[store:]))
    print(f"\n{table(rows)}")
    if store:
        write(RESULTS, replace_rows(RESULTS.read_text("utf-8"), rows))
    return int(not all(row.ok for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
