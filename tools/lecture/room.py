"""Keep the votes of a room in memory: what is asked, who has guessed, and the closed counts.

This module is the room's state and its protocol; `phones` and `lecturer` carry the messages. Each
message is one JSON object in one text frame of a WebSocket.

**Addresses.** Pages of the room have `<html data-room="/room/">`, the lecturer's pages have
`<html data-lecturer="/room/lecturer/">`, and without a room a page has neither attribute.

| address | listener | what |
| --- | --- | --- |
| `/` | room | leads to `/room` |
| `/room` | room | the phone's page (`phone.html` beside this file) |
| `/room/events` | room | WebSocket of a phone; requires the cookie that every page sets |
| all others | room | pages of the book, without kernels |
| `/room/lecturer/events` | lecturer | WebSocket of the lecturer; requires the token's cookie |
| `/room/lecturer/code.svg` | lecturer | QR code of the room's address |
| `/room/lecturer/answers.csv` | lecturer | all closed votes (`Room.csv`) |

**Votes.** An *asking* is one question put to the room; its `id` is a random text. It has one or two
rounds. A round's vote has the name `ID.1` or `ID.2`; every guess names its vote, so a guess that
comes late cannot count in another vote. The phase is one of

    idle      nothing is asked
    open      phones may guess, and change their guess; nobody sees counts, the lecturer neither
    closed    the guesses are forgotten, and the lecturer sees the counts
    revealed  phones show their reader's own verdict, and the figure may be moved

A *question* says where it stands in the book, and has no text for phones: `page`, `figure`, `part`,
`kind`, `options`, `range` and `lang` of `messages.Question`. `lang` is the language of the page on
which the lecturer asked. Its options are counted: a phone in the other language translates an
option's index before it guesses, and back (book/web/room/orders.ts). Only the lecturer's messages
also have, for the file, `title` and `labels`, the question and its options in that language, and
`right`, the least and largest right guess.

A browser is known by a random id in an HttpOnly cookie, so two tabs have one guess. At the end of a
vote the server forgets who guessed what. Therefore a phone keeps its own guess (localStorage, by
the name of the vote) for the verdict, and sends it again if an open vote does not have it (`mine`
is null).

**From a phone:**

    {"type": "hello"}                                   asks for the state, such as after sleeping
    {"type": "guess", "vote": "ID.1", "guess": 2}       the index of an option from 0, or a number

**To a phone**, after connecting, after `hello` and `guess`, and whenever something changes:

    {"type": "state", "run": "…", "phase": "open", "vote": "ID.1", "round": 1,
     "question": {…} , "mine": 2}

`run` is new at each start of the server. While idle, `vote` and `question` are null and `round` is
0. `mine` is the guess that the server holds for this browser: null without one, and always null
unless the phase is open. All tabs of a browser get the state when one of them guesses.

**From the lecturer:**

    {"type": "hello"}
    {"type": "open", "question": {…}}  asks; a vote that is open is closed first
    {"type": "close"}                  open → closed
    {"type": "again"}                  closed, round 1 → open, round 2
    {"type": "reveal"}                 closed → revealed
    {"type": "end"}                    → idle; an open vote is closed first, its counts are kept
    {"type": "hands", "counts": […]}   a show of hands in the current round, replacing an earlier
                                       one: a count per option, or [[number, count], …]
    {"type": "restore", "askings": [{…}], "current": "ID", "phase": "open"}
                                       gives a restarted server what it does not have; `current`
                                       (or null) is taken up only if nothing is asked
    {"type": "forget"}                 drops everything, for the next class

**To the lecturer**, after connecting, after `hello`, and whenever something changes:

    {"type": "state", "run": "…", "phase": "closed", "vote": "ID.1", "round": 1,
     "asking": {"id": "ID", "question": {…},
                "rounds": [{"counts": […], "hands": […], "closed": "2026-11-28 11:40:05"}]},
     "guessed": 17, "present": 30, "known": ["ID", …], "address": "http://192.168.1.5:8001"}

While idle, `asking` and `vote` are null. In an open round, `counts` is empty; later it is a count
per option, or [[number, count], …] in ascending order. The distribution is the sum of `counts` and
`hands`, which is empty if none were typed. `closed` is empty while a vote is open. `guessed` counts
the guesses of the current round, and `present` the browsers that are connected, have guessed, or
were here while the vote was open: a phone that opens the question's page is away for a moment.
`known` are the ids that the server has: the lecturer's browser keeps each asking and phase it gets,
and gives back with `restore` those of this lecture that are not known.

    {"type": "count", "guessed": 18, "present": 30}     while a vote is open, some times per second

**To both**, if a message was refused; nothing has changed, and the connection stays unless said:

    {"type": "error", "code": "late", "says": "…"}

`says` is for a developer; the page has its own text for a code:

    malformed    not an object of this protocol
    late         this vote is not open (any more)
    range        no such option, or a number outside the question's range
    phase        the lecturer's command does not fit the phase
    full         too many browsers, votes or connections (it is closed with 1013)
    fast         too many messages of this browser; after many more it is closed with 1008

A phone's page must work without a secure context (`http://192.168.1.5:8001` is none): it has no
`crypto.randomUUID`, clipboard or wake lock there, and no `crypto.subtle`.

A frame of more than MAX_FRAME bytes closes the connection with 1009.
"""

