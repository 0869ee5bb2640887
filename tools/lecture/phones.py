"""Serve the room: pages of the book for phones, and their guesses. It has no kernels."""

from __future__ import annotations

import gzip
import logging
import re
import secrets
import socket
from contextlib import suppress
from functools import lru_cache, partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import Application, HTTPError, RequestHandler

from tools.lecture.connection import ConnectionHandler
from tools.lecture.hub import Hub
from tools.lecture.room import MAX_FRAME
from tools.serve import BACKLOG, File
from tools.serving.site import HEADERS

PHONE_PAGE = Path(__file__).with_name("phone.html")
COOKIE = "room"
BROWSER = re.compile(r"[\w-]{22}", re.ASCII)  # the form of secrets.token_urlsafe(16)
DAY = 86_400  # seconds that a browser keeps its cookie
IDLE = 20  # seconds before a connection that loads nothing is closed
HEARTBEAT = 20  # seconds between two pings, and before a phone without an answer is given up
TEXTS = (".html", ".css", ".js", ".svg", ".json")


class RoomHandler(RequestHandler):
    """What all addresses of the room have in common. Nothing of a request is logged."""

    @property
    def hub(self) -> Hub:
        """The room with its connections."""
        hub: Hub = self.settings["hub"]
        return hub

    @property
    def is_secure(self) -> bool:
        """Whether phones come through https."""
        return self.hub.address.startswith("https:")

    def prepare(self) -> None:
        """Refuse a host name that could have been made to mean this machine (DNS rebinding)."""
        if not self.settings["is_ours"](self.request.host_name):
            raise HTTPError(403)

    def set_default_headers(self) -> None:
        """Set the security headers; browsers complain about COOP without https."""
        for name, value in HEADERS.items():
            if self.is_secure or name != "Cross-Origin-Opener-Policy":
                self.set_header(name, value)

    def browser(self) -> str | None:
        """Return the browser's id, or None if it has no valid cookie."""
        value = self.get_cookie(COOKIE) or ""
        return value if BROWSER.fullmatch(value) else None

    def give_id(self) -> None:
        """Give the browser an id, if it has none."""
        if self.browser() is None:
            self.set_cookie(
                COOKIE,
                secrets.token_urlsafe(16),
                max_age=DAY,
                httponly=True,
                samesite="Strict",
                secure=self.is_secure,
            )
        self.set_header("Vary", "Cookie")

    def log_exception(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Log only our own errors, without the request, which holds an address."""
        if error and not isinstance(error, HTTPError):
            logging.getLogger(__name__).error("The room failed.", exc_info=(kind, error, trace))


class Front(RoomHandler):
    """Leads from the short address to the phone's page."""

    def get(self) -> None:
        """Answer GET."""
        self.redirect("/room")


class PhonePage(RoomHandler):
    """The page that phones open first."""

    def get(self) -> None:
        """Answer GET."""
        self.give_id()
        self.set_header("Cache-Control", "no-cache")
        self.finish(PHONE_PAGE.read_bytes())


class BookPage(RoomHandler, File):
    """A file of the book; a page also gets the attribute of the room, and sets the cookie.

    Texts are sent compressed: a whole room loads the same pages at once, over one wireless network.
    """

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Find and read the file; add the attribute to HTML."""
        found = super().validate_absolute_path(root, absolute_path)
        if found is None:
            return None
        if found.endswith(".html"):
            self.content = self.content.replace(b"<html", b'<html data-room="/room/"', 1)
        if found.endswith(TEXTS) and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.content = compressed(self.content)
            self.set_header("Content-Encoding", "gzip")
        return found

    def set_extra_headers(self, path: str) -> None:
        """Set the cookie with a page."""
        super().set_extra_headers(path)
        if (self.absolute_path or "").endswith(".html"):
            self.give_id()
        self.add_header("Vary", "Accept-Encoding")


@lru_cache(maxsize=64)  # files; a lecture needs about 40, of 0.3 MB at most
def compressed(content: bytes) -> bytes:
    """Compress a file, once for all phones.

    >>> gzip.decompress(compressed(b"the book"))
    b'the book'
    """
    return gzip.compress(content, compresslevel=6, mtime=0)


class Phone(RoomHandler, ConnectionHandler):
    """The WebSocket of a phone."""

    def prepare(self) -> None:
        """Refuse a browser without a cookie, and what does not name its origin."""
        super().prepare()
        if self.browser() is None or "Origin" not in self.request.headers:
            raise HTTPError(403)

    def open(self, *_: str) -> None:
        """Join the room."""
        self._id = self.browser() or ""
        self.hub.join(self._id, self)

    def on_message(self, message: str | bytes) -> None:
        """Pass a message on."""
        self.hub.phone_says(self._id, self, message)

    def on_close(self) -> None:
        """Leave the room."""
        self.hub.leave(self._id, self)


def is_ours(name: str, address: str) -> bool:
    """Whether a host is this machine's: an IP address, its own name, or that of the room.

    No DNS entry of a stranger can stand for an IP address, or for a name that is not theirs.

    >>> room = "https://room.example.org"
    >>> [is_ours(name, room) for name in ("10.0.0.1", "room.example.org", "evil.example.org")]
    [True, True, False]
    """
    own = socket.gethostname().lower()
    names = {"localhost", own, f"{own.removesuffix('.local')}.local", urlsplit(address).hostname}
    with suppress(ValueError):
        return bool(ip_address(name.strip("[]")))
    return name.lower() in names


def application(site: Path, hub: Hub) -> Application:
    """Return the room's application: it gives out the pages in `site`, and takes guesses."""
    absolute = r"(?:https?://[^/]*)?"  # some clients send an absolute URL
    files = {"path": str(site), "default_filename": "index.html"}
    return Application(
        [
            (rf"{absolute}/", Front),
            (rf"{absolute}/room", PhonePage),
            (rf"{absolute}/room/events", Phone),
            (rf"{absolute}/*(.*)", BookPage, files),
        ],
        hub=hub,
        log_function=lambda handler: None,
        is_ours=partial(is_ours, address=hub.address),
        websocket_max_message_size=MAX_FRAME,
        websocket_ping_interval=HEARTBEAT,
        websocket_ping_timeout=HEARTBEAT,
    )


def listen(site: Path, hub: Hub, listener: socket.socket) -> HTTPServer:
    """Serve the room at a socket, in the current event loop."""
    listener.setblocking(False)
    server = HTTPServer(
        application(site, hub),
        idle_connection_timeout=IDLE,
        body_timeout=IDLE,
        max_body_size=1,  # no request needs a body
    )
    server.add_socket(listener)
    return server


def later(seconds: float, call: Any) -> object:
    """Call a function of the event loop after some seconds."""
    return IOLoop.current().call_later(seconds, call)


def open_listener(ip: str, port: int) -> socket.socket:
    """Listen at a port, or at a free one if it is taken."""
    family = socket.getaddrinfo(ip or None, port, type=socket.SOCK_STREAM)[0][0]
    try:
        return socket.create_server((ip, port), family=family, backlog=BACKLOG)
    except OSError:
        return socket.create_server((ip, 0), family=family, backlog=BACKLOG)
