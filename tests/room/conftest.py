"""Give a lecture with a small site, once for all tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from lecture import SECRET, Lecture, lecture


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a site, and files outside it."""
    folder = tmp_path_factory.mktemp("lecture")
    site = folder / "site"
    (site / "book/en").mkdir(parents=True)
    for name in ("index.html", "book/en/a.html"):
        (site / name).write_text("<!doctype html><html lang=en><p>the book", "utf-8")
    (site / "a.js").write_text("'<html'", "utf-8")
    (folder / "secret.html").write_text(SECRET, "utf-8")
    (site / "link.html").symlink_to(folder / "secret.html")
    os.mkfifo(site / "pipe.html")
    return site


@pytest.fixture(scope="session")
def running(pages: Path) -> Iterator[Lecture]:
    with lecture(pages) as running:
        yield running


@pytest.fixture
def class_(running: Lecture) -> Iterator[Lecture]:
    """Return the lecture, with nobody in the room and nothing asked."""
    yield running
    running.leave()
