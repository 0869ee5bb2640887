"""Test which words belong together: by hand, and for every word of the book's pairs."""

import pytest

from attention_course.nli import Pair, Vocabulary, counterparts, load_pairs
from tools.nli_judge import FUNCTION_WORDS


def together(premise: str, hypothesis: str) -> set[tuple[str, str]]:
    words = Vocabulary([premise, hypothesis])
    (matrix,) = counterparts([Pair(premise, hypothesis, "neutral")], words)
    first, second = words.split(premise), words.split(hypothesis)
    assert matrix.shape == (len(first), len(second))
    return {(first[i], second[j]) for i, j in matrix.nonzero().tolist()}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "by_hand"),
    [
        (
            "A dog is running in the park at noon.",
            "An animal is outdoors at night.",
            {("dog", "animal"), ("park", "outdoors"), ("noon", "night")},
        ),
        (
            "A boy is playing the piano.",
            "An old person is playing an instrument alone.",
            {
                ("boy", "person"),
                *((x, y) for x in ("playing", "piano") for y in ("playing", "instrument")),
            },
        ),
        (  # the cat that is chased is no counterpart of the dog that chases
            "A dog is chasing a cat.",
            "A cat is chasing a ball.",
            {("dog", "cat"), *((x, y) for x in ("chasing", "cat") for y in ("chasing", "ball"))},
        ),
        ("一只狗在追猫。", "一只动物在户外。", {("狗", "动物")}),
        ("一个穿红衣服的女孩在看书。", "一位穿蓝衣服的老人。", {("红", "蓝"), ("女孩", "老人")}),
        ("A unicorn is here.", "A unicorn is here.", set()),
    ],
)
def test_words_of_one_matter_by_hand(
    premise: str, hypothesis: str, by_hand: set[tuple[str, str]]
) -> None:
    assert together(premise, hypothesis) == by_hand


def test_padding_has_no_counterpart() -> None:
    pairs = [Pair("A dog.", "A dog.", "neutral"), Pair("A black dog.", "It is a dog.", "neutral")]
    matrix = counterparts(pairs, Vocabulary(text for pair in pairs for text in pair[:2]))
    assert matrix.shape == (2, 3, 4)
    assert matrix.nonzero().tolist() == [[0, 1, 1], [1, 2, 3]]
    assert counterparts([], Vocabulary([])).shape == (0, 0, 0)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_word_of_the_pairs_speaks_of_something_or_only_joins(lang: str) -> None:
    words = Vocabulary(text for part in load_pairs(lang) for pair in part for text in pair[:2])
    for word in words.words[2:]:
        assert bool(together(word, word)) != (word in FUNCTION_WORDS.split())
