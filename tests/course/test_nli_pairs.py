"""Test the book's pairs: reproducible, correctly labelled, balanced, without short cuts."""

from collections import Counter
from pathlib import Path

import pytest
import torch
from torch import nn

from attention_course.nli import LABELS, Pair, Vocabulary, encode_pairs, load_pairs
from attention_lib import DecomposableAttention
from tools import nli_pairs
from tools.nli_judge import judge
from tools.nli_scenes import Scene, label, natural

LANGUAGES = pytest.mark.parametrize("lang", ["en", "zh"])
E, N, C = LABELS
# Labels given by hand, sentence by sentence: they check the judge, which checks the data.
BY_HAND = [
    ("A dog is running in the park.", "An animal is outdoors.", E),
    ("A dog is running.", "A black dog is running.", N),
    ("A boy is sleeping.", "A boy is reading.", C),
    ("A girl is playing football.", "A girl is running.", N),  # some players run
    ("A person is outdoors.", "A woman is in the park.", N),
    ("A man is alone in the kitchen.", "A man is with a friend indoors.", C),
    ("A dog is chasing a cat.", "An animal is chasing a cat.", E),
    ("A child is playing an instrument.", "A child is playing the piano.", N),
    ("A child is playing an instrument.", "A child is playing tennis.", C),
    ("At night, an old man is reading a book.", "A man is reading at night.", E),
    ("一位老人在看书。", "一个人在阅读。", E),
    ("一个人在看书。", "一位老人在看书。", N),
    ("一个男人在看书。", "一位老人在看书。", N),
    ("一个穿红衣服的女孩在弹吉他。", "一个穿蓝衣服的孩子在演奏乐器。", C),
    ("一只猫晚上在户外奔跑。", "一只动物在海滩上。", N),
    ("一只狗在追猫。", "一只狗在追球。", C),
]


def parts(lang: str) -> list[list[Pair]]:
    train, dev, test = load_pairs(lang)
    return [train, dev, test]


def test_the_files_are_what_the_generator_makes() -> None:
    made = nli_pairs.files()
    stored = {path.name: path.read_text("utf-8") for path in nli_pairs.FOLDER.iterdir()}
    assert stored == made


@pytest.mark.parametrize(("premise", "hypothesis", "gold"), BY_HAND)
def test_the_judge_says_what_a_reader_says(premise: str, hypothesis: str, gold: str) -> None:
    vocabulary = Vocabulary([premise, hypothesis])
    assert judge(vocabulary.split(premise), vocabulary.split(hypothesis)) == gold


def test_the_judge_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match=r"^the judge must know every word; got 'unicorn'$"):
        judge(["unicorn"], ["dog"])


def test_a_label_that_the_judge_does_not_share_stops_the_making() -> None:
    with pytest.raises(ValueError, match=r"must be neutral; the judge says entailment$"):
        nli_pairs.checked("A dog is running.", "An animal is running.", "neutral")


@LANGUAGES
def test_every_stored_label_is_judged_right_from_the_text(lang: str) -> None:
    for pairs in parts(lang):
        vocabulary = Vocabulary([sentence for pair in pairs for sentence in pair[:2]])
        for premise, hypothesis, gold in pairs:
            assert judge(vocabulary.split(premise), vocabulary.split(hypothesis)) == gold


@LANGUAGES
def test_there_are_some_hundred_pairs_of_few_words(lang: str) -> None:
    train, dev, test = parts(lang)
    assert (len(train), len(dev), len(test)) == (486, 108, 108)
    sentences = [sentence for pair in train + dev + test for sentence in pair[:2]]
    vocabulary = Vocabulary(sentences)
    assert 40 < len(vocabulary) <= 120
    assert max(len(vocabulary.split(sentence)) for sentence in sentences) <= 14


@LANGUAGES
def test_every_sentence_meets_each_label_once(lang: str) -> None:
    for pairs in parts(lang):
        for side in (0, 1):
            met = Counter((pair[side], pair.label) for pair in pairs)
            sentences = {pair[side] for pair in pairs}
            assert met == {(sentence, name): 1 for sentence in sentences for name in LABELS}


@LANGUAGES
def test_no_two_parts_share_a_sentence_so_no_pair(lang: str) -> None:
    train, dev, test = ({s for pair in pairs for s in pair[:2]} for pairs in parts(lang))
    assert not (train & dev) | (train & test) | (dev & test)


@LANGUAGES
@pytest.mark.parametrize("side", [0, 1])
def test_one_sentence_alone_is_worth_a_guess(lang: str, side: int) -> None:
    train, _, test = parts(lang)
    vocabulary = Vocabulary([pair[side] for pair in train])
    bags = [
        torch.stack([torch.bincount(row, minlength=len(vocabulary)) for row in ids]).float()
        for ids in (vocabulary.encode([pair[side] for pair in pairs])[0] for pairs in (train, test))
    ]
    labels = [torch.tensor([LABELS.index(pair.label) for pair in pairs]) for pairs in (train, test)]
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(len(vocabulary), 32), nn.ReLU(), nn.Linear(32, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(200):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(bags[0]), labels[0]).backward()
        optimizer.step()
    for bag, gold in zip(bags, labels, strict=True):
        accuracy = (model(bag).argmax(1) == gold).float().mean().item()
        assert accuracy == pytest.approx(1 / 3, abs=0.01)


@LANGUAGES
def test_both_sentences_together_can_be_learnt(lang: str) -> None:
    train, dev, _ = parts(lang)
    vocabulary = Vocabulary([sentence for pair in train for sentence in pair[:2]])
    torch.manual_seed(1)
    model = DecomposableAttention(len(vocabulary), 24, 16).double()
    rest = [p for name, p in model.named_parameters() if not name.startswith("F.")]
    groups = [{"params": rest, "weight_decay": 0.5}, {"params": model.F.parameters()}]
    optimizer = torch.optim.AdamW(groups, lr=0.02, weight_decay=0)
    batches = torch.randperm(len(train)).chunk(8)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, 0.02, total_steps=800, cycle_momentum=False
    )
    *sentences, labels = encode_pairs(train, vocabulary)
    for batch in batches * 100:
        optimizer.zero_grad()
        logits = model(*(x[batch] for x in sentences))
        nn.functional.cross_entropy(logits, labels[batch]).backward()
        optimizer.step()
        schedule.step()
    *sentences, labels = encode_pairs(dev, vocabulary)
    assert (model(*sentences).argmax(1) == labels).double().mean() >= 0.9
    assert sum(parameter.numel() for parameter in model.parameters()) <= 4000


def test_undecidable_slots_get_no_label() -> None:
    assert label(Scene("boy", act="run"), Scene("boy", act="play-sport")) is None
    assert label(Scene("dog", act="chase-cat"), Scene("cat", place="park")) is None
    assert label(Scene("dog", act="run"), Scene("cat", act="run")) == C


@pytest.mark.parametrize(
    "scene",
    [
        Scene("dog"),
        Scene("dog", look="old", act="run"),
        Scene("dog", act="read"),
        Scene("dog", act="run", company="friend"),
        Scene("boy", act="sleep", company="friend"),
        Scene("boy", act="play-tennis", place="bedroom"),
        Scene("cat", act="chase-cat"),
    ],
)
def test_what_nobody_would_say_is_not_said(scene: Scene) -> None:
    assert not natural(scene)


def test_files_are_written_where_the_package_keeps_them() -> None:
    assert Path("attention_course", "nli", "pairs").parts == nli_pairs.FOLDER.parts[-3:]
