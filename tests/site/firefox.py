"""A Firefox as readers have it, driven over WebDriver BiDi: the few commands of a smoke test.

Playwright drives none but a Firefox of its own making.
"""

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from websocket import WebSocket, create_connection

PATIENCE = 30  # seconds for an answer; a machine may be busy with other tests
LISTENING = re.compile(r"WebDriver BiDi listening on (\S+)\n")
# Nothing but this machine can be reached: all else is asked of a proxy that is not there.
NOWHERE = "127.0.0.1:9"
OFFLINE = {
    "proxyType": "manual",
    "httpProxy": NOWHERE,
    "sslProxy": NOWHERE,
    "noProxy": ["127.0.0.1"],
}
PREFERENCES = 'user_pref("ui.prefersReducedMotion", 1);\n'  # what changes is there at once


class Firefox:
    """A session with a browser: commands one after the other, and what pages log meanwhile."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.ids = count()
        self.entries: list[dict[str, Any]] = []
        self.send("session.new", capabilities={"alwaysMatch": {"proxy": OFFLINE}})
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, **params: Any) -> Any:
        """Return the result of a command; AssertionError if the browser refuses it."""
        command = {"id": next(self.ids), "method": method, "params": params}
        self.socket.send(json.dumps(command))
        while (message := json.loads(self.socket.recv())).get("id") != command["id"]:
            if message["type"] == "event":  # otherwise a late answer, for which nobody waits
                self.entries.append(message["params"])
        assert message["type"] == "success", message
        return message["result"]

    @contextmanager
    def open(self, address: str) -> Iterator["Tab"]:
        """Load a page in a tab of its own."""
        tab = Tab(self, self.send("browsingContext.create", type="tab")["context"])
        self.send("browsingContext.navigate", context=tab.id, url=address, wait="complete")
        try:
            yield tab
        finally:
            self.send("browsingContext.close", context=tab.id)


class Tab:
    """A page that is open."""

    def __init__(self, firefox: Firefox, id: str) -> None:
        self.firefox, self.id = firefox, id

    def call(self, function: str, *arguments: object) -> Any:
        """Call a JavaScript function, which may be async, with values that JSON can hold."""
        call = f"({function})(...{json.dumps(arguments)})"
        answer = self.firefox.send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await {call}))()",
            target={"context": self.id},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"].get("value", "null"))

    def press(self, key: str) -> None:
        """Press and release a key, by its code point, as a keyboard does."""
        strokes = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": strokes}
        self.firefox.send("input.performActions", context=self.id, actions=[keyboard])

    def problems(self) -> list[str]:
        """Return errors and warnings: what scripts threw, and what they wrote to the console."""
        return [
            entry["text"]
            for entry in self.firefox.entries
            if entry["source"].get("context") == self.id and entry["level"] in ("error", "warn")
        ]


@contextmanager
def start(path: str, profile: Path) -> Iterator[Firefox]:
    """Start the Firefox at `path`, without windows, with a profile that is all its own."""
    (profile / "user.js").write_text(PREFERENCES)
    command = [path, "--headless", "--no-remote", "--remote-debugging-port", "0"]
    log = profile / "log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*command, "--profile", str(profile)],
            env={**os.environ, "HOME": str(profile)},  # root may not use another's home
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
        )
    try:
        socket = create_connection(
            f"{_listening(process, log)}/session", timeout=PATIENCE, suppress_origin=True
        )
        firefox = Firefox(socket)
        yield firefox
        firefox.send("browser.close")
        socket.close()
        process.wait(PATIENCE)
    finally:
        process.kill()
        process.wait()


def _listening(process: subprocess.Popen[bytes], log: Path) -> str:
    """Wait for the address that a starting Firefox writes to its log."""
    until = time.monotonic() + PATIENCE
    while not (found := LISTENING.search(said := log.read_text("utf-8", "replace"))):
        assert process.poll() is None, said
        assert time.monotonic() < until, said
        time.sleep(0.05)
    return found[1]
