"""Find the browsers and the fonts that the tests need, or get them.

`python -m tools.browser`. Any Chromium and any Firefox on PATH will do. What is missing comes from
the distribution (as root on Debian and its relatives), Chromium otherwise from Playwright's
download. As root, the one without windows comes in any case where the distribution has it: it is
faster.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

WITH_WINDOWS = (
    *("chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "microsoft-edge"),
)
HEADLESS = "chromium-headless-shell"  # without windows; tests take a third less time
FIREFOX = ("firefox-esr", "firefox")
LIKE_ARIAL = ("Arial", "Arimo", "Liberation Sans")
LAUNCH = Path(__file__).with_name("launch.py")
APT = {
    "headless": [HEADLESS, "libatomic1"],  # Playwright itself needs the second
    "browser": ["chromium", "libatomic1"],
    "firefox": ["firefox-esr"],
    "fonts": ["fontconfig", "fonts-noto-cjk", "fonts-liberation"],
}


def find_chromium(names: Iterable[str] = (HEADLESS, *WITH_WINDOWS)) -> str | None:
    """Return the path of the first Chromium that Playwright can start, or None.

    Being there is not enough: Ubuntu's package is a note about another one.
    """
    on_path = [[path] for path in map(shutil.which, names) if path]
    playwrights_own: list[str] = []
    places = [*on_path, playwrights_own]
    started = (_output(sys.executable, LAUNCH, *place).strip() for place in places)
    return next(filter(None, started), None)


def find_firefox() -> str | None:
    """Return the path of the first Firefox that can say which it is, or None."""
    on_path = filter(None, map(shutil.which, FIREFOX))
    return next((path for path in on_path if "Firefox" in _output(path, "--version")), None)


def has_fonts() -> bool:
    """Tell whether Chinese text has glyphs, and Latin text the widths of Arial, as readers have it.

    Of the usual systems, only Linux may lack them. Without the second, pages are measured in
    whatever is there: DejaVu, for one, is a tenth wider, and lines break elsewhere.
    """
    if sys.platform != "linux":
        return True
    chinese = _output("fc-list", ":lang=zh").strip()
    return bool(chinese) and _output("fc-match", "--format=%{family}", "Arial") in LIKE_ARIAL


def main() -> int:
    """Make all available; otherwise say in one line each what to do, and return 1."""
    _have(lambda: shutil.which(HEADLESS), partial(_apt_install, "headless"))
    chromium = _have(find_chromium, partial(_apt_install, "browser"), _download)
    firefox = _have(find_firefox, partial(_apt_install, "firefox"))
    fonts = _have(has_fonts, partial(_apt_install, "fonts"))
    if not chromium:
        print("The tests need a browser: install Chromium on PATH (and libatomic1 on Linux).")
    if not firefox:
        print("The tests need Firefox too: install it on PATH (Debian: firefox-esr).")
    if not fonts:
        needed = "Noto Sans CJK and Liberation Sans (Debian: fonts-noto-cjk, fonts-liberation)"
        print(f"The tests need a Chinese font and one of Arial's widths: install {needed}.")
    return 0 if chromium and firefox and fonts else 1


def _have(thing: Callable[[], object], *ways_to_get_it: Callable[[], bool]) -> bool:
    return bool(thing()) or any(get() and thing() for get in ways_to_get_it)


def _apt_install(thing: str) -> bool:
    if not (shutil.which("apt-get") and os.geteuid() == 0):
        return False
    install = ["install", "--yes", "--no-install-recommends", *APT[thing]]
    return all(_succeeds("apt-get", "--quiet", *arguments) for arguments in (["update"], install))


def _download() -> bool:
    return _succeeds(sys.executable, "-m", "playwright", "install", "--no-shell", "chromium")


def _succeeds(*command: str) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL).returncode == 0


def _output(*command: str | Path) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


if __name__ == "__main__":
    sys.exit(main())
