"""Record the front page's figure: six animals, and which of them a query on the dog finds."""

from types import SimpleNamespace

import torch

from attention_course.records import (
    ChoiceRecord,
    Lang,
    Record,
    Text,
    Translated,
    in_language,
    named_options,
)
from attention_figures import PlaceQuestion

# How large and how tame an animal is, 0 being neither.
ANIMALS = torch.tensor([[-2.2, -0.6], [-1.2, 1.2], [0.8, 1.2], [2.0, 1.8], [0.6, -1.8], [2.8, 0.2]])
DOG = 2


def words(lang: Lang) -> SimpleNamespace:
    """Return names and the question in a language, by their names in RECORDS.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> words(lang="zh").animals[DOG]
    '狗'
    """
    return in_language(lang, RECORDS)


_ANIMALS = Translated(
    ["mouse", "cat", "dog", "horse", "wolf", "camel"], ["老鼠", "猫", "狗", "马", "狼", "骆驼"]
)

RECORDS: dict[str, Record] = {
    "animals": _ANIMALS,
    "axes": Translated(["large", "tame"], ["体型大", "温顺"]),
    "question": ChoiceRecord(
        text=Text(
            "The query lies exactly on *dog*, and a dot product scores each word. Which one gets "
            "the largest weight?",
            "查询恰好落在“*狗*”上，并用点积给每个词打分。哪个词得到的权重最大？",
        ),
        options=named_options(_ANIMALS),
        answer=lambda figure: _ANIMALS.en[int(figure.attention_weights.argmax())],
        because=Text(
            "It points nearly the same way and lies further out, and a dot product grows with "
            "length. Now choose *Gaussian*, which scores by distance, and drag the query.",
            "它与查询的方向几乎相同，却离原点更远，而向量越长，点积就越大。"
            "接着换成按距离打分的“高斯”，再拖动查询看看。",
        ),
        wrong={
            "dog": Text("That is how a distance would choose.", "按距离打分，才会选中它。"),
            "camel": Text(
                "It is the longest, but it points away from *dog*.",
                "它的向量最长，可是方向偏离了“*狗*”。",
            ),
            "cat": Text(
                "It is as tame, but lies on the other side.",
                "它同样温顺，可是体型偏小，落在另一侧。",
            ),
        },
        kind=PlaceQuestion,
    ),
}
