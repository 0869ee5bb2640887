"""The browser that the tests share."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tools.browser import find_chromium
from tools.launch import ARGUMENTS

expect.set_options(timeout=20_000)  # a machine may be busy with other tests


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where a Chromium is; `make test` gets one."""
    path = find_chromium()
    assert path, "no Chromium: run python -m tools.browser"
    return path


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    """Start a headless Chromium, once for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield browser
        browser.close()
