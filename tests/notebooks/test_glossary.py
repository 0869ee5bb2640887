"""Test the glossary's source: complete in both languages, and about the content of the book."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml

from tools.prose import has_chinese

BOOK = Path(__file__).parents[2] / "book"
PARTS = yaml.safe_load((BOOK / "glossary.yml").read_text(encoding="utf-8"))
ENTRIES = [entry for part in PARTS.values() for entry in part]
NAMES = [str(entry["id"]) for entry in ENTRIES]
OPTIONAL = {"symbol", "shown", "sought_en", "sought_zh", "avoided_zh", "marked"}
WRITTEN = {"id", "chapter", "en", "zh", "meaning_en", "meaning_zh"}


def _prose(language: str, chapter: int) -> str:
    (path,) = (BOOK / language).glob(f"{chapter:02}-*.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def test_there_are_two_parts() -> None:
    assert list(PARTS) == ["notation", "terms"]
    assert len(NAMES) == len(set(NAMES)) >= 60


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_an_entry_is_whole_in_both_languages(entry: dict[str, Any]) -> None:
    assert set(entry) - OPTIONAL == WRITTEN
    assert ("symbol" in entry) == (entry in PARTS["notation"])
    assert re.fullmatch(r"[a-z][a-z-]*", entry["id"])
    assert not has_chinese(entry["en"] + entry["meaning_en"])
    assert has_chinese(entry["meaning_zh"])
    assert entry["meaning_en"].endswith((".", "?"))
    assert entry["meaning_zh"].endswith("。")


@pytest.mark.parametrize("part", PARTS)
def test_entries_follow_the_chapters(part: str) -> None:
    chapters = [entry["chapter"] for entry in PARTS[part]]
    assert chapters == sorted(chapters)


@pytest.mark.parametrize("entry", PARTS["notation"], ids=lambda entry: entry["id"])
def test_a_symbol_is_used_where_it_is_introduced(entry: dict[str, Any]) -> None:
    for language in ("en", "zh"):
        formulas = re.findall(
            r"\$\$.+?\$\$|\$[^$]+\$", _prose(language, entry["chapter"]), re.DOTALL
        )
        symbol = re.compile(rf"(?<![A-Za-z\\_]){re.escape(entry['symbol'])}(?![A-Za-z_])")
        assert any(symbol.search(formula) for formula in formulas)


@pytest.mark.parametrize("entry", PARTS["terms"], ids=lambda entry: entry["id"])
def test_a_term_is_used_in_the_chapter_that_introduces_it(entry: dict[str, Any]) -> None:
    for language in ("en", "zh"):
        term = re.sub(r"（.*）", "", entry[language]).lower()
        assert term in " ".join(_prose(language, entry["chapter"]).lower().split())
