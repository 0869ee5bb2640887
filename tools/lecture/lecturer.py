"""Serve the lecturer: the pages and kernels of `tools.serving`, and commands for the room."""

from __future__ import annotations

import io
import socket
from datetime import date
from pathlib import Path
from typing import Any

import segno
from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from tornado.httpserver import HTTPServer
from tornado.web import authenticated

from tools.lecture.connection import ConnectionHandler
from tools.lecture.hub import Hub
from tools.lecture.phones import HEARTBEAT, listen
from tools.serving.application import BookServer
from tools.serving.site import Page

PLACE = "room/lecturer"  # of the commands, below the base URL


class LecturerPage(Page):
    """A page of the book that may open questions to the room."""

    excluded_paths = (*Page.excluded_paths, PLACE)

    def attributes(self) -> str:
        """Return the attributes of the `html` element."""
        attributes = super().attributes()
        if not self.current_user:
            return attributes
        return f'{attributes} data-lecturer="{self.base_url}{PLACE}/"'


class Lecturer(ConnectionHandler, JupyterHandler):  # type: ignore[misc]
    """The WebSocket of the lecturer's page; it requires the token's cookie."""

    ping_interval = ping_timeout = HEARTBEAT

    def initialize(self, hub: Hub) -> None:
        """Store the room."""
        self.hub = hub

    def set_default_headers(self) -> None:
        """Set none: a WebSocket has no page."""

    async def prepare(self) -> None:  # type: ignore[override]
        """Check host and token; answer 403 instead of leading to a login page."""
        await super().prepare(_redirect_to_login=False)

    @ws_authenticated
    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Open the WebSocket."""
        await super().get(*args, **kwargs)

    def open(self, *_: str) -> None:
        """Join the room as a lecturer."""
        self.hub.join_lecturer(self)

    def on_message(self, message: str | bytes) -> None:
        """Pass a command on."""
        self.hub.lecturer_says(self, message)

    def on_close(self) -> None:
        """Leave the room."""
        self.hub.leave_lecturer(self)


class Code(APIHandler):
    """A picture of the room's address that a phone's camera reads."""

    def initialize(self, hub: Hub) -> None:
        """Store the room."""
        self.hub = hub

    @authenticated
    def get(self) -> None:
        """Answer GET."""
        self.finish(qr_code(self.hub.address), set_content_type="image/svg+xml")


class Answers(Code):
    """The counts of all closed votes as a file."""

    @authenticated
    def get(self) -> None:
        """Answer GET."""
        name = f"answers-{date.today()}.csv"
        self.set_header("Content-Disposition", f'attachment; filename="{name}"')
        self.set_header("Cache-Control", "no-store")
        file = self.hub.room.csv().encode("utf-8-sig")  # Excel needs the mark
        self.finish(file, set_content_type="text/csv; charset=utf-8")


class LectureServer(BookServer):
    """The server of `make lecture`: the lecturer's pages, and beside them the room."""

    page = LecturerPage
    hub: Hub
    site: Path
    listener: socket.socket
    room_server: HTTPServer

    def open_room(self, hub: Hub, site: Path, listener: socket.socket) -> None:
        """Add the commands, and let the room's server start with this one."""
        self.hub, self.site, self.listener = hub, site, listener
        base, room = f"{self.base_url}{PLACE}", {"hub": hub}
        handlers = [
            (f"{base}/events", Lecturer, room),
            (f"{base}/code.svg", Code, room),
            (f"{base}/answers.csv", Answers, room),
        ]
        self.web_app.add_handlers(".*$", handlers)

    async def _post_start(self) -> None:
        """Start the room's server before the addresses are printed."""
        self.room_server = listen(self.site, self.hub, self.listener)
        await super()._post_start()

    def announce(self) -> None:
        """Print the two addresses."""
        print(f"The lecture: {self.address}  (Ctrl+C stops)")
        print(f"The room: {self.hub.address}", flush=True)

    async def _cleanup(self) -> None:
        self.room_server.stop()
        await super()._cleanup()


def qr_code(address: str) -> bytes:
    """Return a QR code as SVG, black on white with the margin that cameras need.

    >>> qr_code("http://192.168.1.5:8001")[:38]
    b'<?xml version="1.0" encoding="utf-8"?>'
    """
    file = io.BytesIO()
    segno.make_qr(address, error="m").save(file, kind="svg", light="#fff", omitsize=True)
    return file.getvalue()
