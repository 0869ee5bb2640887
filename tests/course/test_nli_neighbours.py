"""Test vectors from neighbours: by hand, against a loop, and invalid arguments."""

import math
import re
from typing import Any

import pytest
import torch

from attention_course.nli import Vocabulary, load_pairs, neighbour_vectors

SENTENCES = ["a dog runs", "a cat runs", "the dog sleeps", "the cat sleeps", "the bird sings"]
WORDS = Vocabulary(SENTENCES)


def row(word: str, vectors: torch.Tensor) -> torch.Tensor:
    return vectors[WORDS.words.index(word)]


def shares(word: str, window: int) -> dict[tuple[int, str], float]:
    """Count the neighbours of a word in a loop, "" beyond the edge."""
    found: dict[tuple[int, str], float] = {}
    for sentence in SENTENCES:
        tokens = sentence.split()
        for i in (i for i, token in enumerate(tokens) if token == word):
            for shift in (s for s in range(-window, window + 1) if s):
                inside = 0 <= i + shift < len(tokens)
                place = shift, tokens[i + shift] if inside else ""
                found[place] = found.get(place, 0) + 1
    total = sum(found.values())
    return {place: count / total for place, count in found.items()}


@pytest.mark.parametrize("window", [1, 2, 3])
def test_full_vectors_have_the_products_of_the_roots_of_shares(window: int) -> None:
    vectors = neighbour_vectors(SENTENCES, WORDS, len(WORDS), window)
    for one in WORDS.words[2:]:
        for other in WORDS.words[2:]:
            p, q = shares(one, window), shares(other, window)
            expected = sum(math.sqrt(p[place] * q.get(place, 0)) for place in p)
            product = (row(one, vectors) @ row(other, vectors)).item()
            assert product == pytest.approx(expected, abs=1e-5)


def test_words_with_the_same_neighbours_get_the_same_vector_of_length_1() -> None:
    vectors = neighbour_vectors(SENTENCES, WORDS, 3)
    torch.testing.assert_close(row("dog", vectors), row("cat", vectors))
    torch.testing.assert_close(vectors[2:].norm(dim=1), torch.ones(len(WORDS) - 2))


def test_words_of_no_sentence_get_zeros() -> None:
    words = Vocabulary([*SENTENCES, "a unicorn"])
    vectors = neighbour_vectors(SENTENCES, words, 4)
    for word in ("<pad>", "<unk>", "unicorn"):
        assert not vectors[words.words.index(word)].any()


def test_a_sentence_that_comes_twice_counts_once() -> None:
    once = neighbour_vectors(SENTENCES, WORDS, 3)
    again = neighbour_vectors(SENTENCES + 5 * SENTENCES[:1], WORDS, 3)
    assert torch.equal(once, again)


def test_signs_and_dtype_are_settled() -> None:
    vectors = neighbour_vectors(SENTENCES, WORDS, 3)
    assert vectors.dtype == torch.get_default_dtype()
    assert vectors[:, 0].sum() > 0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_rivals_of_the_book_are_of_a_kind(lang: str) -> None:
    sentences = [text for pair in load_pairs(lang)[0] for text in pair[:2]]
    words = Vocabulary(sentences)
    vectors = neighbour_vectors(sentences, words, 16)
    night, noon = {"en": ("night", "noon"), "zh": ("晚上", "中午")}[lang]
    likeness = vectors @ vectors[words.words.index(night)]
    assert words.words[int(likeness.topk(2).indices[1])] == noon


@pytest.mark.parametrize(
    ("sentences", "changes", "kind", "message"),
    [
        (SENTENCES, {"size": 0}, ValueError, "size must be at least 1; got 0"),
        (SENTENCES, {"size": 99}, ValueError, "the words; got 99"),
        (SENTENCES, {"window": 0}, ValueError, "window must be at least 1; got 0"),
        ("a dog", {}, TypeError, "sentences must be several strings; got one, 'a dog'"),
        ([3], {}, TypeError, "sentences must hold strings; got int"),
    ],
)
def test_what_makes_no_sense_is_refused(
    sentences: Any, changes: dict[str, int], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        neighbour_vectors(sentences, WORDS, **{"size": 3, **changes})
