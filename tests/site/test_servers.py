"""Test running code from a published page: on Binder, and at a reader's own Jupyter server."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from tests import forked
from tests.axe import violations
from tests.hydration import HYDRATE_ALL
from tests.serving.binder_hub import Hub, binder_hub
from tests.serving.notebook_page import CHAPTER, FIRST, NEXT, Cell
from tests.serving.served import Served, served
from tools.serve import server

pytestmark = pytest.mark.xdist_group("published")
BINDER = "https://mybinder.org"
SPEC = "gh/someone/attention/trunk"
PROJECT = "github.com/someone/attention"
COOKIE = "2|of-the-book"
SECURE = "https://book.test"
KEPT = "sessionStorage.getItem('server')"
STARTED = "tests.serving.binder_server"


@dataclass
class Reader:
    """A browser that visits the published book, and what it sends to which host."""

    context: BrowserContext
    book: str  # the address of the book, without a slash at its end
    page: Page = field(init=False)
    sent: list[tuple[str, str]] = field(default_factory=list)  # host, and all that was sent

    def __post_init__(self) -> None:
        self.page = self.context.new_page()
        self.context.on("request", self._note)
        self.page.on(
            "websocket", lambda socket: self.sent.append((urlsplit(socket.url).netloc, socket.url))
        )

    def _note(self, request: Request) -> None:
        if request.url.startswith("http"):
            text = f"{request.url} {json.dumps(request.headers)} {request.post_data}"
            self.sent.append((urlsplit(request.url).netloc, text))

    def open(self, language: str) -> None:
        self.page.goto(f"{self.book}/{CHAPTER.format(language)}")

    def cell(self, name: str) -> Cell:
        return Cell(self.page, name)

    @property
    def hosts(self) -> set[str]:
        """The hosts that were contacted, without the book's own."""
        return {host for host, _ in self.sent} - {urlsplit(self.book).netloc}

    @property
    def panel(self) -> Any:
        return self.page.locator(".server-choice")

    @property
    def says(self) -> Any:
        return self.panel.get_by_role("status")

    def expect_said(self, key: str) -> None:
        """Wait for the sentence that has this name in book/web/strings/servers.ts."""
        expect(self.says).to_have_attribute("data-says", key)
        expect(self.says).not_to_be_empty()

    def connect(self, address: str, token: str = "") -> None:
        """Enter a server of one's own in the panel."""
        if not self.panel.locator("form").is_visible():
            self.panel.locator("summary").first.click()
        self.panel.locator("[name=address]").fill(address)
        self.panel.locator("[name=token]").fill(token)
        self.panel.locator("[data-connect]").click()


@pytest.fixture(scope="module")
def hub() -> Iterator[Hub]:
    with binder_hub() as hub:
        yield hub


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve kernels as Binder does, and nothing else."""
    with served(tmp_path_factory.mktemp("nothing"), program=STARTED, forks=True) as started:
        yield started


@pytest.fixture(scope="module")
def book(published: Path, hub: Hub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the book with the stand-in for its BinderHub, as any static host does."""
    copy = tmp_path_factory.mktemp("book") / "html"
    shutil.copytree(published, copy)
    for language in ("en", "zh"):
        page = copy / CHAPTER.format(language)
        page.write_text(page.read_text("utf-8").replace(BINDER, hub.address), "utf-8")
    with server(copy, port=0) as address:
        yield address


@pytest.fixture
def own(tmp_path: Path) -> Iterator[str]:
    """Start a Jupyter server as the panel says; return the address that it prints."""
    forked.install(tmp_path)
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", "--port=0"]
    with subprocess.Popen(
        [*command, f"--ServerApp.allow_origin={SECURE}"],
        cwd=tmp_path,
        env={**os.environ, "JUPYTER_PATH": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        lines = iter(process.stderr.readline, "")
        yield next(line.split()[-1] for line in lines if "127.0.0.1" in line and "token=" in line)
        process.terminate()


@pytest.fixture
def reader(browser: Browser, book: str, hub: Hub) -> Iterator[Reader]:
    """Start a browser of its own, and reset the BinderHub."""
    hub.status, hub.events, hub.after, hub.asked = 200, [], [], []
    hub.held.set()
    hub.quiet = False
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 844})
    context.add_init_script(HYDRATE_ALL)
    yield Reader(context, book)
    context.close()


