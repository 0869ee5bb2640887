"""Load-test a room with three hundred phones behind one address: `make bench-class`.

`python -m benchmarks.room` runs this alone, in less than a minute, and stores the table in
RESULTS.md.

All load the page of a chapter, are asked at once, and guess within GUESSING seconds; then the vote
is closed. Phones and lecturer are clients in this process, so a time includes what these take.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

import psutil
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar

from benchmarks import Row
from benchmarks.__main__ import report
from tools import limits
from tools.serve import SITE

PHONES = 300
CHAPTER = "book/en/04-masked-softmax.html"
QUESTION = {"page": "04-masked-softmax", "figure": "sentence", "part": "question"}
OPTIONS = 4
GUESSING = 5.0  # seconds in which all guess
LOADING = 20  # phones that load the page at the same moment
LIMIT = 120  # seconds for everything


def rows() -> Iterator[Row]:
    """Start a lecture, and let all phones in."""
    with opened(SITE) as (lecturer, room, process):
        measured = asyncio.run(asyncio.wait_for(_simulate_room(lecturer, room, process.pid), LIMIT))
    names = {
        "asked": f"a question reaches {PHONES} phones",
        "guessed": f"a guess reaches the lecturer's count, {PHONES} guesses within {GUESSING:g} s",
        "closed": "the end of a vote reaches the phones",
    }
    for name, what in names.items():
        cuts = quantiles(measured[name], n=20)
        yield Row(f"{what}, median", "s", cuts[9])
        yield Row(f"{what}, 95th percentile", "s", cuts[18], limit=limits.ROOM_DELAY)
    yield Row(
        f"memory of the server of a lecture with {PHONES} phones, without kernels",
        "MB",
        max(measured["memory"]),
        limit=limits.ROOM_MEMORY,
    )


@contextmanager
def opened(site: Path) -> Iterator[tuple[str, str, subprocess.Popen[str]]]:
    """Start a lecture on this machine; yield both URLs and its process."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "tools.lecture", f"--site={site}"),
            *("--port=0", "--room-port=0"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        addresses = [re.search(r"http\S+", process.stdout.readline()) for _ in range(2)]
        if None in addresses:
            raise RuntimeError("the lecture did not open")
        lecturer, room = (found[0] for found in addresses if found)
        yield lecturer, room, process
    finally:
        process.terminate()
        process.communicate(timeout=60)


async def _simulate_room(lecturer: str, room: str, pid: int) -> dict[str, list[float]]:
    """Carry one question from opening to its counts; return the times."""
    async with AsyncExitStack() as stack:
        page = await _open_lecturer(stack, lecturer)
        loading = asyncio.Semaphore(LOADING)
        phones = await asyncio.gather(*(_open_phone(stack, room, loading) for _ in range(PHONES)))
        listening = [asyncio.create_task(_wait_for(phone, "open")) for phone in phones]
        began = time.perf_counter()
        question = {**QUESTION, "kind": "choice", "options": OPTIONS}
        await page.send_json({"type": "open", "question": question})
        heard = await asyncio.gather(*listening)
        asked = [at - began for at, _ in heard]
        vote = heard[0][1]["vote"]

        sent: list[float] = []
        counting = asyncio.create_task(_count(page, sent))
        await asyncio.gather(*(_guess(phone, vote, i, sent) for i, phone in enumerate(phones)))
        guessed = await counting

        listening = [asyncio.create_task(_wait_for(phone, "closed")) for phone in phones]
        began = time.perf_counter()
        await page.send_json({"type": "close"})
        closed = [at - began for at, _ in await asyncio.gather(*listening)]
        _, state = await _wait_for(page, "closed")
        counts = state["asking"]["rounds"][0]["counts"]
        if counts != [len(range(option, PHONES, OPTIONS)) for option in range(OPTIONS)]:
            raise RuntimeError(f"the room counted {counts}")
        memory = [psutil.Process(pid).memory_info().rss / 1e6]  # while all are connected
    return {"asked": asked, "guessed": guessed, "closed": closed, "memory": memory}


async def _open_lecturer(stack: AsyncExitStack, address: str) -> ClientWebSocketResponse:
    http = await stack.enter_async_context(ClientSession(cookie_jar=CookieJar(unsafe=True)))
    async with http.get(address) as response:
        home = f"{response.url.origin()}"
    events = http.ws_connect(f"{home}/room/lecturer/events", origin=home)
    return await stack.enter_async_context(events)


async def _open_phone(
    stack: AsyncExitStack, room: str, loading: asyncio.Semaphore
) -> ClientWebSocketResponse:
    """Load the phone's page and the chapter, and connect."""
    http = await stack.enter_async_context(ClientSession(cookie_jar=CookieJar(unsafe=True)))
    async with loading:
        for path in ("room", CHAPTER):
            async with http.get(f"{room}/{path}") as response:
                response.raise_for_status()
                await response.read()
        events = http.ws_connect(f"{room}/room/events", origin=room, autoping=True)
        return await stack.enter_async_context(events)


async def _wait_for(page: ClientWebSocketResponse, phase: str) -> tuple[float, dict[str, Any]]:
    """Return when a page hears of a phase, and the state that it hears."""
    async for message in page:
        said = json.loads(message.data)
        if said.get("phase") == phase:
            return time.perf_counter(), said
    raise RuntimeError("a connection was closed")


async def _guess(phone: ClientWebSocketResponse, vote: object, i: int, sent: list[float]) -> None:
    """Guess at a random moment, and wait for the answer."""
    await asyncio.sleep(random.Random(i).uniform(0, GUESSING))
    sent.append(time.perf_counter())
    await phone.send_json({"type": "guess", "vote": vote, "guess": i % OPTIONS})
    async for message in phone:
        said = json.loads(message.data)
        if said["type"] == "error":
            raise RuntimeError(f"a guess was refused: {said}")
        if said["mine"] == i % OPTIONS:
            return


async def _count(page: ClientWebSocketResponse, sent: list[float]) -> list[float]:
    """Return how long each guess took: the n-th has come when the lecturer hears of n."""
    times: list[float] = []
    async for message in page:
        said = json.loads(message.data)
        if "guessed" in said:
            now = time.perf_counter()
            times += [now - sent[n] for n in range(len(times), said["guessed"])]
        if len(times) == PHONES:
            return times
    raise RuntimeError("the lecturer's connection was closed")


if __name__ == "__main__":
    sys.exit(report(["room"], "make bench-class", "bench-room"))
