"""Compose sentences of one template, in which earlier words decide later ones.

English: Mia lost her key . She found it in the garden . The name determines *her* and *She*, the
thing determines *it*, and the verb determines the place. Chinese has a template of its own:
小雨 丢了 一 把 钥匙 。 她 在 花园 里 找到了 它 。 The measure word determines which nouns are
possible, the name determines 她, the verb the place, and the number 它 or 它们.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

START = "<s>"  # stands before each sentence, so that the first word is predicted, too


@dataclass(frozen=True)
class Slot:
    """A place of the template.

    Args:
        name: what stands there.
        words: the words that may stand there, all equally probable. If another slot
            determines the word, the words for each word of that slot.
        by: the name of the slot that determines it.
    """

    name: str
    words: Sequence[str] | Mapping[str, Sequence[str]]
    by: str = ""

    def allowed(self, chosen: dict[str, str]) -> Sequence[str]:
        """Return the words that may stand here after those chosen for earlier slots."""
        return self.words[chosen[self.by]] if isinstance(self.words, Mapping) else self.words

    @property
    def entropy(self) -> float:
        """What is left to guess here in nats, when the earlier words are known."""
        groups = [*self.words.values()] if isinstance(self.words, Mapping) else [self.words]
        return sum(math.log(len(group)) for group in groups) / len(groups)

    @property
    def all_words(self) -> list[str]:
        """All words that ever stand here."""
        if isinstance(self.words, Mapping):
            return [word for words in self.words.values() for word in words]
        return [*self.words]


@dataclass(frozen=True)
class Determined:
    """A word of a sentence that an earlier word determines.

    Attributes:
        name: of its slot.
        place: where it stands; START has place 0.
        source: where the word stands that determines it.
        right: the words that would be right.
    """

    name: str
    place: int
    source: int
    right: Sequence[str]


@dataclass(frozen=True)
class Grammar:
    """The sentences of one language.

    Args:
        slots: the places of the template, in order.
        example: a word for each slot: the sentence of the figures.
    """

    slots: Sequence[Slot]
    example: Sequence[str]

    @property
    def vocabulary(self) -> list[str]:
        """START and all words, slot by slot."""
        return list(dict.fromkeys([START, *(word for s in self.slots for word in s.all_words)]))

    @property
    def free(self) -> list[str]:
        """The names of the slots that nothing determines and where several words may stand."""
        return [slot.name for slot in self.slots if not slot.by and len(slot.words) > 1]

    @property
    def entropy(self) -> float:
        """The smallest possible loss of a sentence in nats: what no earlier word determines."""
        return sum(slot.entropy for slot in self.slots)

    def sentences(self) -> list[list[str]]:
        """Return all sentences, each with a word for each slot."""
        found: list[list[str]] = [[]]
        for slot in self.slots:
            found = [[*words, word] for words in found for word in slot.allowed(self._named(words))]
        return found

    def determined(self, sentence: Sequence[str]) -> list[Determined]:
        """Return which words of a sentence others determine, and where they stand."""
        places = {slot.name: place for place, slot in enumerate(self.slots, 1)}
        chosen = self._named(sentence)
        return [
            Determined(slot.name, places[slot.name], places[slot.by], slot.allowed(chosen))
            for slot in self.slots
            if slot.by
        ]

    def encode(self, sentences: Sequence[Sequence[str]]) -> Tensor:
        """Return the tokens of sentences of equal length, (number, N), after START."""
        tokens = {word: token for token, word in enumerate(self.vocabulary)}
        return torch.tensor([[tokens[w] for w in (START, *words)] for words in sentences])

    def split(self) -> tuple[list[list[str]], list[list[str]]]:
        """Return the sentences to train on, and a sixth that is held out, the example among it.

        Sentences with the same free words are on the same side: otherwise the others of them would
        teach the decoder that the held-out one does not occur.
        """
        groups: dict[tuple[str, ...], list[list[str]]] = {}
        for words in self.sentences():
            groups.setdefault(self._free_words(words), []).append(words)
        draws = torch.Generator().manual_seed(13)
        order = [[*groups][i] for i in torch.randperm(len(groups), generator=draws)]
        order.sort(key=lambda free: free != self._free_words(self.example))  # the example first
        held_out = len(order) // 6
        trained = [words for free in order[held_out:] for words in groups[free]]
        return trained, [words for free in order[:held_out] for words in groups[free]]

    def _free_words(self, sentence: Sequence[str]) -> tuple[str, ...]:
        named = self._named(sentence)
        return tuple(named[name] for name in self.free)

    def _named(self, words: Sequence[str]) -> dict[str, str]:
        return {slot.name: word for slot, word in zip(self.slots, words, strict=False)}


_WOMEN, _MEN = ("Mia", "Ann", "Eva"), ("Tom", "Ben", "Max")
_ONE, _SEVERAL = ("key", "ring", "book", "phone"), ("gloves", "shoes", "glasses", "tickets")
_HER, _HIM = ("小雨", "小美", "小兰"), ("小明", "小刚", "小强")
_NOUNS = {
    "把": ("钥匙", "雨伞", "梳子"),
    "本": ("护照", "日记", "小说"),
    "条": ("围巾", "项链", "裙子"),
}


def _by_class(first: Sequence[str], a: str, second: Sequence[str], b: str) -> dict[str, list[str]]:
    return {word: [a] for word in first} | {word: [b] for word in second}


GRAMMARS = {
    "en": Grammar(
        [
            Slot("name", (*_WOMEN, *_MEN)),
            Slot("verb", ("lost", "hid", "dropped", "forgot")),
            Slot("possessive", _by_class(_WOMEN, "her", _MEN, "his"), by="name"),
            Slot("thing", (*_ONE, *_SEVERAL)),
            Slot("stop", (".",)),
            Slot("pronoun", _by_class(_WOMEN, "She", _MEN, "He"), by="name"),
            Slot("found", ("found",)),
            Slot("object", _by_class(_ONE, "it", _SEVERAL, "them"), by="thing"),
            Slot("in", ("in",)),
            Slot("the", ("the",)),
            Slot(
                "place",
                {
                    "lost": ["garden"],
                    "hid": ["cellar"],
                    "dropped": ["street"],
                    "forgot": ["car"],
                },
                by="verb",
            ),
            Slot("end", (".",)),
        ],
        ["Mia", "lost", "her", "key", ".", "She", "found", "it", "in", "the", "garden", "."],
    ),
    "zh": Grammar(
        [
            Slot("name", (*_HER, *_HIM)),
            Slot("verb", ("丢了", "藏了", "掉了", "落下了")),
            Slot("number", ("一", "两", "三")),
            Slot("measure", tuple(_NOUNS)),
            Slot("noun", _NOUNS, by="measure"),
            Slot("stop", ("。",)),
            Slot("pronoun", _by_class(_HER, "她", _HIM, "他"), by="name"),
            Slot("at", ("在",)),
            Slot(
                "place",
                {"丢了": ["花园"], "藏了": ["阁楼"], "掉了": ["水沟"], "落下了": ["车"]},
                by="verb",
            ),
            Slot("in", ("里",)),
            Slot("found", ("找到了",)),
            Slot("object", _by_class(("一",), "它", ("两", "三"), "它们"), by="number"),
            Slot("end", ("。",)),
        ],
        ["小雨", "丢了", "一", "把", "钥匙", "。", "她", "在", "花园", "里", "找到了", "它", "。"],
    ),
}
