"""Odd input to the reading of sentence pairs: what it means, or what the error says."""

from pathlib import Path
from typing import Any

import pytest

from attention_lib.nli import Pair, Vocabulary, encode_pairs, read_pairs

COLUMNS = "gold_label\tsentence1\tsentence2\n"
ROW = '{"sentence1": "狗在跑。", "sentence2": "b", "gold_label": "neutral"}\n'


@pytest.mark.parametrize(
    ("name", "text"), [("a.jsonl", ROW), ("a.txt", f"{COLUMNS}neutral\t狗\tb")]
)
def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8-sig")
    (pair,) = read_pairs(tmp_path / name)
    assert (pair.hypothesis, pair.label) == ("b", "neutral")


@pytest.mark.parametrize(("name", "text"), [("a.jsonl", ROW), ("a.txt", COLUMNS)])
def test_text_that_is_not_utf_8_is_refused_with_file_and_line(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / name).write_bytes(text.encode() + "狗\n".encode("gbk"))
    with pytest.raises(ValueError, match=rf"^{name}, line 2 must be UTF-8; "):
        read_pairs(tmp_path / name)


def test_a_text_without_punctuation_is_cut_in_good_time() -> None:
    vocabulary = Vocabulary(["猫"], lexicon=["猫", "小猫"])
    assert vocabulary.split("狗" * 50_000 + "猫") == ["狗" * 50_000, "猫"]


def test_an_empty_word_in_a_lexicon_is_none() -> None:
    assert Vocabulary(["小狗"], lexicon=["狗", ""]).words[2:] == ("小", "狗")


def test_words_at_the_end_of_a_run_are_found_whatever_their_length() -> None:
    vocabulary = Vocabulary(["公园里 园里 里"], lexicon=["公园里", "园里", "里"])
    assert vocabulary.split("里公园园里") == ["里", "公园", "园里"]


@pytest.mark.parametrize("wrong", [3, None, b"a dog", ["a dog"]])
def test_what_is_no_sentence_is_refused(wrong: Any) -> None:
    vocabulary = Vocabulary(["a dog"])
    for method in (vocabulary.split, vocabulary.unknown):
        with pytest.raises(
            TypeError, match=f"sentence must be a string; got {type(wrong).__name__}"
        ):
            method(wrong)


def test_plain_tuples_are_pairs_too() -> None:
    pairs, vocabulary = (
        [("a dog", "a", "neutral"), ("", "dog", "entailment")],
        Vocabulary(["a dog"]),
    )
    named = encode_pairs([Pair(*pair) for pair in pairs], vocabulary)
    for mine, theirs in zip(encode_pairs(pairs, vocabulary), named, strict=True):
        assert mine.tolist() == theirs.tolist()
    with pytest.raises(ValueError, match=r"label of pair 1 must be one of .*; got 'yes'"):
        encode_pairs([pairs[0], ("a", "b", "yes")], vocabulary)
