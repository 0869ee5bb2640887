"""Define the fields of exercises: a number, a choice, or a place in each row of a grid.

A field holds the right answer and the answers of classic mistakes, with a reply to each.
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
# Commas that cannot be decimal commas, because there are several or a point follows.
_THOUSANDS = re.compile(
    r"(?<![\d,.])\d{1,3}(?:(?:,\d{3}){2,}|(?:,\d{3})+(?=\.))(?![\d,])", re.ASCII
)
_MINUS = str.maketrans("−–—", "---")


class Reply(NamedTuple):
    """The reply to an answer, and whether the answer is right."""

    words: str
    right: bool = False


@dataclass(frozen=True)
class Field:
    """A label with replies to answers; `others` is the reply to answers that are not listed."""

    label: str
    others: str
    kind: ClassVar[str]

    def __post_init__(self) -> None:
        check.label("label", self.label)
        check.text(f"{self.label}: others", self.others)

    @abstractmethod
    def state(self) -> dict[str, Any]:
        """Return the initial state for the page."""

    @abstractmethod
    def lines(self, colon: str) -> list[str]:
        """Return the possible answers as text, for a page without controls."""

    @abstractmethod
    def judge(self, answer: Any) -> Reply | None:
        """Return the reply to an answer, or None if the answer is incomplete."""


class Point(NamedTuple):
    """A number with the reply to it."""

    value: float
    said: Reply


@dataclass(frozen=True)
class NumberField(Field):
    """Numbers with a tolerance; the right one comes first."""

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

    def judge(self, answer: str) -> Reply | None:
        value = parse(answer)
        if value is None:
            return None
        near = (said for x, said in self.points if abs(value - x) <= self.within * (1 + 1e-9))
        return next(near, Reply(self.others))


@dataclass(frozen=True)
class ChoiceField(Field):
    """Options, each with the reply to it."""

    kind = "choice"
    options: tuple[tuple[str, Reply], ...]

    def state(self) -> dict[str, Any]:
        options = [{"text": text, **said._asdict()} for text, said in self.options]
        return {"kind": self.kind, "label": self.label, "options": options}

    def lines(self, colon: str) -> list[str]:
        return [text for text, _ in self.options]

    def judge(self, answer: int | None) -> Reply | None:
        return None if answer is None else self.options[answer][1]


@dataclass(frozen=True)
class PlaceField(Field):
    """A column for each row of a grid; the right ones come first."""

    kind = "place"
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    patterns: tuple[tuple[tuple[int, ...], Reply], ...]

    def state(self) -> dict[str, Any]:
        patterns = [{"places": places, **said._asdict()} for places, said in self.patterns]
        return {
            **{"kind": self.kind, "label": self.label, "others": self.others},
            **{"rows": self.rows, "columns": self.columns, "patterns": patterns},
        }

    def lines(self, colon: str) -> list[str]:
        return [f"{row}{colon}{' / '.join(self.columns)}" for row in self.rows]

    def judge(self, answer: Sequence[int | None]) -> Reply | None:
        if None in answer:
            return None
        known = (said for places, said in self.patterns if places == tuple(answer))
        return next(known, Reply(self.others))


def parse(text: str) -> float | None:
    """Parse a number as people write it; return None if that fails or its comma is ambiguous.

    The parser accepts any minus, full-width digits, decimal commas, fractions and percent, like
    the parser of the page in book/web/exercises.

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
    """Return whether a comma may separate either decimals or thousands.

    >>> is_ambiguous("1,125"), is_ambiguous("0,125"), is_ambiguous("1,125.0")
    (True, False, False)
    """
    return any(map(_AMBIGUOUS.fullmatch, _parts(text)))


def _parts(text: str) -> list[str]:
    """Return a number, or both numbers of a fraction, without a percent sign."""
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
        label: the question, with the unit of the answer.
        right: the answer; like the others, an expression that torch computes.
        mistakes: maps the reply to a mistake to the number that the mistake gives.
        within: the tolerance; more than 0, and finite.
        said: the reply to the right answer.
        others: the reply to any other number; "" only says that it is not right.

    Raises:
        ValueError: a mistake gives the right number or that of another mistake, within twice the
            tolerance, or a number that is not finite; the tolerance is not finite and above 0.
        TypeError: a reply is not a string.
    """
    # Digits beyond these differ between processors.
    digits = max(4, 2 - math.floor(math.log10(check.above_zero(f"{label}: within", within))))
    given = _named(label, right, mistakes, said)
    values = [round(check.number(name, x), digits) for name, x in given]
    for i, x in enumerate(values):
        for y in values[:i]:
            if abs(x - y) <= 2 * within:
                raise ValueError(f"{label}: {x} and {y} cannot be told apart within {within}")
    answers = (Reply(said, True), *map(Reply, mistakes))
    return NumberField(label, others, tuple(map(Point, values, answers)), float(within))


def choice(label: str, right: int | Tensor, options: Mapping[str, str]) -> ChoiceField:
    """Ask for one of some options.

    Args:
        label: the question.
        right: index of the right option, counted from 0.
        options: maps the text of each option to the reply to it.

    Raises:
        ValueError: there is no option with this index, or there are fewer than two.
        TypeError: an option, or the reply to it, is not a string.
    """
    check.labels(f"{label}: options", check.mapping(f"{label}: options", options), 2)
    for option, words in options.items():
        check.text(f"{label}: what is said to {option!r}", words)
    place = check.whole(f"{label}: right", right, 0, len(options) - 1)
    said = (Reply(words, i == place) for i, words in enumerate(options.values()))
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
        label: the question.
        rows: names of the rows.
        columns: names of the columns.
        right: index of the right column for each row, counted from 0.
        mistakes: maps the reply to a mistake to the columns that the mistake gives.
        said: the reply to the right answer.
        others: the reply to any other answer; "" only says that it is not right.

    Raises:
        ValueError: an answer does not have one column per row, contains a column that does not
            exist, or equals another answer; there is no row, or only one column.
        TypeError: a row, a column or a reply is not a string.
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
    patterns = zip(answers, (Reply(said, True), *map(Reply, mistakes)), strict=True)
    return PlaceField(label, others, tuple(rows), tuple(columns), tuple(patterns))


def _named(label: str, right: Any, mistakes: Any, said: Any) -> list[tuple[str, Any]]:
    """Return the right answer and the mistakes with names for error messages; check the replies."""
    check.text(f"{label}: said", said)
    for words in check.mapping(f"{label}: mistakes", mistakes):
        check.label(f"{label}: what is said to a mistake", words)
    others = [(f"{label}: the answer of {words!r}", x) for words, x in mistakes.items()]
    return [(f"{label}: right", right), *others]