def phase(name: str, **more: object) -> dict[str, object]:
    return {"phase": name, "message": f"{name} \x1b[32mdone\x1b[0m\n", **more}


def ready(started: Served) -> dict[str, object]:
    base = started.address.partition("?")[0]
    return phase("ready", url=base, token=started.token)


def test_a_cell_runs_on_binder_in_place_and_nobody_is_contacted_before(
    reader: Reader, hub: Hub, kernels: Served
) -> None:
    hub_host, kernel_host = urlsplit(hub.address).netloc, urlsplit(kernels.address).netloc
    reader.context.add_cookies([{"name": "_xsrf", "value": COOKIE, "url": reader.book}])
    reader.open("en")
    page, cell = reader.page, reader.cell(FIRST)
    book_output = cell.output.inner_text().split()
    expect(page.locator(".no-kernel .offered")).to_be_visible()
    cell.press("run")
    expect(reader.panel).to_contain_text(f"Your browser will contact {hub_host}")
    expect(reader.panel).to_contain_text(PROJECT)
    expect(page.locator("#server-choice-heading")).to_be_focused()
    assert reader.hosts == set()
    page.keyboard.press("Escape")
    expect(reader.panel).to_have_count(0)
    expect(cell.button("run")).to_be_focused()
    cell.press("run")

    hub.held.clear()
    hub.events = [phase("waiting"), phase("fetching"), phase("building", message="step 1 of 3")]
    hub.after = [phase("pushing"), phase("built"), phase("launching"), ready(kernels)]
    reader.panel.locator("[data-binder]").click()
    reader.expect_said("building")
    expect(reader.says).to_contain_text("one to ten minutes")
    expect(reader.panel.locator("[data-cancel]")).to_be_focused()
    expect(reader.panel.locator(".server-elapsed")).to_have_text(re.compile(r"^0:\d\d$"))
    reader.panel.locator("summary:visible").click()
    expect(reader.panel.locator("[data-log]")).to_have_text(
        "waiting done\nfetching done\nstep 1 of 3"
    )
    assert hub.asked == [SPEC]
    assert reader.hosts == {hub_host}
    hub.held.set()
    cell.ends("done")
    assert cell.output.inner_text().split() == book_output
    expect(reader.panel).to_have_count(0)
    expect(page.locator(".server-used")).to_contain_text(kernel_host)
    assert reader.hosts == {hub_host, kernel_host}
    assert page.evaluate("askKernel('print(6 * 7)')") == "42\n"  # an exercise has it judge

    # The token goes to its server alone, and stays in this tab.
    told = {host for host, text in reader.sent if kernels.token in text}
    assert told == {kernel_host}
    assert [text for host, text in reader.sent if host in reader.hosts and COOKIE in text] == []
    assert kernels.token not in page.evaluate("JSON.stringify(localStorage)")
    assert kernels.token in page.evaluate(KEPT)

    # After a reload, and in another chapter, Run uses the same server, which is not asked before.
    cell.run("kept = 'since before'")
    reader.sent.clear()
    reader.open("en")
    expect(page.locator(".server-used")).to_contain_text(kernel_host)
    assert reader.hosts == set()
    reader.cell(NEXT).run("print(kept)")
    expect(reader.cell(NEXT).output).to_have_text("since before")
    reader.open("zh")
    reader.cell(FIRST).run()
    assert reader.cell(FIRST).output.inner_text().split() == book_output
    assert reader.hosts == {kernel_host}
    assert hub.asked == [SPEC]

    page.locator("[data-disconnect]").click()
    expect(page.locator(".cells-announced")).to_contain_text(kernel_host)
    assert page.evaluate(KEPT) is None
    reader.cell(FIRST).press("run")
    expect(reader.panel).to_be_visible()
    assert page.evaluate("typeof askKernel") == "undefined"


