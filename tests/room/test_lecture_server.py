"""Test the two listeners of a lecture: who is told what, and what is refused."""

import asyncio
import csv
import re
import socket
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit
from xml.etree import ElementTree

import psutil
import pytest
from lecture import CHOICE, NUMBER, SECRET, Lecture, lecture
from websocket import ABNF, WebSocketBadStatusException

from tests.coroutines import finished
from tools.lecture import phones
from tools.lecture.__main__ import main, parse, room_address
from tools.lecture.hub import Hub
from tools.lecture.room import MAX_FRAME

KERNELS = ("/api", "/api/kernels", "/api/kernels/1/channels", "/api/contents", "/api/terminals")


def test_it_prints_one_line_for_the_lecturer_and_one_for_the_room(running: Lecture) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{48}", running.served.address)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", running.room)


def test_the_room_has_the_pages_of_the_book_and_no_kernels(class_: Lecture) -> None:
    for path in ("/index.html", "/book/en/a.html"):
        response, text = class_.ask(path)
        assert response.status == 200
        assert '<html data-room="/room/" lang=en>' in text
        assert "data-kernels" not in text
        assert "data-lecturer" not in text
    assert class_.ask("/a.js")[1] == "'<html'"
    session = class_.served.session_headers()
    for path in (*KERNELS, "/room/lecturer/events", "/room/lecturer/answers.csv"):
        for method in ("GET", "POST"):
            assert class_.ask(path, method, **session)[0].status in (404, 405), path
        assert class_.ask(f"{path}?token={class_.served.token}")[0].status == 404, path


def test_texts_are_compressed_for_browsers_that_accept_it(class_: Lecture) -> None:
    plain, _ = class_.ask("/index.html")
    small, _ = class_.ask("/index.html", Accept_Encoding="gzip, br")
    assert plain.getheader("Content-Encoding") is None
    assert small.getheader("Content-Encoding") == "gzip"
    assert "Accept-Encoding" in (small.getheader("Vary") or "")
    assert small.getheader("Etag") != plain.getheader("Etag")
    again, body = class_.ask(
        "/index.html", Accept_Encoding="gzip", If_None_Match=small.getheader("Etag") or ""
    )
    assert (again.status, body) == (304, "")


def test_the_short_address_leads_to_the_phones_page(class_: Lecture) -> None:
    response, _ = class_.ask("/")
    assert (response.status, response.getheader("Location")) == (302, "/room")
    response, text = class_.ask("/room")
    assert response.status == 200
    assert 'data-room="/room/"' in text
    assert {'lang="en"', 'lang="zh-CN"'} <= {*re.findall(r'lang="[^"]+"', text)}


def test_a_browser_is_known_by_a_random_cookie_and_by_nothing_else(class_: Lecture) -> None:
    for path in ("/room", "/index.html"):
        cookie = class_.ask(path)[0].getheader("Set-Cookie") or ""
        assert re.fullmatch(
            r"room=[\w-]{22}; HttpOnly; Max-Age=86400; Path=/; SameSite=Strict", cookie
        )
        same = cookie.partition(";")[0]
        assert class_.ask(path, Cookie=same)[0].getheader("Set-Cookie") is None
        assert class_.ask(path, Cookie="room=me")[0].getheader("Set-Cookie") is not None
    assert len({class_.cookie() for _ in range(5)}) == 5
    assert class_.ask("/a.js")[0].getheader("Set-Cookie") is None


def test_a_question_reaches_phones_and_their_guesses_the_lecturer(class_: Lecture) -> None:
    lecturer = class_.lecturer()
    cookie = class_.cookie()
    one, tab, two = class_.phone(cookie), class_.phone(cookie), class_.phone()
    lecturer.say({"type": "open", "question": CHOICE})
    for phone in (one, tab, two):
        assert phone.state(phase="open")["question"]["figure"] == "sentence"
    one.guess(2)
    assert tab.state(mine=2)
    two.guess(0)
    lecturer.hear(lambda said: (said.get("guessed"), said.get("present")) == (2, 2))
    two.socket.close()
    lecturer.say({"type": "close"})
    (round_,) = lecturer.state(phase="closed")["asking"]["rounds"]
    assert round_["counts"] == [1, 0, 1]
    late = class_.phone()
    assert late.state()["phase"] == "closed"
    late.guess(1)
    assert late.error() == "late"


def test_a_vote_that_is_malformed_or_late_is_refused(class_: Lecture) -> None:
    lecturer, phone = class_.lecturer(), class_.phone()
    phone.guess(0, vote="0" * 16 + ".1")
    assert phone.error() == "late"
    lecturer.say({"type": "open", "question": NUMBER})
    phone.state(phase="open")
    for guess in ("1", None, [1], True):
        phone.guess(guess)
        assert phone.error() == "malformed"
    phone.say("[" * MAX_FRAME)
    assert phone.error() == "malformed"
    phone.socket.send_binary(b"\xff")
    assert phone.error() == "malformed"
    phone.guess(0.5)
    assert phone.state(mine=0.5)


