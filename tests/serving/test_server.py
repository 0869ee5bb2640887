"""Test the server with kernels: pages for everybody, kernels only with the token."""

import json
import os
import re
import shutil
import signal
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Served, served

from tests.variants import redundant
from tools.serving.__main__ import parse

SECRET = "not of the site"
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
KERNEL = "/api/kernels/{}"
CHANNELS = "/api/kernels/{}/channels"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a site, and files outside it."""
    folder = tmp_path_factory.mktemp("served")
    site = folder / "site"
    (site / "book/en").mkdir(parents=True)
    (site / "index.html").write_text("<!doctype html><html lang=en><p>the book", "utf-8")
    (site / "book/en/index.html").write_text("<html>", "utf-8")
    (site / "a.js").write_text("'<html'", "utf-8")
    (folder / "secret.html").write_text(SECRET, "utf-8")
    (site / "link.html").symlink_to(folder / "secret.html")
    os.mkfifo(site / "pipe.html")
    return site


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[Served]:
    """Serve the site, once for all tests that do not change it."""
    with served(site) as server:
        yield server


@pytest.fixture(scope="module")
def kernel(server: Served) -> str:
    return server.kernel()


def test_pages_are_for_everybody_and_say_who_may_run_code(server: Served) -> None:
    response, text = server.ask("/")
    assert response.status == 200
    assert '<html data-kernels="/" data-closed lang=en>' in text
    assert response.getheader("Set-Cookie") is None
    response, text = server.ask("/", **server.session_headers())
    assert '<html data-kernels="/" lang=en>' in text
    assert response.getheader("Vary") == "Cookie"
    assert server.ask("/a.js")[1] == "'<html'"


def test_the_token_becomes_a_cookie_and_leaves_the_address(server: Served) -> None:
    response, text = server.ask(f"/book/en/index.html?a=1&token={server.token}&b=%26")
    assert (response.status, text) == (302, "")
    assert response.getheader("Location") == "/book/en/index.html?a=1&b=%26"
    cookie = response.getheader("Set-Cookie") or ""
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert server.token not in cookie


def test_who_opens_it_is_led_nowhere_else(server: Served) -> None:
    for path in (
        *("//example.org/", "http://127.0.0.1//example.org", "/%2fexample.org", "/%5cexample.org/"),
        *("/%09//example.org", "/%0d%0aX", "/%00", "/no-such-page.html", "/book/en/none/"),
    ):
        response, _ = server.ask(f"{path}?token={server.token}")
        assert response.status in (403, 404), path
        assert response.getheader("Location") is None, path
    for path in ("/", "//book/en/", "/book/en"):
        response, _ = server.ask(f"{path}?token={server.token}")
        assert response.getheader("Location") == f"/{path.strip('/')}/".replace("//", "/"), path


NOBODY: dict[str, str] = {}
WRONG = {"Authorization": "token " + "0" * 48}
FORGED = {"Cookie": "username-127-0-0-1={}; _xsrf=2|0|0|0", "X_XSRFToken": "2|0|0|0"}


@pytest.mark.parametrize("who", [NOBODY, WRONG, FORGED], ids=["no token", "wrong token", "forged"])
def test_without_the_token_there_is_no_kernel(
    who: dict[str, str], server: Served, kernel: str
) -> None:
    before = server.kernels()
    asked = [
        ("GET", "/api/kernels"),
        ("POST", "/api/kernels"),
        ("GET", KERNEL.format(kernel)),
        ("DELETE", KERNEL.format(kernel)),
        ("POST", KERNEL.format(kernel) + "/interrupt"),
        ("POST", KERNEL.format(kernel) + "/restart"),
        ("GET", "/api/kernels?token=" + "0" * 48),
    ]
    for method, path in asked:
        assert server.ask(path, method, **who)[0].status == 403, (method, path)
    assert server.ask(CHANNELS.format(kernel), **HANDSHAKE, **who)[0].status == 403
    assert server.kernels() == before


@pytest.mark.parametrize("origin", ["http://example.org", "http://127.0.0.1:1", "null"])
def test_another_origin_gets_no_kernel_though_the_browser_sends_the_cookie(
    origin: str, server: Served, kernel: str
) -> None:
    before, session = server.kernels(), server.session_headers()
    cookie = {"Cookie": session["Cookie"]}
    for headers in (cookie, {**cookie, "Origin": origin}, {**session, "Origin": origin}):
        assert server.ask("/api/kernels", "POST", "{}", **headers)[0].status in (403, 404)
        assert server.ask(KERNEL.format(kernel), "DELETE", **headers)[0].status in (403, 404)
    handshake = {**HANDSHAKE, **cookie, "Origin": origin}
    assert server.ask(CHANNELS.format(kernel), **handshake)[0].status == 403
    response, _ = server.ask("/api/kernels", **session, Origin=origin)
    assert response.getheader("Access-Control-Allow-Origin") is None
    assert server.kernels() == before


def test_a_name_that_was_made_to_mean_this_machine_is_refused(server: Served) -> None:
    for path in ("/", "/api/kernels"):
        response, text = server.ask(
            path, **server.session_headers(), Host=f"example.org:{server.port}"
        )
        assert response.status == 403
        assert "data-kernels" not in text


def test_no_page_can_be_framed_or_load_what_is_elsewhere(server: Served) -> None:
    for path in ("/", "/nothing.html", "/api/kernels"):
        response, _ = server.ask(path)
        policy = response.getheader("Content-Security-Policy") or ""
        assert "frame-ancestors 'none'" in policy
        assert "default-src 'self'" in policy
        assert "'unsafe-eval'" not in policy
        assert "http" not in policy
        assert response.getheader("X-Content-Type-Options") == "nosniff"
        assert response.getheader("Cross-Origin-Opener-Policy") == "same-origin"


@pytest.mark.parametrize(
    "path",
    [
        *("/../secret.html", "/..%2fsecret.html", "/%2e%2e/secret.html", "/link.html"),
        "/pipe.html",
        *("/..\\secret.html", "//etc/passwd", "/book/../../secret.html", "/%2e%2e%2f%2e%2e"),
        "http://127.0.0.1/../secret.html",
    ],
)
def test_nothing_but_the_site_is_read(path: str, server: Served) -> None:
    response, text = server.ask(path, **server.session_headers())
    assert response.status in (403, 404)
    assert SECRET not in text
    assert "root:" not in text


@pytest.mark.parametrize(
    "path",
    [
        *("/api", "/api/contents", "/api/contents/index.html", "/api/sessions", "/api/terminals"),
        *("/api/status", "/api/kernelspecs", "/api/config/notebook", "/api/nbconvert", "/api/me"),
        *("/files/index.html", "/nbconvert/html/index.html", "/terminals/1", "/lab", "/tree"),
        *("/login", "/logout", "/metrics", "/static/style/style.min.css", "/view/index.html"),
        *("/api/shutdown", "/api/security/csp-report", "/kernelspecs/python3/logo-64x64.png"),
    ],
)
def test_there_are_no_files_no_terminals_and_no_other_service(path: str, server: Served) -> None:
    assert server.ask(path, **server.session_headers())[0].status == 404
    assert server.ask(path, "POST", "{}", **server.session_headers())[0].status == 405


def test_a_kernel_is_the_one_that_there_is_whatever_is_asked(server: Served, kernel: str) -> None:
    asked = json.dumps({"name": "python3", "path": "../../../..", "kernel_id": "../x"})
    response, text = server.ask("/api/kernels", "POST", asked, **server.session_headers())
    assert response.status == 201
    assert json.loads(text)["name"] == "attention"
    assert json.loads(text)["id"] in server.kernels()
    places = {Path(f"/proc/{one}/cwd").readlink() for one in _children(server.process.pid)}
    assert [place for place in places if not place.is_relative_to(server.private)] == []
    assert [place for place in places if any(place.iterdir())] == []


def test_what_others_of_this_machine_could_look_at(server: Served, kernel: str) -> None:
    (folder,) = server.private.glob("book-*")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    connection = json.loads((folder / f"r/kernel-{kernel}.json").read_text())
    assert connection["transport"] == "ipc"
    assert connection["ip"].startswith(str(folder))
    assert connection["key"]
    assert connection["signature_scheme"] == "hmac-sha256"
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            assert server.token.encode() not in process.read_bytes()
        except OSError:
            continue  # the process has just exited


@pytest.mark.usefixtures("kernel")
def test_code_has_the_rights_of_who_started_the_server_and_no_limit(server: Served) -> None:
    assert server.address.startswith("http://")  # plain HTTP
    for child in _children(server.process.pid):
        assert Path(f"/proc/{child}").stat().st_uid == os.getuid()
        limits = Path(f"/proc/{child}/limits").read_text()
        for limit in ("cpu time", "file size", "data size", "address space"):
            assert re.search(rf"Max {limit} +unlimited", limits), limit


@pytest.mark.parametrize(
    "stop", [signal.SIGTERM, redundant(signal.SIGINT), redundant(signal.SIGHUP)]
)
def test_it_ends_with_its_kernels_and_leaves_nothing(stop: signal.Signals, site: Path) -> None:
    with served(site) as server:
        server.kernel()
        old = server.session_headers()
        children = _loaded(server)
        server.process.send_signal(stop)
        _, errors = server.process.communicate(timeout=120)
        assert (server.process.returncode, errors) == (0, "")
        assert [child for child in children if _runs(child)] == []
        assert list(server.private.glob("*book*")) == []
        with served(site, server.port) as next_one:
            assert next_one.token != server.token
            assert next_one.ask("/api/kernels", **old)[0].status == 403


def test_it_ends_though_no_kernel_can_start_and_prints_no_token(site: Path) -> None:
    with served(site) as server:
        server.kernel()
        (folder,) = server.private.glob("book-*")
        shutil.rmtree(folder)
        answers = (
            server.ask(f"/api/kernels?token={server.token}", "POST", "{}")[0].status
            for _ in range(5)
        )
        assert 500 in answers
        server.process.send_signal(signal.SIGINT)
        _, errors = server.process.communicate(timeout=120)
        assert server.process.returncode == 0
        assert server.token not in errors
        assert "token=[hidden]" in errors


def _loaded(server: Served) -> list[int]:
    """Return the kernel processes once one has loaded enough not to exit by itself."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        children = _children(server.process.pid)
        if any("/matplotlib/" in Path(f"/proc/{one}/maps").read_text() for one in children):
            return children
        time.sleep(0.1)
    raise AssertionError("no kernel has loaded what chapters import")


def _runs(process: int) -> bool:
    command = Path(f"/proc/{process}/cmdline")
    return command.exists() and bool(command.read_bytes())  # empty if the process has exited


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


@pytest.mark.parametrize("ip", ["0.0.0.0", "", "::", "192.0.2.7", "example.org"])
def test_it_listens_beyond_this_machine_only_when_told_twice(
    ip: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse([f"--ip={ip}"])
    said = capsys.readouterr().err
    assert "runs code as you" in said
    assert "--others-may-run-code" in said
    assert parse([f"--ip={ip}", "--others-may-run-code"]).ip == ip


def test_it_listens_at_this_machine_alone(server: Served) -> None:
    assert parse([]).ip == "127.0.0.1"
    port = f":{server.port:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    listening = {line[1] for line in lines if line[1].endswith(port) and line[3] == "0A"}
    assert listening == {f"0100007F{port}"}
    assert os.path.exists("/proc/net/tcp6")
    assert f"{port} " not in Path("/proc/net/tcp6").read_text()


def test_a_book_that_is_not_built_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tools.serving.__main__ import main

    assert main([f"--site={tmp_path}"]) == 1
    assert "make book" in capsys.readouterr().out
