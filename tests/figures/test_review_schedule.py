"""Test the progress record and the schedule of reviews, in Node."""

import json
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from node import call_each_in_node, call_in_node

RECORD, SCHEDULE, KEPT = (
    f"../../book/web/{name}.ts" for name in ("progress/record", "review/schedule", "review/kept")
)
FOUR = "04-masked-softmax"
DAY = 20_000
FAMILY = {"chapter": FOUR, "key": "kept", "figure": "wider", "exercise": "by-hand"}


def answered(is_: str, day: int = DAY) -> dict[str, Any]:
    return {FOUR: {"question": {"wider": {"is": is_, "day": day}}}}


def review(record: dict[str, Any], family: dict[str, str] | None = None) -> Any:
    return call_in_node(SCHEDULE, "reviewOf", record, family or FAMILY)


@pytest.mark.parametrize(
    ("tries", "result"),
    [
        (["right", "wrong"], "right"),
        (["wrong"], "wrong"),
        (["wrong", "wrong", "right", "wrong"], "later"),
        (["shown"], "shown"),
        (["wrong", "shown"], "wrong"),
        (["shown", "wrong"], "wrong"),
        (["shown", "right"], "later"),
    ],
)
def test_the_first_answer_counts_and_later_ones_are_told_apart(
    tries: list[str], result: str
) -> None:
    record: dict[str, Any] = {}
    for i, now in enumerate(tries):
        at = {"chapter": FOUR, "kind": "question", "id": "wider", "day": DAY + i}
        record = call_in_node(RECORD, "addAnswer", record, at, now)
    assert record == answered(result)
    kinds = ["question", "figure"]
    done = call_each_in_node(RECORD, "isDone", [(record, FOUR, kind, "wider") for kind in kinds])
    assert done == [result != "shown", True]
    for other in ("right", "later", "wrong", "shown"):
        counted = call_in_node(RECORD, "countOf", record, FOUR, {"question": other}, ["wider", "x"])
        assert counted == (other == result)


def test_records_of_several_devices_join_in_any_order() -> None:
    records = [
        answered("wrong"),
        answered("right", DAY + 1) | {"05-additive-attention": {"puzzle": {"f": ["own"]}}},
        {FOUR: {"figure": ["wider"], "reviews": {"kept": {"box": 1, "due": DAY + 5, "last": 0}}}},
        {FOUR: {"reviews": {"kept": {"box": 0, "due": DAY + 9, "last": 3}}}},
        {"05-additive-attention": {"puzzle": {"f": ["lines", "own"]}}, "99-new": {"figure": ["x"]}},
    ]
    joined = []
    for several in permutations(records):
        both: dict[str, Any] = {}
        for one in several:
            both = call_in_node(RECORD, "merge", both, one)
        joined.append(both)
    assert all(one == joined[0] for one in joined)
    assert joined[0] == {
        FOUR: {
            "figure": ["wider"],
            "question": {"wider": {"is": "later", "day": DAY}},
            "reviews": {"kept": {"box": 0, "due": DAY + 9, "last": 3}},
        },
        "05-additive-attention": {"puzzle": {"f": ["lines", "own"]}},
        "99-new": {"figure": ["x"]},
    }
    again = call_in_node(RECORD, "merge", joined[0], joined[0])
    assert again == joined[0]


GOOD = {FOUR: {"figure": ["a"], "question": {"b": {"is": "shown", "day": 3}}}, "99-new": {}}
DAMAGED = [
    *("", "[]", "null", '{"04-masked-softmax": {"question"', '{"04-masked-softmax": 1}'),
    *('{"__proto__": {}}', '{"elsewhere": {}}'),
    *(
        json.dumps({FOUR: {kind: entries}})
        for kind, entries in [
            ("figure", "wider"),
            ("figure", [1]),
            ("question", ["wider"]),
            ("question", {"wider": {"is": "maybe", "day": 3}}),
            ("question", {"wider": {"is": "right", "day": -1}}),
            ("question", {"constructor": {"is": "right", "day": 3}}),
            ("puzzle", {"f": ["luck"]}),
            ("reviews", {"kept": {"box": 5, "due": 3, "last": 0}}),
            ("reviews", {"kept": {"box": 0.5, "due": 3, "last": 0}}),
            ("exercise", {f"e{i}": {"is": "right", "day": 3} for i in range(300)}),
        ]
    ),
]


def test_a_damaged_record_is_noticed_and_the_rest_of_it_is_kept() -> None:
    texts = [json.dumps(GOOD), *DAMAGED]
    good, *damaged = call_each_in_node(RECORD, "readRecord", [(text,) for text in texts])
    assert good == {"record": GOOD, "damaged": False}
    assert [one["damaged"] for one in damaged] == [True] * len(DAMAGED)
    half = json.dumps({**GOOD, FOUR: {**GOOD[FOUR], "puzzle": 3}})
    assert call_in_node(RECORD, "parseRecord", half) == GOOD


