"""Plot the partial sums of dot products, whose distance from 0 grows like √d."""

from torch import Tensor

from attention_figures.scaling_state import ScaledProducts


class ScalingWalkFigure(ScaledProducts):
    """The dot products of the first query with each key, as their terms add up to d of them.

    Shapes: Q queries, K keys, D components.

    Args:
        queries: random draws of mean 0 and variance 1.
        keys: random draws of the same kind.
        d: how many of the components count, from the first: a power of two, or D. None: D.
        scaled: whether the scores are divided by √d.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: scaled or lang is none of the above.

    >>> figure = ScalingWalkFigure(torch.ones(1, 1, 4), torch.ones(1, 2, 4), scaled=False)
    >>> figure.stages()["scores"]
    tensor([[[4., 4.]]], dtype=torch.float64)
    """

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        d: int | None = None,
        scaled: bool = True,
        name: str = "scaling-walk",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="scaling_walk",
            queries=queries,
            keys_=keys,
            d=d,
            scaled=scaled,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        return {"scores": self._scores()}
