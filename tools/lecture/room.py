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
| `/room/lecturer/answers.csv` | lecturer | all closed votes: question, option, round, count |

**Votes.** An *asking* is one question put to the room; its `id` is a random text. It has one or two
rounds. A round's vote has the name `ID.1` or `ID.2`; every guess names its vote, so a guess that
comes late cannot count in another vote. The phase is one of

    idle      nothing is asked
    open      phones may guess, and change their guess; nobody sees counts, the lecturer neither
    closed    the guesses are forgotten, and the lecturer sees the counts
    revealed  phones show their reader's own verdict, and the figure may be moved

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
     "asking": {"id": "ID", "question": {…}, "rounds": [{"counts": […], "hands": […]}]},
     "guessed": 17, "present": 30, "known": ["ID", …], "address": "http://192.168.1.5:8001"}

While idle, `asking` and `vote` are null. In an open round, `counts` is empty; later it is a count
per option, or [[number, count], …] in ascending order. The distribution is the sum of `counts` and
`hands`, which is empty if none were typed. `present` counts the browsers that are connected or have
guessed. `known` are the ids that the server has: the lecturer's browser keeps each asking and phase
it gets, and gives back with `restore` those of this lecture that are not known.

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

A frame of more than MAX_FRAME bytes closes the connection with 1009.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Phase = Literal["idle", "open", "closed", "revealed"]
Kind = Literal["choice", "place", "number"]
Part = Literal["question", "observation", "exercise"]
Counts = list[int] | list[list[float]]  # per option, or pairs of a number and its count

MAX_FRAME = 1_000  # bytes of a phone's message


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
        figure: the name of the figure (`data-figure`) or exercise (`data-exercise`), the same in
            both languages.
        part: which of its records is asked: `data-ask` is "question", `data-observe`
            "observation", and the choice of an exercise "exercise".
        kind: the record's type.
        options: number of options of a choice or place, 2 to 64; 0 for a number.
        range: least and largest number of a slider; None: any finite number, or a choice.
        title: the question in the lecturer's language, only for the file of counts; may be "".
        labels: the options in the lecturer's language, only for the file of counts; may be empty.
    """

    page: str
    figure: str
    part: Part
    kind: Kind
    options: int = 0
    range: tuple[float, float] | None = None
    title: str = ""
    labels: tuple[str, ...] = ()


@dataclass
class Round:
    """One vote on a question: the counts once it is closed, and a show of hands."""

    counts: Counts = field(default_factory=list)
    hands: Counts = field(default_factory=list)


@dataclass
class Asking:
    """A question that was put to the room, with one or two rounds."""

    id: str
    question: Question
    rounds: list[Round] = field(default_factory=lambda: [Round()])
