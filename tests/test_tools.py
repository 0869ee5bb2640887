"""What the Makefile's scripts do when things are not as usual."""

import http.client
import os
import socket
from pathlib import Path
from threading import Thread

import pytest

from tools import browser, serve


def test_the_book_is_served_on_a_free_port_if_the_usual_one_is_taken(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("a page", "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with serve.server(tmp_path, port) as other:
            Thread(target=other.serve_forever, daemon=True).start()
            assert other.server_address[0] == "127.0.0.1"
            assert other.server_port != port
            connection = http.client.HTTPConnection("127.0.0.1", other.server_port)
            connection.request("GET", "/")
            assert connection.getresponse().read() == b"a page"
            connection.close()
            other.shutdown()


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Leave nothing on PATH, no browser of Playwright's, and no way to get one."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(browser, "_download", lambda: False)
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


@pytest.mark.usefixtures("bare_machine")
def test_a_machine_that_gets_nothing_is_told_in_a_line_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert browser.main() == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2
    assert "install Chromium" in said[0]
    assert "install Noto Sans CJK" in said[1]


def test_a_browser_that_does_not_start_is_none(bare_machine: Path) -> None:
    note = bare_machine / "chromium"
    note.write_text("#!/bin/sh\necho another package has it\n")
    note.chmod(0o755)
    assert browser.find_chromium() is None


def _install(name: str, chromium_path: str, folder: Path) -> None:
    browser = folder / name
    browser.write_text(f'#!/bin/sh\nPATH="{os.defpath}" exec "{chromium_path}" "$@"\n')
    browser.chmod(0o755)


def test_the_browser_without_windows_comes_first(chromium_path: str, bare_machine: Path) -> None:
    for name in ("chromium", browser.HEADLESS):
        _install(name, chromium_path, bare_machine)
    assert browser.find_chromium() == str(bare_machine / browser.HEADLESS)
    assert browser.find_chromium(browser.WITH_WINDOWS) == str(bare_machine / "chromium")


def test_a_browser_that_appears_is_taken(
    chromium_path: str, bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download() -> bool:
        _install("chromium", chromium_path, bare_machine)
        return True

    monkeypatch.setattr(browser, "_download", download)
    monkeypatch.setattr(browser, "has_chinese_font", lambda: True)
    assert browser.main() == 0
    assert browser.find_chromium() == str(bare_machine / "chromium")
