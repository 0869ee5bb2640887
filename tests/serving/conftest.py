"""A chapter in either language, behind one server, with one kernel each for all tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from notebook_page import CHAPTER, Notebook, Session
from playwright.sync_api import Browser
from served import Served, served

from tests.variants import sampled

LANGUAGES = ("en", "zh")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give the tests of a file the chapter in one language each, in turn."""
    if "session" in metafunc.fixturenames and not hasattr(metafunc.module, "session"):
        turn = [*vars(metafunc.module)].index(metafunc.function.__name__) % 2
        variants = sampled(LANGUAGES, LANGUAGES[turn].__eq__)
        metafunc.parametrize("session", variants, indirect=True, scope="module")


@pytest.fixture(scope="module")
def book(request: pytest.FixtureRequest, site: Path) -> Iterator[Served]:
    """Serve the built book with kernels; they fork for a file that is about what pages do."""
    with served(site, forks=getattr(request.module, "KERNELS_FORK", False)) as server:
        yield server


@pytest.fixture(scope="module")
def session(request: pytest.FixtureRequest, browser: Browser, book: Served) -> Iterator[Session]:
    """Open the printed address in a browser of its own."""
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
    """Give the chapter as the book has it; its kernel goes on from test to test.

    The test fails if the page reports an error, or asks for anything outside the site.
    """
    (page,) = session.context.pages
    notebook = Notebook(page, page.url.split("/book/")[1][:2])
    notebook.forget()
    session.problems.clear()
    yield notebook
    assert session.problems == []
