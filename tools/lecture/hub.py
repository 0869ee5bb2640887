"""Pass messages between phones, the room and the lecturer's pages; knows no network."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Protocol

from tools.lecture.messages import Refused, read
from tools.lecture.room import Room

Later = Callable[[float, Callable[[], None]], object]

COUNT_INTERVAL = 0.2  # seconds between two counts for the lecturer
TABS = 8  # connections of one browser
BURST = 40  # messages of a browser at once
RATE = 5  # messages of a browser per second, in the long run
PATIENCE = 200  # refused messages in a row before a browser is disconnected


class Connection(Protocol):
    """One WebSocket."""

    def send(self, text: str) -> None:
        """Send a message, unless the other side has gone."""

    def close(self, code: int, reason: str) -> None:
        """Close the connection."""


class Allowance:
    """How many messages a browser may still send: BURST at once, and RATE per second.

    >>> allowance = Allowance(now=0)
    >>> [allowance.spend(now=0) for _ in range(BURST + 1)][-2:]
    [True, False]
    >>> allowance.spend(now=1)
    True
    """

    def __init__(self, now: float) -> None:
        self._left, self._since, self.refused = float(BURST), now, 0

    def spend(self, now: float) -> bool:
        """Take one message off the allowance; return False if there is none left."""
        self._left = min(BURST, self._left + RATE * (now - self._since))
        self._since = now
        if self._left < 1:
            self.refused += 1
            return False
        self._left, self.refused = self._left - 1, 0
        return True


class Hub:
    """The room with all its connections.

    Args:
        address: the room's URL, for the lecturer.
        later: calls a function after some seconds.
    """

    def __init__(self, address: str, later: Later) -> None:
        self.address = address
        self.room = Room()
        self._later = later
        self._phones: dict[str, set[Connection]] = {}
        self._allowances: dict[str, Allowance] = {}
        self._lecturers: set[Connection] = set()
        self._counting = False

    def join(self, browser: str, phone: Connection) -> None:
        """Connect a phone, and tell it the state."""
        tabs = self._phones.get(browser, set())
        try:
            if len(tabs) >= TABS:
                raise Refused("full", "too many connections of this browser")
            self.room.join(browser)
        except Refused as refused:
            phone.send(_error(refused))
            phone.close(1013, "full")
            return
        self._phones.setdefault(browser, set()).add(phone)
        self._allowances.setdefault(browser, Allowance(time.monotonic()))
        phone.send(json.dumps(self.room.phone_state(browser)))
        self._tell_count()

    def leave(self, browser: str, phone: Connection) -> None:
        """Forget a connection, unless it was refused."""
        tabs = self._phones.get(browser, set())
        if phone not in tabs:
            return
        tabs.remove(phone)
        self.room.leave(browser)
        if not tabs:
            del self._phones[browser], self._allowances[browser]
        self._tell_count()

    def phone_says(self, browser: str, phone: Connection, text: str | bytes) -> None:
        """Answer a phone's message."""
        allowance = self._allowances.get(browser)
        if allowance is None:  # it was refused, and is being closed
            return
        try:
            if not allowance.spend(time.monotonic()):
                raise Refused("fast", "too many messages")
            message = read(text)
            if message["type"] == "guess" and {*message} == {"type", "vote", "guess"}:
                self.room.guess(browser, message["vote"], message["guess"])
                self._tell_count()
                self._tell_phones([browser])
            elif message == {"type": "hello"}:
                phone.send(json.dumps(self.room.phone_state(browser)))
            else:
                raise Refused("malformed", "a phone says hello, or guesses")
        except Refused as refused:
            phone.send(_error(refused))
            if allowance.refused > PATIENCE:
                phone.close(1008, "too many messages")

    def join_lecturer(self, page: Connection) -> None:
        """Connect a lecturer's page, and tell it the state."""
        self._lecturers.add(page)
        page.send(self._lecturer_state())

    def leave_lecturer(self, page: Connection) -> None:
        """Forget a connection."""
        self._lecturers.discard(page)

    def lecturer_says(self, page: Connection, text: str | bytes) -> None:
        """Carry out a lecturer's command, and tell everybody."""
        try:
            message = read(text)
            if message == {"type": "hello"}:
                page.send(self._lecturer_state())
                return
            self._command(**message)
        except Refused as refused:
            page.send(_error(refused))
            return
        state = self._lecturer_state()
        for one in [*self._lecturers]:
            one.send(state)
        if message["type"] != "hands":
            self._tell_phones([*self._phones])

    def _command(self, type: str, **given: Any) -> None:
        names = COMMANDS.get(type)
        if names is None or {*given} != names:
            raise Refused("malformed", f"no command has the type {type!r:.50} and these fields")
        getattr(self.room, type)(**given)

    def _tell_phones(self, browsers: list[str]) -> None:
        for browser in browsers:
            state = json.dumps(self.room.phone_state(browser))
            for phone in [*self._phones.get(browser, ())]:
                phone.send(state)

    def _tell_count(self) -> None:
        """Tell the lecturer soon how many have guessed."""
        if self._lecturers and not self._counting:
            self._counting = True
            self._later(COUNT_INTERVAL, self._tell_count_now)

    def _tell_count_now(self) -> None:
        self._counting = False
        count = json.dumps(self.room.count())
        for page in [*self._lecturers]:
            page.send(count)

    def _lecturer_state(self) -> str:
        return json.dumps(self.room.lecturer_state(self.address))


# The fields of each command, which is a method of Room.
COMMANDS: dict[str, set[str]] = {
    **{name: set() for name in ("close", "again", "reveal", "end", "forget")},
    "open": {"question"},
    "hands": {"counts"},
    "restore": {"askings", "current", "phase"},
}


def _error(refused: Refused) -> str:
    return json.dumps({"type": "error", "code": refused.code, "says": str(refused)})
