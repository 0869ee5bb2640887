"""Simulate readers of a class over HTTP: log in, start a server and a kernel, and run code."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from aiohttp import ClientResponse, ClientSession, ClientWebSocketResponse, CookieJar, FormData
from yarl import URL

FIRST_PAGE = "book/en/index.html"
# Headers that browsers add to same-origin requests.
OURS = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}


@dataclass
class Result:
    """The result of a cell: its text output, and its error."""

    text: str = ""
    error: str = ""


@dataclass
class Reader:
    """A client of the class's hub."""

    address: str  # without a trailing slash
    name: str
    password: str
    http: ClientSession = field(init=False)

    async def __aenter__(self) -> Self:
        self.http = ClientSession(cookie_jar=CookieJar(unsafe=True))  # also for 127.0.0.1
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.http.close()

    @property
    def home(self) -> str:
        """The URL of this reader's server."""
        return f"{self.address}/user/{self.name}"

    async def log_in(self) -> bool:
        """Log in; return whether it succeeded."""
        login = f"{self.address}/hub/login"
        while not self._xsrf(login):  # a busy hub may not return the page at first
            async with self.http.get(login):
                pass
        form = FormData(
            {"username": self.name, "password": self.password, "_xsrf": self._xsrf(login)}
        )
        async with self.http.post(login, data=form, allow_redirects=False) as answer:
            return answer.status == 302

    async def open(self, page: str = FIRST_PAGE) -> str:
        """Wait until the server runs; return the HTML of a page."""
        async with self.http.get(f"{self.address}/hub/spawn"):
            pass
        place = f"{self.home}/{page}"
        while True:
            async with self.http.get(place) as answer:
                if answer.ok and str(answer.url) == place:
                    return await answer.text()
            await asyncio.sleep(0.25)

    async def ask(
        self, path: str, method: str = "GET", whose: "Reader | None" = None, **options: Any
    ) -> ClientResponse:
        """Send a same-origin request to this reader's server, or to another reader's."""
        place = f"{(whose or self).home}/{path}"
        headers = {**OURS, "X-XSRFToken": self._xsrf(place), **options.pop("headers", {})}
        answer = await self.http.request(
            method, place, headers=headers, allow_redirects=False, **options
        )
        await answer.read()
        return answer

    @asynccontextmanager
    async def kernel(self) -> AsyncIterator["Kernel"]:
        """Start a kernel, and connect to its WebSocket."""
        answer = await self.ask("api/kernels", "POST", json={})
        answer.raise_for_status()
        number = (await answer.json())["id"]
        place = f"{self.home}/api/kernels/{number}/channels"
        headers = {**OURS, "Sec-Fetch-Mode": "websocket", "Origin": self.address}
        async with self.http.ws_connect(place, headers=headers, max_msg_size=0) as socket:
            yield Kernel(self, number, socket)

    def _xsrf(self, place: str) -> str:
        cookies = self.http.cookie_jar.filter_cookies(URL(place))
        return cookies["_xsrf"].value if "_xsrf" in cookies else ""


@dataclass
class Kernel:
    """A kernel of a reader, connected by WebSocket."""

    reader: Reader
    id: str
    socket: ClientWebSocketResponse

    async def run(self, code: str) -> Result:
        """Run code; return its output.

        Raises:
            ConnectionError: the kernel died before it replied.
        """
        number = uuid4().hex
        header = {"msg_id": number, "msg_type": "execute_request", "session": self.id}
        header |= {"username": "", "date": "", "version": "5.3"}
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        await self.socket.send_json(
            {
                "header": header,
                "parent_header": {},
                "metadata": {},
                "content": content,
                "channel": "shell",
                "buffers": [],
            }
        )
        result = Result()
        async for message in self.socket:
            if not isinstance(message.data, str):
                continue  # binary buffers of widgets
            reply = json.loads(message.data)
            kind, body = reply["msg_type"], reply["content"]
            if kind == "status" and body["execution_state"] in ("restarting", "dead"):
                raise ConnectionError(f"the kernel of {self.reader.name} has died")
            if reply["parent_header"].get("msg_id") != number:
                continue
            if kind == "stream":
                result.text += body["text"]
            elif kind in ("execute_result", "display_data"):
                result.text += body["data"].get("text/plain", "")
            elif kind == "error":
                result.error = f"{body['ename']}: {body['evalue']}"
            elif kind == "status" and body["execution_state"] == "idle":
                return result
        raise ConnectionError(f"the server of {self.reader.name} has ended")

    async def interrupt(self) -> None:
        """Interrupt the running cell."""
        await self.reader.ask(f"api/kernels/{self.id}/interrupt", "POST")