def test_an_oversized_message_ends_the_connection_and_nothing_else(class_: Lecture) -> None:
    large, other = class_.phone(), class_.phone()
    large.state()
    large.say("[" * (MAX_FRAME + 1))
    opcode, code = large.socket.recv_data()
    assert (opcode, int.from_bytes(code[:2])) == (ABNF.OPCODE_CLOSE, 1009)
    other.say({"type": "hello"})
    assert other.state()
    with suppress(ConnectionResetError):  # it may close the connection before it is read
        assert class_.ask("/room", "POST", "a" * 1000)[0].status == 400
    assert class_.ask("/room")[0].status == 200


def test_the_room_refuses_what_does_not_come_from_its_own_page(class_: Lecture) -> None:
    cookie, host = class_.cookie(), class_.room.removeprefix("http://")
    strangers = ["http://example.org", f"http://127.0.0.1:{class_.port + 1}", "null"]
    refused = [
        *({"origin": origin} for origin in strangers),
        {"suppress_origin": True},
        {"cookie": "room="},
        {"cookie": "room=" + "a" * 23},
        {"host": "example.org", "origin": "http://example.org"},
        {"host": f"example.org:{class_.port}", "origin": f"http://example.org:{class_.port}"},
    ]
    for options in refused:
        with pytest.raises(WebSocketBadStatusException, match="403"):
            class_.phone(**{"cookie": cookie, **options})
    for path in ("/", "/room", "/index.html"):
        assert class_.ask(path, Host=f"example.org:{class_.port}")[0].status == 403
        assert class_.ask(path, Host=host)[0].status in (200, 302)
        response, _ = class_.ask(path, Origin="http://example.org")
        assert response.getheader("Access-Control-Allow-Origin") is None


def test_only_the_token_makes_a_lecturer(class_: Lecture) -> None:
    for cookie in ("", "username-127-0-0-1=x", class_.cookie()):
        with pytest.raises(WebSocketBadStatusException, match="403"):
            class_.lecturer(cookie=cookie)
    with pytest.raises(WebSocketBadStatusException, match="403"):
        class_.lecturer(origin=class_.room)  # the room's pages are of another origin
    session = class_.served.session_headers()
    for path in ("/room/lecturer/code.svg", "/room/lecturer/answers.csv"):
        assert class_.served.ask(path)[0].status == 403
        assert class_.served.ask(path, **session)[0].status == 200
    assert "data-lecturer" not in class_.served.ask("/")[1]
    page = class_.served.ask("/", **session)[1]
    assert '<html data-kernels="/" data-lecturer="/room/lecturer/" lang=en>' in page


def test_the_lecturer_gets_one_file_without_names_and_addresses(class_: Lecture) -> None:
    lecturer = class_.lecturer()
    phone = class_.phone(cookie := class_.cookie())
    lecturer.say({"type": "open", "question": {**CHOICE, "title": "哪个词？"}})
    phone.state(phase="open")
    phone.guess(1)
    phone.state(mine=1)
    lecturer.say({"type": "close"})
    lecturer.state(phase="closed")
    response, text = class_.served.ask(
        "/room/lecturer/answers.csv", **class_.served.session_headers()
    )
    name = f"answers-{datetime.now():%Y-%m-%d}.csv"
    assert response.getheader("Content-Disposition") == f'attachment; filename="{name}"'
    head, *rows = csv.reader(text.removeprefix("\ufeff").splitlines())
    assert head[:4] == ["question", "option", "round", "count"]
    assert [row[1:4] for row in rows] == [["0", "1", "0"], ["1", "1", "1"], ["2", "1", "0"]]
    assert "哪个词？" in rows[0][0]
    assert "127.0.0" not in text
    assert cookie.removeprefix("room=") not in text


def test_the_code_is_a_picture_of_the_rooms_address(class_: Lecture) -> None:
    response, text = class_.served.ask("/room/lecturer/code.svg", **class_.served.session_headers())
    assert response.getheader("Content-Type") == "image/svg+xml"
    assert ElementTree.fromstring(text).get("viewBox")
    assert class_.lecturer().state()["address"] == class_.room


@pytest.mark.parametrize("path", ["/", "/room", "/index.html", "/nothing.html", "/room/events"])
def test_no_page_of_the_room_can_be_framed(path: str, class_: Lecture) -> None:
    response, _ = class_.ask(path)
    policy = response.getheader("Content-Security-Policy") or ""
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'self'" in policy
    assert response.getheader("X-Content-Type-Options") == "nosniff"
    assert response.getheader("Cross-Origin-Opener-Policy") is None  # an error in a browser's log


