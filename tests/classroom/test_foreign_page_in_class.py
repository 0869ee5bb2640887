"""Test that a page of another origin gets nothing in the browser of a logged-in reader."""

from collections.abc import Iterator

import pytest
from foreign_page import ATTACKS, RUN_ATTACK
from playwright.sync_api import Browser, Page
from students import come, run

NAME = "mia"
CELL = "padding-a-batch"
KERNELS = """async ([book, xsrf]) => {
  const headers = { "X-XSRFToken": xsrf };
  const kernels = await (await fetch(`${book}/api/kernels`, { headers })).json();
  return kernels.map(({ id, connections }) => [id, connections]);
}"""


@pytest.fixture(scope="module")
def logged_in(room: str, browser: Browser) -> Iterator[Page]:
    """Log in, and run a cell."""
    context = browser.new_context()
    page = come(room, context, NAME)
    run(page, CELL)
    yield page
    context.close()


def kernels(logged_in: Page, room: str) -> list[tuple[str, int]]:
    """Return each kernel with its number of connections, as the reader's own pages see them."""
    own = [it for it in logged_in.context.cookies() if it["path"] == f"/user/{NAME}/"]
    (xsrf,) = (it["value"] for it in own if it["name"] == "_xsrf")
    found = logged_in.evaluate(KERNELS, [f"{room}/user/{NAME}", xsrf])
    return [(name, count) for name, count in found]


@pytest.mark.browser
@pytest.mark.parametrize("name", ATTACKS)
def test_a_stranger_gets_nothing(
    name: str, logged_in: Page, room: str, foreign_origin: str
) -> None:
    ((kernel, connections),) = kernels(logged_in, room)
    assert connections == 1
    sent = {it["path"] for it in logged_in.context.cookies(f"{foreign_origin}user/{NAME}/")}
    assert f"/user/{NAME}/" in sent  # the browser sends this cookie to any port
    page = logged_in.context.new_page()
    page.goto(foreign_origin)
    assert page.evaluate(RUN_ATTACK.format(ATTACKS[name]), [f"{room}/user/{NAME}", kernel]) is None
    assert all("attention" not in frame.content().lower() for frame in page.frames[1:])
    assert kernels(logged_in, room) == [(kernel, 1)]
    page.close()
    assert "tensor([2, 3, 4])" in run(logged_in, CELL)


@pytest.mark.browser
def test_the_attacks_work_on_the_readers_own_page(logged_in: Page, room: str) -> None:
    ((kernel, _),) = kernels(logged_in, room)
    assert (
        logged_in.evaluate(RUN_ATTACK.format(ATTACKS["talk"]), [f"{room}/user/{NAME}", kernel])
        == "open"
    )
