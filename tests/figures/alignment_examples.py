"""Make small and random alignment figures for the tests, and check their pages."""

import random

import pytest
import torch
from figure_page import assert_numbers, assert_shows
from playwright.sync_api import Page

from attention_course.nli import Pair, Vocabulary
from attention_figures import AlignmentFigure
from attention_lib import DecomposableAttention

PAIRS = {
    "en": [
        Pair("A dog is running.", "An animal is running.", "entailment"),
        Pair("A dog is running.", "A dog is running in the park.", "neutral"),
        Pair("A dog is running.", "A dog sleeps.", "contradiction"),
        Pair("The cat sleeps in the park.", "A cat sleeps.", "entailment"),
    ],
    "zh": [
        Pair("一只狗在跑。", "一只动物在跑。", "entailment"),
        Pair("一只狗在跑。", "一只狗在公园里跑。", "neutral"),
        Pair("一只狗在跑。", "一只狗在睡觉。", "contradiction"),
        Pair("那只猫在公园里睡觉。", "一只猫在睡觉。", "entailment"),
    ],
}
LEXICON = ["一只", "那只", "狗", "猫", "动物", "在", "跑", "睡觉", "公园", "里"]
# Characters of random sentences: words, separators, and characters that look like either.
SIGNS = [*"aBéßΣσİ狗猫公园里一²½四０Ａｂひラ한я𝒳𠀀", *" _-.,!?…’'‘，。！？、　🙂\t\u0301\u200d"]
KNOWN = ["a", "b", "ab", "don't", "狗", "公园", "公园里", "一只", "é", "σ", "ａｂ", "४२"]


def vocabulary(lang: str = "en") -> Vocabulary:
    """Return the words of the pairs."""
    return Vocabulary([text for pair in PAIRS[lang] for text in pair[:2]], lexicon=LEXICON)


def model(vocab_size: int, embedding_size: int = 4, num_hiddens: int = 6) -> DecomposableAttention:
    """Return a module whose weights differ clearly from one word to the next."""
    made = DecomposableAttention(vocab_size, embedding_size, num_hiddens)
    for parameter in made.parameters():
        parameter.data *= 2
    return made


def alignment(lang: str = "en", premise: str | None = None) -> AlignmentFigure:
    """Return the first pair, or another premise."""
    torch.manual_seed(0)
    words = vocabulary(lang)
    return AlignmentFigure(model(len(words)), words, PAIRS[lang], premise, lang=lang)


def random_text(draw: random.Random, length: int) -> str:
    """Return known and unknown words with arbitrary separators."""
    return "".join(draw.choice([draw.choice(SIGNS), draw.choice(KNOWN)]) for _ in range(length))


def random_alignment(seed: int) -> AlignmentFigure:
    """Return a random model of random sizes with random sentences, short, long and empty."""
    torch.manual_seed(seed)
    draw = random.Random(seed)
    words = Vocabulary([" ".join(draw.sample(KNOWN, 1 + seed % len(KNOWN)))], lexicon=KNOWN)
    given = (
        seed % 4
    )  # one model of four has no given vectors; with given vectors, there may be no learned ones
    learnt = seed % 5 + (not given)
    vectors = torch.randn(len(words), given) if given else None
    made = DecomposableAttention(len(words), learnt + given, 1 + seed % 7, vectors=vectors)
    for parameter in made.parameters():
        parameter.data = torch.randn_like(parameter) * [1, 0.1, 3][seed % 3]
    if seed % 11 == 0:
        first, second = torch.nn.Linear(given or learnt, 3), torch.nn.Linear(3, 2)
        made.F = torch.nn.Sequential(torch.nn.Dropout(), first, torch.nn.ReLU(), second)
    lengths = (0, 60) if seed % 6 == 0 else (draw.randrange(1, 30), draw.choice([0, 3, 20]))
    texts = (random_text(draw, length) for length in lengths)
    parts = ["word", "links", "comparisons"] if seed % 2 else []
    return AlignmentFigure(
        made, words, [Pair("", "", "neutral")], *texts, parts=parts, word=seed % 5
    )


def assert_shows_all(page: Page, figure: AlignmentFigure) -> None:
    """Assert that both alignments and the prediction are those of torch."""
    assert_shows(page, figure)
    back = page.locator("[data-reverse-at]").evaluate_all(
        "cells => cells.map((cell) => [cell.dataset.reverseAt, cell.textContent])"
    )
    assert_numbers(back, figure.reverse_weights)
    shown = [float(text) for text in page.locator("dd:not(.hint)").all_inner_texts()]
    assert shown == pytest.approx(figure.probabilities.tolist(), abs=0.0051)
    _, names = figure.headings()["probabilities"]
    chosen = page.locator("dt[data-chosen]").inner_text()
    assert chosen == names[int(figure.probabilities.argmax())]
