"""Split English and Chinese sentences into words, and encode words as ids."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import torch
from torch import Tensor

from attention_course.nli.reading import Pair
from attention_figures.languages import HAN
from attention_lib._checks import check_counts
from attention_lib.decomposable import LABELS

_RUNS = re.compile(f"[{HAN}]+|(?:[^\\W_{HAN}]|')+")
_CHINESE = re.compile(f"[{HAN}]")
_LEXICON = tuple((Path(__file__).parent / "pairs" / "zh-words.txt").read_text("utf-8").split())


class Vocabulary:
    """The words of some sentences, numbered.

    Words are in lower case; an English word is a run of letters, digits and apostrophes. A run of
    Chinese characters is cut by greedy longest match: at each place the longest known word is
    taken, and characters at which none begins stay together as one unknown word. Everything
    else separates words and is dropped.

    Args:
        sentences: strings. The words found in them are the vocabulary.
        min_count: how often a word must occur to be in it.
        lexicon: the Chinese words to look for in the sentences; a run of characters that is in
            none of them counts as one word. None: the words of the book's own pairs.

    Attributes:
        words: all words by id; 0 is the padding "<pad>", 1 stands for every other word, "<unk>",
            and the rest are ordered by how often they occur, then by where they first do.

    Raises:
        TypeError: sentences is one string or holds something that is not a string, or min_count is
            not an int.
        ValueError: min_count is less than 1.

    >>> vocabulary = Vocabulary(["A dog is running.", "The dog sleeps!"])
    >>> vocabulary.words
    ('<pad>', '<unk>', 'dog', 'a', 'is', 'running', 'the', 'sleeps')
    >>> ids, lens = vocabulary.encode(["The dog is barking.", "Running dog?"])
    >>> ids
    tensor([[6, 2, 4, 1],
            [5, 2, 0, 0]])
    >>> lens
    tensor([4, 2])
    """

    def __init__(
        self, sentences: Iterable[str], min_count: int = 1, lexicon: Iterable[str] | None = None
    ) -> None:
        check_counts(1, min_count=min_count)
        words = frozenset(_LEXICON if lexicon is None else _strings("lexicon", lexicon))
        lengths = _lengths(words)
        cuts = (_split(s, words, lengths) for s in _strings("sentences", sentences))
        counts = Counter(chain.from_iterable(cuts))
        frequent = [word for word, count in counts.most_common() if count >= min_count]
        self.words = ("<pad>", "<unk>", *frequent)
        self._ids = {word: number for number, word in enumerate(self.words)}
        self._lengths = _lengths(self.words)

    def __len__(self) -> int:
        return len(self.words)

    def split(self, sentence: str) -> list[str]:
        """Cut a sentence into words, known or not.

        Raises:
            TypeError: sentence is not a string.

        >>> vocabulary = Vocabulary(["一只狗在跑。"], lexicon=["一只", "狗", "在", "跑"])
        >>> vocabulary.split("一只老虎在睡觉。")
        ['一只', '老虎', '在', '睡觉']
        """
        if not isinstance(sentence, str):
            raise TypeError(f"sentence must be a string; got {type(sentence).__name__}")
        return list(_split(sentence, self._ids, self._lengths))

    def unknown(self, sentence: str) -> list[str]:
        """List the words of a sentence that are not in the vocabulary, each once.

        >>> Vocabulary(["a dog is running"]).unknown("A unicorn is running.")
        ['unicorn']
        """
        return [word for word in dict.fromkeys(self.split(sentence)) if word not in self._ids]

    def encode(self, sentences: Iterable[str]) -> tuple[Tensor, Tensor]:
        """Turn N sentences into ids (N, L), padded to the longest, and their lengths (N,).

        Raises:
            TypeError: sentences is one string, or holds something that is not a string.
        """
        rows = [
            [self._ids.get(w, 1) for w in self.split(s)] for s in _strings("sentences", sentences)
        ]
        lens = torch.tensor([len(row) for row in rows], dtype=torch.int64)
        ids = torch.zeros(len(rows), max(map(len, rows), default=0), dtype=torch.int64)
        for row, numbers in zip(ids, rows, strict=True):
            row[: len(numbers)] = torch.tensor(numbers, dtype=torch.int64)
        return ids, lens


def encode_pairs(
    pairs: Sequence[Pair | tuple[str, str, str]], vocabulary: Vocabulary
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Turn pairs into what `DecomposableAttention` takes, and their labels.

    Shapes: B pairs, P words of the longest premise, H words of the longest hypothesis.

    Returns:
        premises (B, P), hypotheses (B, H), premise_lens (B,), hypothesis_lens (B,), and labels
        (B,), positions in LABELS; all int64.

    Raises:
        ValueError: a label is not one of LABELS.

    >>> pairs = [Pair("A dog runs.", "A dog sleeps.", "contradiction")]
    >>> *sentences, labels = encode_pairs(pairs, Vocabulary(["a dog runs", "a dog sleeps"]))
    >>> [x.tolist() for x in sentences]
    [[[2, 3, 4]], [[2, 3, 5]], [3], [3]]
    >>> labels
    tensor([2])
    """
    for number, (_, _, label) in enumerate(pairs):
        if label not in LABELS:
            expected = f"one of {', '.join(LABELS)}"
            raise ValueError(f"the label of pair {number} must be {expected}; got {label!r}")
    premises, premise_lens = vocabulary.encode([premise for premise, _, _ in pairs])
    hypotheses, hypothesis_lens = vocabulary.encode([hypothesis for _, hypothesis, _ in pairs])
    labels = torch.tensor([LABELS.index(label) for _, _, label in pairs], dtype=torch.int64)
    return premises, hypotheses, premise_lens, hypothesis_lens, labels


def _lengths(words: Iterable[str]) -> list[int]:
    return sorted({len(word) for word in words if word}, reverse=True)


def _split(sentence: str, words: Collection[str], lengths: list[int]) -> Iterator[str]:
    for run in _RUNS.findall(sentence.lower().replace("’", "'")):
        if _CHINESE.match(run):
            yield from _cut(run, words, lengths)
        else:
            yield run


def _cut(run: str, words: Collection[str], lengths: list[int]) -> Iterator[str]:
    start = unknown = 0  # run[unknown:start] is in no known word
    while start < len(run):
        # Try only lengths that words have, or a text without punctuation takes quadratic time.
        ends = (start + length for length in lengths)
        end = next((end for end in ends if run[start:end] in words), None)
        if end is None:
            start += 1
            continue
        if unknown < start:
            yield run[unknown:start]
        yield run[start:end]
        start = unknown = end
    if unknown < len(run):
        yield run[unknown:]


def _strings(name: str, values: Iterable[str]) -> Iterator[str]:
    if isinstance(values, str):
        raise TypeError(f"{name} must be several strings; got one, {values!r}")
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{name} must hold strings; got {type(value).__name__}")
        yield value
