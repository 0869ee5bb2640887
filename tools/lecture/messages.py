"""Read the messages of phones and lecturers, and refuse what is not of the protocol of `room`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

Phase = Literal["idle", "open", "closed", "revealed"]
Kind = Literal["choice", "place", "number"]
Language = Literal["", "en", "zh"]
Part = Literal["question", "observation", "item"]
Counts = list[int] | list[list[float]]  # per option, or pairs of a number and its count

MAX_OPTIONS = 64
MAX_TEXT = 1_000  # characters of a title or label
MAX_COUNT = 10_000  # hands
MAX_NUMBERS = 2_000  # different numbers in one round
MAX_SIZE = 1e12  # of a guessed number, either way
DECIMALS = 6  # of a guessed number, as in the figures' answers
NAME = re.compile(r"[A-Za-z0-9][\w.:-]{0,99}", re.ASCII)
ID = re.compile(r"[0-9a-f]{16}")
TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII)


class Refused(Exception):
    """A message that the room refuses; `code` is one of the protocol's."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(says)
        self.code = code


@dataclass(frozen=True)
class Question:
    """What is asked, without a text: phones take it from the book, each in its own language.

    Args:
        page: slug of the page in `book/LANG/`, without `.html`, such as "04-masked-softmax".
        figure: the name of the figure (`data-figure`) or item of "Where do I stand?" (`data-item`),
            the same in both languages.
        part: which of its records is asked: `data-ask` is "question", `data-observe`
            "observation", and an item "item".
        kind: the record's type.
        options: number of options of a choice or place, 2 to 64; 0 for a number.
        range: least and largest number of a slider; None: any finite number, or a choice.
        lang: language of the lecturer's page, whose options are counted; may be "".
        title: the question in the lecturer's language, only for the file of counts; may be "".
        labels: the options in the lecturer's language, only for the file of counts; may be empty.
        right: least and largest right guess, only for the file of counts; None: not known.
    """

    page: str
    figure: str
    part: Part
    kind: Kind
    options: int = 0
    range: tuple[float, float] | None = None
    lang: Language = ""
    title: str = ""
    labels: tuple[str, ...] = ()
    right: tuple[float, float] | None = None

    def for_phones(self) -> dict[str, Any]:
        """Return the question without the answer, and the texts in the lecturer's language."""
        return {k: v for k, v in asdict(self).items() if k not in ("title", "labels", "right")}

    def guess(self, value: object) -> float:
        """Return a valid guess: the index of an option, or a number.

        Raises:
            Refused: it is no number, or outside the options or the range.

        >>> Question("01-a", "fill", "question", "number", range=(0, 100)).guess(33.33333333)
        33.333333
        """
        if self.kind != "number":
            if type(value) is not int:
                raise Refused("malformed", f"a guess is the index of an option, not {value!r:.50}")
            if value not in range(self.options):
                raise Refused("range", f"options are 0 to {self.options - 1}, not {value}")
            return value
        low, high = self.range or (-MAX_SIZE, MAX_SIZE)
        guess = number(value)
        if not low <= guess <= high:
            raise Refused("range", f"numbers are from {low:g} to {high:g}, not {guess:g}")
        return guess

    def tally(self, guesses: list[float]) -> Counts:
        """Count guesses.

        >>> Question("01-a", "fill", "question", "choice", options=3).tally([2, 0, 2])
        [1, 0, 2]
        >>> Question("01-a", "fill", "question", "number").tally([2.5, 0, 2.5])
        [[0, 1], [2.5, 2]]
        """
        if self.kind == "number":
            return [[x, n] for x, n in sorted(Counter(guesses).items())]
        counted = Counter(guesses)
        return [counted[option] for option in range(self.options)]

    def counts(self, data: object) -> Counts:
        """Read counts; an empty list means none.

        Raises:
            Refused: they are not of this question's form.
        """
        if not isinstance(data, list) or len(data) > MAX_NUMBERS:
            raise Refused("malformed", "counts are a list")
        if self.kind != "number":
            if data and len(data) != self.options:
                raise Refused("range", f"there are {self.options} options, and {len(data)} counts")
            return [whole(count, MAX_COUNT) for count in data]
        pairs = {self.guess(x): whole(count, MAX_COUNT) for x, count in map(_pair, data)}
        return [[x, pairs[x]] for x in sorted(pairs)]


@dataclass
class Round:
    """One vote on a question: the counts once it is closed, when that was, and a show of hands."""

    counts: Counts = field(default_factory=list)
    hands: Counts = field(default_factory=list)
    closed: str = ""  # such as "2026-11-28 11:40:05", on the clock of the lecturer's computer