@pytest.mark.parametrize(
    "path",
    [
        *("/../secret.html", "/..%2fsecret.html", "/%2e%2e/secret.html", "/link.html"),
        *("/pipe.html", "//etc/passwd", "/room/../../secret.html", "http://127.0.0.1/../x"),
        *("/room/", "/room/phone.html", "/room/events/x"),
    ],
)
def test_the_room_reads_nothing_but_the_site(path: str, class_: Lecture) -> None:
    response, text = class_.ask(path)
    assert response.status in (403, 404)
    assert SECRET not in text
    assert "root:" not in text


def test_a_room_that_others_can_reach_must_be_asked_for_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for ip in ("0.0.0.0", "", "192.168.1.5", "::", "example.org"):
        with pytest.raises(SystemExit):
            parse([f"--ip={ip}"])
        assert "--trusted-room" in capsys.readouterr().err
        assert parse([f"--ip={ip}", "--trusted-room"]).ip == ip
    assert parse([]).ip == parse(["--trusted-room"]).ip == "127.0.0.1"
    for address in ("example.org", "https://example.org/room", "ftp://example.org", "https://"):
        with pytest.raises(SystemExit):
            parse([f"--address={address}"])


def test_only_the_room_listens_beyond_this_machine(pages: Path) -> None:
    """Linux answers at all of 127.0.0.0/8, so 127.0.0.2 stands for another address."""
    with lecture(pages, "--ip=0.0.0.0", "--trusted-room") as running:
        assert running.served.origin.startswith("http://127.0.0.1:")
        reached = []
        for port in (running.port, running.served.port):
            with socket.socket() as client:
                reached.append(client.connect_ex(("127.0.0.2", port)) == 0)
        assert reached == [True, False]
        assert urlsplit(running.room).hostname != "0.0.0.0"
        name = f"127.0.0.2:{running.port}"
        phone = running.phone(host=name, origin=f"http://{name}")
        assert phone.state(phase="idle")
        assert running.ask("/room", Host="example.org")[0].status == 403


def test_behind_https_the_room_has_its_name_there(pages: Path) -> None:
    with lecture(pages, "--address=https://room.example.org/") as running:
        assert running.room == "https://room.example.org"
        running.room = "http://127.0.0.1:" + str(_listening(running))
        cookie = running.ask("/room", Host="room.example.org")[0].getheader("Set-Cookie") or ""
        assert cookie.endswith("; Secure")
        response, _ = running.ask("/index.html", Host="room.example.org")
        assert response.getheader("Cross-Origin-Opener-Policy") == "same-origin"
        here = {"host": "room.example.org", "origin": "https://room.example.org"}
        assert running.phone(cookie.partition(";")[0], **here).state(phase="idle")


def _listening(running: Lecture) -> int:
    """Return the port of the room, which is not printed."""
    connections = psutil.Process(running.served.process.pid).net_connections("tcp4")
    ports = {one.laddr.port for one in connections if one.status == "LISTEN"}
    (port,) = ports - {running.served.port}
    return int(port)


async def _hear_nothing_more(pages: Path) -> list[int]:
    """Connect a phone that answers no ping; return how many are present before and after."""
    hub = Hub("http://127.0.0.1:8001", phones.later)
    listener = phones.open_listener("127.0.0.1", 0)
    server = phones.listen(pages, hub, listener)
    port = listener.getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [
        *("GET /room/events HTTP/1.1", f"Host: 127.0.0.1:{port}"),
        *(f"Origin: http://127.0.0.1:{port}", f"Cookie: room={'a' * 22}"),
        *("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    assert b"101" in await reader.readline()
    while not hub.room.count()["present"]:
        await asyncio.sleep(0.01)
    present = [hub.room.count()["present"]]
    while hub.room.count()["present"]:
        await asyncio.sleep(0.01)
    writer.close()
    await writer.wait_closed()
    server.stop()
    await server.close_all_connections()
    return [*present, hub.room.count()["present"]]


def test_a_phone_that_is_lost_is_not_counted_for_long(
    pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phones, "HEARTBEAT", 0.05)
    assert finished(_hear_nothing_more(pages), 30) == [1, 0]


def test_it_may_open_as_many_files_as_three_hundred_phones_need(running: Lecture) -> None:
    soft, hard = psutil.Process(running.served.process.pid).rlimit(psutil.RLIMIT_NOFILE)
    assert soft >= min(hard, 300 * 7)


def test_without_a_book_or_a_port_it_does_not_start(
    tmp_path: Path, pages: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([f"--site={tmp_path}"]) == 1
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for option in ("--port", "--room-port"):
            assert main([f"--site={pages}", f"{option}={port}"]) == 1
    said, errors = capfd.readouterr()
    assert "No book in" in said
    assert errors.count("is in use") == 2


def test_a_room_that_listens_everywhere_is_found_at_an_address_of_this_machine() -> None:
    for ip in ("0.0.0.0", "", "::"):
        assert re.fullmatch(r"http://(?!0\.)\d+\.\d+\.\d+\.\d+:8001", room_address(ip, 8001))
