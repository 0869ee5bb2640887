"""Recall a list of words from one state of fixed size, or by attention: the recall figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Numbers, check_shapes
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
        vectors: (1, V, d) floating, one for each word; rounded to 4 decimals.
        places: (1, N, d), the signs of each position, +1 or −1.
        length: the present length of the list, 1 to N.
        asked: the position that is asked for, 0 to N − 1; in a shorter list the last.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

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

    vectors = Numbers().tag(sync=True, state=True)
    places = Numbers().tag(sync=True, state=True)
    length = traitlets.Int(min=1).tag(sync=True, state=True)
    asked = traitlets.Int(min=0).tag(sync=True, state=True)
    words: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)

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
        shapes = {"vectors": "(1, V, d)", "places": "(1, N, d)"}
        check_shapes({"vectors": vectors, "places": places}, shapes)
        if len(words) != vectors.shape[1]:
            raise ValueError(f"words must be {vectors.shape[1]}, as vectors; got {len(words)}")
        if places.shape[1] > len(words):
            raise ValueError(
                f"places must be at most {len(words)}, as words; got {places.shape[1]}"
            )
        if not (places.abs() == 1).all():
            raise ValueError("places must hold signs, +1 or -1")
        super().__init__(
            name,
            lang,
            kind="recall",
            words=list(words),
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

    @traitlets.validate("length", "asked")
    def _check_place(self, proposal: dict[str, Any]) -> int:
        place, name = int(proposal["value"]), proposal["trait"].name
        most = self.shapes["places"][1]
        least = int(name == "length")
        if not least <= place < least + most:
            raise ValueError(f"{name} must be one of {least}..{least + most - 1}; got {place}")
        return place

    @property
    def _place(self) -> int:
        return min(self.asked, self.length - 1)


def _nearest(read: Tensor, vocabulary: Tensor) -> Tensor:
    """Return the word with the largest product: (1, N, d), (1, V, d) → (1, 1, N)."""
    return (read @ vocabulary.mT).argmax(-1)[:, None]
