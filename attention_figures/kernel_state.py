"""Hold the state that figures of kernel regression share: data, a query, a kernel and its width."""

from collections.abc import Sequence
from typing import Any

import traitlets
from torch import Tensor

from attention_figures.inputs import InputsFigure
from attention_figures.traits import BoundedFloat, check_shapes, checked_numbers
from attention_lib import kernels

KERNELS = {
    kernel.__name__: kernel
    for kernel in (
        kernels.gaussian,
        kernels.boxcar,
        kernels.epanechnikov,
        kernels.triangular,
        kernels.linear,
    )
}


class Regression(InputsFigure):
    """A figure of kernel regression as attention.

    The query is where to predict, the keys are the training inputs, the values their targets.

    Attributes:
        queries, keys_, values: (1, 1, 1), (1, K, 1) and (1, K, 1), as nested lists; assign lists or
            tensors.
        kernel: a name.
        w: from 0 to 1000, the inverse of the kernel's width.
        units: of keys and of values; none, or both.
    """

    kernel = traitlets.Enum(list(KERNELS)).tag(sync=True, state=True)
    w = BoundedFloat(0, 1000).tag(sync=True, state=True)
    units: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)

    def __init__(
        self,
        name: str,
        lang: str,
        keys: Tensor,
        values: Tensor,
        query: Tensor,
        units: Sequence[str],
        **state: Any,
    ) -> None:
        shapes = {"keys": "(1, K, 1)", "values": "(1, K, 1)", "query": "(1, 1, 1)"}
        check_shapes({"keys": keys, "values": values, "query": query}, shapes)
        if len(units) not in (0, 2):
            raise ValueError(f"units must be two, of keys and of values, or none; got {len(units)}")
        data = {"queries": query, "keys_": keys, "values": values}
        super().__init__(name, lang, units=list(units), **data, **state)

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        queries, keys, values = self._inputs()
        weights = self._weights(queries.flatten())
        return {
            "queries": queries,
            "keys": keys,
            "values": values,
            "attention_weights": weights,
            "output": weights @ values,
        }

    def _weights(self, queries: Tensor) -> Tensor:
        keys = self._tensor("keys_").flatten()
        return kernels.kernel_weights(queries, keys, KERNELS[self.kernel], self.w)[None]


class TrueRegression(Regression):
    """A figure of kernel regression where it may be known what is true.

    Attributes:
        truth: (T, 2), places and what is true there, as nested lists; none: unknown.
    """

    truth: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)

    @traitlets.validate("truth")
    def _check_truth(self, proposal: dict[str, Any]) -> list[Any]:
        truth = proposal["value"]
        return checked_numbers("truth", truth, (len(truth), 2)) if truth else []


def checked_truth(truth: Tensor | None) -> list[Any]:
    """Return places and heights as nested lists, or say what is wrong with them."""
    if truth is None or truth.numel() == 0:
        return []
    check_shapes({"truth": truth}, {"truth": "(T, 2)"})
    return checked_numbers("truth", truth, tuple(truth.shape))
