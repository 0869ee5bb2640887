"""Test that a page of another origin can neither guess for a reader nor command the lecturer."""

import pytest
from lecture import CHOICE, Lecture
from playwright.sync_api import Browser

from tests.foreign_page import RUN_ATTACK

# `book` is the URL of the room or of the lecturer. Each attack returns what it learned, or null.
SOCKET = """new Promise((resolve, reject) => {{
  const socket = new WebSocket(`${{book.replace("http", "ws")}}{}`);
  socket.onmessage = ({{ data }}) => resolve(data);
  socket.onerror = () => reject(new Error("refused")); }})"""
ATTACKS = {
    "guess": SOCKET.format("/room/events"),
    "command": SOCKET.format("/room/lecturer/events"),
    "read": "fetch(`${book}/room`, { credentials: 'include' }).then((r) => r.text())",
    "read the counts": """fetch(`${book}/room/lecturer/answers.csv`,
      { credentials: 'include' }).then((r) => r.text())""",
    "take the code": """new Promise((resolve, reject) => {
      const picture = new Image();
      picture.onload = () => resolve(picture.src);
      picture.onerror = reject;
      picture.src = `${book}/room/lecturer/code.svg`; })""",
}
FRAME = """(book) => new Promise((resolve) => {
  const frame = document.createElement("iframe");
  frame.onload = resolve;
  frame.src = `${book}/room`;
  document.body.append(frame); })"""


@pytest.mark.browser
def test_a_stranger_neither_guesses_nor_commands(
    browser: Browser, class_: Lecture, foreign_origin: str
) -> None:
    class_.lecturer().say({"type": "open", "question": CHOICE})
    context = browser.new_context()
    page = context.new_page()
    page.goto(class_.served.address)
    page.goto(f"{class_.room}/room")
    own = RUN_ATTACK.format(ATTACKS["guess"])
    assert page.evaluate(own, [class_.room, ""])  # on the room's page it works
    learned = {}
    for place in (foreign_origin, f"{class_.room}/room"):  # the room is a stranger to the lecturer
        page.goto(place)
        books = [class_.served.origin] + [class_.room] * (place == foreign_origin)
        for name, attack in ATTACKS.items():
            for book in books:
                learned[name, book] = page.evaluate(RUN_ATTACK.format(attack), [book, ""])
    assert {attack: got for attack, got in learned.items() if got is not None} == {}
    context.close()


@pytest.mark.browser
def test_no_page_shows_the_room_in_a_frame(
    browser: Browser, class_: Lecture, foreign_origin: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(foreign_origin)
    page.evaluate(FRAME, class_.room)
    assert all("data-room" not in frame.content() for frame in page.frames)
    context.close()
