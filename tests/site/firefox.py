"""Drive a stock Firefox over WebDriver BiDi, with the few commands of a smoke test.

Playwright drives only its own build of Firefox.
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

PATIENCE = 30  # seconds for a response; the machine may be busy with other tests
LISTENING = re.compile(r"WebDriver BiDi listening on (\S+)\n")
# Only this machine can be reached: all other requests go to a proxy that does not exist.
NOWHERE = "127.0.0.1:9"
OFFLINE = {
    "proxyType": "manual",
    "httpProxy": NOWHERE,
    "sslProxy": NOWHERE,
    "noProxy": ["127.0.0.1"],
}
PREFERENCES = 'user_pref("ui.prefersReducedMotion", 1);\n'  # changes appear at once


class Firefox:
    """A session with a browser: sends commands one by one, and records what pages log."""

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
            if message["type"] == "event":  # otherwise a late response that is no longer awaited
                self.entries.append(message["params"])
        assert message["type"] == "success", message
        return message["result"]

    @contextmanager
    def open(self, address: str) -> Iterator["Tab"]:
        """Load a page in a new tab."""
        tab = Tab(self, self.send("browsingContext.create", type="tab")["context"])
        self.send("browsingContext.navigate", context=tab.id, url=address, wait="complete")
        try:
            yield tab
        finally:
            self.send("browsingContext.close", context=tab.id)


class Tab:
    """An open page."""

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
        """Return errors and warnings: exceptions of scripts, and console messages."""
        return [
            entry["text"]
            for entry in self.firefox.entries
            if entry["source"].get("context") == self.id and entry["level"] in ("error", "warn")
        ]


@contextmanager
def start(path: str, profile: Path) -> Iterator[Firefox]:
    """Start the Firefox at `path` headless, with its own profile."""
    (profile / "user.js").write_text(PREFERENCES)
    command = [path, "--headless", "--no-remote", "--remote-debugging-port", "0"]
    log = profile / "log"
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*command, "--profile", str(profile)],
            env={
                **os.environ,
                "HOME": str(profile),
            },  # Firefox refuses to run as root in another user's home
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
    """Wait for the URL that a starting Firefox writes to its log."""
    until = time.monotonic() + PATIENCE
    while not (found := LISTENING.search(said := log.read_text("utf-8", "replace"))):
        assert process.poll() is None, said
        assert time.monotonic() < until, said
        time.sleep(0.05)
    return found[1]
