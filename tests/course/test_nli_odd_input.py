"""Test odd input to the reader of sentence pairs: its meaning, or its error."""

from pathlib import Path
from typing import Any

import pytest

from attention_course.nli import Pair, Vocabulary, encode_pairs, read_pairs

COLUMNS = "gold_label\tsentence1\tsentence2\n"
ROW = '{"sentence1": "狗在跑。", "sentence2": "b", "gold_label": "neutral"}\n'


@pytest.mark.parametrize(
    ("name", "text"), [("a.jsonl", ROW), ("a.txt", f"{COLUMNS}neutral\t狗\tb")]
)
def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8-sig")
    (pair,) = read_pairs(tmp_path / name)
    assert (pair.hypothesis, pair.label) == ("b", "neutral")


BLANK = ["\n", "  \n", "\t \r\n", "\r\n", "\u3000\n"]


@pytest.mark.parametrize("blank", BLANK)
@pytest.mark.parametrize("mark", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize(
    ("name", "lines"),
    [("a.jsonl", [ROW, ROW]), ("a.txt", [COLUMNS, "neutral\t狗在跑。\tb\n", "-\ta\tb\r\n"])],
)
def test_blank_lines_are_left_out(
    tmp_path: Path, name: str, lines: list[str], mark: str, blank: str
) -> None:
    path = tmp_path / name
    path.write_bytes("".join(lines).encode(mark))
    expected = read_pairs(path)
    assert expected[0] == Pair("狗在跑。", "b", "neutral")
    path.write_bytes((blank + blank.join(lines) + blank + blank.rstrip("\r\n")).encode(mark))
    assert read_pairs(path) == expected


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
def test_blank_lines_are_counted_in_errors(tmp_path: Path, name: str) -> None:
    good = ROW if name == "a.jsonl" else COLUMNS
    (tmp_path / name).write_bytes(f"\ufeff\r\n{good}\n \n{good}\n\nwrong\n".encode())
    line = 8 if name == "a.jsonl" else 5  # a repeated header is not a valid label
    with pytest.raises(ValueError, match=f"^{name}, line {line} must "):
        read_pairs(tmp_path / name)


def test_a_table_of_blank_lines_names_no_columns(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("\n\n")
    with pytest.raises(ValueError, match=r"^a\.txt, line 1 must name the columns sentence1, "):
        read_pairs(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("[" * 100_000, "must be a JSON object; maximum recursion depth exceeded"),
        ("[" * 100_000 + "]" * 100_000, "must be a JSON object; maximum recursion depth exceeded"),
        ("9" * 5000, "must be a JSON object; Exceeds the limit"),
        ("9" * 4000, "must have a text sentence1; got 9{18}...9{19}$"),
        ("1e999", "must have a text sentence1; got inf$"),
        ("[" * 400 + "]" * 400, r"must have a text sentence1; got \[\[\[\[\[\[\[...\]{7}$"),
    ],
)
def test_deep_nesting_and_huge_numbers_are_refused_with_file_and_line(
    tmp_path: Path, value: str, message: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(ROW + ROW.replace('"狗在跑。"', value), "utf-8")
    with pytest.raises(ValueError, match=f"^a.jsonl, line 2 {message}"):
        read_pairs(path)


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
