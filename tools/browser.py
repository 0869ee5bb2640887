"""Find or install the browsers and fonts that the tests need: `python -m tools.browser`.

Any Chromium and any Firefox on PATH will do. Missing programs are installed with apt (as root on
Debian and its relatives); otherwise Chromium is downloaded by Playwright. As root,
chromium-headless-shell is always installed if the distribution has it, since it is faster.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

HEADED = (
    *("chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable", "microsoft-edge"),
)
HEADLESS = "chromium-headless-shell"  # makes the tests a third faster
FIREFOX = ("firefox-esr", "firefox")
FONTS = "Noto Sans CJK and Liberation Sans (Debian: fonts-noto-cjk, fonts-liberation)"
ARIAL_METRICS = ("Arial", "Arimo", "Liberation Sans")
LAUNCH = Path(__file__).with_name("launch.py")
APT = {
    "headless": [HEADLESS, "libatomic1"],  # Playwright itself needs the second
    "browser": ["chromium", "libatomic1"],
    "firefox": ["firefox-esr"],
    "fonts": ["fontconfig", "fonts-noto-cjk", "fonts-liberation"],
}


def find_chromium(names: Iterable[str] = (HEADLESS, *HEADED)) -> str | None:
    """Return the path of the first Chromium that Playwright can start, or None.

    We start each candidate: Ubuntu's package only refers to a snap.
    """
    on_path = [[path] for path in map(shutil.which, names) if path]
    playwrights_own: list[str] = []
    candidates = [*on_path, playwrights_own]
    started = (_output(sys.executable, LAUNCH, *candidate).strip() for candidate in candidates)
    return next(filter(None, started), None)


def find_firefox() -> str | None:
    """Return the path of the first Firefox that prints its version, or None."""
    on_path = filter(None, map(shutil.which, FIREFOX))
    return next((path for path in on_path if "Firefox" in _output(path, "--version")), None)


def has_fonts() -> bool:
    """Return whether there is a Chinese font, and a Latin font with the metrics of Arial.

    Only Linux may lack them. Without the second, pages would be measured in a fallback font, such
    as DejaVu, which is a tenth wider.
    """
    if sys.platform != "linux":
        return True
    chinese = _output("fc-list", ":lang=zh").strip()
    return bool(chinese) and _output("fc-match", "--format=%{family}", "Arial") in ARIAL_METRICS


def main() -> int:
    """Find or install everything; print a line for each thing that is missing, and return 1."""
    _find_or_install(lambda: shutil.which(HEADLESS), partial(_apt_install, "headless"))
    chromium = _find_or_install(find_chromium, partial(_apt_install, "browser"), _download)
    firefox = _find_or_install(find_firefox, partial(_apt_install, "firefox"))
    fonts = _find_or_install(has_fonts, partial(_apt_install, "fonts"))
    if not chromium:
        print("The tests need a browser: install Chromium on PATH (and libatomic1 on Linux).")
    if not firefox:
        print("The tests need Firefox too: install it on PATH (Debian: firefox-esr).")
    if not fonts:
        print(f"The tests need a Chinese font and one of Arial's widths: install {FONTS}.")
    return 0 if chromium and firefox and fonts else 1


def _find_or_install(thing: Callable[[], object], *ways_to_get_it: Callable[[], bool]) -> bool:
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
