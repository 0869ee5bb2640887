"""Find a Chromium and a Chinese font for the tests, or get them: `python -m tools.browser`.

Any Chromium on PATH will do. Where there is none, it comes from the distribution (as root on Debian
and its relatives) or from Playwright's download.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
# Root, as in a container, has no sandbox; the rest keeps the browser quiet and off the network.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# In a process of its own: the tests' may have a Playwright running, and takes no second one.
PRINT_OWN = """from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)"""


def find_chromium() -> str | None:
    """Return the path of the first Chromium that starts, or None."""
    return next((path for path in _candidates() if _starts(path)), None)


def has_chinese_font() -> bool:
    """Tell whether Chinese text has glyphs; of the usual systems, only Linux may lack them."""
    return sys.platform != "linux" or bool(_output("fc-list", ":lang=zh").strip())


def main() -> int:
    """Make both available; otherwise say in one line each what to do, and return 1."""
    chromium = _have(find_chromium, partial(_apt_install, "chromium"), _download)
    font = _have(has_chinese_font, partial(_apt_install, "fontconfig", "fonts-noto-cjk"))
    if not chromium:
        print("The tests need a browser: install Chromium or Chrome so that it is on PATH.")
    if not font:
        print("The tests need a Chinese font: install Noto Sans CJK (Debian: fonts-noto-cjk).")
    return 0 if chromium and font else 1


def _have(thing: Callable[[], object], *ways_to_get_it: Callable[[], bool]) -> bool:
    return bool(thing()) or any(get() and thing() for get in ways_to_get_it)


def _candidates() -> Iterator[str]:
    yield from filter(None, map(shutil.which, NAMES))
    yield _output(sys.executable, "-c", PRINT_OWN).strip()  # there or not


def _starts(path: str) -> bool:
    """Being there is not enough: Ubuntu's package is a note about another one."""
    return "<html" in _output(path, "--headless", *ARGUMENTS, "--dump-dom", "about:blank")


def _apt_install(*packages: str) -> bool:
    if not (shutil.which("apt-get") and os.geteuid() == 0):
        return False
    install = ["install", "--yes", "--no-install-recommends", *packages]
    return all(_succeeds("apt-get", "--quiet", *arguments) for arguments in (["update"], install))


def _download() -> bool:
    return _succeeds(sys.executable, "-m", "playwright", "install", "--no-shell", "chromium")


def _succeeds(*command: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL).returncode == 0


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


if __name__ == "__main__":
    sys.exit(main())
