"""Test what readers of a class can do, and what they cannot do to each other."""

import asyncio
import json
import os
import re
import resource
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from unicodedata import normalize

import aiohttp
import pytest

from benchmarks.classroom import ENDING, ENDLESS, FILLING, PASSWORD, alike, first_cells
from benchmarks.readers import FIRST_PAGE, OURS, Kernel, Reader
from tests.coroutines import finished

PATIENCE = 60  # seconds for an action that takes one


@asynccontextmanager
async def entered(room: str, *names: str) -> AsyncIterator[list[Reader]]:
    """Log readers in and wait for their servers, concurrently."""
    async with AsyncExitStack() as stack:
        readers = [await stack.enter_async_context(Reader(room, n, PASSWORD)) for n in names]
        assert all(await asyncio.gather(*(reader.log_in() for reader in readers)))
        await asyncio.gather(*(reader.open() for reader in readers))
        yield readers


@asynccontextmanager
async def kernels(room: str, *names: str) -> AsyncIterator[list[Kernel]]:
    """Start a kernel for each reader."""
    async with entered(room, *names) as readers, AsyncExitStack() as stack:
        yield [await stack.enter_async_context(reader.kernel()) for reader in readers]


def test_the_book_is_behind_the_login(room: str) -> None:
    async def day() -> None:
        async with Reader(room, "ann", normalize("NFD", PASSWORD)) as typed:
            assert await typed.log_in()
        for password in ("", "wrong enough", "错误的密码也要拒绝"):
            async with Reader(room, "ann", password) as outsider:
                assert not await outsider.log_in()
        async with entered(room, "ann") as (ann,), Reader(room, "ann", "") as outsider:
            page = await ann.open()
            assert 'data-kernels="/user/ann/" data-reader="/user/ann/"' in page
            for path in (FIRST_PAGE, "progress", "api/kernels", "_static/run.js"):
                assert (await outsider.ask(path)).status in (302, 403), path

    finished(day(), 3 * PATIENCE)


@pytest.mark.parametrize("name", ["../ann", "a/b", ".hidden", "-x", "x" * 33, "a b"])
def test_a_name_that_is_no_name_of_a_folder_is_refused(room: str, name: str) -> None:
    async def day() -> None:
        async with Reader(room, name, PASSWORD) as reader:
            assert not await reader.log_in()

    finished(day(), 3 * PATIENCE)


def test_two_run_the_chapter_and_see_what_the_book_says(room: str) -> None:
    async def one(kernel: Kernel) -> None:
        assert (await kernel.run(f"mine = {kernel.reader.name!r}")).error == ""
        for code, book in first_cells():
            said = await kernel.run(code)
            assert said.error == ""
            assert alike(said.text, book)
        assert (await kernel.run("mine")).text == repr(kernel.reader.name)

    async def day() -> None:
        async with kernels(room, "ann", "bob") as both:
            await asyncio.gather(*map(one, both))

    finished(day(), 3 * PATIENCE)


def test_each_draws_other_random_numbers(room: str) -> None:
    draw = "import random, torch, numpy; random.random(), torch.rand(1), numpy.random.rand()"

    async def day() -> None:
        async with kernels(room, "ann", "bob") as both:
            drawn = [re.findall(r"0\.\d+", (await kernel.run(draw)).text) for kernel in both]
            assert len(drawn[0]) == 3
            assert set(drawn[0]).isdisjoint(drawn[1])

    finished(day(), 3 * PATIENCE)


def test_a_plot_is_drawn_in_a_forked_kernel(room: str) -> None:
    async def day() -> None:
        async with kernels(room, "ann") as (kernel,):
            said = await kernel.run("import matplotlib.pyplot as plt; plt.plot([1]); plt.show()")
            assert said.text.startswith("<Figure size")

    finished(day(), 3 * PATIENCE)


def test_what_happens_to_one_is_noticed_by_nobody_else(room: str) -> None:
    async def day() -> None:
        async with kernels(room, "ann", "bob", "cem", "dee") as (ann, bob, cem, dee):
            endless = asyncio.create_task(bob.run(ENDLESS))
            full = asyncio.create_task(cem.run(FILLING))
            with pytest.raises(ConnectionError):
                await ann.run(ENDING)
            for _ in range(5):
                assert (await asyncio.wait_for(dee.run("6 * 7"), PATIENCE)).text == "42"
            said = await asyncio.wait_for(full, PATIENCE)
            assert "allocate memory" in said.error
            assert (await cem.run("len(filled)")).error.startswith("NameError")  # it still runs
            assert not endless.done()
            await bob.interrupt()
            assert (await asyncio.wait_for(endless, PATIENCE)).error.startswith("Keyboard")
            assert (await bob.run("6 * 7")).text == "42"

    finished(day(), 3 * PATIENCE)


