"""Test what readers are told about an answer: the verdicts that the notebooks store.

The template itself is tested in tests/figures/test_asking.py: the guess, what it would be right
for, the answer, and why.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

BOOK = Path(__file__).parents[2] / "book"
NOTEBOOKS = sorted(BOOK.glob("[ez][nh]/*.ipynb"))
RECORD = re.compile(
    r'<script type="application/json" data-(?:ask|observe)>(.*?)</script>'
    r'|data-exercise="[^"]*"[^>]*><script[^>]*>(.*?)</script>'
)
# A reader would take such a subject for the answer, which stands next to the comment.
BARE_PRONOUN = re.compile(
    r"(?:It|Its|So|They|Their|There|He|She|Such)\b"
    r"|(?:That|This|Those|These) (?:is|are|was|were|would|will|has|had|have|does|do|can|happens)\b"
    r"|那是|那就|那样|那么|这是|这就|这样|它|所以"
)
OBSERVATION = re.compile(r'<script type="application/json" data-observe>(.*?)</script>')
# A reader may have moved something else than what an observation asks about.
TAKEN_FOR_DONE = re.compile(
    r"\b[Yy]ou (?:have |had )?\w+ed\b|\b(?:did|was|were|[Nn]ow|[Ll]eave)\b|你|现在"
)
TAG = re.compile(r"</?p>")  # around each part of what is said about a puzzle
END = re.compile(r"(?<=[.?!])\s+|(?<=[。？！])")


def records(notebook: Path) -> Iterator[dict[str, Any]]:
    for cell in nbformat.read(notebook, 4).cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            yield from (json.loads(a or b) for a, b in RECORD.findall(html))


def replies(record: Any) -> Iterator[str]:
    """Yield the comments of a question, or the replies of an exercise."""
    if isinstance(record, list):
        for part in record:
            yield from replies(part)
    elif isinstance(record, dict):
        names = ("because", "right", "says", "words", "others")
        texts = (x for name in names if isinstance(x := record.get(name), str))
        yield from (part for text in texts for part in TAG.split(text) if part)
        if "because" in record and "options" in record:
            yield from filter(None, record["wrong"])
        for part in record.values():
            yield from replies(part)


def verdicts(question: dict[str, Any]) -> Iterator[str]:
    """Yield the text of each verdict on a question, without the guess and the answer."""
    wrong = [x["says"] if isinstance(x, dict) else x for x in question["wrong"]]
    for comment in [*wrong, question["right"]]:
        yield f"{comment} {question['because']}"


def test_an_observation_holds_however_the_reader_came_to_it() -> None:
    texts = [
        json.loads(record)["text"]
        for notebook in NOTEBOOKS
        for cell in nbformat.read(notebook, 4).cells
        for output in cell.get("outputs", [])
        for record in OBSERVATION.findall(output.get("data", {}).get("text/html", ""))
    ]
    assert len(texts) > 50
    assert [text for text in texts if TAKEN_FOR_DONE.search(text)] == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_verdicts_cannot_be_misread(notebook: Path) -> None:
    found = [*records(notebook)]
    assert found or notebook.stem in ("misreadings", "stand")
    said = [text for record in found for text in replies(record)]
    assert [text for text in said if BARE_PRONOUN.match(text.lstrip("*`"))] == []
    for question in (one for one in found if "because" in one):
        for verdict in verdicts(question):
            sentences = [x.strip() for x in END.split(verdict) if x.strip()]
            assert len(sentences) == len({*sentences}), verdict