# The sentence that tells a failure, and what the BinderHub says, which can be unfolded.
FAILURES: list[tuple[str, list[dict[str, Any] | str]]] = [
    ("build", [phase("building"), phase("failed", message="no such package")]),
    ("launch", [phase("built"), phase("launching"), phase("failed", message="took too long")]),
    ("launch", [phase("built"), phase("failed", message="Internal Server Error")]),
    ("busy", [phase("built"), phase("failed", message="Too many users running it! Try later")]),
    ("busy", [phase("failed", message="Rate limit exceeded.", status_code=429)]),
    ("project", [phase("failed", message="Could not resolve ref for gh:someone")]),
    ("broken", [phase("waiting"), phase("building")]),  # and the stream ends
    ("broken", ["data: <html>\n\n"]),
    ("broken", [phase("ready")]),  # without an address
    ("broken", [phase("ready", url="ftp://example.org/", token="a")]),
]


def test_each_failure_is_told_with_what_to_do_and_can_be_tried_again(
    reader: Reader, hub: Hub
) -> None:
    reader.page.set_viewport_size({"width": 390, "height": 844})
    reader.open("zh")
    cell, panel = reader.cell(FIRST), reader.panel
    cell.press("run")
    again = panel.locator("[data-binder]")
    said = set()
    for key, events in FAILURES:
        hub.events = events
        again.click()
        reader.expect_said(key)
        again = panel.locator("[data-retry]")
        expect(again).to_be_focused()
        said.add(reader.says.inner_text())
        last = events[-1]
        if key != "broken":
            assert isinstance(last, dict)
            panel.locator("summary:visible").click()
            expect(panel.locator("[data-log]")).to_contain_text(last["message"])
            panel.locator("summary:visible").click()
    hub.events = []
    for status, key in ((429, "busy"), (503, "status")):
        hub.status = status
        again.click()
        reader.expect_said(key)
        said.add(reader.says.inner_text())
    hub.status = 200
    reader.context.set_offline(True)
    again.click()
    reader.expect_said("network")
    assert len(said | {reader.says.inner_text()}) == 7
    assert all(re.search("[\u4e00-\u9fff]", sentence) for sentence in said)
    reader.context.set_offline(False)

    assert reader.page.evaluate("document.documentElement.scrollWidth") == 390
    panel.locator("[data-back]").click()
    reader.connect("")
    assert violations(reader.page) == [[]]
    again = panel.locator("[data-binder]")

    # A stream in which nothing comes for long is broken. The reader can end any stream.
    hub.held.clear()
    hub.events, hub.quiet = [phase("waiting")], True
    reader.page.clock.install()
    again.click()
    reader.expect_said("waiting")
    reader.page.clock.fast_forward("00:30")
    expect(panel.locator(".server-elapsed")).to_have_text(re.compile(r"^0:3\d$"))
    reader.expect_said("waiting")
    reader.page.clock.fast_forward("01:30")
    reader.expect_said("broken")
    hub.left.clear()
    hub.quiet = False
    panel.locator("[data-retry]").click()
    reader.expect_said("waiting")
    panel.locator("[data-cancel]").click()
    expect(panel).to_have_count(0)
    assert hub.left.wait(20)
    expect(cell.says).to_be_empty()
    expect(reader.page.locator("body")).to_have_attribute("data-kernel", "none")
    assert reader.page.evaluate(KEPT) is None


def test_a_server_of_binder_that_ends_is_told_and_another_can_be_chosen(
    reader: Reader, hub: Hub, kernels: Served, tmp_path: Path
) -> None:
    reader.open("en")
    cell = reader.cell(FIRST)
    cell.write("print('mine')")
    cell.press("run")
    with served(tmp_path, program=STARTED, forks=True) as first:
        hub.events = [ready(first)]
        reader.panel.locator("[data-binder]").click()
        cell.ends("done")
    expect(cell.says).to_contain_text("after about ten minutes without use")
    expect(cell.code).to_have_text("print('mine')")
    cell.press("again")
    expect(cell.says).to_contain_text("does not answer")
    cell.press("elsewhere")
    assert reader.page.evaluate(KEPT) is None
    hub.events = [ready(kernels)]
    reader.panel.locator("[data-binder]").click()
    expect(cell.output).to_have_text("mine")
    expect(reader.page.locator(".server-used")).to_have_count(1)
    expect(reader.page.locator(".server-used")).to_contain_text(urlsplit(kernels.address).netloc)


