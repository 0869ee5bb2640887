"""Draw numbers and words at random, the same on every computer."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A seeded source of random choices.

    Only `random.random` is the same in all versions of Python, so everything comes from it.

    Args:
        seed: any text; another seed gives other choices.
        turn: number of the variant that is drawn, 0 to 4, with which a family can take turns.

    >>> draw = Draw("seed", turn=1)
    >>> draw.whole(1, 6), draw.number(-2, 2), draw.several("abcde", 3)
    (1, -1.1, ['e', 'b', 'a'])
    >>> draw.in_turn(["left", "right"])
    'right'
    """

    def __init__(self, seed: str, turn: int = 0) -> None:
        self.turn = turn
        self._random = random.Random(seed).random

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return low + int(self._random() * (high - low + 1))

    def number(self, low: float, high: float, step: float = 0.1) -> float:
        """Return a multiple of step above low, at most high."""
        return round(low + step * self.whole(0, round((high - low) / step)), 6)

    def one(self, several: Sequence[T]) -> T:
        """Return one of several."""
        return several[self.whole(0, len(several) - 1)]

    def several(self, of: Sequence[T], n: int) -> list[T]:
        """Return n different ones of several, in random order.

        Raises:
            ValueError: there are fewer than n.
        """
        left = [*of]
        if n > len(left):
            raise ValueError(f"{n} of {len(left)} cannot be drawn")
        return [left.pop(self.whole(0, len(left) - 1)) for _ in range(n)]

    def shuffled(self, several: Sequence[T]) -> list[T]:
        """Return all in random order."""
        return self.several(several, len(several))

    def numbers(self, n: int, low: float, high: float, step: float = 0.1) -> list[float]:
        """Return n different numbers."""
        steps = range(round((high - low) / step) + 1)
        return [round(low + step * i, 6) for i in self.several(steps, n)]

    def in_turn(self, several: Sequence[T]) -> T:
        """Return the one whose turn it is: the first in variant 0, the second in variant 1."""
        return several[self.turn % len(several)]
