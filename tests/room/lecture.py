"""Start a lecture without kernels in a process of its own, and be its lecturer and its phones."""

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import websocket

from tests.serving.served import Served

# As `make lecture`, but no spare kernel, which takes long to start.
PROGRAM = """import sys
from tools.lecture.__main__ import main
from tools.serving.spare import SpareKernels
SpareKernels.prepare = lambda self: None
sys.exit(main(sys.argv[1:]))"""
SECRET = "not of the site"
CHOICE = {
    "page": "04-masked-softmax",
    "figure": "sentence",
    "part": "question",
    "kind": "choice",
    "options": 3,
}
NUMBER = {"page": "06-scaled", "figure": "walk", "part": "observation", "kind": "number"}


@dataclass
class Member:
    """A page that is connected to the room."""

    socket: websocket.WebSocket
    heard: list[dict[str, Any]] = field(default_factory=list)

    def say(self, message: object) -> None:
        """Send an object as JSON, or a text."""
        self.socket.send(message if isinstance(message, str) else json.dumps(message))

    def hear(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait for a message that fits."""
        while True:
            message = json.loads(self.socket.recv())
            self.heard.append(message)
            if fits(message):
                return message

    def state(self, **expected: object) -> dict[str, Any]:
        """Wait for a state with these values."""
        return self.hear(lambda said: said["type"] == "state" and expected.items() <= said.items())

    def error(self) -> str:
        """Wait for an error, and return its code."""
        return str(self.hear(lambda said: said["type"] == "error")["code"])

    def guess(self, guess: object, vote: str | None = None) -> None:
        """Guess in the vote that was heard of last, or in another."""
        votes = [said["vote"] for said in self.heard if said["type"] == "state"]
        self.say({"type": "guess", "vote": vote or votes[-1], "guess": guess})


@dataclass
class Lecture:
    """A running lecture, seen by clients."""

    served: Served  # the lecturer's listener
    room: str  # the room's URL
    members: list[Member] = field(default_factory=list)

    @property
    def port(self) -> int:
        """The port of the room."""
        return urlsplit(self.room).port or 80

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str
    ) -> tuple[http.client.HTTPResponse, str]:
        """Send a request to the room."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, names)
        response = connection.getresponse()
        text = response.read().decode("utf-8", "replace")
        connection.close()
        return response, text

    def cookie(self) -> str:
        """Return the cookie of a new browser."""
        given = self.ask("/room")[0].getheader("Set-Cookie") or ""
        return given.partition(";")[0]

    def phone(self, cookie: str | None = None, **options: Any) -> Member:
        """Connect a phone."""
        options = {"origin": self.room, "host": self.room.removeprefix("http://"), **options}
        address = f"ws://127.0.0.1:{self.port}/room/events"
        return self._member(address, cookie=cookie or self.cookie(), **options)

    def lecturer(self, **options: Any) -> Member:
        """Connect a lecturer's page."""
        address = f"{self.served.origin.replace('http', 'ws')}/room/lecturer/events"
        cookie = self.served.session_headers()["Cookie"]
        return self._member(address, **{"cookie": cookie, "origin": self.served.origin, **options})

    def _member(self, address: str, **options: Any) -> Member:
        member = Member(websocket.create_connection(address, timeout=20, **options))
        self.members.append(member)
        return member

    def disconnect(self) -> None:
        """Disconnect everybody."""
        for member in self.members:
            member.socket.shutdown()  # also after the server has closed it
        self.members.clear()

    def leave(self) -> None:
        """Drop what was asked, and disconnect everybody."""
        lecturer = self.lecturer()
        lecturer.say({"type": "forget"})
        lecturer.hear(lambda said: said.get("phase") == "idle" and said.get("known") == [])
        self.disconnect()


@contextmanager
def lecture(site: Path, *options: str) -> Iterator[Lecture]:
    """Start a lecture on free ports."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", PROGRAM, f"--site={site}"),
            *("--port=0", "--room-port=0", *options),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        assert process.stdout
        lines = [process.stdout.readline(), process.stdout.readline()]
        assert "token=" in lines[0], process.communicate()
        running = Lecture(Served(lines[0].split()[2], process, site), lines[1].split()[2])
        yield running
        running.disconnect()
    finally:
        process.terminate()
        said = process.communicate(timeout=60)
    is_killed = process.returncode == -signal.SIGKILL
    assert said == ("" if is_killed else "\n", ""), said
