"""Test reading sentence pairs from both file formats of SNLI, made here with its real fields."""

import json
from pathlib import Path

import pytest

from attention_course.nli import LABELS, Pair, load_pairs, read_pairs

COLUMNS = [
    "gold_label",
    "sentence1_binary_parse",
    "sentence2_binary_parse",
    "sentence1_parse",
    "sentence2_parse",
    "sentence1",
    "sentence2",
    "captionID",
    "pairID",
    "label1",
    "label2",
    "label3",
    "label4",
    "label5",
]
ROWS = [
    ("neutral", 'A man says "hello" to a dog.', "A man is kind.", ["neutral"]),
    ("-", "Two men talk.", "Two men argue.", ["neutral", "contradiction", "entailment"]),
    ("entailment", "一只狗在跑。", "一只动物在跑。", ["entailment", "entailment", "", "neutral"]),
    ("contradiction", "A cat sleeps.", "n/a", ["contradiction"] * 5),
]
PAIRS = [Pair(p, h, label) for label, p, h, _ in ROWS if label != "-"]
PARSE = "( ( A man ) ( talks . ) )"


def jsonl(folder: Path) -> Path:
    """Write the rows as the .jsonl files of SNLI have them."""
    path = folder / "snli_1.0_dev.jsonl"
    rows = [
        {
            "annotator_labels": labels,
            "captionID": f"26{n}.jpg#4",
            "gold_label": gold,
            "pairID": f"26{n}.jpg#4r1n",
            "sentence1": premise,
            "sentence1_binary_parse": PARSE,
            "sentence1_parse": f"(ROOT {PARSE})",
            "sentence2": hypothesis,
            "sentence2_binary_parse": PARSE,
            "sentence2_parse": f"(ROOT {PARSE})",
        }
        for n, (gold, premise, hypothesis, labels) in enumerate(ROWS)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def txt(folder: Path) -> Path:
    """Write the rows as the .txt files of SNLI have them, missing labels left empty."""
    path = folder / "snli_1.0_dev.txt"
    lines = ["\t".join(COLUMNS)]
    for n, (gold, premise, hypothesis, labels) in enumerate(ROWS):
        parses = [PARSE, PARSE, f"(ROOT {PARSE})", f"(ROOT {PARSE})"]
        ids = [f"26{n}.jpg#4", f"26{n}.jpg#4r1n"]
        votes = [*labels, *[""] * (5 - len(labels))]
        lines.append("\t".join([gold, *parses, premise, hypothesis, *ids, *votes]))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("write", [jsonl, txt])
@pytest.mark.parametrize("kind", [str, Path])
def test_both_formats_are_read_without_pairs_of_no_consensus(
    tmp_path: Path, write: type[Path], kind: type[str] | type[Path]
) -> None:
    assert read_pairs(kind(write(tmp_path))) == PAIRS


def test_lines_may_end_as_on_windows_and_rows_early(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"gold_label\tsentence1\tsentence2\tlabel1\r\nneutral\ta\tb\r\n")
    assert read_pairs(path) == [Pair("a", "b", "neutral")]


def test_a_file_without_rows_holds_no_pairs(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("")
    (tmp_path / "a.txt").write_text("\t".join(COLUMNS))
    assert read_pairs(tmp_path / "a.jsonl") == read_pairs(tmp_path / "a.txt") == []


GOOD = '{"sentence1": "a", "sentence2": "b", "gold_label": "neutral"}\n'
HEADER = "gold_label\tsentence1\tsentence2\n"
BROKEN = [
    ("a.jsonl", GOOD + "{", r"^a.jsonl, line 2 must be a JSON object; Expecting"),
    ("a.jsonl", GOOD + "\n" + "{", r"^a.jsonl, line 3 must be a JSON object; Expecting"),
    ("a.jsonl", "[1]\n", r"^a.jsonl, line 1 must be a JSON object; got list$"),
    (
        "a.jsonl",
        GOOD.replace("sentence2", "x"),
        r"^a.jsonl, line 1 must have a text sentence2; got None$",
    ),
    ("a.jsonl", GOOD.replace('"a"', "3"), r"^a.jsonl, line 1 must have a text sentence1; got 3$"),
    (
        "a.jsonl",
        GOOD + GOOD.replace("neutral", "yes"),
        r"^a.jsonl, line 2 must have a gold_label of entailment, .* or -; got 'yes'$",
    ),
    (
        "a.txt",
        "",
        r"^a.txt, line 1 must name the columns sentence1, sentence2, gold_label; got \[''\]$",
    ),
    (
        "a.txt",
        "gold_label\tsentence1\n",
        r"^a.txt, line 1 must name the columns sentence2; got \['gold_label', 'sentence1'\]$",
    ),
    ("a.txt", HEADER + "neutral\ta\n", r"^a.txt, line 2 must have a text sentence2; got None$"),
    ("a.txt", HEADER + "neutral\ta\tb\tc\n", r"^a.txt, line 2 must have 3 columns; got 4$"),
    (
        "a.txt",
        HEADER + "neutral\ta\tb\nmaybe\ta\tb\n",
        r"^a.txt, line 3 must have a gold_label of .*; got 'maybe'$",
    ),
    ("a.csv", "", r"^path must end in .jsonl or .txt; got a.csv$"),
]


@pytest.mark.parametrize(("name", "text", "message"), BROKEN)
def test_what_cannot_be_read_is_refused_with_file_and_line(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(ValueError, match=message):
        read_pairs(tmp_path / name)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.jsonl"):
        read_pairs(tmp_path / "none.jsonl")


def test_the_books_own_pairs_exist_in_two_languages() -> None:
    for lang in ("en", "zh"):
        for part in load_pairs(lang):
            assert {pair.label for pair in part} == set(LABELS)
            assert all(isinstance(pair, Pair) for pair in part)
    with pytest.raises(ValueError, match=r"^lang must be 'en' or 'zh'; got 'fr'$"):
        load_pairs("fr")
