"""A page of another origin, in a browser that has opened the book's address: it gets nothing."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from served import Served, served
from strangers import RUN, TRIES


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a page that stands for the book's."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "index.html").write_text("<!doctype html><html><body>the book", "utf-8")
    with served(folder) as server:
        yield server


@pytest.fixture(scope="module")
def kernel(book: Served) -> str:
    return book.kernel()


@pytest.fixture
def reader(browser: Browser, book: Served) -> Iterator[Page]:
    """Open the printed address, in a browser that goes on to other places."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(book.address)
    expect(page.locator("html[data-kernels]:not([data-closed])")).to_be_attached()
    yield page
    context.close()


OWN = """async ([book]) => (await fetch(`${book}/api/kernels`)).status"""


@pytest.mark.parametrize("name", TRIES)
def test_a_stranger_gets_nothing(
    name: str, reader: Page, book: Served, kernel: str, stranger: str
) -> None:
    before = book.kernels()
    assert reader.evaluate(OWN, [book.origin]) == 200  # the browser has what opens kernels
    cookies = {cookie["name"] for cookie in reader.context.cookies(stranger)}
    assert any(name.startswith("username-") for name in cookies)  # and sends it to any port
    reader.goto(stranger)
    assert "_xsrf=" in reader.evaluate("document.cookie")  # the second value: no protection here
    assert reader.evaluate(RUN.format(TRIES[name]), [book.origin, kernel]) is None
    assert all("the book" not in frame.content() for frame in reader.frames)
    assert book.kernels() == before
    assert json.loads(book.ask(f"/api/kernels/{kernel}", **book.reader())[1])["connections"] == 0


def test_what_the_stranger_tries_works_on_the_books_own_page(
    reader: Page, book: Served, kernel: str
) -> None:
    for name in ("read", "talk"):
        assert reader.evaluate(RUN.format(TRIES[name]), [book.origin, kernel])
