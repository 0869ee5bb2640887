"""Test vocabularies: tokenisation, unknown words, encoding of pairs."""

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_course.nli import Pair, Vocabulary, encode_pairs

ENGLISH = Vocabulary(["A dog's ball is in the park.", "The dog is in the park", "THE dog"])
CHINESE = Vocabulary(
    ["一只狗在公园里跑。", "一个人在公园里。"],
    lexicon=["一只", "一个", "公园", "公", "里", "在", "狗", "人"],
)


def test_words_are_ordered_by_count_then_by_first_sight() -> None:
    assert ENGLISH.words == (
        "<pad>",
        "<unk>",
        "the",
        "is",
        "in",
        "park",
        "dog",
        "a",
        "dog's",
        "ball",
    )
    assert len(ENGLISH) == 10


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("A dog, a DOG... and a_dog!", ["a", "dog", "a", "dog", "and", "a", "dog"]),
        ("It's 3 o’clock", ["it's", "3", "o'clock"]),
        ("naïve café – Straße", ["naïve", "café", "straße"]),
        (" \t\n.,;?!", []),
        ("", []),
        ("一只dog在park里。", ["一只", "dog", "在", "park", "里"]),
    ],
)
def test_english_words_are_runs_of_letters_digits_and_apostrophes(
    sentence: str, words: list[str]
) -> None:
    assert CHINESE.split(sentence) == words


def test_chinese_is_cut_by_the_longest_word_and_unknown_characters_stay_together() -> None:
    assert CHINESE.split("一个人在公园里跑，一只老虎在公里看狗") == [
        "一个", "人", "在", "公园", "里", "跑", "一只", "老虎", "在", "公", "里", "看", "狗",
    ]  # fmt: skip


def test_characters_in_no_word_of_the_lexicon_become_a_word_of_the_vocabulary() -> None:
    assert "跑" in CHINESE.words
    assert "公" not in CHINESE.words  # 公 is not found alone: 公园 is longer
    spaced = Vocabulary(["大象 喜欢 香蕉"], lexicon=[])
    assert spaced.split("香蕉喜欢大象") == ["香蕉", "喜欢", "大象"]


def test_the_books_words_are_the_default_lexicon() -> None:
    assert Vocabulary(["一个孩子在卧室里睡觉。"]).words[2:] == (
        "一个",
        "孩子",
        "在",
        "卧室",
        "里",
        "睡觉",
    )


def test_rare_words_can_be_left_out() -> None:
    vocabulary = Vocabulary(["a dog", "a cat"], min_count=2)
    assert vocabulary.words == ("<pad>", "<unk>", "a")
    assert vocabulary.unknown("a dog, a cat, a dog") == ["dog", "cat"]


def test_ids_are_padded_with_0_and_1_is_whatever_is_unknown() -> None:
    ids, lens = ENGLISH.encode(["The unicorn is in.", "", "<pad>"])
    assert ids.tolist() == [[2, 1, 3, 4], [0, 0, 0, 0], [1, 0, 0, 0]]
    assert lens.tolist() == [4, 0, 1]
    assert ids.dtype == lens.dtype == torch.int64
    assert [tuple(x.shape) for x in ENGLISH.encode([])] == [(0, 0), (0,)]


@given(st.lists(st.text(alphabet="ab' 狗猫公园里,。", max_size=12), max_size=5))
def test_every_word_of_its_own_sentences_is_known(sentences: list[str]) -> None:
    vocabulary = Vocabulary(sentences, lexicon=["公园", "狗", "园里"])
    ids, lens = vocabulary.encode(sentences)
    assert not (ids == 1).any()
    for sentence, row, n in zip(sentences, ids.tolist(), lens.tolist(), strict=True):
        assert vocabulary.unknown(sentence) == []
        assert [vocabulary.words[i] for i in row[:n]] == vocabulary.split(sentence)
        assert "".join(vocabulary.split(sentence)) == sentence.translate(
            dict.fromkeys(map(ord, " ,。"))
        )


def test_pairs_become_what_the_model_takes() -> None:
    pairs = [Pair("the dog", "a ball is in", "neutral"), Pair("park", "", "entailment")]
    premises, hypotheses, premise_lens, hypothesis_lens, labels = encode_pairs(pairs, ENGLISH)
    assert premises.tolist() == [[2, 6], [5, 0]]
    assert hypotheses.tolist() == [[7, 9, 3, 4], [0, 0, 0, 0]]
    assert (premise_lens.tolist(), hypothesis_lens.tolist()) == ([2, 1], [4, 0])
    assert labels.tolist() == [1, 0]
    assert labels.dtype == torch.int64


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        (("a dog",), TypeError, "^sentences must be several strings; got one, 'a dog'$"),
        (([1],), TypeError, "^sentences must hold strings; got int$"),
        ((["a"], 0), ValueError, "^min_count must be at least 1; got 0$"),
        ((["a"], 1.5), TypeError, "^min_count must be an integer; got float$"),
        ((["a"], True), TypeError, "^min_count must be an integer; got bool$"),
        ((["a"], 1, "狗"), TypeError, "^lexicon must be several strings; got one, '狗'$"),
        ((["a"], 1, [None]), TypeError, "^lexicon must hold strings; got NoneType$"),
    ],
)
def test_what_makes_no_vocabulary_is_refused(
    arguments: tuple[Any, ...], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=message):
        Vocabulary(*arguments)


def test_encoding_one_string_or_an_unknown_label_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^sentences must be several strings; got one, 'a dog'$"):
        ENGLISH.encode("a dog")
    message = "^the label of pair 1 must be one of entailment, neutral, contradiction; got '-'$"
    with pytest.raises(ValueError, match=message):
        encode_pairs([Pair("a", "b", "neutral"), Pair("a", "b", "-")], ENGLISH)
