"""What an answer is given in: a number, a choice, or a place in each row of a grid.

A field knows the right answer and those of classic mistakes, and what to say to each.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from unicodedata import normalize

from torch import Tensor

from attention_figures import question_checks as check

__all__ = ["choice", "number", "place"]

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.ASCII | re.IGNORECASE)
_AMBIGUOUS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}", re.ASCII)
# Commas that cannot be decimal ones, because there are several or a point follows.
_THOUSANDS = re.compile(
    r"(?<![\d,.])\d{1,3}(?:(?:,\d{3}){2,}|(?:,\d{3})+(?=\.))(?![\d,])", re.ASCII
)
_MINUS = str.maketrans("−–—", "---")


class Said(NamedTuple):
    """What is said to an answer, and whether it is the right one."""

    words: str
    right: bool = False


@dataclass(frozen=True)
class Field:
    """A label, and what is said to answers; `others` is said to those that nothing explains."""

    label: str
    others: str
    kind: ClassVar[str]

    def __post_init__(self) -> None:
        check.label("label", self.label)
        check.text(f"{self.label}: others", self.others)

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return what a page needs to know."""

    @abstractmethod
    def lines(self, colon: str) -> list[str]:
        """Return what can be chosen, for a page on which nothing can be."""

    @abstractmethod
    def judge(self, answer: Any) -> Said | None:
        """Say what there is to say of an answer; None, if it is not one yet."""


class Point(NamedTuple):
    """A number, and what is said to it."""

    value: float
    said: Said


@dataclass(frozen=True)
class NumberField(Field):
    """A number, with a tolerance; the right one comes first."""

    kind = "number"
    points: tuple[Point, ...]
    within: float

    def state(self) -> dict[str, Any]:
        points = [{"value": value, **said._asdict()} for value, said in self.points]
        return {
            **{"kind": self.kind, "label": self.label, "others": self.others},
            **{"within": self.within, "points": points},
        }

    def lines(self, colon: str) -> list[str]:
        return []

    def judge(self, answer: str) -> Said | None:
        value = parse(answer)
        if value is None:
            return None
        near = (said for x, said in self.points if abs(value - x) <= self.within * (1 + 1e-9))
        return next(near, Said(self.others))


@dataclass(frozen=True)
class ChoiceField(Field):
    """One of some options, each with what is said to it."""

    kind = "choice"
    options: tuple[tuple[str, Said], ...]

    def state(self) -> dict[str, Any]:
        options = [{"text": text, **said._asdict()} for text, said in self.options]
        return {"kind": self.kind, "label": self.label, "options": options}

    def lines(self, colon: str) -> list[str]:
        return [text for text, _ in self.options]

    def judge(self, answer: int | None) -> Said | None:
        return None if answer is None else self.options[answer][1]


@dataclass(frozen=True)
class PlaceField(Field):
    """A column for each row of a grid; the right ones come first."""

    kind = "place"
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    patterns: tuple[tuple[tuple[int, ...], Said], ...]

    def state(self) -> dict[str, Any]:
        patterns = [{"places": places, **said._asdict()} for places, said in self.patterns]
        return {
            **{"kind": self.kind, "label": self.label, "others": self.others},
            **{"rows": self.rows, "columns": self.columns, "patterns": patterns},
        }

    def lines(self, colon: str) -> list[str]:
        return [f"{row}{colon}{' / '.join(self.columns)}" for row in self.rows]

    def judge(self, answer: Sequence[int | None]) -> Said | None:
        if None in answer:
            return None
        known = (said for places, said in self.patterns if places == tuple(answer))
        return next(known, Said(self.others))


def parse(text: str) -> float | None:
    """Read a number as people write it; None if it is none, or if its comma is ambiguous.

    Any minus, digits of full width, decimal commas, fractions and percent are read, as the page
    reads them in book/web/exercises.

    >>> parse("−0.5"), parse("47,5"), parse("3,001,000"), parse("1/8"), parse("0.8 %")
    (-0.5, 47.5, 3001000.0, 0.125, 0.008)
    >>> parse("half"), parse("1,125")
    (None, None)
    """
    parts = _parts(text)
    decimal = [part.replace(",", ".", 1) for part in parts]
    if len(parts) > 2 or is_ambiguous(text) or not all(map(_NUMBER.fullmatch, decimal)):
        return None
    value, divisor = [*map(float, decimal), 1.0][:2]
    percent = _plain(text).endswith("%")
    return value / divisor / (100 if percent else 1) if divisor else None


def is_ambiguous(text: str) -> bool:
    """Tell whether a comma may be one for decimals or one for thousands.

    >>> is_ambiguous("1,125"), is_ambiguous("0,125"), is_ambiguous("1,125.0")
    (True, False, False)
    """
    return any(map(_AMBIGUOUS.fullmatch, _parts(text)))


