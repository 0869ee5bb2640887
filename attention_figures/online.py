"""Compute softmax and the weighted mean in one pass over the keys: the online figure."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Names, Numbers


class OnlineFigure(Figure):
    """One query's scores and values, read once, with a running maximum, sum and output.

    Shapes: K keys.

    Args:
        scores: those of one query.
        values: a number for each key.
        step: number of keys read.
        names: names of the keys, in that language.

    Raises:
        ValueError, TypeError: scores and values are not 1-D, floating and alike, names are too few
            or too many, or step is not one of 1..K.

    Source: Milakov & Gimelshein, *Online normalizer calculation for softmax*, 2018.

    >>> figure = OnlineFigure(torch.tensor([0.0, 1.0]), torch.tensor([2.0, 4.0]), step=2)
    >>> figure.stages()["factor"]  # by which the old sum and output are multiplied
    tensor([[[0.0000, 0.3679]]], dtype=torch.float64)
    >>> figure.stages()["output"][..., -1:]
    tensor([[[3.4621]]], dtype=torch.float64)
    >>> (figure.attention_weights * torch.tensor([2.0, 4.0])).sum(dim=-1, keepdim=True)
    tensor([[[3.4621]]], dtype=torch.float64)
    """

    scores = Numbers("(1, 1, K)", given="(K,)")
    values = Numbers("(1, K, 1)", given="(K,)")
    step = Index("K", first=1)
    names = Names("K", optional=True)

    def __init__(
        self,
        scores: Tensor,
        values: Tensor,
        step: int = 1,
        name: str = "online",
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name, lang, kind="online", names=names, scores=scores, values=values, step=step
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        For keys that are not yet read, `attention_weights` is 0 and the running numbers stay the
        same.
        """
        scores, values = self._tensor("scores")[0, 0], self._tensor("values")[0, :, 0]
        top, total, mean = torch.tensor([-torch.inf, 0.0, 0.0], dtype=torch.float64)
        rows = []
        for k, (score, value) in enumerate(zip(scores, values, strict=True)):
            factor = torch.ones_like(top)
            if k < self.step:
                higher = torch.maximum(top, score)
                factor, term = torch.exp(top - higher), torch.exp(score - higher)
                grown = total * factor + term
                mean = (mean * total * factor + term * value) / grown
                top, total = higher, grown
            rows.append(torch.stack([top, factor, total, mean]))
        names = ("running_max", "factor", "running_sum", "output")
        stages = dict(zip(names, torch.stack(rows, dim=-1)[:, None, None], strict=True))
        unread = torch.arange(len(scores)) >= self.step
        weights = torch.softmax(scores.masked_fill(unread, -torch.inf), dim=-1)
        return stages | {"attention_weights": weights[None, None]}

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of columns, by stage."""
        return dict.fromkeys(self.stages(), ([], self.names))
