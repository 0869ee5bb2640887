"""Define the scenes of the sentence pairs, and the label of a pair of scenes.

Two values of a slot may be a kind of each other (`KINDS`) or exclude each other (`RIVALS`). Values
without either relation never occur in the same pair: whether somebody who plays football also runs
is left undecided.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple


class Scene(NamedTuple):
    """Slots: who, look, act, place, company, time; "" leaves a slot open."""

    who: str
    look: str = ""
    act: str = ""
    place: str = ""
    company: str = ""
    time: str = ""


KINDS = {
    "person": "man woman child elder",
    "child": "boy girl",
    "animal": "dog cat",
    "outdoors": "park beach",
    "indoors": "kitchen bedroom",
    "read": "read-book read-newspaper",
    "play-music": "play-guitar play-piano",
    "play-sport": "play-football play-tennis",
}
RIVALS = (
    "man woman",
    "boy girl",
    "elder child",
    "dog cat",
    "old young",
    "black white",
    "red blue",
    "park beach",
    "kitchen bedroom",
    "outdoors indoors",
    "run sleep",
    "sleep read",
    "sleep play-music",
    "sleep play-sport",
    "read-book read-newspaper",
    "play-guitar play-piano",
    "play-football play-tennis",
    "play-music play-sport",
    "chase-ball chase-cat",
    "alone friend",
    "night noon",
)

PERSONS = "person man woman elder child boy girl"
ANIMALS = "animal dog cat"
ACTS = {  # who does it, and where
    "run": (f"{PERSONS} {ANIMALS}", "park beach"),
    "sleep": (f"{PERSONS} {ANIMALS}", "park beach bedroom"),
    "read": (PERSONS, "park beach kitchen bedroom"),
    "play-music": (PERSONS, "park bedroom"),
    "play-sport": (PERSONS, "park beach"),
    "chase-ball": ("child boy girl dog cat animal", "park beach"),
    "chase-cat": ("child boy girl dog animal", "park beach"),
}
LOOKS = {
    "old": "person man woman",
    "young": "person man woman",
    "black": ANIMALS,
    "white": ANIMALS,
    "red": PERSONS,
    "blue": PERSONS,
}
UNSHARED = ("sleep", "chase-ball", "chase-cat")  # not done "with a friend"

_PARENT = {kind: general for general, kinds in KINDS.items() for kind in kinds.split()}
_RIVALS = {frozenset(pair) for group in RIVALS for pair in combinations(group.split(), 2)}
_STRONGEST_FIRST = (None, "contradiction", "neutral", "entailment")


def generals(value: str) -> Iterator[str]:
    """Yield the value and its generalisations, nearest first; nothing for ""."""
    while value:
        yield value
        value = _PARENT.get(value, "")


@cache
def rivals(x: str, y: str) -> bool:
    """Return whether two values, or their generalisations, exclude each other."""
    return any(frozenset((a, b)) in _RIVALS for a in generals(x) for b in generals(y))


def label(premise: Scene, hypothesis: Scene) -> str | None:
    """Return the label of a pair of scenes; None if it is undecided."""
    if "cat" in (premise.who, hypothesis.who) and "chase-cat" in (premise.act, hypothesis.act):
        return None  # which cat is meant?
    relations = {_relation(p, h) for p, h in zip(premise, hypothesis, strict=True)}
    return next(name for name in _STRONGEST_FIRST if name in relations)


def _relation(premise: str, hypothesis: str) -> str | None:
    if not hypothesis or hypothesis in generals(premise):
        return "entailment"
    if not premise or premise in generals(hypothesis):
        return "neutral"
    return "contradiction" if rivals(premise, hypothesis) else None


def natural(scene: Scene) -> bool:
    """Return whether a scene makes a natural sentence."""
    looks = not scene.look or scene.who in LOOKS[scene.look].split()
    company = scene.company != "friend" or scene.who in PERSONS.split()
    return bool(scene.act or scene.place) and looks and company and _can_be_done(scene)


def _can_be_done(scene: Scene) -> bool:
    for act in generals(scene.act):
        if act in ACTS:
            who, places = (words.split() for words in ACTS[act])
            somewhere = {general for place in places for general in generals(place)}
            together = scene.company != "friend" or act not in UNSHARED
            return scene.who in who and scene.place in {"", *somewhere} and together
    return True