LIMITS = """
import mmap, os, resource
memory = resource.getrlimit(resource.RLIMIT_DATA)[0]
shared = mmap.mmap(-1, memory + mmap.PAGESIZE)
others = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)]
len(shared) > memory > 0, others, os.getuid()
"""


def test_what_is_not_prevented_is_as_security_md_says(room: str) -> None:
    async def day() -> None:
        async with kernels(room, "ann") as (kernel,):
            told = f"(True, {[resource.RLIM_INFINITY] * 2}, {os.getuid()})"
            assert (await kernel.run(LIMITS)).text == told

    finished(day(), 3 * PATIENCE)


def test_one_cannot_come_to_the_server_of_another(room: str) -> None:
    async def day() -> None:
        async with entered(room, "ann", "bob") as (ann, bob), bob.kernel() as kernel:
            for method, path in [
                ("GET", FIRST_PAGE),
                ("GET", "progress"),
                ("PUT", "progress"),
                ("GET", "api/kernels"),
                ("POST", "api/kernels"),
                ("DELETE", f"api/kernels/{kernel.id}"),
            ]:
                answer = await ann.ask(path, method, bob, data="{}")
                assert answer.status in (302, 403), (method, path)
                async with ann.http.request(method, f"{bob.home}/{path}", data="{}") as end:
                    assert end.status in (403, 405), (method, path)  # after all redirects
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await ann.http.ws_connect(f"{bob.home}/api/kernels/{kernel.id}/channels")
            assert (await kernel.run("6 * 7")).text == "42"

    finished(day(), 3 * PATIENCE)


@pytest.mark.parametrize("origin", ["cross-site", "same-site"])
def test_a_page_from_elsewhere_gets_nothing_with_a_readers_cookies(room: str, origin: str) -> None:
    foreign = {"Sec-Fetch-Site": origin, "Origin": "http://127.0.0.1:1", "X-XSRFToken": ""}

    async def day() -> None:
        async with entered(room, "ann") as (ann,), ann.kernel() as kernel:
            for method, path in [
                ("POST", "api/kernels"),
                ("DELETE", f"api/kernels/{kernel.id}"),
                ("PUT", "progress"),
            ]:
                answer = await ann.ask(path, method, headers=foreign, data="{}")
                assert answer.status in (302, 403), (method, path)
            place = f"{ann.home}/api/kernels/{kernel.id}/channels"
            headers = {**OURS, **foreign, "Sec-Fetch-Mode": "websocket"}
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await ann.http.ws_connect(place, headers=headers)
            assert (await kernel.run("6 * 7")).text == "42"

    finished(day(), 3 * PATIENCE)


def test_progress_is_kept_for_each_reader(room: str) -> None:
    done = {"04-masked-softmax": {"figure": ["sentence"]}}

    async def day() -> None:
        async with entered(room, "eve", "fay") as (eve, fay):
            assert (await eve.ask("progress", "PUT", json=done)).status == 204
            assert await (await eve.ask("progress")).json() == done
            assert await (await fay.ask("progress")).json() == {}
            for bad in ("", "[1]", '{"a":', json.dumps({"a": "b" * 300_000}), "[" * 90_000):
                assert (await eve.ask("progress", "PUT", data=bad)).status == 400
            assert await (await eve.ask("progress")).json() == done
        async with entered(room, "eve") as (eve,):
            assert await (await eve.ask("progress")).json() == done

    finished(day(), 3 * PATIENCE)


@pytest.mark.parametrize(
    "path", ["api/contents", "files/progress.json", "api/terminals", "lab", "api/sessions"]
)
def test_there_is_nothing_but_the_book_and_kernels(room: str, path: str) -> None:
    async def day() -> None:
        async with entered(room, "ann") as (ann,):
            assert (await ann.ask(path)).status == 404

    finished(day(), 3 * PATIENCE)
