"""Define the sentences of chapter 10's two heads, load the trained model, and record its questions.

The model answers with the last word, which depends on two others. An English verb is in the present
or the past and singular or plural; a Chinese measure word points at what is near or far, and fits
the noun that it counts.
`tools/heads.py` makes the sentences, trains models of two heads, and stores them in `heads.json`.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attention_course.records import (
    ChoiceRecord,
    Lang,
    NumberRecord,
    Record,
    Text,
    Translated,
    in_language,
)
from attention_figures import HeadsFigure
from attention_figures.languages import LANGUAGES
from attention_lib import MultiHeadAttention, sinusoidal_positions

FILE = Path(__file__).with_name("heads.json")
NUM_HEADS, SIZE, LENGTH = 2, 8, 9  # LENGTH: of the longest sentence


@dataclass(frozen=True)
class Grammar:
    """Sentences of one language.

    Args:
        pattern: the classes of their words in order; one that ends in "?" may be left out.
        classes: words by class. "marker" and "noun" have two halves, the first for 0.
        answers: by 2 · marker + noun, where the noun is the first of the sentence.
        example: the sentence of the figure.
    """

    pattern: list[str]
    classes: dict[str, list[str]]
    answers: list[str]
    example: list[str]

    @property
    def vocabulary(self) -> list[str]:
        """All words, class by class."""
        return [word for words in self.classes.values() for word in words]

    def half(self, word: str) -> int:
        """0 or 1: in which half of its class a marker or noun stands."""
        words = next(words for words in self.classes.values() if word in words)
        return int(words.index(word) >= len(words) // 2)

    def swaps(self, sentence: list[str]) -> list[list[int]]:
        """For each word of a sentence, the places in the vocabulary of those of its class."""
        places = {word: i for i, word in enumerate(self.vocabulary)}
        classes = ([*words] for words in self.classes.values())
        of = {word: [places[other] for other in words] for words in classes for word in words}
        return [of[word] for word in sentence]


GRAMMARS = {
    "en": Grammar(
        ["marker", "the", "adjective?", "noun", "beside", "the", "adjective?", "noun"],
        {
            "marker": [
                "today",
                "now",
                "currently",
                "tonight",
                "yesterday",
                "earlier",
                "once",
                "formerly",
            ],
            "noun": [
                "dog",
                "cat",
                "child",
                "mouse",
                "woman",
                "bird",
                "dogs",
                "cats",
                "children",
                "mice",
                "women",
                "birds",
            ],
            "the": ["the"],
            "adjective": ["old", "small", "tired", "happy"],
            "beside": ["near", "behind", "beside", "with"],
        },
        ["is", "are", "was", "were"],
        ["yesterday", "the", "dogs", "behind", "the", "cat"],
    ),
    "zh": Grammar(
        ["hello?", "noun", "who", "want", "marker", "adjective?", "noun", "beside", "of"],
        {
            "marker": ["这边", "这里", "面前", "手边", "那边", "那里", "对面", "远处"],
            "noun": [
                "书",
                "词典",
                "杂志",
                "小说",
                "画册",
                "日记",
                "鱼",
                "裙子",
                "毛巾",
                "围巾",
                "裤子",
                "项链",
            ],
            "hello": ["老板", "您好"],
            "who": ["我", "她", "孩子", "客人"],
            "want": ["要", "想买", "喜欢", "看中"],
            "adjective": ["新", "旧", "大", "小"],
            "beside": ["旁边", "上面", "下面", "后面"],
            "of": ["的"],
        },
        ["这本", "这条", "那本", "那条"],
        ["裙子", "我", "要", "那边", "词典", "旁边", "的"],
    ),
}


def words(lang: Lang) -> SimpleNamespace:
    """Return the grammar and the questions in a language, by the names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="en").grammar.answers
    ['is', 'are', 'was', 'were']
    """
    return in_language(lang, RECORDS)


def model(lang: Lang) -> tuple[Tensor, MultiHeadAttention]:
    """Return the stored model: the embedding, (V, SIZE), and the attention, which gives logits.

    >>> embedding, attention = model("en")
    >>> embedding.shape[1], attention.num_heads
    (8, 2)
    """
    stored = _stored()[lang]
    attention = MultiHeadAttention(SIZE, SIZE, SIZE, 4, NUM_HEADS)
    attention.load_state_dict(
        {f"{name}.weight": torch.tensor(stored[name]) for name in ("W_q", "W_k", "W_v", "W_o")}
    )
    return torch.tensor(stored["embedding"]), attention.requires_grad_(False)


def figure(lang: Lang, name: str = "heads", **state: Any) -> HeadsFigure:
    """Return the figure of the stored model on the example of its language."""
    grammar = GRAMMARS[lang]
    embedding, attention = model(lang)
    places = [grammar.vocabulary.index(word) for word in grammar.example]
    return HeadsFigure(
        attention,
        embedding,
        sinusoidal_positions(LENGTH, SIZE),
        grammar.vocabulary,
        places,
        grammar.answers,
        grammar.swaps(grammar.example),
        name=name,
        lang=lang,
        **state,
    )


def runs(lang: Lang) -> Tensor:
    """Return how often each half of the answer stays right: (runs, head that is off, 2)."""
    return torch.tensor(_stored()[lang]["right"])


def divided(right: Tensor) -> Tensor:
    """Return in which runs each head has a half of its own: (runs,) bool.

    With one head turned off, one half of the answer stays right in more than 95% of the sentences
    and the other half in fewer than 65%, where guessing has 50%; with the other head turned off,
    the two halves change places.
    """
    kept, lost = right > 0.95, right < 0.65
    crossed = kept[:, 0, 0] & lost[:, 0, 1] & lost[:, 1, 0] & kept[:, 1, 1]
    return crossed | (lost[:, 0, 0] & kept[:, 0, 1] & kept[:, 1, 0] & lost[:, 1, 1])


@cache
def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return {lang: stored[lang] for lang in LANGUAGES}


def _with_last_noun(lang: Lang, noun: str) -> list[int]:
    """Return the example with another last noun, as places in the vocabulary."""
    grammar = GRAMMARS[lang]
    tokens = grammar.example.copy()
    last = max(i for i, word in enumerate(tokens) if word in grammar.classes["noun"])
    tokens[last] = noun
    return [grammar.vocabulary.index(word) for word in tokens]


# The answers of both grammars, named by the English ones.
_ANSWERS = {
    en: Text(en, zh) for en, zh in zip(GRAMMARS["en"].answers, GRAMMARS["zh"].answers, strict=True)
}

RECORDS: dict[str, Record] = {
    "grammar": Translated(GRAMMARS["en"], GRAMMARS["zh"]),
    "off": NumberRecord(
        text=Text(
            "Head 0 reads *yesterday*, head 1 reads *dogs*, and the model is almost sure of "
            "*were*. You turn head 1 off. How sure is the model now of its best answer?",
            "头 0 读取“*那边*”，头 1 读取“*裙子*”，模型很有把握地回答“*那条*”。如果关掉头 1，模型"
            "最可能给出的答案概率是多少？",
        ),
        answer=lambda figure: 100 * figure.stages()["probabilities"].max(),
        tolerance=10,
        because=Text(
            "Head 0 still votes for the past, which leaves *was* and *were*, but cannot tell "
            "singular from plural. So *was* and *were* get about half each.",
            "头 0 读取“*那边*”，排除了“*这本*”和“*这条*”。可是现在没有头读取“*裙子*”，所以“*那本"
            "*”和“*那条*”各占一半左右。",
        ),
        wrong=[
            (
                99,
                Text(
                    "The model is almost sure only while head 1 reads *dogs*, but head 1 is off.",
                    "头 1 开着的时候，模型确实这么有把握，可是现在头 1 关掉了。",
                ),
            ),
            (
                25,
                Text(
                    "A quarter each is what the four answers get without any vote, but head 0 "
                    "still votes.",
                    "如果两个头都关掉，四个答案各占四分之一；可是现在头 0 还开着。",
                ),
            ),
        ],
        at={"on": [True, False]},
        unit="%",
        slider=(0, 100, 1),
    ),
    "swap": ChoiceRecord(
        text=Text(
            "*yesterday the dogs behind the cat …* The last word, *cat*, asks. Now *cat* "
            "becomes *cats*. What does the model say?",
            "在“*裙子，我要那边词典旁边的……*”里，把“*词典*”换成“*毛巾*”，模型会怎么回答？",
        ),
        options=_ANSWERS,
        answer=lambda figure: [*_ANSWERS][figure.stages()["probabilities"].argmax()],
        because=Text(
            "The verb agrees with *dogs*, the first noun. Head 1 looks at *dogs*, however near "
            "another noun stands.",
            "量词要和开头的“*裙子*”搭配，头 1 读取的正是开头的名词，后面的名词怎么换都不影响。",
        ),
        wrong={
            "is": Text(
                "*is* goes with *now* and *dog*, but *yesterday* and *dogs* have not changed.",
                "如果开头是书，后面是“*这边*”，才用“*这本*”；可是“*裙子*”和“*那边*”都没有变。",
            ),
            "are": Text(
                "*are* goes with *now*, but *yesterday* has not changed.",
                "“*这条*”要和“*这边*”搭配，而句子里还是“*那边*”。",
            ),
            "was": Text(
                "*was* goes with *dog*, but *dogs* has not changed.",
                "“*那本*”要和书搭配，而开头还是“*裙子*”。",
            ),
        },
        at={"tokens": Translated(_with_last_noun("en", "cats"), _with_last_noun("zh", "毛巾"))},
    ),
}
