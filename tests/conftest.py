"""Configure property tests and plots; provide the browser and the built book that tests share."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest
from filelock import FileLock
from hypothesis import settings
from playwright.sync_api import Browser, expect, sync_playwright

from tools.browser import find_chromium
from tools.build import build
from tools.launch import ARGUMENTS
from tools.serve import ROOT, server

expect.set_options(timeout=20_000)  # a machine may be busy with other tests
# No deadline, because the first call into torch is slow; derandomised, so that a failure is
# reproducible.
settings.register_profile("tests", deadline=None, max_examples=50, derandomize=True)
settings.load_profile("tests")
matplotlib.use("agg")  # headless on every machine


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of a Chromium; `make test` installs one."""
    path = find_chromium()
    assert path, "no Chromium: run python -m tools.browser"
    return path


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    """Start a headless Chromium once for all tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """Build the book once for all pytest workers; a warning is an error."""
    own = tmp_path_factory.getbasetemp()
    out = (own if worker_id == "master" else own.parent) / "site"
    with FileLock(f"{out}.lock"):
        if not out.exists():
            build(ROOT, tmp_path_factory.mktemp("build")).rename(out)
    return out


@pytest.fixture(scope="session")
def foreign_origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a page of another origin, and return its URL."""
    folder = tmp_path_factory.mktemp("foreign")
    Path(folder, "index.html").write_text("<!doctype html><html><body>hello", "utf-8")
    with server(folder, port=0) as address:
        yield f"{address}/"
