"""Record the pair of sentences that every chapter returns to, in both languages.

English: *Mia lost her key. She found it in the garden.* Chinese has sentences of its own:
小雨丢了一把钥匙。她在花园里找到了它。
"""

from types import SimpleNamespace

import torch

from attention_course.records import Lang, Record, Translated, in_language

# In the plane: how much a word is a person, and how much it refers back to one.
_NAME, _VERB, _PRONOUN, _THING = [2.0, 0.2], [-0.8, -0.6], [0.4, 1.8], [-1.0, 0.5]

RECORDS: dict[str, Record] = {
    "pair": Translated(
        [
            ["Mia", "lost", "her", "key", "."],
            ["She", "found", "it", "in", "the", "garden", "."],
        ],
        [
            ["小雨", "丢了", "一", "把", "钥匙", "。"],
            ["她", "在", "花园", "里", "找到了", "它", "。"],
        ],
    ),
    "sentence": Translated(["Mia", "lost", "her", "key"], ["小雨", "丢了", "钥匙", "她"]),
    "pronoun": Translated(2, 3),
    "vectors": Translated(
        torch.tensor([[_NAME, _VERB, _PRONOUN, _THING]]),
        torch.tensor([[_NAME, _VERB, _THING, _PRONOUN]]),
    ),
}


def words(lang: Lang) -> SimpleNamespace:
    """Return the sentences in a language, by their names in RECORDS.

    `pair` is both sentences, token by token. `sentence` is the four words that most figures show,
    `pronoun` the index of the word in it that refers back, and `vectors` (1, 4, 2) its words in
    the plane.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> mia = words(lang="en")
    >>> mia.sentence[mia.pronoun], mia.vectors[0, mia.pronoun].argmax().item()
    ('her', 1)
    """
    return in_language(lang, RECORDS)
