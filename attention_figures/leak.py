"""Show how NaN in padding leaks into the output despite a weight of 0: the leak figure."""

import math
from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import RowFigure
from attention_figures.traits import Names, Numbers
from attention_lib.masking import length_mask, masked_softmax

HELD = {"0": 0.0, "5": 5.0, "-1000": -1000.0, "1e6": 1e6, "inf": math.inf, "nan": math.nan}


class LeakFigure(RowFigure):
    """A weighted sum of values, the last of which are padding with any content.

    Shapes: K keys.

    Args:
        scores: those of one query.
        values: the values of padding are replaced.
        valid_len: how many keys count, 0 to K.
        held: the content of the padding, one of "0", "5", "-1000", "1e6", "inf", "nan".
        names: names of the keys, in that language.

    Attributes:
        cleared: whether the padding is set to 0 before the sum.

    Raises:
        ValueError, TypeError: scores and values are not 1-D, floating and alike, names are too few
            or too many, or a value is not allowed.
        TraitError: held is none of the above.

    >>> figure = LeakFigure(torch.zeros(3), torch.tensor([1.0, 3.0, 0.0]), 2, held="nan")
    >>> figure.stages()["output"]
    tensor([[[nan]]], dtype=torch.float64)
    >>> figure.cleared = True
    >>> figure.stages()["output"]
    tensor([[[2.]]], dtype=torch.float64)
    """

    values = Numbers("(1, K, 1)", given="(K,)")
    held = traitlets.Enum([*HELD]).tag(sync=True, state=True)
    cleared = traitlets.Bool().tag(sync=True, state=True)
    names = Names("K", optional=True)

    def __init__(
        self,
        scores: Tensor,
        values: Tensor,
        valid_len: int,
        held: str = "0",
        name: str = "leak",
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="leak",
            names=names,
            scores=scores,
            values=values,
            valid_lens=[valid_len],
            held=held,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        scores = self._tensor("scores")
        lengths = torch.tensor(self.valid_lens)
        weights = masked_softmax(scores, lengths)
        padding = ~length_mask(lengths, 1, scores.shape[-1]).mT
        held = 0.0 if self.cleared else HELD[self.held]
        read = self._tensor("values").masked_fill(padding, held)
        return {
            "attention_weights": weights,
            "read_values": read.mT,
            "terms": weights * read.mT,
            "output": weights @ read,
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of columns, by stage."""
        return dict.fromkeys(("attention_weights", "read_values", "terms"), ([], self.names))
