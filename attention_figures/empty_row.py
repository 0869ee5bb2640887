"""Compare three kinds of masking on a row in which no key counts: the empty-row figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import RowFigure
from attention_figures.traits import check_names
from attention_lib._checks import check_floating
from attention_lib.masking import length_mask, masked_softmax

_FILL = -1e6


class EmptyRowFigure(RowFigure):
    """One row of scores, masked in three ways, which differ once its last key is masked.

    Shapes: K keys.

    Args:
        scores: (K,) floating, those of one query; rounded to 4 decimals.
        valid_len: how many keys count, 0 to K. None: all.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".
        names: names of the keys, in that language; empty, or one for each.

    Attributes:
        scores, valid_lens: (1, 1, K) and (1,), as nested lists; assign lists or tensors.

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

    names: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)

    def __init__(
        self,
        scores: Tensor,
        valid_len: int | None = None,
        name: str = "empty-row",
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> None:
        check_floating("scores", scores, "(K,)")
        length = len(scores) if valid_len is None else valid_len
        check_names("names", names, len(scores))
        super().__init__(
            name,
            lang,
            kind="empty_row",
            names=list(names),
            scores=scores[None, None],
            valid_lens=[length],
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
