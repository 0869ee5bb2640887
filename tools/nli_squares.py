"""Generate squares: three premises and three hypotheses in which each sentence has each label once.

Three slots make a square. Each has a value, a rival of it, and something more general than both,
or nothing. Premise i has the value in slot i, the rival in slot i - 1, and slot i + 1 in general;
hypothesis i has the value in slot i, and the others in general. So hypothesis i follows from
premise i, is ruled out by premise i + 1, and left open by premise i - 1.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from itertools import product
from typing import NamedTuple

from tools.nli_scenes import ANIMALS, PERSONS, Scene, generals, label, natural, rivals

SLOTS = {
    "who": f"{PERSONS} {ANIMALS}",
    "look": "old young black white red blue",
    "act": "run sleep read read-book read-newspaper play-music play-guitar play-piano play-sport "
    "play-football play-tennis chase-ball chase-cat",
    "place": "park beach outdoors kitchen bedroom indoors",
    "company": "alone friend",
    "time": "night noon",
}
# Slots outside the three of a square, with the probability that they have a value.
SHARED_SLOTS = {"who": 1.0, "act": 0.8, "place": 0.3}
LABELS = {"entailment", "neutral", "contradiction"}
Relation = tuple[str, str]


class Square(NamedTuple):
    """Three premises and three hypotheses."""

    premises: tuple[Scene, ...]
    hypotheses: tuple[Scene, ...]


class SlotValues(NamedTuple):
    """The values of a square in one of its three slots."""

    value: str
    hypothesis: str  # the value, or a generalisation that still excludes the rival
    rival: str
    general: str


def distinct(
    count: int,
    sayable: Collection[str],
    rng: random.Random,
    apart: Iterable[Square] = (),
    fits: Callable[[Square], bool] = lambda square: True,
) -> list[Square]:
    """Draw squares, no two of which share a scene; one in three is about animals.

    They share no scene with the squares `apart` either.
    """
    squares: list[Square] = []
    seen = {scene for square in apart for side in square for scene in side}
    words = [fitting(group.split(), frozenset(sayable)) for group in (ANIMALS, PERSONS, PERSONS)]
    while len(squares) < count:
        square = draw(words[len(squares) % 3], rng)
        scenes = {*square.premises, *square.hypotheses}
        if sound(square) and len(scenes) == 6 and not scenes & seen and fits(square):
            squares.append(square)
            seen |= scenes
    return squares


def fitting(group: list[str], sayable: frozenset[str]) -> frozenset[str]:
    """Return the words that fit a member of a group."""
    return sayable.intersection(group) | {
        value
        for slot in SLOTS
        for value in _values(slot, sayable)
        for who in group
        if slot != "who" and natural(Scene(who, place="outdoors")._replace(**{slot: value}))
    }


def draw(sayable: frozenset[str], rng: random.Random) -> Square:
    """Draw a square, which may not be sound."""
    shared = {slot: rng.choice(_values(slot, sayable)) for slot in SHARED_SLOTS}
    shared = {slot: value for slot, value in shared.items() if rng.random() < SHARED_SLOTS[slot]}
    with_rivals = [slot for slot in SLOTS if _rival_pairs(slot, sayable)]
    choices = [(slot, _choice(slot, sayable, rng)) for slot in rng.sample(with_rivals, 3)]
    premises, hypotheses = [], []
    for i in range(3):
        (slot, mine), (before, other), (after, open_) = (choices[i - k] for k in (0, 1, 2))
        in_premise = {slot: mine.value, before: other.rival, after: open_.general}
        in_hypothesis = {slot: mine.hypothesis, before: other.general, after: open_.general}
        vague = {slot: _vaguer(slot, value, rng) for slot, value in shared.items()}
        premises.append(Scene(**{**shared, **in_premise}))
        hypotheses.append(Scene(**{**vague, **in_hypothesis}))
    return Square(tuple(premises), tuple(hypotheses))


def sound(square: Square) -> bool:
    """Return whether all six scenes are natural, and each has every label once."""
    if not all(map(natural, (*square.premises, *square.hypotheses))):
        return False
    rows = [[label(p, h) for h in square.hypotheses] for p in square.premises]
    return all(set(line) == LABELS for line in (*rows, *zip(*rows, strict=True)))


def split(squares: list[Square], held_out: int, times: int) -> tuple[list[Square], list[Square]]:
    """Split off held-out squares whose relations occur often enough in the others."""
    shown = shown_by(squares)
    train: list[Square] = []
    test: list[Square] = []
    for square in squares:
        if len(test) < held_out and known(square, shown, times):
            test.append(square)
            shown.subtract(relations(square))
        else:
            train.append(square)
    return train, test


def shown_by(squares: Iterable[Square]) -> Counter[Relation]:
    """Count in how many squares each relation occurs."""
    return Counter(relation for square in squares for relation in relations(square))


def known(square: Square, shown: Mapping[Relation, int], times: int) -> bool:
    """Return whether each relation of a square occurs more than `times` times."""
    return all(shown[relation] > times for relation in relations(square))


def relations(square: Square) -> set[Relation]:
    """Return the pairs of values that premises and hypotheses have in a slot."""
    return {
        (p, h)
        for premise, hypothesis in product(*square)
        for p, h in zip(premise, hypothesis, strict=True)
        if p or h
    }


def _choice(slot: str, sayable: frozenset[str], rng: random.Random) -> SlotValues:
    value, rival = rng.choice(_rival_pairs(slot, sayable))
    both = [general for general in generals(value) if general in generals(rival)]
    general = rng.choice(both if slot == "who" else [*both, "", ""])
    hypothesis = rng.choice([one for one in generals(value) if rivals(one, rival)])
    return SlotValues(value, hypothesis, rival, general)


@cache
def _rival_pairs(slot: str, sayable: frozenset[str]) -> list[tuple[str, str]]:
    values = _values(slot, sayable)
    return [(value, rival) for value in values for rival in values if rivals(value, rival)]


def _vaguer(slot: str, value: str, rng: random.Random) -> str:
    return rng.choice([*generals(value), *([] if slot == "who" else [""])])


@cache
def _values(slot: str, sayable: frozenset[str]) -> list[str]:
    return [value for value in SLOTS[slot].split() if value in sayable]