from __future__ import annotations

import csv
import io
import secrets
from collections import Counter
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from tools.lecture.messages import (
    Asking,
    Counts,
    Phase,
    Question,
    Refused,
    Round,
    read_asking,
    read_question,
)

MAX_FRAME = 1_000  # bytes of a phone's message
MAX_BROWSERS = 1_000  # connected, or with a guess in the vote
MAX_ASKINGS = 1_000  # of one lecture
COLUMNS = ("question", "option", "round", "count", "asking", "closed", "phones", "hands", "right")


class Room:
    """The state of a room. Methods that a message leads to raise Refused if they change nothing."""

    def __init__(self) -> None:
        self.run = secrets.token_hex(8)
        self.phase: Phase = "idle"
        self.current: Asking | None = None
        self.askings: dict[str, Asking] = {}
        self._guesses: dict[str, float] = {}  # by browser; only while a vote is open
        self._left: set[str] = set()  # browsers that were here; only while a vote is open
        self._connected: Counter[str] = Counter()

    @property
    def vote(self) -> str | None:
        """The name of the current vote."""
        return f"{self.current.id}.{len(self.current.rounds)}" if self.current else None

    # Phones.

    def join(self, browser: str) -> None:
        """Count a connection of a browser."""
        if browser not in self._connected and len(self._connected) >= MAX_BROWSERS:
            raise Refused("full", "too many browsers")
        self._connected[browser] += 1

    def leave(self, browser: str) -> None:
        """Count the end of a connection."""
        self._connected[browser] -= 1
        if not self._connected[browser]:
            del self._connected[browser]
            if self.phase == "open" and len(self._left) < MAX_BROWSERS:
                self._left.add(browser)

    def guess(self, browser: str, vote: object, value: object) -> None:
        """Store a browser's guess in a vote, instead of its earlier one."""
        if self.phase != "open" or vote != self.vote:
            raise Refused("late", "this vote is not open")
        guess = self._question().guess(value)
        if browser not in self._guesses and len(self._guesses) >= MAX_BROWSERS:
            raise Refused("full", "too many guesses")
        self._guesses[browser] = guess

    def phone_state(self, browser: str) -> dict[str, Any]:
        """Return the state as this browser may know it."""
        return {
            "type": "state",
            "run": self.run,
            "phase": self.phase,
            "vote": self.vote,
            "round": len(self.current.rounds) if self.current else 0,
            "question": self.current.question.for_phones() if self.current else None,
            "mine": self._guesses.get(browser),
        }

    # The lecturer.

    def open(self, question: object) -> None:
        """Ask a question; a vote that is open is closed first."""
        asked = read_question(question)
        if len(self.askings) >= MAX_ASKINGS:
            raise Refused("full", "too many questions")
        self._count()
        self.current = Asking(secrets.token_hex(8), asked)
        self.askings[self.current.id] = self.current
        self.phase = "open"

    def close(self) -> None:
        """Count the guesses, and forget who made them."""
        self._require("open")
        self._count()
        self.phase = "closed"

    def again(self) -> None:
        """Open the second round."""
        self._require("closed")
        if len(self._asking().rounds) == 2:
            raise Refused("phase", "a question has at most two rounds")
        self._asking().rounds.append(Round())
        self.phase = "open"

    def reveal(self) -> None:
        """Let phones show their reader's verdict."""
        self._require("closed")
        self.phase = "revealed"

    def end(self) -> None:
        """Ask nothing any more; what was counted is kept."""
        self._count()
        self.current, self.phase = None, "idle"

    def hands(self, counts: object) -> None:
        """Set the counts of a show of hands in the current round."""
        if not self.current:
            raise Refused("phase", "nothing is asked")
        self.current.rounds[-1].hands = self.current.question.counts(counts)

    def restore(self, askings: object, current: object, phase: object) -> None:
        """Add the askings that this server does not have; take up the current one if idle."""
        if not isinstance(askings, list):
            raise Refused("malformed", "askings are a list")
        read = {one.id: one for one in map(read_asking, askings)}
        new = {id: asking for id, asking in read.items() if id not in self.askings}
        if len(self.askings) + len(new) > MAX_ASKINGS:
            raise Refused("full", "too many questions")
        if current is not None and (str(current) not in read or str(phase) not in ACTIVE):
            raise Refused("malformed", "the current asking is one of them, with its phase")
        self.askings = {**new, **self.askings}
        if str(current) in new and self.phase == "idle":
            self.current, self.phase = new[str(current)], ACTIVE[str(phase)]
            if self.phase == "open":
                self.current.rounds[-1].counts, self.current.rounds[-1].closed = [], ""

    def forget(self) -> None:
        """Drop everything."""
        self.current, self.phase = None, "idle"
        self.askings.clear()
        self._guesses.clear()
        self._left.clear()

    def lecturer_state(self, address: str) -> dict[str, Any]:
        """Return the state as the lecturer may know it: no counts of an open vote."""
        return {
            "type": "state",
            "run": self.run,
            "phase": self.phase,
            "vote": self.vote,
            "round": len(self.current.rounds) if self.current else 0,
            "asking": asdict(self.current) if self.current else None,
            **self._numbers(),
            "known": [*self.askings],
            "address": address,
        }

    def count(self) -> dict[str, Any]:
        """Return how many have guessed, and how many there are."""
        return {"type": "count", **self._numbers()}

    def csv(self) -> str:
        """Return the counts of all closed votes, a row for each option or number.

        `count` is the sum of `phones` and `hands`; `asking` numbers the questions of the lecture,
        as one can be asked twice; `closed` is when the vote was closed; `right` is 1 or 0, or
        empty if the answer is not known.
        """
        file = io.StringIO()
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for asked, asking in enumerate(self.askings.values(), 1):
            for number, round_ in enumerate(asking.rounds, 1):
                if f"{asking.id}.{number}" != self.vote or self.phase != "open":
                    writer.writerows(_rows(asking.question, asked, number, round_))
        return file.getvalue()

    def _numbers(self) -> dict[str, int]:
        guessed = len(self._guesses)
        if self.current and self.phase != "open":
            last = replace(self.current.rounds[-1], hands=[])
            guessed = sum(total(self.current.question, last).values())
        present = {*self._connected, *self._guesses, *self._left}
        return {"guessed": guessed, "present": max(guessed, len(present))}

    def _count(self) -> None:
        if self.phase == "open":
            tally = self._question().tally([*self._guesses.values()])
            last = self._asking().rounds[-1]
            last.counts, last.closed = tally, f"{datetime.now():%Y-%m-%d %H:%M:%S}"
            self._guesses.clear()
            self._left.clear()

    def _require(self, phase: Phase) -> None:
        if self.phase != phase:
            raise Refused("phase", f"the room is {self.phase}, not {phase}")

    def _asking(self) -> Asking:
        assert self.current
        return self.current

    def _question(self) -> Question:
        return self._asking().question


