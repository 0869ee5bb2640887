"""Test that a page of another origin gets nothing in a browser that has opened the book."""

import json
from collections.abc import Iterator

import pytest
from foreign_page import ATTACKS, RUN_ATTACK
from playwright.sync_api import Browser, Page, expect
from served import Served, served


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a page in place of the book."""
    folder = tmp_path_factory.mktemp("book")
    (folder / "index.html").write_text("<!doctype html><html><body>the book", "utf-8")
    with served(folder) as server:
        yield server


@pytest.fixture(scope="module")
def kernel(book: Served) -> str:
    return book.kernel()


@pytest.fixture
def book_page(browser: Browser, book: Served) -> Iterator[Page]:
    """Open the printed URL in a browser that then visits other origins."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(book.address)
    expect(page.locator("html[data-kernels]:not([data-closed])")).to_be_attached()
    yield page
    context.close()


OWN = """async ([book]) => (await fetch(`${book}/api/kernels`)).status"""


@pytest.mark.parametrize("name", ATTACKS)
def test_a_stranger_gets_nothing(
    name: str, book_page: Page, book: Served, kernel: str, foreign_origin: str
) -> None:
    before = book.kernels()
    assert book_page.evaluate(OWN, [book.origin]) == 200  # the browser has the cookie for kernels
    cookies = {cookie["name"] for cookie in book_page.context.cookies(foreign_origin)}
    assert any(name.startswith("username-") for name in cookies)  # and sends it to any port
    book_page.goto(foreign_origin)
    assert "_xsrf=" in book_page.evaluate(
        "document.cookie"
    )  # readable by any port, and so no protection
    assert book_page.evaluate(RUN_ATTACK.format(ATTACKS[name]), [book.origin, kernel]) is None
    assert all("the book" not in frame.content() for frame in book_page.frames)
    assert book.kernels() == before
    assert (
        json.loads(book.ask(f"/api/kernels/{kernel}", **book.session_headers())[1])["connections"]
        == 0
    )


def test_the_attacks_work_on_the_books_own_page(book_page: Page, book: Served, kernel: str) -> None:
    for name in ("read", "talk"):
        assert book_page.evaluate(RUN_ATTACK.format(ATTACKS[name]), [book.origin, kernel])