@dataclass
class Asking:
    """A question that was put to the room, with one or two rounds."""

    id: str
    question: Question
    rounds: list[Round] = field(default_factory=lambda: [Round()])


def read(text: str | bytes) -> dict[str, Any]:
    """Return the object of a message, which has a type.

    >>> read('{"type": "hello"}')
    {'type': 'hello'}

    Raises:
        Refused: the message is not a JSON object, or has no type.
    """
    if isinstance(text, bytes):
        raise Refused("malformed", "a message is text")
    try:
        message = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Refused("malformed", "a message is JSON") from error
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Refused("malformed", "a message is an object with a type")
    return message


def read_question(data: object) -> Question:
    """Read the question of an `open` command.

    Raises:
        Refused: it is not a question that a room can be asked.
    """
    given = _object(data, {one.name for one in fields(Question)})
    for name in ("page", "figure"):
        _match(NAME, given.get(name), name)
    for name, known in (("part", get_args(Part)), ("kind", get_args(Kind))):
        if given.get(name) not in known:
            raise Refused("malformed", f"{name} is one of {', '.join(known)}")
    if given.get("lang", "") not in get_args(Language):
        raise Refused("malformed", f"lang is one of {get_args(Language)}")
    is_number = given["kind"] == "number"
    options = whole(given.get("options", 0), MAX_OPTIONS)
    if is_number != (options == 0) or options == 1:
        raise Refused("malformed", "a choice has at least two options, and a number has none")
    between, right = _interval(given.get("range")), _interval(given.get("right"))
    if between and (not is_number or between[0] == between[1]):
        raise Refused("malformed", "a range is the least and largest of the numbers")
    labels = given.get("labels", [])
    if not isinstance(labels, list) or len(labels) not in (0, options):
        raise Refused("malformed", "labels are a list with a text for each option")
    texts = {
        "title": _text(given.get("title", "")),
        "labels": tuple(_text(label) for label in labels),
    }
    return Question(**{**given, "options": options, "range": between, "right": right, **texts})


def read_asking(data: object) -> Asking:
    """Read an asking that a lecturer's browser gives back.

    Raises:
        Refused: it is not one that a server has given out.
    """
    given = _object(data, {"id", "question", "rounds"})
    _match(ID, given.get("id"), "id")
    question = read_question(given.get("question"))
    rounds = given.get("rounds")
    if not isinstance(rounds, list) or len(rounds) not in (1, 2):
        raise Refused("malformed", "an asking has one or two rounds")
    read_rounds = []
    for each in rounds:
        vote = _object(each, {"counts", "hands", "closed"})
        closed = vote.get("closed", "")
        if closed:
            _match(TIME, closed, "closed")
        read_rounds.append(
            Round(question.counts(vote.get("counts")), question.counts(vote.get("hands")), closed)
        )
    return Asking(given["id"], question, read_rounds)


def number(value: object) -> float:
    """Return a finite number, rounded; refuse everything else.

    >>> number(-0.0)
    0.0
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused("malformed", f"expected a number, got {value!r:.50}")
    if not -MAX_SIZE <= value <= MAX_SIZE:  # also refuses NaN
        raise Refused("range", f"expected a number of at most {MAX_SIZE:g}")
    return round(value, DECIMALS) + 0


def whole(value: object, most: int) -> int:
    """Return a whole number from 0 to `most`; refuse everything else."""
    if type(value) is not int:
        raise Refused("malformed", f"expected a whole number, got {value!r:.50}")
    if not 0 <= value <= most:
        raise Refused("range", f"expected a number from 0 to {most}")
    return value


def _object(data: object, names: set[str]) -> Mapping[str, Any]:
    if not isinstance(data, dict) or not {*data} <= names:
        raise Refused("malformed", f"expected an object of {', '.join(sorted(names))}")
    return data


def _match(pattern: re.Pattern[str], value: object, name: str) -> None:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Refused("malformed", f"{name} has the form {pattern.pattern}")


def _interval(data: object) -> tuple[float, float] | None:
    if data is None:
        return None
    low, high = map(number, _pair(data))
    if low > high:
        raise Refused("malformed", "of two ends, the least comes first")
    return low, high


def _pair(data: object) -> list[object]:
    if not isinstance(data, list) or len(data) != 2:
        raise Refused("malformed", "expected a pair")
    return data


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise Refused("malformed", f"expected a text of at most {MAX_TEXT} characters")
    return value


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
