"""Recall a list of words from one state of fixed size, or by attention: the recall figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Names, Numbers
from attention_lib import scores


class RecallFigure(Figure):
    """A list that grows, and two ways to recall the word at a position.

    The state is the sum of all word vectors, each multiplied by the signs of its position.
    Multiplied by the signs again, it is nearest to the word at that position, or to a wrong one.
    Attention instead has the positions as keys, the words as values, and the position that is asked
    for as its query.

    Shapes: V words, N positions, d their size.

    Args:
        words: V different words; the first N are the list.
        vectors: one for each word.
        places: the signs of each position, +1 or −1.
        length: the present length of the list.
        asked: the position that is asked for; in a shorter list the last.

    Raises:
        ValueError, TypeError: shapes do not fit together, words are too few or too many, or a value
            is not allowed.

    >>> vectors = places = torch.tensor([[[1.0, 1.0], [1.0, -1.0]]])
    >>> figure = RecallFigure(["tea", "salt"], vectors, places, length=2)
    >>> figure.stages()["state"]
    tensor([[[2., 2.]]], dtype=torch.float64)
    >>> figure.stages()["recalled"]  # the list is words 0 and 1
    tensor([[[0, 1]]])
    """

    vectors = Numbers("(1, V, d)")
    places = Numbers("(1, N, d)")
    length = Index("N", first=1)
    asked = Index("N")
    words = Names("V")

    def __init__(
        self,
        words: Sequence[str],
        vectors: Tensor,
        places: Tensor,
        length: int = 1,
        asked: int = 0,
        name: str = "recall",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="recall",
            words=words,
            vectors=vectors,
            places=places,
            length=length,
            asked=asked,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        vocabulary = self._tensor("vectors")
        places = self._tensor("places")[:, : self.length]
        words = vocabulary[:, : self.length]
        state = (places * words).sum(1, keepdim=True)
        weights = torch.softmax(scores.gaussian(places, places), dim=-1)
        return {
            "state": state,
            "recalled": _nearest(places * state, vocabulary),
            "attention_weights": weights[:, self._place : self._place + 1],
            "selected": _nearest(weights @ words, vocabulary),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        listed = list(self.words[: self.length])
        return {"attention_weights": ([listed[self._place]], listed)}

    @traitlets.validate("places")
    def _check_signs(self, proposal: dict[str, Any]) -> Any:
        num_words, num_places = self.axis_sizes["V"], self.axis_sizes["N"]
        if num_places > num_words:
            raise ValueError(f"places must be at most {num_words}, as words; got {num_places}")
        if not (torch.tensor(proposal["value"]).abs() == 1).all():
            raise ValueError("places must hold signs, +1 or -1")
        return proposal["value"]

    @property
    def _place(self) -> int:
        return int(min(self.asked, self.length - 1))


def _nearest(read: Tensor, vocabulary: Tensor) -> Tensor:
    """Return the word with the largest product: (1, N, d), (1, V, d) → (1, 1, N)."""
    return (read @ vocabulary.mT).argmax(-1)[:, None]
