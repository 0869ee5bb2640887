"""Read sentence pairs from files in SNLI's two formats, which the book's own pairs use too."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from reprlib import repr as short
from typing import NamedTuple

from attention_figures.languages import LANGUAGES
from attention_lib.decomposable import LABELS

_FIELDS = ("sentence1", "sentence2", "gold_label")
_NO_CONSENSUS = "-"
_PAIRS = Path(__file__).parent / "pairs"


class Pair(NamedTuple):
    """A premise, a hypothesis, and the label of the pair."""

    premise: str
    hypothesis: str
    label: str


def read_pairs(path: str | Path) -> list[Pair]:
    """Read pairs from a file of the SNLI corpus, or one like it.

    Args:
        path: a .jsonl file with one object per line, or a .txt file with columns separated by tabs
            under a line of names. The fields `sentence1` (the premise), `sentence2` (the
            hypothesis) and `gold_label` are used; pairs labelled "-", on which the annotators did
            not agree, are left out, and so are blank lines.

    Returns:
        The other pairs, in order.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the name has another ending, the text is not UTF-8, a column or a field is
            missing, a line cannot be read, or a label is not one of LABELS; the message names file
            and line.

    Source: the format is that of Bowman, Angeli, Potts and Manning, *A large annotated corpus for
    learning natural language inference*, EMNLP 2015 (SNLI 1.0); MultiNLI has the same fields.

    >>> read_pairs("snli_1.0_dev.csv")
    Traceback (most recent call last):
    ...
    ValueError: path must end in .jsonl or .txt; got snli_1.0_dev.csv
    """
    path = Path(path)
    readers = {".jsonl": _json_rows, ".txt": _tab_rows}
    if path.suffix not in readers:
        raise ValueError(f"path must end in .jsonl or .txt; got {path.name}")
    with path.open("rb") as lines:
        rows = readers[path.suffix](path.name, _texts(path.name, lines))
        pairs = [_pair(place, row) for place, row in rows]
    return [pair for pair in pairs if pair.label != _NO_CONSENSUS]


def load_pairs(lang: str) -> tuple[list[Pair], list[Pair], list[Pair]]:
    """Load the book's own pairs.

    Args:
        lang: "en" or "zh".

    Returns:
        Pairs to train on, pairs to choose by (SNLI's *dev*), and pairs held out from both for the
        test.

    Raises:
        ValueError: there are no pairs in that language.

    >>> train, dev, test = load_pairs("en")
    >>> sorted({pair.label for pair in test})
    ['contradiction', 'entailment', 'neutral']
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be {' or '.join(map(repr, LANGUAGES))}; got {lang!r}")
    train, dev, test = (
        read_pairs(_PAIRS / f"{lang}-{part}.jsonl") for part in ("train", "dev", "test")
    )
    return train, dev, test


def _texts(name: str, lines: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Yield each line that is not blank, with its file and line number."""
    for number, line in enumerate(lines, 1):
        place = f"{name}, line {number}"
        try:  # some editors write a byte order mark
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"{place} must be UTF-8; {error}") from error
        if text.strip():
            yield place, text


def _json_rows(
    name: str, lines: Iterator[tuple[str, str]]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    for place, line in lines:
        try:
            row = json.loads(line)
        except (
            ValueError,
            RecursionError,
        ) as error:  # not JSON, a number too long, or nesting too deep
            raise ValueError(f"{place} must be a JSON object; {error}") from error
        if not isinstance(row, dict):
            raise ValueError(f"{place} must be a JSON object; got {type(row).__name__}")
        yield place, row


def _tab_rows(
    name: str, lines: Iterator[tuple[str, str]]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    # Not the csv module: SNLI quotes nothing, and a sentence may hold a quotation mark.
    place, line = next(lines, (f"{name}, line 1", ""))
    header = line.rstrip("\r\n").split("\t")
    if missing := [field for field in _FIELDS if field not in header]:
        raise ValueError(f"{place} must name the columns {', '.join(missing)}; got {header}")
    for place, line in lines:
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) > len(header):
            raise ValueError(f"{place} must have {len(header)} columns; got {len(cells)}")
        yield place, dict(zip(header, cells, strict=False))


def _pair(place: str, row: Mapping[str, object]) -> Pair:
    for field in _FIELDS:
        if not isinstance(row.get(field), str):
            raise ValueError(f"{place} must have a text {field}; got {short(row.get(field))}")
    premise, hypothesis, label = (str(row[field]) for field in _FIELDS)
    if label not in (*LABELS, _NO_CONSENSUS):
        expected = ", ".join(LABELS)
        raise ValueError(f"{place} must have a gold_label of {expected} or -; got {short(label)}")
    return Pair(premise, hypothesis, label)
