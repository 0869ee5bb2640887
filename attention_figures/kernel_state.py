"""Hold the state that figures of kernel regression share: data, a query, a kernel and its width."""

import traitlets
from torch import Tensor

from attention_figures.inputs import InputsFigure
from attention_figures.traits import BoundedFloat, Names, Numbers, OptionalNumbers
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
        w: from 0 to 1000, the inverse of the kernel's width.
        units: of keys and of values; none, or both.
    """

    queries = Numbers("(1, 1, 1)", argument="query")
    keys_ = Numbers("(1, K, 1)")
    values = Numbers("(1, K, 1)")
    kernel = traitlets.Enum(list(KERNELS)).tag(sync=True, state=True)
    w = BoundedFloat(0, 1000)
    units = Names("2", optional=True)

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
    """A figure of kernel regression where it may be known what is true."""

    truth = OptionalNumbers("(T, 2)", default_value=[])
