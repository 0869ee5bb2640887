"""Compare three kinds of masking on a row in which no key counts: the empty-row figure."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.inputs import RowFigure
from attention_figures.traits import Names
from attention_lib.masking import length_mask, masked_softmax

_FILL = -1e6


class EmptyRowFigure(RowFigure):
    """One row of scores, masked in three ways, which differ once its last key is masked.

    Shapes: K keys.

    Args:
        scores: those of one query.
        valid_len: how many keys count, 0 to K. None: all.
        names: names of the keys, in that language.

    Raises:
        ValueError, TypeError: scores is not 1-D and floating, names are too few or too many, or a
            value is not allowed.

    >>> figure = EmptyRowFigure(torch.tensor([0.8, 0.2]), valid_len=0)
    >>> figure.stages()["finite_fill"]
    tensor([[[0.5000, 0.5000]]], dtype=torch.float64)
    >>> figure.stages()["infinite_fill"]
    tensor([[[nan, nan]]], dtype=torch.float64)
    >>> figure.attention_weights
    tensor([[[0., 0.]]], dtype=torch.float64)
    """

    names = Names("K", optional=True)

    def __init__(
        self,
        scores: Tensor,
        valid_len: int | None = None,
        name: str = "empty-row",
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="empty_row",
            names=names,
            scores=scores,
            valid_lens=None if valid_len is None else [valid_len],
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        scores = self._tensor("scores")
        lengths = torch.tensor(self.valid_lens)
        keep = length_mask(lengths, 1, scores.shape[-1])
        return {
            "finite_fill": torch.softmax(scores.masked_fill(~keep, _FILL), dim=-1),
            "infinite_fill": torch.softmax(scores.masked_fill(~keep, -torch.inf), dim=-1),
            "attention_weights": masked_softmax(scores, lengths),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of columns, by stage."""
        return dict.fromkeys(self.stages(), ([], self.names))
