"""Test the Makefile's scripts under unusual conditions."""

import errno
import os
import socket
from pathlib import Path

import pytest

from tools import browser, environment, ports, reproducible


@pytest.fixture
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Empty PATH, and remove Playwright's browsers and the means to download them."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(browser, "_download", lambda: False)
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


@pytest.mark.usefixtures("bare_machine")
def test_each_missing_program_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert browser.main() == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 3
    assert "install Chromium" in said[0]
    assert "Firefox too: install it" in said[1]
    assert "install Noto Sans CJK" in said[2]


def test_a_browser_that_does_not_start_is_none(bare_machine: Path) -> None:
    for name in ("chromium", "firefox"):
        _script(bare_machine / name, "echo another package has it >&2; exit 1")
    assert browser.find_chromium() is None
    assert browser.find_firefox() is None


def test_a_firefox_of_any_name_is_found(bare_machine: Path) -> None:
    for name in ("firefox", "firefox-esr"):
        _script(bare_machine / name, "echo Mozilla Firefox 153.7.0esr")
        assert browser.find_firefox() == str(bare_machine / name)


def test_root_gets_firefox_where_there_is_apt(
    bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _script(bare_machine / "new", "echo Mozilla Firefox 153.7.0esr")
    move = f'PATH="{os.defpath}" mv "{bare_machine}/new" "{bare_machine}/firefox-esr"'
    _script(bare_machine / "apt-get", f'case "$*" in *"install "*" firefox-esr") {move};; esac')
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    browser.main()
    assert browser.find_firefox() is None
    monkeypatch.setattr("os.geteuid", lambda: 0)
    browser.main()
    assert browser.find_firefox() == str(bare_machine / "firefox-esr")


def _install(name: str, chromium_path: str, folder: Path) -> None:
    _script(folder / name, f'PATH="{os.defpath}" exec "{chromium_path}" "$@"')


def _script(path: Path, command: str) -> None:
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)


def test_the_browser_without_windows_comes_first(chromium_path: str, bare_machine: Path) -> None:
    for name in ("chromium", browser.HEADLESS):
        _install(name, chromium_path, bare_machine)
    assert browser.find_chromium() == str(bare_machine / browser.HEADLESS)
    assert browser.find_chromium(browser.HEADED) == str(bare_machine / "chromium")


def test_a_browser_that_appears_is_taken(
    chromium_path: str, bare_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def download() -> bool:
        _install("chromium", chromium_path, bare_machine)
        return True

    monkeypatch.setattr(browser, "_download", download)
    monkeypatch.setattr(browser, "has_fonts", lambda: True)
    monkeypatch.setattr(browser, "find_firefox", lambda: "firefox")
    assert browser.main() == 0
    assert browser.find_chromium() == str(bare_machine / "chromium")


@pytest.mark.parametrize(
    ("version", "made_with", "said"),
    [
        ((3, 10, 4), None, "needs Python 3.11 or newer"),
        ((3, 12, 1), "version = 3.11.7", "was made with Python 3.11"),
        ((3, 12, 1), "home = elsewhere", "unknown version"),
        ((3, 12, 1), "version_info = 3.12.0.final.0", None),
        ((3, 12, 1), None, "apt install python3.12-venv"),
    ],
)
def test_an_environment_that_cannot_work_is_refused_in_a_sentence(
    version: tuple[int, int, int],
    made_with: str | None,
    said: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    venv = tmp_path / "venv"
    if made_with:
        venv.mkdir()
        (venv / "pyvenv.cfg").write_text(made_with)
    monkeypatch.setattr("sys.version_info", version)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)  # as without python3-venv
    found = environment.problem(str(venv))
    assert (found is None) == (said is None)
    assert (said or "") in (found or "")


def test_a_folder_that_may_not_be_written_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "clone the book into a folder of your own" in str(environment.problem(".venv"))


def test_a_port_that_cannot_be_listened_at_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        assert f"Port {number} is in use" in str(ports.refusal("127.0.0.1", number))
    assert ports.refusal("127.0.0.1", 0) is None
    assert "Cannot listen at 192.0.2.7" in str(ports.refusal("192.0.2.7", 0))

    def forbid(*_: object, **__: object) -> socket.socket:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("socket.create_server", forbid)
    assert "reserved for administrators" in str(ports.refusal("127.0.0.1", 80))


def test_two_builds_are_compared_byte_for_byte(tmp_path: Path) -> None:
    for site in ("first", "second"):
        (tmp_path / site / "book").mkdir(parents=True)
        (tmp_path / site / "book/same.html").write_text("same", "utf-8")
        (tmp_path / site / "differs.html").write_text(site, "utf-8")
        (tmp_path / site / f"{site}.html").touch()
    found = reproducible.differences(tmp_path / "first", tmp_path / "second")
    assert found == ["differs.html", "first.html", "second.html"]
