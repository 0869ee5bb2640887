"""Stand in for a BinderHub: its public build API, which answers with the events that a test sets.

As mybinder.org does, it redirects to another member of its federation, and allows all origins. Like
BinderHub, it refuses requests that do not accept an event stream.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

STEP = 0.02  # seconds between looks at `hold`


class Hub:
    """What the stand-in answers, and what it was asked."""

    def __init__(self) -> None:
        self.address = ""
        self.status = 200
        self.events: list[dict[str, Any] | str] = []
        self.held = Event()  # after the events, the stream stays open until this is set
        self.held.set()
        self.quiet = False  # whether it sends nothing meanwhile, unlike BinderHub
        self.after: list[dict[str, Any]] = []  # what it then says
        self.asked: list[str] = []  # paths
        self.left = Event()  # set when a client goes away


class Build(RequestHandler):
    """Answer `GET /build/PROVIDER/SPEC`."""

    def initialize(self, hub: Hub) -> None:
        self.hub, self.is_gone = hub, False

    def set_default_headers(self) -> None:
        self.set_header("Access-Control-Allow-Origin", "*")
        self.set_header("Content-Type", "text/event-stream")

    def on_connection_close(self) -> None:
        self.is_gone = True
        self.hub.left.set()

    async def get(self, member: str | None, spec: str) -> None:
        if not member:
            self.redirect(f"/member/build/{spec}")
            return
        self.hub.asked.append(spec)
        self.set_status(self.hub.status)
        if self.request.headers["Accept"] != "text/event-stream":
            self.set_status(400)
        with suppress(StreamClosedError):
            for event in self.hub.events:
                await self.emit(event)
            while not self.hub.held.is_set() and not self.is_gone:
                if not self.hub.quiet:
                    await self.emit(":keepalive\n\n")
                await asyncio.sleep(STEP)
            for event in self.hub.after:
                await self.emit(event)

    async def emit(self, event: dict[str, Any] | str) -> None:
        self.write(event if isinstance(event, str) else f"data: {json.dumps(event)}\n\n")
        await self.flush()


@contextmanager
def binder_hub() -> Iterator[Hub]:
    """Run the stand-in in a thread, on a free port."""
    hub = Hub()
    loop = asyncio.SelectorEventLoop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    sockets = bind_sockets(0, "127.0.0.1")
    hub.address = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"

    async def start() -> HTTPServer:
        rules = [(r"/(member/)?build/(.*)", Build, {"hub": hub})]
        server = HTTPServer(Application(rules, log_function=lambda handler: None))
        server.add_sockets(sockets)
        return server

    async def stop() -> None:
        hub.held.set()
        running.stop()
        await running.close_all_connections()

    running = asyncio.run_coroutine_threadsafe(start(), loop).result()
    try:
        yield hub
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