ACTIVE: dict[str, Phase] = {"open": "open", "closed": "closed", "revealed": "revealed"}


def total(question: Question, round_: Round) -> dict[float, int]:
    """Return the distribution of a round: guesses and hands together, by option or number.

    >>> asked = Question("01-a", "fill", "question", "choice", options=3)
    >>> total(asked, Round([1, 0, 2], [0, 4, 0]))
    {0: 1, 1: 4, 2: 2}
    """
    both = _counter(question, round_.counts) + _counter(question, round_.hands)
    options = range(question.options) if question.kind != "number" else sorted(both)
    return {option: both[option] for option in options}


def _counter(question: Question, counts: Counts) -> Counter[float]:
    pairs: Any = counts if question.kind == "number" else enumerate(counts)
    return Counter(dict(pairs))


def _rows(question: Question, asked: int, number: int, round_: Round) -> list[list[object]]:
    name = f"{question.page}#{question.figure} ({question.part})"
    title = f"{name}: {question.title}" if question.title else name
    phones, hands = (_counter(question, counts) for counts in (round_.counts, round_.hands))
    low, high = question.right or (0, 0)
    return [
        [
            *(title, question.labels[int(option)] if question.labels else f"{option:.10g}"),
            *(number, n, asked, round_.closed, phones[option], hands[option]),
            int(low <= option <= high) if question.right else "",
        ]
        for option, n in total(question, round_).items()
    ]
