"""Show the weights that dot products give, divided by √d or not."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.scaling_state import NamedProducts


class ScalingWeightsFigure(NamedProducts):
    """The weights of all queries, by dot products of d components.

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

    >>> x = torch.tensor([[[1.0, 1.0, 1.0, 1.0], [0, 0, 0, 0]]])
    >>> ScalingWeightsFigure(x, x).attention_weights
    tensor([[[0.8808, 0.1192],
             [0.5000, 0.5000]]], dtype=torch.float64)
    """

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        d: int | None = None,
        scaled: bool = True,
        name: str = "scaling-weights",
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="scaling_weights",
            queries=queries,
            keys_=keys,
            d=d,
            scaled=scaled,
            names=names,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        fit = self._scores()
        return {
            "scores": fit,
            "mean_and_variance": torch.stack([fit.mean(), fit.var()])[None, None],
            "attention_weights": torch.softmax(fit, dim=-1),
        }
