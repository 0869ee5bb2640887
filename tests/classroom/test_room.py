"""Test a class in browsers, its start and its end."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from certipy import Certipy
from playwright.sync_api import Browser, BrowserContext, Page, expect
from students import come, run

from benchmarks.classroom import PASSWORD, opened
from benchmarks.readers import Reader
from classroom.__main__ import parse
from tests.coroutines import finished
from tests.variants import redundant

CELL, FIGURE = "padding-a-batch", "sentence"


@pytest.fixture
def context(browser: Browser) -> BrowserContext:
    return browser.new_context(viewport={"width": 1280, "height": 844}, reduced_motion="reduce")


def leave(room: str, page: Page) -> None:
    page.goto(f"{room}/hub/logout")
    page.context.clear_cookies()


def move(page: Page) -> None:
    """Skip the question of the first figure, and move it."""
    figure = page.locator(f'[data-figure="{FIGURE}"]')
    figure.locator("[data-skip]").click()
    figure.locator("[data-handle] input").first.press("ArrowLeft")


@pytest.mark.browser
@pytest.mark.parametrize("lang", ["en", redundant("zh")])
def test_two_students_run_cells_of_their_own(room: str, browser: Browser, lang: str) -> None:
    contexts = [browser.new_context(), browser.new_context()]
    pages = [come(room, *pair, lang) for pair in zip(contexts, ("gil", "hui"), strict=True)]
    for page in pages:
        assert "tensor([2, 3, 4])" in run(page, CELL)
    run(pages[0], CELL, "mine = 'of gil'; mine")
    assert run(pages[1], CELL, "'mine' in globals()") == "False"
    for context in contexts:
        context.close()


@pytest.mark.browser
def test_at_one_computer_the_next_reader_finds_nothing_of_the_last(
    room: str, context: BrowserContext
) -> None:
    page = come(room, context, "ida")
    run(page, CELL, "'of ida'")
    move(page)
    assert FIGURE in page.evaluate("localStorage.getItem('progress')")
    leave(room, page)
    page = come(room, context, "jon")
    assert FIGURE in json.dumps(context.storage_state())  # for anyone who searches the storage
    assert "of ida" not in page.content()
    expect(page.locator(f'[data-figure="{FIGURE}"] [data-skip]')).to_be_visible()
    assert page.evaluate("localStorage.getItem('progress')") is None
    leave(room, page)
    page = come(room, context, "ida")
    assert FIGURE in page.evaluate("localStorage.getItem('progress')")
    context.close()


@pytest.mark.browser
def test_at_another_computer_a_reader_finds_what_was_done(room: str, browser: Browser) -> None:
    first, second = browser.new_context(), browser.new_context()
    page = come(room, first, "kai")
    with page.expect_response("**/user/kai/progress"):
        move(page)
    page = come(room, second, "kai")
    page.wait_for_function(f"localStorage.getItem('progress')?.includes('{FIGURE}')")
    first.close()
    second.close()


def test_when_it_ends_nothing_of_it_is_left(site: Path) -> None:
    with opened(site, PASSWORD) as (_, process):
        started = psutil.Process(process.pid).children(recursive=True)
        assert len(started) >= 3  # hub, proxy, forking Python
    assert psutil.wait_procs(started, timeout=20)[1] == []


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_one_that_is_stopped_while_it_starts_leaves_nothing_either(
    site: Path, tmp_path: Path, sign: signal.Signals
) -> None:
    """The hub itself, stopped so early, would leave the proxy running, which keeps the port."""
    command = [sys.executable, "-m", "classroom", "--port=0", f"--site={site}"]
    process = subprocess.Popen([*command, f"--folder={tmp_path}"], start_new_session=True)
    try:
        while not (tmp_path / "proxy.pid").exists():
            assert process.poll() is None
            time.sleep(0.01)
        started = psutil.Process(process.pid).children(recursive=True)
    finally:
        os.killpg(process.pid, sign)  # as a terminal does, or a shell that ends
        process.wait(timeout=60)
    assert len(started) >= 2  # hub, proxy
    assert [it for it in started if it.is_running()] == []


def test_a_server_that_nobody_uses_ends_and_one_that_is_used_stays(site: Path) -> None:
    async def day(address: str, hub: psutil.Process) -> None:
        async with (
            Reader(address, "lea", PASSWORD) as lea,
            Reader(address, "max", PASSWORD) as max_,
        ):
            for reader in (lea, max_):
                assert await reader.log_in()
                await reader.open()
            async with max_.kernel() as kernel:
                await kernel.run("mine = 0")
                assert served(hub) == {"lea", "max"}
                while "lea" in served(hub):
                    await kernel.run("mine += 1")
                    await asyncio.sleep(0.5)
                assert served(hub) == {"max"}
                assert int((await kernel.run("mine")).text) > 0

    with opened(site, PASSWORD, "--idle=0.2") as (address, process):
        finished(day(address, psutil.Process(process.pid)))


def served(hub: psutil.Process) -> set[str]:
    """Return the names of readers whose servers run."""
    names: set[str] = set()
    for process in hub.children(recursive=True):
        with suppress(psutil.Error):
            names.add(process.environ().get("JUPYTERHUB_USER", ""))
    return names - {""}


@pytest.mark.browser
def test_with_a_certificate_all_of_it_is_https(
    site: Path, browser: Browser, tmp_path: Path
) -> None:
    authority = Certipy(store_dir=str(tmp_path))
    authority.create_ca("class")
    files = authority.create_signed_pair("room", "class", alt_names=["IP:127.0.0.1"])["files"]
    options = f"--certificate={files['cert']}", f"--key={files['key']}"
    with opened(site, PASSWORD, *options) as (address, _):
        assert address.startswith("https://")
        context = browser.new_context(ignore_https_errors=True)
        page = come(address, context, "nia")
        assert "tensor([2, 3, 4])" in run(page, CELL)
        open_to_all = {it["name"] for it in context.cookies() if not it["secure"]}
        assert open_to_all <= {"_xsrf"}  # opens nothing by itself
        context.close()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--ip=0.0.0.0"], "--trusted-room"),
        (["--ip="], "--trusted-room"),
        (["--certificate=x.pem"], "--key"),
        (["--password=short"], "at least 8"),
        (["--idle=0"], "at least 2 seconds"),
        (["--idle=nan"], "--idle"),
    ],
)
def test_what_would_be_a_mistake_is_refused(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse(words)
    assert says in capsys.readouterr().err
    assert parse(["--ip=0.0.0.0", "--trusted-room"]).ip == "0.0.0.0"
    assert parse([]).ip == "127.0.0.1"


def test_without_a_book_it_says_how_to_get_one(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "classroom", f"--site={tmp_path}", f"--folder={tmp_path}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "make book" in done.stdout
