"""Measure what one reader's pod needs: `make bench-class` stores the table in RESULTS.md.

The command of the image runs on this machine, and a stand-in answers for the hub. The reader starts
a kernel for each chapter and runs all of its cells.
"""

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import jupyterhub
import nbformat
import psutil
from aiohttp import ClientError, web

from benchmarks import Row
from benchmarks.classroom import STOP_TIMEOUT, memory
from benchmarks.readers import FIRST_PAGE, Kernel, Reader
from classroom.__main__ import free_port
from tools import limits
from tools.notebooks import BOOK
from tools.serve import ROOT, SITE

COMMAND = ("-m", "classroom.kubernetes")  # of Python
NAME = "ann"
TOKEN = "of-ann"
SCOPE = f"access:servers!server={NAME}/"
CHAPTERS = sorted((BOOK / "en").glob("[01][0-9]-*.ipynb"))


@dataclass(frozen=True)
class Pod:
    """One reader's server without Kubernetes: the reader, and the process of the command."""

    reader: Reader
    process: psutil.Process

    def tree(self) -> list[psutil.Process]:
        """Return the command's process and its descendants."""
        return [self.process, *self.process.children(recursive=True)]

    def processor(self) -> float:
        """Return the processor seconds of the living processes."""
        used = 0.0
        for one in self.tree():
            with suppress(psutil.NoSuchProcess):
                used += sum(one.cpu_times()[:2])
        return used


def rows() -> Iterator[Row]:
    """Start a pod, run all chapters, and yield what that took."""
    measured = asyncio.run(_measure())
    yield Row("a pod: from its start to the first page", "s", measured["page"])
    yield Row("a pod: from its start to the first result of a cell", "s", measured["result"])
    yield Row("a pod until then: processor time", "s", measured["started"])
    yield Row("memory of a pod before its first kernel", "MB", measured["idle"])
    yield Row("memory of a pod at the end of a chapter, median", "MB", median(measured["memory"]))
    yield Row(
        "memory of a pod while any chapter runs, at most",
        "MB",
        max(measured["most"]),
        limit=limits.POD_MEMORY,
    )
    yield Row("all cells of a chapter: processor time, median", "s", median(measured["processor"]))
    yield Row("all cells of a chapter: processor time, at most", "s", max(measured["processor"]))


async def _measure() -> dict[str, Any]:
    start = time.perf_counter()
    measured: dict[str, Any] = {"memory": [], "most": [], "processor": []}
    with TemporaryDirectory() as home:
        async with opened(environment(Path(home))) as pod:
            measured["page"] = time.perf_counter() - start
            async with pod.reader.kernel() as kernel:
                await kernel.run("1")
                measured["result"] = time.perf_counter() - start
            measured["started"] = pod.processor()
            await _delete(kernel)
            measured["idle"] = 1000 * memory(pod.process.pid)
            for chapter in CHAPTERS:
                async with pod.reader.kernel() as kernel:
                    found = await _run(pod, kernel, chapter)
                await _delete(kernel)
                for name, number in found.items():
                    measured[name].append(number)
    return measured


async def _run(pod: Pod, kernel: Kernel, chapter: Path) -> dict[str, float]:
    """Run all cells of a chapter; return MB at the end and at most, and processor seconds."""
    cells = [cell.source for cell in nbformat.read(chapter, 4).cells if cell.cell_type == "code"]
    before = pod.processor()
    for code in cells:
        await kernel.run(code)
    end = 1000 * memory(pod.process.pid)
    # The children of its children are the kernel, which another process forks.
    forked = {*pod.process.children(recursive=True)} - {*pod.process.children()}
    above = sum(map(_above, forked))
    return {"memory": end, "most": end + above, "processor": pod.processor() - before}


def _above(process: psutil.Process) -> float:
    """Return by how many MB a process has once been larger than now."""
    status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
    kilobytes = dict(re.findall(r"^Vm(HWM|RSS):\s*(\d+) kB$", status, re.MULTILINE))
    return (int(kilobytes["HWM"]) - int(kilobytes["RSS"])) * 1024 / 1e6


