"""A page of another origin, in the browser of a reader who has logged in: it gets nothing."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from strangers import RUN, TRIES
from students import come, run

NAME = "mia"
CELL = "padding-a-batch"
KERNELS = """async ([book, xsrf]) => {
  const headers = { "X-XSRFToken": xsrf };
  const kernels = await (await fetch(`${book}/api/kernels`, { headers })).json();
  return kernels.map(({ id, connections }) => [id, connections]);
}"""


@pytest.fixture(scope="module")
def reader(room: str, browser: Browser) -> Iterator[Page]:
    """Log in, and run a cell."""
    context = browser.new_context()
    page = come(room, context, NAME)
    run(page, CELL)
    yield page
    context.close()


def kernels(reader: Page, room: str) -> list[tuple[str, int]]:
    """Ask, as the reader's own pages do, for each kernel and how many talk to it."""
    own = [it for it in reader.context.cookies() if it["path"] == f"/user/{NAME}/"]
    (xsrf,) = (it["value"] for it in own if it["name"] == "_xsrf")
    found = reader.evaluate(KERNELS, [f"{room}/user/{NAME}", xsrf])
    return [(name, count) for name, count in found]


@pytest.mark.browser
@pytest.mark.parametrize("name", TRIES)
def test_a_stranger_gets_nothing(name: str, reader: Page, room: str, stranger: str) -> None:
    ((kernel, connections),) = kernels(reader, room)
    assert connections == 1
    sent = {it["path"] for it in reader.context.cookies(f"{stranger}user/{NAME}/")}
    assert f"/user/{NAME}/" in sent  # the browser sends what opens kernels to any port
    page = reader.context.new_page()
    page.goto(stranger)
    assert page.evaluate(RUN.format(TRIES[name]), [f"{room}/user/{NAME}", kernel]) is None
    assert all("attention" not in frame.content().lower() for frame in page.frames[1:])
    assert kernels(reader, room) == [(kernel, 1)]
    page.close()
    assert "tensor([2, 3, 4])" in run(reader, CELL)


@pytest.mark.browser
def test_what_the_stranger_tries_works_on_the_readers_own_page(reader: Page, room: str) -> None:
    ((kernel, _),) = kernels(reader, room)
    assert reader.evaluate(RUN.format(TRIES["talk"]), [f"{room}/user/{NAME}", kernel]) == "open"
