"""Mark which words of the book's own sentence pairs should align with each other."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from attention_course.nli.reading import Pair
from attention_course.nli.vocabulary import Vocabulary

_CHASING, _CHASED = ("chasing", "追"), ("cat", "猫")


def counterparts(pairs: Sequence[Pair | tuple[str, str, str]], vocabulary: Vocabulary) -> Tensor:
    """Mark which words of premise and hypothesis have the same role.

    The roles in the book's own pairs are who, how they look, what they do, where, with whom and
    when. Words such as *a* and *is* have no role, and so have no counterpart.

    Shapes: B pairs, P words of the longest premise, H words of the longest hypothesis.

    Args:
        pairs: the book's own; their labels are ignored.
        vocabulary: cuts sentences into words.

    Returns:
        (B, P, H) bool, True where both words have the same role; False on padding.

    >>> pairs = [Pair("A dog is running.", "An animal is outdoors.", "neutral")]
    >>> vocabulary = Vocabulary(text for pair in pairs for text in pair[:2])
    >>> counterparts(pairs, vocabulary).nonzero()  # dog, animal
    tensor([[0, 1, 1]])
    """
    sides = [[list(_roles_of(vocabulary.split(pair[side]))) for pair in pairs] for side in (0, 1)]
    longest = [max(map(len, roles), default=0) for roles in sides]
    together = torch.zeros(len(pairs), *longest, dtype=torch.bool)
    for matrix, premise, hypothesis in zip(together, *sides, strict=True):
        for i, role in enumerate(premise):
            for j, other in enumerate(hypothesis):
                matrix[i, j] = role is not None and role == other
    return together


def _roles_of(words: Iterable[str]) -> Iterator[str | None]:
    roles, before = _roles(), None
    for word in words:
        chased = (
            before in _CHASING and word in _CHASED
        )  # "cat" in "chasing a cat" is a part of the action
        yield "act" if chased else roles.get(word)
        before = word if word in roles else before


@cache
def _roles() -> dict[str, str]:
    """Return the role of each word that has one."""
    text = (Path(__file__).parent / "pairs" / "roles.json").read_text("utf-8")
    roles: dict[str, str] = json.loads(text)
    return roles
