"""Show kernel regression by Nadaraya and Watson, on data that can be dragged."""

from collections.abc import Sequence

import traitlets
from torch import Tensor

from attention_figures.kernel_state import TrueRegression


class KernelRegressionFigure(TrueRegression):
    """Kernel regression as attention: a curve through training data, and the weights at a query.

    The query is where to predict, the keys are the training inputs, the values their targets.

    Shapes: K keys; T places where the truth is known.

    Args:
        keys: the training inputs.
        values: their targets.
        query: where to predict.
        kernel: "gaussian", "boxcar", "epanechnikov", "triangular" or "linear", as in
            `attention_lib.kernels`.
        w: the inverse of the kernel's width.
        truth: places and what is true there. None: unknown.
        units: of keys and of values, in that language, such as "km".
        choose_kernel: whether the kernel can be chosen.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: kernel or lang is none of the above.

    >>> keys, values = torch.tensor([[[0.0], [0.5], [2.0]]]), torch.tensor([[[3.0], [6.0], [9.0]]])
    >>> query = torch.zeros(1, 1, 1)
    >>> figure = KernelRegressionFigure(keys, values, query, kernel="triangular")
    >>> figure.attention_weights
    tensor([[[0.6667, 0.3333, 0.0000]]], dtype=torch.float64)
    >>> figure.output
    tensor([[[4.]]], dtype=torch.float64)
    """

    choose_kernel = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        keys: Tensor,
        values: Tensor,
        query: Tensor,
        kernel: str = "gaussian",
        w: float = 1.0,
        name: str = "kernel-regression",
        lang: str = "en",
        truth: Tensor | None = None,
        units: Sequence[str] = (),
        choose_kernel: bool = False,
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="kernel_regression",
            keys_=keys,
            values=values,
            queries=query,
            units=units,
            kernel=kernel,
            w=w,
            truth=truth,
            choose_kernel=choose_kernel,
        )
