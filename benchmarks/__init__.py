"""Measure speed and size: `python -m benchmarks` prints a table and stores it in RESULTS.md.

Each module measures one subject in a function `rows() -> Iterator[Row]`; `__main__` lists them.
Limits are in `tools/limits.py`.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Args:
        what: quantity and case, as text.
        unit: of both numbers, such as "ms".
        measured: the number; smaller is better.
        baseline: the same quantity for comparison, measured in the same run, or None.
        limit: maximum of the ratio to the baseline, or of the number if there is no baseline;
            None: no limit.
        most: instead of `limit`, the maximum of the number although there is a baseline.
    """

    what: str
    unit: str
    measured: float
    baseline: float | None = None
    limit: float | None = None
    most: float | None = None

    @property
    def ratio(self) -> float | None:
        return self.measured / self.baseline if self.baseline else None

    @property
    def ok(self) -> bool:
        if self.most is not None:
            return self.measured <= self.most
        value = self.measured if self.ratio is None else self.ratio
        return self.limit is None or value <= self.limit

    def cells(self) -> list[str]:
        """Return the cells of a Markdown row: what, measured, baseline, ratio, limit, kept."""
        of_ratio = self.most is None and self.baseline is not None
        limit = self.limit if self.most is None else self.most
        unit = "" if of_ratio else f" {self.unit}"
        return [
            self.what,
            f"{_text(self.measured)} {self.unit}",
            "" if self.baseline is None else f"{_text(self.baseline)} {self.unit}",
            "" if self.ratio is None else f"{self.ratio:.2f}",
            "" if limit is None else f"≤ {limit:g}{unit}",
            "" if limit is None else "yes" if self.ok else "**no**",
        ]


def _text(number: float) -> str:
    """Format three significant digits, without an exponent for large numbers."""
    return f"{number:.3g}" if number < 1000 else f"{float(f'{number:.3g}'):,.0f}"