def test_the_server_of_a_class_takes_the_largest_record() -> None:
    root = Path(__file__).parents[2]
    limits = [
        re.findall(r"MAX_BYTES = ([\d_]+)", (root / name).read_text("utf-8"))
        for name in ("classroom/student.py", "book/web/progress/record.ts")
    ]
    assert limits == [["200_000"]] * 2


def test_what_was_missed_comes_back_the_next_day_and_a_third_of_the_rest_in_a_week() -> None:
    assert review({}) is None
    for missed in ("wrong", "shown", "later"):
        assert review(answered(missed)) == {"box": 0, "due": DAY + 1, "last": 4}
    for kind, name in (("observation", "wider"), ("exercise", "by-hand")):
        record = {FOUR: {**answered("right")[FOUR], kind: {name: {"is": "wrong", "day": DAY}}}}
        assert review(record) == {"box": 0, "due": DAY + 1, "last": 4}
    families = [{**FAMILY, "key": f"family-{i}"} for i in range(300)]
    calls = [(answered("right"), family) for family in families]
    sample = [one for one in call_each_in_node(SCHEDULE, "reviewOf", calls) if one]
    assert 70 < len(sample) < 130
    assert {one["due"] for one in sample} == {DAY + 7}


def test_the_own_question_of_a_figure_comes_back_like_a_family() -> None:
    own = call_in_node(SCHEDULE, "ownQuestion", FOUR, "wider")
    assert own == {"chapter": FOUR, "key": "own_wider", "figure": "wider", "exercise": ""}
    assert review(answered("shown"), own) == {"box": 0, "due": DAY + 1, "last": 4}
    stored = {"box": 1, "due": DAY + 9, "last": 0}
    record = {FOUR: {**answered("shown")[FOUR], "reviews": {"own_wider": stored}}}
    assert review(record, own) == stored
    assert call_in_node(RECORD, "parseRecord", json.dumps(record)) == record


def test_the_intervals_grow_with_right_answers_and_begin_again_with_a_miss() -> None:
    now, day, gaps, asked = {"box": 0, "due": DAY, "last": 4}, DAY, [], []
    for right in [True] * 6 + [False, True]:
        asked.append(call_in_node(SCHEDULE, "variantOf", now))
        now = call_in_node(SCHEDULE, "after", now, right, day)
        gaps.append(now["due"] - day)
        day = now["due"]
    assert gaps == [3, 7, 21, 60, 60, 60, 1, 3]
    assert asked == [0, 1, 2, 3, 4, 0, 1, 2]


@pytest.mark.parametrize(
    ("box", "due", "is_due"),
    [
        (0, DAY, True),
        (0, DAY + 1, False),
        (0, DAY + 2, False),  # a flight to the west
        (0, DAY + 3, True),  # the clock was set back
        (4, DAY + 60, False),
        (4, DAY + 400, True),
        (2, DAY - 400, True),  # the clock was set forward, or the reader was away
    ],
)
def test_no_clock_hides_a_question_for_ever(box: int, due: int, is_due: bool) -> None:
    assert call_in_node(SCHEDULE, "isDue", {"box": box, "due": due, "last": 0}, DAY) is is_due
    record = {FOUR: {"reviews": {"kept": {"box": box, "due": due, "last": 0}}}}
    found = call_in_node(SCHEDULE, "nextDay", [FAMILY], record, DAY)
    assert found == (DAY if is_due else due)


def test_five_at_a_time_are_mixed_over_chapters_the_oldest_first() -> None:
    chapters = [*["03-scoring-functions"] * 4, *[FOUR] * 4, *["05-additive-attention"] * 2]
    families = [
        {**FAMILY, "chapter": chapter, "key": f"k{i}"} for i, chapter in enumerate(chapters)
    ]
    record: dict[str, Any] = {}
    for i, family in enumerate(families):
        own = record.setdefault(family["chapter"], {"reviews": {}})
        own["reviews"][family["key"]] = {"box": 0, "due": DAY - i, "last": 0}
    due = call_in_node(SCHEDULE, "dueFamilies", families, record, DAY)
    assert due == families
    chosen = call_in_node(SCHEDULE, "chooseFamilies", due, record)
    assert [one["key"] for one in chosen] == ["k9", "k7", "k3", "k8", "k6"]


def test_a_review_that_was_left_is_kept_for_the_day_if_it_is_valid() -> None:
    kept = {"asked": [[FOUR, "kept", 2], [FOUR, "fill", 0]], "given": [None], "place": 0}
    stored = {"day": DAY, **kept}
    invalid: list[dict[str, Any]] = [
        *({"asked": []}, {"asked": [[FOUR, "kept", 5]]}, {"asked": [[FOUR, 3, 1]]}),
        *({"asked": kept["asked"] * 3}, {"given": 3}, {"given": [None] * 3}),
        *({"place": 2}, {"place": 3}, {"place": -1}, {"place": "0"}, {"day": DAY - 1}),
    ]
    texts = [json.dumps({**stored, **change}) for change in ({}, *invalid)]
    calls = [(text, DAY) for text in [*texts, None, "", "{", "null", "[]"]]
    good, *others = call_each_in_node(KEPT, "parseKept", calls)
    assert good == kept
    assert others == [None] * len(others)
