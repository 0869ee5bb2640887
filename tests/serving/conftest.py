"""A chapter in either language, behind one server, with one kernel each for all tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from notebook_page import CHAPTER, Notebook, Reader
from playwright.sync_api import Browser
from served import Served, served

from tests.variants import sampled

LANGUAGES = ("en", "zh")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give the tests of a file the chapter in one language each, in turn."""
    if "reader" in metafunc.fixturenames and not hasattr(metafunc.module, "reader"):
        turn = [*vars(metafunc.module)].index(metafunc.function.__name__) % 2
        variants = sampled(LANGUAGES, LANGUAGES[turn].__eq__)
        metafunc.parametrize("reader", variants, indirect=True, scope="module")


@pytest.fixture(scope="module")
def book(request: pytest.FixtureRequest, site: Path) -> Iterator[Served]:
    """Serve the built book with kernels; they fork for a file that is about what pages do."""
    with served(site, forks=getattr(request.module, "KERNELS_FORK", False)) as server:
        yield server


@pytest.fixture(scope="module")
def reader(request: pytest.FixtureRequest, browser: Browser, book: Served) -> Iterator[Reader]:
    """Open the printed address in a browser of its own."""
    language: str = request.param
    context = browser.new_context(
        reduced_motion="reduce", viewport={"width": 1280, "height": 844}, color_scheme="light"
    )
    reader = Reader(context, book.origin)
    reader.open(book.address.replace("/?", f"/{CHAPTER.format(language)}?"))
    yield reader
    context.close()


@pytest.fixture
def notebook(reader: Reader) -> Iterator[Notebook]:
    """Give the chapter as the book has it; its kernel goes on from test to test.

    The test fails if the page reports an error, or asks for anything outside the site.
    """
    (page,) = reader.context.pages
    notebook = Notebook(page, page.url.split("/book/")[1][:2])
    notebook.forget()
    reader.problems.clear()
    yield notebook
    assert reader.problems == []
