"""Draw a heatmap of kernel regression's weights at many queries."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.kernel_state import Regression

_ROWS = 17


class KernelMapFigure(Regression):
    """A heatmap of the weights of many queries in kernel regression, for every width of the kernel.

    Shapes: K keys; 17 evenly spaced queries from the smallest key to the largest make the heatmap.

    Args:
        keys: the training inputs.
        values: their targets.
        query: where to predict.
        kernel: "gaussian", "boxcar", "epanechnikov", "triangular" or "linear", as in
            `attention_lib.kernels`.
        w: the inverse of the kernel's width.
        units: of keys and of values, in that language, such as "km".

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: kernel or lang is none of the above.

    >>> keys, values = torch.tensor([[[0.0], [0.5], [2.0]]]), torch.tensor([[[3.0], [6.0], [9.0]]])
    >>> figure = KernelMapFigure(keys, values, torch.zeros(1, 1, 1), w=0)
    >>> figure.stages()["keys_used"]
    tensor([[[3.]]], dtype=torch.float64)
    """

    def __init__(
        self,
        keys: Tensor,
        values: Tensor,
        query: Tensor,
        kernel: str = "gaussian",
        w: float = 1.0,
        name: str = "kernel-map",
        lang: str = "en",
        units: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="kernel_map",
            keys_=keys,
            values=values,
            queries=query,
            kernel=kernel,
            w=w,
            units=units,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        _, keys, values = self._inputs()
        low, high = keys.aminmax()
        even = low + (high - low) * torch.arange(_ROWS) / (_ROWS - 1)
        weights = self._weights(even)
        return {
            **super().stages(),
            "even_queries": even[None, :, None],
            "even_weights": weights,
            "even_outputs": weights @ values,
            "keys_used": _keys_used(weights).mean(dim=-1)[:, None, None],
        }


def _keys_used(weights: Tensor) -> Tensor:
    """Count the keys of each row by 1 over the sum of squares, which is n if n share alike."""
    squares = (weights**2).sum(dim=-1)
    return torch.where(squares == 0, 0, 1 / squares)
