"""The kernel figure: regression by Nadaraya and Watson, on data that can be dragged."""

import torch
import traitlets
from torch import Tensor

from attention_lib import kernels
from attention_lib.figures.inputs import InputsFigure
from attention_lib.figures.traits import Number, check_shapes

_KERNELS = {
    kernel.__name__: kernel
    for kernel in (
        kernels.gaussian,
        kernels.boxcar,
        kernels.epanechnikov,
        kernels.triangular,
        kernels.linear,
    )
}
_ROWS = 17


class KernelFigure(InputsFigure):
    """Kernel regression as attention: a curve through training data, and the weights at a query.

    The query is where to predict, the keys are the training inputs, the values their targets.

    Shapes: K keys; 17 evenly spaced queries from the smallest key to the largest make the heatmap.

    Args:
        keys: (1, K, 1) floating, rounded to 4 decimals, like values and query.
        values: (1, K, 1).
        query: (1, 1, 1).
        kernel: "gaussian", "boxcar", "epanechnikov", "triangular" or "linear", as in
            `attention_lib.kernels`.
        w: from 0 to 1000, the inverse of the kernel's width.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's words, "en" or "zh".

    Attributes:
        queries, keys_, values: the state, as nested lists; assign lists or tensors.
        kernel: a name.
        w: a number.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: kernel or lang is none of the above.

    >>> keys, values = torch.tensor([[[0.0], [0.5], [2.0]]]), torch.tensor([[[3.0], [6.0], [9.0]]])
    >>> figure = KernelFigure(keys, values, torch.zeros(1, 1, 1), kernel="triangular")
    >>> figure.attention_weights
    tensor([[[0.6667, 0.3333, 0.0000]]], dtype=torch.float64)
    >>> figure.output
    tensor([[[4.]]], dtype=torch.float64)
    """

    kernel = traitlets.Enum(list(_KERNELS)).tag(sync=True, state=True)
    w = Number(0, 1000).tag(sync=True, state=True)

    def __init__(
        self,
        keys: Tensor,
        values: Tensor,
        query: Tensor,
        kernel: str = "gaussian",
        w: float = 1.0,
        name: str = "kernel",
        lang: str = "en",
    ) -> None:
        shapes = {"keys": "(1, K, 1)", "values": "(1, K, 1)", "query": "(1, 1, 1)"}
        check_shapes({"keys": keys, "values": values, "query": query}, shapes)
        super().__init__(
            name,
            lang,
            kind="kernel",
            kernel=kernel,
            w=w,
            queries=query,
            keys_=keys,
            values=values,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, what the figure shows for its present state."""
        queries, keys, values = self._inputs()
        low, high = keys.aminmax()
        even = low + (high - low) * torch.arange(_ROWS) / (_ROWS - 1)
        weights, even_weights = self._weights(queries.flatten()), self._weights(even)
        return {
            "queries": queries,
            "keys": keys,
            "values": values,
            "attention_weights": weights,
            "output": weights @ values,
            "even_queries": even[None, :, None],
            "even_weights": even_weights,
            "even_outputs": even_weights @ values,
        }

    def _weights(self, queries: Tensor) -> Tensor:
        keys = self._tensor("keys_").flatten()
        return kernels.kernel_weights(queries, keys, _KERNELS[self.kernel], self.w)[None]