async def _delete(kernel: Kernel) -> None:
    answer = await kernel.reader.ask(f"api/kernels/{kernel.id}", "DELETE")
    answer.raise_for_status()


def environment(home: Path, site: Path = SITE) -> dict[str, str]:
    """Return what the hub, the image and the values set in a pod's environment."""
    return {
        "HOME": str(home),
        "OMP_NUM_THREADS": "1",
        "CLASS_SITE": str(site),
        "JUPYTERHUB_API_TOKEN": "of-the-server",
        "JUPYTERHUB_CLIENT_ID": f"jupyterhub-user-{NAME}",
        "JUPYTERHUB_HOST": "",
        "JUPYTERHUB_BASE_URL": "/",
        "JUPYTERHUB_USER": NAME,
        "JUPYTERHUB_SERVER_NAME": "",
        "JUPYTERHUB_OAUTH_CALLBACK_URL": f"/user/{NAME}/oauth_callback",
        "JUPYTERHUB_OAUTH_ACCESS_SCOPES": f'["{SCOPE}"]',
    }


@asynccontextmanager
async def opened(
    variables: Mapping[str, str],
    command: Sequence[str | Path] = (sys.executable, *COMMAND),
    folder: Path = ROOT,
) -> AsyncIterator[Pod]:
    """Run a pod's command on this machine with a stand-in for the hub; yield when it serves pages.

    Args:
        variables: its environment; the addresses of hub and server become those here.
        command: by default that of the image, with the Python of this environment.
        folder: its working directory, which has the packages `classroom` and `tools`.
    """
    async with hub() as api:
        address = f"http://127.0.0.1:{free_port()}"
        here = {
            "JUPYTERHUB_API_URL": api,
            "JUPYTERHUB_ACTIVITY_URL": f"{api}/users/{NAME}/activity",
            "JUPYTERHUB_SERVICE_URL": f"{address}/user/{NAME}/",
            "JUPYTERHUB_SERVICE_PREFIX": f"/user/{NAME}/",
        }
        everything = {"PATH": os.environ["PATH"], **variables, **here}
        process = subprocess.Popen(command, cwd=folder, env=everything)
        try:
            async with Reader(address, NAME, "") as reader:
                reader.http.headers["Authorization"] = f"token {TOKEN}"
                await _until_served(reader, process)
                yield Pod(reader, psutil.Process(process.pid))
        finally:
            process.terminate()
            await asyncio.to_thread(process.wait, STOP_TIMEOUT)


async def _until_served(reader: Reader, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with suppress(ClientError):
            answer = await reader.ask(FIRST_PAGE)
            answer.raise_for_status()
            return
        await asyncio.sleep(0.1)
    raise RuntimeError(f"the server of {reader.name} has ended")


@asynccontextmanager
async def hub() -> AsyncIterator[str]:
    """Stand in for the hub's API, which knows one reader's token; yield its URL."""
    app = web.Application()
    app.router.add_get("/hub/api/user", _whose)
    app.router.add_get("/hub/api", _version)
    app.router.add_post("/hub/api/users/{name}/activity", _activity)
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield f"http://127.0.0.1:{port}/hub/api"
    finally:
        await runner.cleanup()


async def _whose(request: web.Request) -> web.Response:
    """Tell who has sent a token, as the hub does."""
    if request.headers.get("Authorization") != f"token {TOKEN}":
        return web.json_response({"status": 403, "message": "no such token"}, status=403)
    reader = {"name": NAME, "kind": "user", "admin": False, "groups": [], "scopes": [SCOPE]}
    return web.json_response(reader)


async def _version(_: web.Request) -> web.Response:
    return web.json_response({"version": jupyterhub.__version__})


async def _activity(_: web.Request) -> web.Response:
    return web.Response()
