"""Draw two positions as hands of clocks, and their products by distance: the positions figure."""

from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_lib.positions import sinusoidal_positions

_FARTHEST = 4  # the largest distance is a quarter of all positions


class PositionsFigure(Figure):
    """A position and another at a distance from it, and their dot product.

    Args:
        num_positions: N, the number of positions; at least 4.
        size: d, the size of each; even, at least 2.
        position: from 0 to N − 1 − N // 4.
        distance: from this position to the other, from 0 to N // 4.

    Raises:
        ValueError, TraitError: a value is not allowed.

    >>> figure = PositionsFigure(16, 4, position=5, distance=3)
    >>> figure.stages()["terms"]
    tensor([[[-0.9900,  0.9996]]], dtype=torch.float64)
    >>> figure.position = 9
    >>> figure.stages()["terms"]
    tensor([[[-0.9900,  0.9996]]], dtype=torch.float64)
    """

    num_positions = traitlets.Int(min=_FARTHEST).tag(sync=True, state=True)
    size = traitlets.Int(min=2).tag(sync=True, state=True)
    position = traitlets.Int(min=0).tag(sync=True, state=True)
    distance = traitlets.Int(min=0).tag(sync=True, state=True)

    def __init__(
        self,
        num_positions: int,
        size: int,
        position: int = 0,
        distance: int = 1,
        name: str = "positions",
        lang: str = "en",
    ) -> None:
        if size % 2:
            raise ValueError(f"size must be even; got {size}")
        super().__init__(
            name,
            lang,
            kind="positions",
            num_positions=num_positions,
            size=size,
            position=position,
            distance=distance,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        `pair` has both positions, `terms` each clock's term of their product, `products` the
        products of the position with all positions.
        """
        positions = sinusoidal_positions(self.num_positions, self.size, dtype=torch.float64)[None]
        here, there = self.position, self.position + self.distance
        pair = positions[:, [here, there]]
        terms = (pair[:, :1] * pair[:, 1:]).reshape(1, 1, -1, 2).sum(-1)
        return {"pair": pair, "terms": terms, "products": pair[:, :1] @ positions.mT}

    @traitlets.validate("position", "distance")
    def _check_place(self, proposal: dict[str, Any]) -> int:
        name, number = proposal["trait"].name, self.num_positions
        farthest = number // _FARTHEST
        most = farthest if name == "distance" else number - 1 - farthest
        if not 0 <= proposal["value"] <= most:
            raise ValueError(f"{name} must lie in 0..{most}; got {proposal['value']}")
        return int(proposal["value"])
