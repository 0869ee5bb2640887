"""Readers of a class as a browser is one: they log in, get a server and a kernel, and run code."""

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
# What a browser says of a request that a page of the same origin sends.
OURS = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}


@dataclass
class Said:
    """What came of a cell: its text, its error, and whether it ended in one."""

    text: str = ""
    error: str = ""


@dataclass
class Reader:
    """Somebody with a name, at the class's address."""

    address: str  # without a slash at its end
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
        """Where this reader's server is."""
        return f"{self.address}/user/{self.name}"

    async def log_in(self) -> bool:
        """Give name and password; tell whether they were taken."""
        login = f"{self.address}/hub/login"
        while not self._xsrf(login):  # a hub that is busy may not answer with the page at first
            async with self.http.get(login):
                pass
        form = FormData(
            {"username": self.name, "password": self.password, "_xsrf": self._xsrf(login)}
        )
        async with self.http.post(login, data=form, allow_redirects=False) as answer:
            return answer.status == 302

    async def open(self, page: str = FIRST_PAGE) -> str:
        """Wait for the server; return a page of the book."""
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
        """Send a request to this reader's server, or to another's, as a page there would."""
        place = f"{(whose or self).home}/{path}"
        headers = {**OURS, "X-XSRFToken": self._xsrf(place), **options.pop("headers", {})}
        answer = await self.http.request(
            method, place, headers=headers, allow_redirects=False, **options
        )
        await answer.read()
        return answer

    @asynccontextmanager
    async def kernel(self) -> AsyncIterator["Kernel"]:
        """Start a kernel, and talk to it."""
        answer = await self.ask("api/kernels", "POST", json={})
        answer.raise_for_status()
        number = (await answer.json())["id"]
        place = f"{self.home}/api/kernels/{number}/channels"
        headers = {**OURS, "Sec-Fetch-Mode": "websocket", "Origin": self.address}
        async with self.http.ws_connect(place, headers=headers, max_msg_size=0) as line:
            yield Kernel(self, number, line)

    def _xsrf(self, place: str) -> str:
        cookies = self.http.cookie_jar.filter_cookies(URL(place))
        return cookies["_xsrf"].value if "_xsrf" in cookies else ""


@dataclass
class Kernel:
    """A kernel of a reader, to which there is a line."""

    reader: Reader
    id: str
    line: ClientWebSocketResponse

    async def run(self, code: str) -> Said:
        """Run code; return what it says.

        Raises:
            ConnectionError: the kernel ended before it answered.
        """
        number = uuid4().hex
        header = {"msg_id": number, "msg_type": "execute_request", "session": self.id}
        header |= {"username": "", "date": "", "version": "5.3"}
        content = {"code": code, "silent": False, "store_history": True, "allow_stdin": False}
        await self.line.send_json(
            {
                "header": header,
                "parent_header": {},
                "metadata": {},
                "content": content,
                "channel": "shell",
                "buffers": [],
            }
        )
        said = Said()
        async for message in self.line:
            if not isinstance(message.data, str):
                continue  # what widgets hold
            heard = json.loads(message.data)
            kind, its = heard["msg_type"], heard["content"]
            if kind == "status" and its["execution_state"] in ("restarting", "dead"):
                raise ConnectionError(f"the kernel of {self.reader.name} has died")
            if heard["parent_header"].get("msg_id") != number:
                continue
            if kind == "stream":
                said.text += its["text"]
            elif kind in ("execute_result", "display_data"):
                said.text += its["data"].get("text/plain", "")
            elif kind == "error":
                said.error = f"{its['ename']}: {its['evalue']}"
            elif kind == "status" and its["execution_state"] == "idle":
                return said
        raise ConnectionError(f"the server of {self.reader.name} has ended")

    async def interrupt(self) -> None:
        """Interrupt what runs."""
        await self.reader.ask(f"api/kernels/{self.id}/interrupt", "POST")