def _parts(text: str) -> list[str]:
    """Return a number, or both numbers of a fraction, without a sign for percent."""
    return _plain(text).removesuffix("%").split("/")


def _plain(text: str) -> str:
    plain = "".join(normalize("NFKC", text).split()).translate(_MINUS)
    return _THOUSANDS.sub(lambda found: found[0].replace(",", ""), plain)


def number(
    label: str,
    right: float | Tensor,
    mistakes: Mapping[str, float | Tensor],
    *,
    within: float = 0.005,
    said: str,
    others: str = "",
) -> NumberField:
    """Ask for a number.

    Args:
        label: what is asked for, with its unit.
        right: the answer; like the others, an expression that torch computes.
        mistakes: what to say to whoever made a mistake: the number that it gives.
        within: how far an answer may be off; more than 0, and finite.
        said: what to say to the right answer.
        others: what to say to a number that nothing here explains, if there is more to say than
            that it is not right.

    Raises:
        ValueError: a mistake gives the right number or that of another mistake, within twice the
            tolerance, or is no finite number; the tolerance is none.
        TypeError: what is said is no text.
    """
    # More digits differ between processors.
    digits = max(4, 2 - math.floor(math.log10(check.above_zero(f"{label}: within", within))))
    given = _named(label, right, mistakes, said)
    values = [round(check.number(name, x), digits) for name, x in given]
    for i, x in enumerate(values):
        for y in values[:i]:
            if abs(x - y) <= 2 * within:
                raise ValueError(f"{label}: {x} and {y} cannot be told apart within {within}")
    answers = (Said(said, True), *map(Said, mistakes))
    return NumberField(label, others, tuple(map(Point, values, answers)), float(within))


def choice(label: str, right: int | Tensor, options: Mapping[str, str]) -> ChoiceField:
    """Ask for one of some options.

    Args:
        label: what is asked for.
        right: number of the right option, counted from 0.
        options: what to say to whoever chooses it, by the words of each option.

    Raises:
        ValueError: there is no option of this number, or there are fewer than two.
        TypeError: an option, or what is said to it, is no text.
    """
    check.labels(f"{label}: options", check.mapping(f"{label}: options", options), 2)
    for option, words in options.items():
        check.text(f"{label}: what is said to {option!r}", words)
    place = check.whole(f"{label}: right", right, 0, len(options) - 1)
    said = (Said(words, i == place) for i, words in enumerate(options.values()))
    return ChoiceField(label, "", tuple(zip(options, said, strict=True)))


def place(
    label: str,
    rows: Sequence[str],
    columns: Sequence[str],
    right: Sequence[int] | Tensor,
    mistakes: Mapping[str, Sequence[int] | Tensor],
    *,
    said: str,
    others: str = "",
) -> PlaceField:
    """Ask for a column in each row of a grid.

    Args:
        label: what is asked for.
        rows: names of the rows, columns: names of the columns.
        columns: names of the columns.
        right: number of the right column for each row, counted from 0.
        mistakes: what to say to whoever made a mistake: the columns that it gives.
        said: what to say to the right answer.
        others: what to say to an answer that nothing here explains, if there is more to say than
            that it is not right.

    Raises:
        ValueError: an answer has not as many columns as there are rows, names a column that does
            not exist, or is that of another; there is no row, or only one column.
        TypeError: a row, a column or what is said is no text.
    """
    check.labels(f"{label}: rows", rows, 1, differ=False)
    last = len(check.labels(f"{label}: columns", columns, 2)) - 1
    answers = [
        tuple(check.whole(name, column, 0, last) for column in one)
        for name, one in _named(label, right, mistakes, said)
    ]
    for one in answers:
        if len(one) != len(rows):
            raise ValueError(f"{label}: {len(rows)} columns expected, one a row; got {one}")
    if len(set(answers)) < len(answers):
        raise ValueError(f"{label}: two answers are the same among {answers}")
    patterns = zip(answers, (Said(said, True), *map(Said, mistakes)), strict=True)
    return PlaceField(label, others, tuple(rows), tuple(columns), tuple(patterns))


def _named(label: str, right: Any, mistakes: Any, said: Any) -> list[tuple[str, Any]]:
    """Return the right answer and the mistakes with their names for errors; check what is said."""
    check.text(f"{label}: said", said)
    for words in check.mapping(f"{label}: mistakes", mistakes):
        check.label(f"{label}: what is said to a mistake", words)
    others = [(f"{label}: the answer of {words!r}", x) for words, x in mistakes.items()]
    return [(f"{label}: right", right), *others]
