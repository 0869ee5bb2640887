"""Test the votes of a room, and what phones and lecturer are told, without a network."""

import csv
import json
from dataclasses import asdict
from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest
from lecture import CHOICE, NUMBER

from tools.lecture import hub as hubs
from tools.lecture import room as rooms
from tools.lecture.hub import BURST, PATIENCE, TABS, Hub
from tools.lecture.messages import MAX_COUNT, MAX_NUMBERS, Refused, read_question
from tools.lecture.room import MAX_BROWSERS, MAX_FRAME, Room

ADDRESS = "http://10.0.0.5:8001"
A, B, C = ("browser A", "browser B", "browser C")


class Page:
    """A page that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        self.closed: int | None = None

    def send(self, text: str) -> None:
        self.told.append(json.loads(text))

    def close(self, code: int, reason: str) -> None:
        self.closed = code


class Class:
    """A hub with a lecturer, and with phones by their browsers."""

    def __init__(self, *browsers: str) -> None:
        self.waiting: list[Any] = []
        self.hub = Hub(ADDRESS, lambda seconds, call: self.waiting.append(call))
        self.lecturer = Page()
        self.hub.join_lecturer(self.lecturer)
        self.phones = {browser: self.phone(browser) for browser in browsers}

    def phone(self, browser: str) -> Page:
        page = Page()
        self.hub.join(browser, page)
        return page

    def command(self, type: str, **given: Any) -> dict[str, Any]:
        self.hub.lecturer_says(self.lecturer, json.dumps({"type": type, **given}))
        return self.lecturer.told[-1]

    def guess(self, browser: str, guess: object, vote: str | None = None) -> dict[str, Any]:
        return self.say(
            browser, {"type": "guess", "vote": vote or self.hub.room.vote, "guess": guess}
        )

    def say(self, browser: str, message: object) -> dict[str, Any]:
        text = message if isinstance(message, str | bytes) else json.dumps(message)
        self.hub.phone_says(browser, self.phones[browser], text)
        return self.phones[browser].told[-1]


def counts(state: dict[str, Any]) -> list[Any]:
    return [each["counts"] for each in state["asking"]["rounds"]]


def test_a_question_goes_through_two_votes_to_the_reveal() -> None:
    room = Class(A, B, C)
    assert [phone.told[-1]["phase"] for phone in room.phones.values()] == ["idle"] * 3
    said = room.command("open", question=CHOICE)
    assert (said["phase"], said["round"], counts(said)) == ("open", 1, [[]])
    told = room.phones[B].told[-1]
    assert (told["phase"], told["round"], told["mine"]) == ("open", 1, None)
    assert told["question"] == {**CHOICE, "range": None, "lang": ""}
    for browser, guess in ((A, 0), (B, 2), (A, 2), (C, 1)):
        assert room.guess(browser, guess)["mine"] == guess
    said = room.command("close")
    assert (said["phase"], said["guessed"], counts(said)) == ("closed", 3, [[0, 1, 2]])
    assert room.phones[A].told[-1]["phase"] == "closed"
    said = room.command("again")
    assert (said["round"], said["guessed"], counts(said)) == (2, 0, [[0, 1, 2], []])
    room.guess(A, 2)
    room.guess(B, 2)
    assert counts(room.command("close")) == [[0, 1, 2], [0, 0, 2]]
    assert room.command("reveal")["phase"] == "revealed"
    assert [phone.told[-1]["phase"] for phone in room.phones.values()] == ["revealed"] * 3
    assert room.command("end")["asking"] is None
    assert room.phones[C].told[-1]["question"] is None


def test_numbers_are_counted_by_their_value() -> None:
    room = Class(A, B, C)
    room.command("open", question={**NUMBER, "range": [-1, 100]})
    for browser, guess in ((A, 33.3), (B, 33.30000001), (C, -0.0)):
        room.guess(browser, guess)
    assert counts(room.command("close")) == [[[0, 1], [33.3, 2]]]


def test_nobody_is_told_counts_while_a_vote_is_open() -> None:
    room = Class(A, B)
    room.command("open", question=CHOICE)
    room.guess(A, 1)
    (tell_count,) = room.waiting
    tell_count()
    assert room.lecturer.told[-1] == {"type": "count", "guessed": 1, "present": 2}
    told = room.command("hello")
    assert counts(told) == [[]]
    assert all(set(said) & {"guessed", "counts", "rounds"} == set() for said in told_to(room, B))
    room.command("close")
    assert "rounds" not in json.dumps(told_to(room, B))


def told_to(room: Class, browser: str) -> list[dict[str, Any]]:
    return room.phones[browser].told


def test_two_tabs_have_one_guess() -> None:
    room = Class(A)
    room.command("open", question=CHOICE)
    other = room.phone(A)
    room.guess(A, 1)
    assert other.told[-1]["mine"] == 1
    room.hub.phone_says(A, other, json.dumps({**guess_in(room), "guess": 0}))
    assert told_to(room, A)[-1]["mine"] == 0
    assert counts(room.command("close")) == [[1, 0, 0]]
    assert room.hub.room.count()["present"] == 1


def guess_in(room: Class) -> dict[str, Any]:
    return {"type": "guess", "vote": room.hub.room.vote}


def test_who_comes_late_or_wakes_is_told_the_state_at_once() -> None:
    room = Class(A)
    room.command("open", question=CHOICE)
    room.guess(A, 1)
    assert room.phone(B).told[0]["phase"] == "open"
    assert room.phone(A).told[0]["mine"] == 1
    room.command("close")
    assert room.say(A, {"type": "hello"})["phase"] == "closed"


def test_a_sleeping_phone_is_still_counted_with_its_guess() -> None:
    room = Class(A, B)
    room.command("open", question=CHOICE)
    room.guess(A, 1)
    for browser in (A, B):
        room.hub.leave(browser, room.phones[browser])
    said = room.command("close")
    assert (counts(said), said["present"]) == ([[0, 1, 0]], 1)


def test_phones_that_open_the_page_of_the_question_stay_in_the_count() -> None:
    room = Class(A, B)
    room.hub.leave(B, room.phones[B])
    assert room.hub.room.count()["present"] == 1
    room.phones[B] = room.phone(B)
    room.command("open", question=CHOICE)
    for browser in (A, B):
        room.hub.leave(browser, room.phones[browser])
    assert room.hub.room.count() == {"type": "count", "guessed": 0, "present": 2}
    room.phones[A] = room.phone(A)
    assert room.hub.room.count()["present"] == 2
    assert room.command("close")["present"] == 1
    assert room.command("again")["present"] == 1


def test_a_guess_counts_only_in_its_vote() -> None:
    room = Class(A, B)
    room.command("open", question=CHOICE)
    first = room.hub.room.vote
    assert room.guess(A, 1, vote="0000000000000000.1")["code"] == "late"
    room.guess(A, 1)
    room.command("close")
    assert room.guess(B, 2, vote=first)["code"] == "late"
    room.command("again")
    assert room.guess(B, 2, vote=first)["code"] == "late"
    said = room.command("close")
    assert counts(said) == [[0, 1, 0], [0, 0, 0]]
    assert [each["hands"] for each in said["asking"]["rounds"]] == [[], []]


def test_after_a_vote_the_room_does_not_know_who_guessed() -> None:
    room = Class(A)
    room.command("open", question=CHOICE)
    room.guess(A, 1)
    assert A in repr(vars(room.hub.room))
    room.hub.leave(A, room.phones[A])
    room.command("close")
    assert "browser" not in repr(vars(room.hub.room))
    assert "browser" not in repr([*vars(room.hub).values()])
    assert "browser" not in room.hub.room.csv()


def test_the_next_question_closes_an_open_vote_and_keeps_its_counts() -> None:
    room = Class(A)
    for guess, leave in ((1, "open"), (2, "end")):
        room.command("open", question=CHOICE)
        room.guess(A, guess)
        room.command(leave, **({"question": NUMBER} if leave == "open" else {}))
    kept = [asking.rounds[0].counts for asking in room.hub.room.askings.values()]
    assert kept == [[0, 1, 0], [], [0, 0, 1]]


def test_a_show_of_hands_is_counted_with_the_guesses() -> None:
    room = Class(A)
    texts = {"title": "Which?", "labels": ["a", "b, c", "d"], "right": [1, 1]}
    room.command("open", question={**CHOICE, **texts})
    room.guess(A, 1)
    room.command("hands", counts=[9, 9, 9])
    room.command("close")
    (round_,) = room.command("hands", counts=[1, 2, 0])["asking"]["rounds"]
    assert (round_["counts"], round_["hands"]) == ([0, 1, 0], [1, 2, 0])
    name = "04-masked-softmax#sentence (question): Which?"
    head, *rows = csv.reader(room.hub.room.csv().splitlines())
    assert head[:4] == ["question", "option", "round", "count"]
    assert [row[:4] for row in rows] == [
        [name, option, "1", n] for option, n in (("a", "1"), ("b, c", "3"), ("d", "0"))
    ]
    assert head[4:] == ["asking", "closed", "phones", "hands", "right"]
    assert [[row[4], *row[6:]] for row in rows] == [
        *(["1", "0", "1", "0"], ["1", "1", "2", "1"], ["1", "0", "0", "0"]),
    ]
    assert room.command("hands", counts=[])["asking"]["rounds"][0]["hands"] == []


def test_the_file_tells_two_askings_of_a_question_apart_and_when_each_vote_was_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = Class(A)
    for minute in (5, 6):
        time = SimpleNamespace(now=lambda minute=minute: datetime(2026, 11, 28, 9, minute, 7))
        monkeypatch.setattr(rooms, "datetime", time)
        room.command("open", question={**NUMBER, "right": [0.2, 0.3]})
        room.guess(A, 0.25 * (minute - 4))
        kept = room.command("close")["asking"]
        room.command("end")
    name = "06-scaled#walk (observation)"
    after = Class()
    after.command("restore", askings=[kept], current=kept["id"], phase="closed")
    expected = [
        f"{name},0.25,1,1,1,2026-11-28 09:05:07,1,0,1",
        f"{name},0.5,1,1,2,2026-11-28 09:06:07,1,0,0",
    ]
    assert room.hub.room.csv().splitlines()[1:] == expected
    assert after.hub.room.csv().splitlines()[1:] == [expected[1].replace(",2,", ",1,")]


def test_the_file_has_each_closed_vote_and_no_open_one() -> None:
    room = Class(A, B)

    def rows() -> list[str]:
        return [line.rsplit(",", 5)[0] for line in room.hub.room.csv().splitlines()[1:]]

    room.command("open", question=NUMBER)
    room.guess(A, 0.25)
    room.guess(B, -3)
    room.command("hands", counts=[[0.25, 30]])
    assert rows() == []
    room.command("close")
    room.command("again")
    room.guess(B, 0.25)
    first = ["06-scaled#walk (observation),-3,1,1", "06-scaled#walk (observation),0.25,1,31"]
    assert rows() == first
    room.command("close")
    assert rows() == [*first, "06-scaled#walk (observation),0.25,2,1"]


def test_a_server_that_restarts_gets_back_what_was_closed_and_goes_on() -> None:
    before = Class(A)
    kept = []
    for question in (CHOICE, {**NUMBER, "range": [0, 1]}):
        before.command("open", question=question)
        before.guess(A, 1)
        before.command("close")
        kept.append(before.command("hands", counts=[])["asking"])
    vote = before.command("again")["vote"]
    kept[1] = before.lecturer.told[-1]["asking"]
    before.guess(A, 0)

    after = Class(A)
    assert after.lecturer.told[0]["run"] != before.lecturer.told[0]["run"]
    assert after.lecturer.told[0]["known"] == []
    given = {"askings": kept, "current": kept[1]["id"], "phase": "open"}
    said = after.command("restore", **given)
    assert (said["known"], said["phase"]) == ([asking["id"] for asking in kept], "open")
    told = told_to(after, A)[-1]
    assert (told["vote"], told["mine"]) == (vote, None)  # so the phone sends its guess again
    assert after.guess(A, 0)["mine"] == 0
    assert counts(after.command("close")) == [[[1, 1]], [[0, 1]]]
    assert after.hub.room.csv() != before.hub.room.csv()  # whose second vote is open
    before.command("close")
    assert after.hub.room.csv() == before.hub.room.csv()

    after.command("end")
    assert after.command("restore", **given)["phase"] == "idle"  # known, so not taken up again
    assert after.command("forget")["known"] == []
    assert len(after.hub.room.csv().splitlines()) == 1


def test_a_restored_question_does_not_replace_the_one_that_is_asked() -> None:
    old, new = Class(), Class()
    kept = old.command("open", question=CHOICE)["asking"]
    asked = new.command("open", question=NUMBER)["vote"]
    said = new.command("restore", askings=[kept], current=kept["id"], phase="closed")
    assert said["vote"] == asked
    assert len(said["known"]) == 2


def test_what_the_server_knows_is_not_replaced_by_what_is_given_back() -> None:
    room = Class(A)
    old = room.command("open", question=CHOICE)["asking"]
    room.guess(A, 1)
    room.command("close")
    room.command("restore", askings=[old], current=old["id"], phase="open")
    assert room.hub.room.phase == "closed"
    assert [one.rounds[0].counts for one in room.hub.room.askings.values()] == [[0, 1, 0]]


def test_a_vote_that_is_taken_up_begins_without_counts() -> None:
    room = Class()
    said = room.command("restore", askings=[ASKING], current=ASKING["id"], phase="open")
    assert (said["guessed"], counts(said)) == (0, [[]])


def test_a_lecture_has_a_limit_of_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MAX_ASKINGS", 2)
    room = Class()
    first = room.command("open", question=CHOICE)["vote"]
    last = room.command("open", question=CHOICE)["vote"]
    assert room.command("open", question=CHOICE)["code"] == "full"
    given = {"askings": [ASKING], "current": None, "phase": None}
    assert room.command("restore", **given)["code"] == "full"
    assert room.command("hello")["vote"] == last != first


def test_phones_are_not_told_of_a_show_of_hands() -> None:
    room = Class(A)
    room.command("open", question=CHOICE)
    before = [*told_to(room, A)]
    assert room.command("hands", counts=[1, 2, 3])["type"] == "state"
    assert told_to(room, A) == before


def test_a_range_is_finite() -> None:
    room = Class()
    question = json.dumps({**NUMBER, "range": [0, "MOST"]}).replace('"MOST"', "1e999")
    room.hub.lecturer_says(room.lecturer, f'{{"type": "open", "question": {question}}}')
    assert room.lecturer.told[-1]["code"] == "range"


ASKING: dict[str, Any] = {
    "id": "0" * 16,
    "question": CHOICE,
    "rounds": [{"counts": [1, 2, 3], "hands": []}],
}


@pytest.mark.parametrize(
    ("type", "given", "code"),
    [
        ("open", {}, "malformed"),
        ("open", {"question": CHOICE, "more": 1}, "malformed"),
        ("open", {"question": {**CHOICE, "more": 1}}, "malformed"),
        ("open", {"question": {**CHOICE, "page": "../secret"}}, "malformed"),
        ("open", {"question": {**CHOICE, "figure": "<b>"}}, "malformed"),
        ("open", {"question": {**CHOICE, "kind": ["choice"]}}, "malformed"),
        ("open", {"question": {**CHOICE, "options": 1}}, "malformed"),
        ("open", {"question": {**CHOICE, "options": 65}}, "range"),
        ("open", {"question": {**CHOICE, "options": True}}, "malformed"),
        ("open", {"question": {**CHOICE, "range": [0, 1]}}, "malformed"),
        ("open", {"question": {**NUMBER, "options": 3}}, "malformed"),
        ("open", {"question": {**NUMBER, "range": [1, 0]}}, "malformed"),
        ("open", {"question": {**NUMBER, "range": [1]}}, "malformed"),
        ("open", {"question": {**NUMBER, "range": [1, 1]}}, "malformed"),
        ("open", {"question": {**NUMBER, "right": [1, 0]}}, "malformed"),
        ("open", {"question": {**NUMBER, "right": 1}}, "malformed"),
        ("open", {"question": {**NUMBER, "title": "a" * 1001}}, "malformed"),
        ("open", {"question": {**CHOICE, "labels": ["a"]}}, "malformed"),
        ("close", {}, "phase"),
        ("again", {}, "phase"),
        ("reveal", {}, "phase"),
        ("hands", {"counts": [1, 2, 3]}, "phase"),
        ("restore", {"askings": 1, "current": None, "phase": "idle"}, "malformed"),
        ("restore", {"askings": [], "current": [], "phase": "open"}, "malformed"),
        ("restore", {"askings": [ASKING], "current": "0" * 16, "phase": "idle"}, "malformed"),
        *(
            ("restore", {"askings": [{**ASKING, **change}], "current": None, "phase": None}, code)
            for change, code in (
                ({"id": 1}, "malformed"),
                ({"rounds": []}, "malformed"),
                ({"rounds": [{"counts": [1], "hands": []}]}, "range"),
                ({"rounds": [{"counts": [1, 2, -3], "hands": []}]}, "range"),
                ({"rounds": [{"counts": None, "hands": []}]}, "malformed"),
                ({"rounds": [{"counts": [], "hands": [], "closed": "=1+1"}]}, "malformed"),
                ({"rounds": [1]}, "malformed"),
                ({"question": None}, "malformed"),
            )
        ),
        ("csv", {}, "malformed"),
        ("guess", {"vote": None, "guess": 1}, "malformed"),
    ],
)
def test_a_command_that_does_not_fit_changes_nothing(
    type: str, given: dict[str, Any], code: str
) -> None:
    room = Class()
    before = room.command("hello")
    assert room.command(type, **given)["code"] == code
    assert room.command("hello") == before


def test_commands_must_fit_the_phase() -> None:
    room = Class()
    for before, refused in (
        ("open", ("again", "reveal")),
        ("close", ("close",)),
        ("again", ("again", "reveal")),
        ("close", ("again",)),
        ("reveal", ("close", "again", "reveal")),
    ):
        room.command(before, **({"question": CHOICE} if before == "open" else {}))
        assert [room.command(name)["code"] for name in refused] == ["phase"] * len(refused)


@pytest.mark.parametrize(
    ("counts", "code"),
    [
        ([1, 2], "range"),
        ([1, 2, MAX_COUNT + 1], "range"),
        ([1, 2, 0.5], "malformed"),
        ("123", "malformed"),
    ],
)
def test_counts_of_hands_must_fit_the_question(counts: object, code: str) -> None:
    room = Class()
    room.command("open", question=CHOICE)
    assert room.command("hands", counts=counts)["code"] == code
    room.command("open", question=NUMBER)
    assert room.command("hands", counts=[[1, 2, 3]])["code"] == "malformed"
    many = [[x, 1] for x in range(MAX_NUMBERS + 1)]
    assert room.command("hands", counts=many)["code"] == "malformed"
    assert room.command("hands", counts=many[1:])["type"] == "state"


BAD_GUESSES = [
    ("", "malformed"),
    ("{", "malformed"),
    ("[" * 900, "malformed"),
    ("null", "malformed"),
    ('"hello"', "malformed"),
    (b'{"type": "hello"}', "malformed"),
    ({}, "malformed"),
    ({"type": 1}, "malformed"),
    ({"type": "close"}, "malformed"),
    ({"type": "open", "question": CHOICE}, "malformed"),
    ({"type": "hello", "more": 1}, "malformed"),
    ({"type": "guess", "guess": 1}, "malformed"),
    ({"guess": "1"}, "malformed"),
    ({"guess": None}, "malformed"),
    ({"guess": True}, "malformed"),
    ({"guess": [1]}, "malformed"),
    ({"guess": 1.5}, "malformed"),
    ({"guess": -1}, "range"),
    ({"guess": 3}, "range"),
    ({"guess": 10**900}, "range"),
    ({"guess": 1, "vote": 1}, "late"),
    ({"guess": 1, "vote": {}}, "late"),
    ({"guess": 1, "more": 1}, "malformed"),
]


@pytest.mark.parametrize(("message", "code"), BAD_GUESSES)
def test_a_message_that_is_none_is_refused_with_a_reason(message: Any, code: str) -> None:
    room = Class(A)
    room.command("open", question=CHOICE)
    if isinstance(message, dict) and "guess" in message and "type" not in message:
        message = {**guess_in(room), **message}
    said = room.say(A, message)
    assert (said["type"], said["code"]) == ("error", code)
    assert said["says"]
    assert counts(room.command("close")) == [[0, 0, 0]]


@pytest.mark.parametrize("guess", ["NaN", "Infinity", "-Infinity", "1e999", "1e13", "101", "-1"])
def test_a_number_is_finite_and_within_the_range(guess: str) -> None:
    room = Class(A)
    room.command("open", question={**NUMBER, "range": [0, 100]})
    message = json.dumps({**guess_in(room), "guess": "GUESS"}).replace('"GUESS"', guess)
    assert room.say(A, message)["code"] in ("malformed", "range")
    assert counts(room.command("close")) == [[]]


def test_a_browser_that_says_too_much_is_slowed_down_and_then_disconnected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hubs.time, "monotonic", lambda: now)
    now = 0.0
    room = Class(A, B)
    room.command("open", question=CHOICE)
    said = [room.guess(A, i % 3) for i in range(BURST + 1)]
    assert [one["type"] for one in said] == ["state"] * BURST + ["error"]
    assert said[-1]["code"] == "fast"
    assert room.guess(B, 1)["mine"] == 1  # others are not slowed down
    now = 1.0
    assert room.guess(A, 2)["mine"] == 2
    assert room.phones[A].closed is None
    for _ in range(PATIENCE + BURST):
        room.guess(A, 0)
    assert room.phones[A].closed == 1008
    assert counts(room.command("close")) == [[1, 1, 0]]


def test_three_hundred_readers_never_reach_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has two tabs, reloads, and drags a slider for as long as a page sends guesses."""
    monkeypatch.setattr(hubs.time, "monotonic", lambda: now)
    now = 0.0
    browsers = [f"browser {i}" for i in range(300)]
    room = Class(*browsers)
    tabs = [room.phone(browser) for browser in browsers]
    room.command("open", question={**NUMBER, "range": [0, 100]})
    for i in range(BURST + 5):  # three a second
        now = i / 3
        for browser in browsers:
            assert room.guess(browser, i)["mine"] == i
    for browser, tab in zip(browsers, tabs, strict=True):
        room.hub.leave(browser, tab)
        assert room.phone(browser).told[0]["mine"] == BURST + 4
    assert room.command("close")["guessed"] == 300
    assert MAX_BROWSERS >= 3 * 300
    assert len(json.dumps({**guess_in(room), "guess": 0.123456})) < MAX_FRAME / 4


