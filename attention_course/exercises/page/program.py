"""Render the program of a puzzle as HTML, with a label in each gap."""

from collections.abc import Sequence

from attention_course.exercises.page.sheet import escaped

Part = str | list[str]  # fixed lines, or the options of a gap


def written(parts: Sequence[Part], labels: Sequence[str], places: Sequence[int | None]) -> str:
    """Render a program with the label of each gap and the line chosen for it, if any.

    >>> print(written(["def f(x):", ["    return x", "    return -x"]], ["Gap 1"], [1]))
    <pre>def f(x):
        <b>[Gap 1]</b> return -x</pre>
    """
    gaps = iter(zip(labels, places, strict=True))
    lines = (escaped(part) if isinstance(part, str) else _gap(part, *next(gaps)) for part in parts)
    program = "\n".join(lines)
    return f"<pre>{program}</pre>"


def mark(label: str) -> str:
    """Render the label of a gap."""
    return f"<b>[{label}]</b>"


def _gap(lines: list[str], label: str, place: int | None) -> str:
    indent = lines[0].removesuffix(lines[0].lstrip())
    return f"{indent}{mark(label)}" + ("" if place is None else f" {escaped(lines[place].strip())}")
