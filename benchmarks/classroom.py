"""Load-test a class with thirty readers: `make bench-class` stores the table in RESULTS.md.

The same command runs `pod`, one reader's pod, and `room`, which has three hundred phones and a
table of its own.

They log in, run the first ten cells of chapter 4 and an exercise, in random order and with random
pauses; each must get the book's outputs, and its own variable. Then one kernel is killed, one runs
an endless loop and one exhausts its memory, while the others go on.
"""

import asyncio
import random
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

import nbformat
import psutil

from benchmarks import Row
from benchmarks.__main__ import report
from benchmarks.readers import Kernel, Reader
from tools import limits
from tools.notebooks import BOOK
from tools.serve import SITE

TABLES = {"class": ["classroom", "pod"], "room": ["room"]}  # markers, and subjects between them
READERS = 30
CELLS = 10
CHAPTER = BOOK / "en/04-masked-softmax.ipynb"
EXERCISE = "solution-masked-softmax"
PAUSE = 2.0  # seconds between two cells, at most
PASSWORD = "thirty at once, café 三十人"
STOP_TIMEOUT = 60  # seconds for all processes of a class to exit
ENDLESS = "while True: pass"
FILLING = "import torch; filled = [torch.ones(10_000_000) for _ in range(1000)]"
ENDING = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def rows() -> Iterator[Row]:
    """Start a class, and let all readers log in at once."""
    with opened(SITE, PASSWORD) as (address, process):
        measured = asyncio.run(_simulate_class(address, process))
    names = {
        "ready": (f"{READERS} readers at once: from login to the first result", limits.CLASS_READY),
        "cell": ("one of their cells, with what waits for a core", None),
        "calm": ("a cell while one kernel is killed, one is endless, one is full", None),
    }
    for name, (what, limit) in names.items():
        p50, p95 = _percentiles(measured[name])
        yield Row(f"{what}, median", "s", p50)
        yield Row(f"{what}, 95th percentile", "s", p95, limit=limit)
    (memory,) = measured["memory"]
    yield Row(
        f"memory of a class of {READERS}, shared parts once",
        "GB",
        memory,
        limit=limits.CLASS_MEMORY,
    )


@contextmanager
def opened(site: Path, password: str, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a class on this machine; yield its URL and its process."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "classroom", "--port=0", f"--folder={folder}"]
        process = subprocess.Popen(
            [*command, f"--site={site}", f"--password={password}", *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout
            said = process.stdout.readline()
            if not said:
                raise RuntimeError("the class did not open")
            yield said.split()[2].rstrip("/"), process
        finally:
            process.terminate()
            process.communicate(timeout=STOP_TIMEOUT)


def first_cells() -> list[tuple[str, str]]:
    """Return the code of the cells to run, and their outputs in the book."""
    cells = [cell for cell in nbformat.read(CHAPTER, 4).cells if cell.cell_type == "code"]
    chosen = [*cells[:CELLS], *(cell for cell in cells if cell.id == EXERCISE)]
    return [(cell.source, "".join(_text(output) for output in cell.outputs)) for cell in chosen]


def _text(output: nbformat.NotebookNode) -> str:
    text = output.text if output.output_type == "stream" else output.data.get("text/plain", "")
    return str(text)


def alike(said: str, book: str) -> bool:
    """Return whether an output is the book's, except for the model ids of figures."""
    return _without_ids(said) == _without_ids(book)


def _without_ids(text: str) -> str:
    return re.sub(r"0x[0-9a-f]+|[0-9a-f]{32}", "", text).strip()


async def _simulate_class(address: str, process: subprocess.Popen[str]) -> dict[str, list[float]]:
    """Run all readers, then with disturbances; return the times of both, and the memory."""
    measured: dict[str, list[float]] = {"ready": [], "cell": [], "calm": [], "memory": []}
    cells = first_cells()
    async with AsyncExitStack() as stack:
        readers = [Reader(address, f"reader{i}", PASSWORD) for i in range(READERS)]
        random.Random(0).shuffle(readers)
        kernels = await asyncio.gather(
            *(_simulate_reader(one, stack, cells, measured) for one in readers)
        )
        measured["memory"].append(memory(process.pid))
        killed, endless, full, *others = kernels
        disturbances = [
            asyncio.create_task(_ignore_lost_kernel(killed.run(ENDING))),
            asyncio.create_task(_ignore_lost_kernel(endless.run(ENDLESS))),
            asyncio.create_task(_ignore_lost_kernel(full.run(FILLING))),
        ]
        await asyncio.gather(*(_run_more_cells(kernel, measured["calm"]) for kernel in others))
        await endless.interrupt()
        await asyncio.wait_for(asyncio.gather(*disturbances), timeout=120)
    return measured


async def _simulate_reader(
    reader: Reader,
    stack: AsyncExitStack,
    cells: list[tuple[str, str]],
    measured: dict[str, list[float]],
) -> Kernel:
    """Simulate one reader; return the kernel."""
    await stack.enter_async_context(reader)
    start = time.perf_counter()
    if not await reader.log_in():
        raise RuntimeError(f"{reader.name} was not let in")
    await reader.open("book/en/04-masked-softmax.html")
    kernel = await stack.enter_async_context(reader.kernel())
    pauses = random.Random(reader.name)
    for i, (code, book) in enumerate([(f"whose = {reader.name!r}", ""), *cells, ("whose", "")]):
        began = time.perf_counter()
        said = await kernel.run(code)
        measured["cell"].append(time.perf_counter() - began)
        if i == 0:
            measured["ready"].append(time.perf_counter() - start)
        expected = repr(reader.name) if code == "whose" else book
        if said.error or not alike(said.text, expected):
            raise RuntimeError(f"{reader.name}: {code!r} says {said}, the book {expected!r}")
        await asyncio.sleep(PAUSE * pauses.random())
    return kernel


async def _run_more_cells(kernel: Kernel, times: list[float]) -> None:
    for _ in range(5):
        began = time.perf_counter()
        said = await kernel.run("whose")
        times.append(time.perf_counter() - began)
        if said.text != repr(kernel.reader.name):
            raise RuntimeError(f"{kernel.reader.name} sees {said}")
        await asyncio.sleep(PAUSE)


async def _ignore_lost_kernel(run: Awaitable[object]) -> None:
    with suppress(ConnectionError):
        await run


def memory(pid: int) -> float:
    """Return the memory of a process and its descendants in GB; shared pages count once."""
    top = psutil.Process(pid)
    return sum(_pss(one) for one in [top, *top.children(recursive=True)]) / 1e9


def _pss(process: psutil.Process) -> int:
    with suppress(psutil.NoSuchProcess):
        return int(process.memory_full_info().pss)
    return 0


def _percentiles(times: Iterable[float]) -> tuple[float, float]:
    cuts = quantiles(times, n=20)
    return cuts[9], cuts[18]


if __name__ == "__main__":
    command = "make bench-class"
    done = [report(subjects, command, f"bench-{part}") for part, subjects in TABLES.items()]
    sys.exit(max(done))