def test_more_browsers_and_tabs_than_any_room_has_are_refused() -> None:
    room = Class(A)
    for _ in range(TABS - 1):
        room.phone(A)
    refused = room.phone(A)
    assert (refused.told[0]["code"], refused.closed) == ("full", 1013)
    room.hub.phone_says(B, refused, '{"type": "hello"}')  # before it is closed
    room.hub.leave(A, refused)
    for i in range(MAX_BROWSERS - 1):
        room.phone(f"browser {i}")
    assert room.phone("one more").told[0]["code"] == "full"
    assert room.phones[A].closed is None


def test_guesses_are_bounded_though_browsers_come_and_go() -> None:
    room = Room()
    room.open(CHOICE)
    for i in range(MAX_BROWSERS):
        room.guess(f"browser {i}", room.vote, 0)
    with pytest.raises(Refused, match="too many"):
        room.guess("one more", room.vote, 0)
    room.guess("browser 0", room.vote, 1)


def test_a_question_holds_texts_only_for_the_lecturers_file() -> None:
    texts = {"title": "Which?", "labels": ["a", "b", "c"], "right": [2, 2]}
    question = read_question({**CHOICE, **texts})
    assert asdict(question)["labels"] == ("a", "b", "c")
    assert question.for_phones() == {**CHOICE, "range": None, "lang": ""}


def test_two_lecturers_pages_see_the_same() -> None:
    room = Class()
    other = Page()
    room.hub.join_lecturer(other)
    said = room.command("open", question=CHOICE)
    assert other.told[-1] == said
    room.hub.leave_lecturer(other)
    room.command("close")
    assert other.told[-1] == said
