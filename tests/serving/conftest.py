"""Serve a chapter in both languages from one server, with one kernel each per test file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from notebook_page import CHAPTER, Notebook, Session
from playwright.sync_api import Browser
from served import Served, served

from tests.variants import sampled

LANGUAGES = ("en", "zh")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Alternate the language of the chapter between the tests of a file."""
    if "session" in metafunc.fixturenames and not hasattr(metafunc.module, "session"):
        turn = [*vars(metafunc.module)].index(metafunc.function.__name__) % 2
        variants = sampled(LANGUAGES, LANGUAGES[turn].__eq__)
        metafunc.parametrize("session", variants, indirect=True, scope="module")


@pytest.fixture(scope="module")
def book(request: pytest.FixtureRequest, site: Path) -> Iterator[Served]:
    """Serve the built book with kernels; files about the page's behaviour use forked kernels."""
    with served(site, forks=getattr(request.module, "KERNELS_FORK", False)) as server:
        yield server


@pytest.fixture(scope="module")
def session(request: pytest.FixtureRequest, browser: Browser, book: Served) -> Iterator[Session]:
    """Open the printed URL in its own browser context."""
    language: str = request.param
    context = browser.new_context(
        reduced_motion="reduce", viewport={"width": 1280, "height": 844}, color_scheme="light"
    )
    session = Session(context, book.origin)
    session.open(book.address.replace("/?", f"/{CHAPTER.format(language)}?"))
    yield session
    context.close()


@pytest.fixture
def notebook(session: Session) -> Iterator[Notebook]:
    """Reset the chapter to the book's code; its kernel keeps running between tests.

    The test fails if the page logs an error, or requests anything outside the site.
    """
    (page,) = session.context.pages
    notebook = Notebook(page, page.url.split("/book/")[1][:2])
    notebook.forget()
    session.problems.clear()
    yield notebook
    assert session.problems == []