# An address and a token, and what is wrong with them before anything is sent.
SLIPS = [
    ("", "", "empty"),
    ("http://", "", "notAddress"),
    ("file:///etc/passwd", "", "notAddress"),
    ("http://ann:secret@localhost:8888/", "", "password"),
    ("http://example.org:8888/lab", "a", "insecure"),
    ("localhost:8888", "two words", "notToken"),
]


def test_a_server_of_ones_own_runs_the_code_also_for_a_page_with_https(
    browser: Browser, published: Path, book: str, own: str, hub: Hub
) -> None:
    """The page is given out as https://book.test: browsers treat such pages differently."""
    # A browser asks the reader whether a page from elsewhere may reach this computer.
    context = browser.new_context(reduced_motion="reduce", permissions=["local-network-access"])

    def host(route: Route) -> None:
        route.fulfill(path=published / urlsplit(route.request.url).path.lstrip("/"))

    context.route(f"{SECURE}/**", host)
    reader = Reader(context, SECURE)
    reader.open("en")
    cell, panel = reader.cell(FIRST), reader.panel
    cell.press("run")
    panel.locator("summary").first.click()
    expect(panel).to_contain_text(f"--ServerApp.allow_origin={SECURE}")
    for address, token, key in SLIPS:
        reader.connect(address, token)
        reader.expect_said(key)
        expect(panel.locator("[name=address]")).to_be_focused()
    assert reader.hosts == set()

    own_host, token = urlsplit(own).netloc, parse_qs(urlsplit(own).query)["token"][0]
    for address, given, key in (
        (own_host, "", "missing"),
        (f"{own_host}/lab/tree/a.ipynb", "0" * 48, "wrong"),
        (f"{urlsplit(hub.address).netloc}/member/build", token, "foreign"),
        (urlsplit(book).netloc, token, "origin"),  # as a Jupyter server that names no origin
        ("127.0.0.1:1", token, "silent"),
    ):
        reader.connect(address, given)
        reader.expect_said(key)
        expect(reader.says).to_contain_text(address.partition("/")[0])
    assert [host for host, text in reader.sent if token in text] == []

    # The address as Jupyter prints it has the token.
    reader.sent.clear()
    panel.locator("[name=token]").fill("")
    panel.locator("[name=address]").fill(own)
    panel.locator("[name=address]").blur()
    expect(panel.locator("[name=token]")).to_have_value(token)
    expect(panel.locator("[name=address]")).not_to_have_value(re.compile("token"))
    panel.locator("[data-connect]").click()
    cell.ends("done")
    expect(reader.page.locator(".server-used")).to_contain_text(own_host)
    assert reader.hosts == {own_host}
    context.close()


def test_no_server_is_offered_from_disk_and_by_what_has_kernels_or_is_a_room(
    browser: Browser, published: Path
) -> None:
    page, html = browser.new_page(), {"page": ""}
    chapter = published / CHAPTER.format("en")
    page.route(
        f"{SECURE}/**", lambda route: route.fulfill(body=html["page"], content_type="text/html")
    )
    for mark, offers in (("", True), ('data-room="/room/"', False), ('data-kernels="/"', False)):
        html["page"] = chapter.read_text("utf-8").replace("<html", f"<html {mark}", 1)
        page.goto(f"{SECURE}/{CHAPTER.format('en')}", wait_until="commit")
        expect(page.locator("html[data-mode] article")).to_have_count(1)
        expect(page.locator("html[data-builds]")).to_have_count(int(offers))
    page.goto(chapter.as_uri())
    expect(page.locator("html[data-builds]")).to_have_count(0)
    expect(page.locator(".cell-bar:visible")).to_have_count(0)
    page.close()
