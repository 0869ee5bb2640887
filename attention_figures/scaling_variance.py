"""Plot the distribution of dot products, and the variance that dividing by √d removes."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.scaling_state import NamedProducts

_OUTERMOST = 16  # bars to either side of the middle one
_EDGE = 1e-9  # a score on the edge of two bars counts in the right one, despite rounding


class ScalingVarianceFigure(NamedProducts):
    """How dot products of d components are distributed, and the weights of the first query.

    Shapes: Q queries, K keys, D components.

    Args:
        queries: random draws of mean 0 and variance 1.
        keys: random draws of the same kind.
        d: how many of the components count, from the first: a power of two, or D. None: D.
        scaled: whether the scores are divided by √d.
        names: names of the keys, in that language.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: scaled or lang is none of the above.

    >>> queries, keys = torch.ones(1, 1, 4), torch.tensor([[[1.0, 1.0, 1.0, 1.0], [0, 0, 0, 0]]])
    >>> figure = ScalingVarianceFigure(queries, keys)
    >>> figure.attention_weights  # scores 2 and 0
    tensor([[[0.8808, 0.1192]]], dtype=torch.float64)
    >>> figure.scaled = False
    >>> figure.attention_weights  # scores 4 and 0
    tensor([[[0.9820, 0.0180]]], dtype=torch.float64)
    """

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        d: int | None = None,
        scaled: bool = True,
        name: str = "scaling-variance",
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="scaling_variance",
            queries=queries,
            keys_=keys,
            d=d,
            scaled=scaled,
            names=names,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        The histogram counts scores in bars half a standard deviation wide, the first around -8
        of them, the last around 8, which take what lies beyond too.
        """
        fit = self._scores()
        return {
            "scores": fit,
            "mean_and_variance": torch.stack([fit.mean(), fit.var()])[None, None],
            "histogram": _histogram(fit, 1 if self.scaled else math.sqrt(self.d)),
            "attention_weights": torch.softmax(fit, dim=-1),
        }


def _histogram(fit: Tensor, deviation: float) -> Tensor:
    bars = torch.floor(fit / (deviation / 2) + 0.5 + _EDGE).clamp(-_OUTERMOST, _OUTERMOST)
    counts = torch.bincount((bars + _OUTERMOST).long().flatten(), minlength=2 * _OUTERMOST + 1)
    return counts[None, None]
