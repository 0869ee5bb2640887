"""Test the wording of everything that readers meet, in both languages."""

import pytest

from tools import limits, wording


def test_readers_meet_no_wording_that_the_book_avoids() -> None:
    avoided = wording.avoided()
    found = [
        (place, fault)
        for place, text in wording.texts()
        if not place.endswith("glossary.yml")  # which names the words to avoid
        for fault in wording.faults(text, avoided)
    ]
    assert found == []


def test_texts_of_all_kinds_are_read() -> None:
    places = {place for place, _ in wording.texts()}
    assert len(places) > 100
    assert {
        *("README.md", "README.zh.md", "book/en/lecture.md", "book/zh/13-a-whole-decoder.ipynb"),
        *("attention_course/exercises/masking.py", "attention_figures/web/strings/zh.ts"),
    } <= places


@pytest.mark.parametrize("word", limits.PER_THOUSAND)
def test_chinese_notebooks_do_not_repeat_a_word_more_than_native_books(word: str) -> None:
    prose = "\n\n".join(map(wording.markdown, sorted(wording.ROOT.glob("book/zh/*.ipynb"))))
    assert wording.per_thousand(prose, word) <= limits.PER_THOUSAND[word]
