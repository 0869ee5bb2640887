"""The front page: six animals, and which of them a query on the dog finds."""

from dataclasses import dataclass
from typing import Any, Literal

import torch

from attention_figures import Place

# How large and how tame an animal is, 0 being neither.
ANIMALS = torch.tensor([[-2.2, -0.6], [-1.2, 1.2], [0.8, 1.2], [2.0, 1.8], [0.6, -1.8], [2.8, 0.2]])
DOG = 2


@dataclass(frozen=True)
class Words:
    """What differs by language."""

    animals: list[str]
    axes: list[str]
    question: Place


def words(lang: Literal["en", "zh"]) -> Words:
    """Return the words of a language.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").animals[DOG]
    '狗'
    """
    say = _SAY[lang]
    return Words(
        animals=say["animals"],
        axes=say["axes"],
        question=Place(
            say["text"],
            options=say["animals"],
            answer=lambda figure: int(figure.attention_weights.argmax()),
            because=say["because"],
            wrong=say["wrong"],
        ),
    )


_SAY: dict[str, dict[str, Any]] = {
    "en": {
        "animals": ["mouse", "cat", "dog", "horse", "wolf", "camel"],
        "axes": ["large", "tame"],
        "text": "The query lies exactly on *dog*, and a dot product scores each word. Which one "
        "gets the largest weight?",
        "because": "It points nearly the same way and lies further out, and a dot product grows "
        "with length. Now choose *Gaussian*, which scores by distance, and drag the query.",
        "wrong": {
            "dog": "That is how a distance would choose.",
            "camel": "It is the longest, but it points away from *dog*.",
            "cat": "It is as tame, but lies on the other side.",
        },
    },
    "zh": {
        "animals": ["老鼠", "猫", "狗", "马", "狼", "骆驼"],
        "axes": ["体型大", "温顺"],
        "text": "查询恰好落在“*狗*”上，并用点积给每个词打分。哪个词得到的权重最大？",
        "because": "它与查询的方向几乎相同，却离原点更远，而向量越长，点积就越大。"
        "接着换成按距离打分的“高斯”，再拖动查询看看。",
        "wrong": {
            "狗": "按距离打分，才会选中它。",
            "骆驼": "它的向量最长，可是方向偏离了“*狗*”。",
            "猫": "它同样温顺，可是体型偏小，落在另一侧。",
        },
    },
}
