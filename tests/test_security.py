"""Test that every statement of SECURITY.md names a test."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
STATEMENT = re.compile(r"^(?:\| (?!who |---).*|- .*(?:\n  .*)*)", re.MULTILINE)  # a row, an item
TEST = re.compile(r"`(test_\w+)`")


def test_each_statement_names_a_test_that_there_is() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    tests = set(re.findall(r"^def (test_\w+)", sources, re.MULTILINE))
    statements = STATEMENT.findall(text)
    assert len(statements) > 25
    assert [said for said in statements if not TEST.search(said)] == []
    assert sorted({*TEST.findall(text)} - tests) == []
