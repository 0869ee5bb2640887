"""A browser, and a server on this machine, for what is measured in pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, sync_playwright

from tools.browser import find_chromium
from tools.launch import ARGUMENTS
from tools.serve import server


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; give the address, without a slash at the end."""
    with server(folder, port=0) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
