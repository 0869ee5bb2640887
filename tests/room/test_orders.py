"""Test that guesses in both languages are counted as the same options."""

import json
import re
from pathlib import Path
from typing import Any

from tests.figures.node import call_each_in_node

ORDERS = str(Path(__file__).parents[2] / "book/web/room/orders.ts")
PARTS = {"data-ask": "question", "data-observe": "observation"}
FIGURE = re.compile(r'data-figure="([^"]+)"(.*?)(?=data-figure=|$)', re.DOTALL)
STAND = re.compile(r"data-stand .*?<script[^>]*>(.*?)</script>", re.DOTALL)


def records(site: Path, lang: str) -> dict[tuple[str, str, str], tuple[int, int]]:
    """Return the number of options and the answer of everything that can be asked."""
    found = {}
    for page in site.glob(f"book/{lang}/[0-9]*.html"):
        text = page.read_text("utf-8")
        for name, rest in FIGURE.findall(text):
            for mark, part in PARTS.items():
                record = re.search(rf"<script[^>]*{mark}[^>]*>(.*?)</script>", rest, re.DOTALL)
                if record and "options" in (asked := json.loads(record[1])):
                    found[page.stem, name, part] = (len(asked["options"]), asked["answer"])
    (items,) = STAND.findall((site / f"book/{lang}/stand.html").read_text("utf-8"))
    for item in json.loads(items)["items"]:
        found["stand", item["key"], "item"] = (len(item["options"]), item["right"])
    return found


def counted(asked: dict[str, Any], options: int, lang: str) -> list[tuple[Any, ...]]:
    return [(asked, option, lang) for option in range(options)]


def test_the_right_answer_is_counted_as_the_right_answer_in_both_languages(site: Path) -> None:
    english, chinese = records(site, "en"), records(site, "zh")
    assert len(english) > 150
    assert english.keys() == chinese.keys()
    calls, expected = [], []
    for key, (options, answer) in english.items():
        there, its_answer = chinese[key]
        names = dict(zip(("page", "figure", "part"), key, strict=True))
        for lang, own, other, of_own, of_other in (
            ("en", options, there, answer, its_answer),
            ("zh", there, options, its_answer, answer),
        ):
            asked = {**names, "kind": "choice", "options": own + 1, "lang": lang}
            calls += counted(asked, other, "zh" if lang == "en" else "en")
            expected += [(key, lang, own, option == of_other, of_own) for option in range(other)]
    said = call_each_in_node(ORDERS, "toCounted", calls)
    ends = call_each_in_node(
        ORDERS,
        "hasOthers",
        [key for key, *_ in expected],
    )
    for (key, lang, own, is_right, answer), option, others in zip(
        expected, said, ends, strict=True
    ):
        assert (option == answer) == is_right, (key, lang)
        assert option < own + others, (key, lang)
