"""Test the static server: correct responses or clear refusals, and nothing outside the site."""

import http.client
import logging
import mimetypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tools import serve

SECRET = b"not of the site"
CLOSE = "Host: 127.0.0.1\r\nConnection: close\r\n"
CLIENTS = 200


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a site, and files outside it."""
    site = tmp_path / "site"
    (site / "book/zh").mkdir(parents=True)
    (site / "_static").mkdir()
    (site / "index.html").write_text("the book", "utf-8")
    (site / "book/zh/index.html").write_text("一本书", "utf-8")
    (site / "_static/a.js").write_text("export {};", "utf-8")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/index.html").write_bytes(SECRET)
    (site / "link.html").symlink_to(tmp_path / "secret/index.html")
    (site / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(site / "pipe")
    return site


@pytest.fixture
def port(folder: Path, caplog: pytest.LogCaptureFixture) -> Iterator[int]:
    """Serve the site; nothing may be logged."""
    with serve.server(folder, port=0) as address, caplog.at_level(logging.WARNING):
        yield urlsplit(address).port or 0
    assert [record.getMessage() for record in caplog.get_records("call")] == []


def _ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=names)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def _say(port: int, said: bytes) -> bytes:
    """Send these bytes; return the response until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(said)
        return b"".join(iter(lambda: client.recv(65536), b""))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/index.html?v=%00", 200),
        ("http://127.0.0.1/index.html", 200),
        ("/book/zh", 301),
        ("/book/zh/", 200),
        ("/book/en/../zh/index.html", 200),
        ("/book", 301),
        ("/book/", 404),
        ("/_static/", 404),
        ("/index.html/", 404),
        ("/index.html/x", 404),
        ("/nothing.html", 404),
        ("/pipe", 403),
        ("/link", 403),
        ("/link/", 403),
        ("/link.html", 403),
        ("/../secret/index.html", 403),
        ("/..%2fsecret%2findex.html", 403),
        ("/%2e%2e/secret/index.html", 403),
        ("http://127.0.0.1/../secret/index.html", 403),
        ("//book", 403),  # otherwise the redirect would lead to the host of this name
        ("/..\\secret\\index.html", 404),
        ("/..%5csecret%5cindex.html", 404),
        ("//etc/passwd", 404),
        ("/C:/x", 404),
        ("/%00", 404),
        ("/index.html%00.js", 404),
        ("/%1b[2J..%2f", 404),
        ("/..%2f%1b[2J", 403),
        ("/%", 404),
        ("/%zz", 404),
        ("/%ff", 400),
        ("/%ed%a0%80", 400),
        ("/" + "a" * 300, 404),
        ("/" + "a/" * 20_000, 404),
        ("*", 404),
        ("index.html", 200),
        ("", 400),
        ("/a b", 400),
        ("/\x01", 400),
        ("/\xff", 404),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_an_odd_address_gets_a_page_or_is_refused(port: int, path: str, status: int) -> None:
    answer = _say(port, f"GET {path} HTTP/1.1\r\n{CLOSE}\r\n".encode("latin-1"))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    for word in (SECRET, b"Traceback", b"Error", b"<li>", str(Path.home()).encode()):
        assert word not in answer


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (f"BREW / HTTP/1.1\r\n{CLOSE}\r\n", 405),
        (f"OPTIONS * HTTP/1.1\r\n{CLOSE}\r\n", 405),
        (f"CONNECT 127.0.0.1:80 HTTP/1.1\r\n{CLOSE}\r\n", 405),
        (f"POST / HTTP/1.1\r\n{CLOSE}\r\n", 405),
        (f"POST / HTTP/1.1\r\n{CLOSE}Content-Length: 9999\r\n\r\n", 400),
        (f"POST / HTTP/1.1\r\n{CLOSE}Content-Length: -1\r\n\r\n", 400),
        (f"POST / HTTP/1.1\r\n{CLOSE}Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("GET / HTTP/1.0\r\n\r\n", 200),
        ("GET / HTTP/9.9\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400),  # without a host
        ("GET /\r\n\r\n", 400),
        (f"GET / HTTP/1.1\r\nno colon\r\n{CLOSE}\r\n", 400),
        (f"GET / HTTP/1.1\r\n{CLOSE}Range: bytes=a-b\r\n\r\n", 200),
        (f"GET / HTTP/1.1\r\n{CLOSE}Range: bytes=9-2\r\n\r\n", 416),
        (f"GET / HTTP/1.1\r\n{CLOSE}Range: bytes=-{'9' * 5000}\r\n\r\n", 200),
        (f"GET / HTTP/1.1\r\n{CLOSE}If-Modified-Since: Mon, 32 Foo\r\n\r\n", 200),
        (f"GET / HTTP/1.1\r\n{CLOSE}If-Modified-Since: {'1' * 5000}\r\n\r\n", 200),
        (f'GET / HTTP/1.1\r\n{CLOSE}If-None-Match: W/"\r\n\r\n', 200),
        (f"GET / HTTP/1.1\r\n{CLOSE}Cookie: \xff=;;\r\n\r\n", 200),
        ("\x16\x03\x01\x00\xf1\x01\x00\x00\xed\x03\x03\r\n\r\n", 400),  # a TLS handshake
        ("\r\n\r\n", 400),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_an_odd_request_is_answered_in_form(port: int, request_: str, status: int) -> None:
    answer = _say(port, request_.encode("latin-1"))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"Traceback" not in answer


def test_what_is_too_long_to_be_read_is_cut_off(port: int) -> None:
    assert _say(port, b"GET /" + b"a" * 65536) == b""
    assert _ask(port, "/")[0].status == 200


def test_head_is_get_without_the_body(port: int) -> None:
    for path in ("/", "/nothing.html"):
        get, body = _ask(port, path)
        head, nothing = _ask(port, path, "HEAD")
        assert (head.status, head.getheader("Content-Length")) == (get.status, str(len(body)))
        assert nothing == b""


def test_a_range_is_a_part(port: int) -> None:
    response, body = _ask(port, "/", Range="bytes=4-")
    assert (response.status, body) == (206, b"book")
    assert response.getheader("Content-Range") == "bytes 4-7/8"


def test_a_page_comes_again_when_it_was_built_again(port: int, folder: Path) -> None:
    mark = ""
    for text in ("the book", "THE BOOK"):  # the same length, within a second
        (folder / "index.html").write_text(text, "utf-8")
        response, body = _ask(port, "/?v=1", If_None_Match=mark)
        assert body.decode() == text
        assert response.getheader("Cache-Control") == "no-cache"
        assert response.getheader("Expires") is None
        mark = response.getheader("Etag") or ""
        assert _ask(port, "/?v=1", If_None_Match=mark)[0].status == 304
    (folder / "index.html").unlink()
    assert _ask(port, "/", If_None_Match=mark)[0].status == 404


def test_a_page_that_is_built_while_it_is_read_comes_whole(
    port: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(*_: object) -> None:
        (folder / "index.html").write_text("the book, and more", "utf-8")

    monkeypatch.setattr(serve.File, "set_extra_headers", build)
    assert _ask(port, "/")[1] == b"the book"
    assert _ask(port, "/")[1] == b"the book, and more"


def test_scripts_are_scripts_whatever_the_machine_says(folder: Path) -> None:
    mimetypes.add_type("text/plain", ".js")
    with serve.server(folder, port=0) as address:
        script, _ = _ask(urlsplit(address).port or 0, "/_static/a.js")
        assert script.getheader("Content-Type") == "text/javascript"


@pytest.mark.parametrize(
    ("path", "says", "not_says"),
    [
        ("/book/en/nothing.html", ["There is no such page."], ["这个页面不存在。"]),
        ("/book/zh/nothing.html", ["这个页面不存在。"], ["There is no such page."]),
        ("/nothing.html", ["这个页面不存在。", "There is no such page."], []),
    ],
)
def test_a_page_that_is_not_there_is_one_of_the_book_in_its_language(
    port: int, path: str, says: list[str], not_says: list[str]
) -> None:
    text = _ask(port, path)[1].decode()
    assert [sentence for sentence in says if sentence not in text] == []
    assert [sentence for sentence in not_says if sentence in text] == []
    assert ('<html lang="zh-CN">' in text) == ("/zh/" in path)
    assert 'href="/"' in text


def test_an_unknown_method_gets_a_list_of_the_known_ones(port: int) -> None:
    response, body = _ask(port, "/book/zh/index.html", "DELETE")
    assert response.getheader("Allow") == "GET, HEAD"
    assert "这里只提供本书的页面" in body.decode()


def test_who_says_nothing_is_hung_up_on_and_keeps_nobody_waiting(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "CLIENT_TIMEOUT", 1)
    with serve.server(folder, port=0) as address:
        port = urlsplit(address).port or 0
        with ExitStack() as stack:
            start = (b"", b"GET", b"GET / HTTP/1.1\r\nHost: a\r\n", b"GET / HTTP/1.1\r\n")
            slow = [socket.create_connection(("127.0.0.1", port), timeout=20) for _ in start]
            for client, said in zip(slow, start, strict=True):
                stack.enter_context(client).sendall(said)
            assert _ask(port, "/")[0].status == 200
            assert [client.recv(1) for client in slow] == [b""] * len(slow)


def test_it_ends_in_the_middle_of_a_file(folder: Path) -> None:
    (folder / "large").write_bytes(bytes(50_000_000))
    with serve.server(folder, port=0) as address:
        client = socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), timeout=20)
        client.sendall(f"GET /large HTTP/1.1\r\n{CLOSE}\r\n".encode())
        assert client.recv(8) == b"HTTP/1.1"
    with client, suppress(ConnectionResetError):
        while client.recv(1 << 20):
            pass


def test_it_takes_a_free_port_of_this_machine_if_the_usual_one_is_taken(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        usual = taken.getsockname()[1]
        with serve.server(folder, usual) as address:
            other = urlsplit(address)
            assert other.hostname == "127.0.0.1"
            assert other.port != usual
            assert _ask(other.port or 0, "/")[1] == b"the book"


MAIN = """import sys
from pathlib import Path
from tools import serve
serve.ROOT, serve.SITE, serve.USUAL_PORT = Path(sys.argv[1]), Path(sys.argv[2]), 0
raise SystemExit(serve.main(sys.argv[3:]))
"""


@contextmanager
def _main(root: Path, site: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", MAIN, str(root), str(site), *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, encoding="utf-8") as run:
        try:
            yield run
        finally:
            run.kill()


def test_many_clients_at_once_are_all_answered_and_it_ends_in_peace(folder: Path) -> None:
    """All connect while the server is busy, as on a machine under load."""
    with _main(folder.parent, folder) as running, ExitStack() as stack:
        assert running.stdout
        address = urlsplit(running.stdout.readline().split()[2])
        running.send_signal(signal.SIGSTOP)
        clients = [stack.enter_context(socket.socket()) for _ in range(CLIENTS)]
        for client in clients:
            client.settimeout(20)
            client.connect((address.hostname, address.port))
            client.sendall(f"GET /book/zh/ HTTP/1.1\r\n{CLOSE}\r\n".encode())
        running.send_signal(signal.SIGCONT)
        answers = [client.makefile("rb").read() for client in clients]
        assert [answer for answer in answers if not answer.startswith(b"HTTP/1.1 200 ")] == []
        assert [answer for answer in answers if not answer.endswith("一本书".encode())] == []
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=20)[1] == ""
        assert running.returncode == 0


def test_a_book_that_is_not_built_is_asked_for(tmp_path: Path) -> None:
    with _main(tmp_path, tmp_path / "_build/html") as running:
        said, errors = running.communicate(timeout=20)
    assert running.returncode == 1
    assert "No book in _build/html" in said
    assert "make book" in said
    assert errors == ""


def test_another_address_is_served_only_if_it_is_named(folder: Path) -> None:
    """Linux answers at all of 127.0.0.0/8, so 127.0.0.2 stands for another address."""
    refused = []
    for options in ((), ("--ip", "0.0.0.0")):
        with _main(folder.parent, folder, *options) as running:
            assert running.stdout
            address = urlsplit(running.stdout.readline().split()[2])
            with socket.socket() as client:
                refused.append(client.connect_ex(("127.0.0.2", address.port or 0)) != 0)
    assert refused == [True, False]


def test_an_address_of_another_machine_is_refused(folder: Path) -> None:
    with _main(folder.parent, folder, "--ip", "192.0.2.7") as running:
        _, errors = running.communicate(timeout=20)
    assert running.returncode == 1
    assert errors.startswith("Cannot listen at 192.0.2.7")
