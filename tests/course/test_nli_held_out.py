"""Test that every word of the held-out pairs occurs in training, so that it can be learned."""

from collections import Counter

import pytest

from attention_course.nli import Pair, Vocabulary, load_pairs


def words(vocabulary: Vocabulary, pairs: list[Pair]) -> Counter[str]:
    """Count the pairs with each word."""
    return Counter(word for p, h, _ in pairs for word in set(vocabulary.split(f"{p} {h}")))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_word_held_out_occurs_in_training_too(lang: str) -> None:
    train, dev, test = load_pairs(lang)
    vocabulary = Vocabulary([sentence for pair in train + dev + test for sentence in pair[:2]])
    shown = words(vocabulary, train)
    assert len(shown) > 40
    assert {word: shown[word] for word in words(vocabulary, dev + test) if shown[word] < 10} == {}
