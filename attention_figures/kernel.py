"""The kernel figure: regression by Nadaraya and Watson, on data that can be dragged."""

import math
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import InputsFigure
from attention_figures.traits import Finite, Number, check_shapes, checked_numbers
from attention_lib import kernels, scores

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
_ERRORS = {"en": ["training", "leave-one-out", "test"], "zh": ["训练", "留一", "测试"]}
_PARTS = ("kernel", "w", "training", "errors", "map", "numbers")
_ROWS = 17
# Those of the slider: 0, and ten in each power of ten, of two digits.
_WIDTHS = [0.0] + [float(f"{10 ** (i / 10 - 1):.2g}") for i in range(31)]


class KernelFigure(InputsFigure):
    """Kernel regression as attention: a curve through training data, and the weights at a query.

    The query is where to predict, the keys are the training inputs, the values their targets. Two
    errors, mean squared differences, are drawn for many w: that of the curve at the training
    inputs, and the same with each of them left out where it is predicted. With the truth there is
    a third, the test error. An error is infinite where some query has no key in reach.

    Shapes: K keys; 17 evenly spaced queries from the smallest key to the largest make the heatmap;
    T places where the truth is known.

    Args:
        keys: (1, K, 1) floating, rounded to 4 decimals, like values and query.
        values: (1, K, 1).
        query: (1, 1, 1).
        kernel: "gaussian", "boxcar", "epanechnikov", "triangular" or "linear", as in
            `attention_lib.kernels`.
        w: from 0 to 1000, the inverse of the kernel's width.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's words, "en" or "zh".
        truth: (T, 2) floating, places and what is true there; rounded likewise. None: unknown.
        units: of keys and of values, in that language, such as "km"; none, or both.
        parts: what is shown, of "kernel" and "w" (their controls), "training" (data, curve and
            weights), "errors", "map" (the weights of many queries) and "numbers"; none: all.
            Of parts with "w" this is the handle, of others the query.
        steps: what w was at each step of a training, through which its slider goes; none: widths.

    Attributes:
        queries, keys_, values: the state, as nested lists; assign lists or tensors.
        kernel: a name.
        w: a number.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: kernel, lang, one of parts or one of steps is none of the above.

    >>> keys, values = torch.tensor([[[0.0], [0.5], [2.0]]]), torch.tensor([[[3.0], [6.0], [9.0]]])
    >>> figure = KernelFigure(keys, values, torch.zeros(1, 1, 1), kernel="triangular")
    >>> figure.attention_weights
    tensor([[[0.6667, 0.3333, 0.0000]]], dtype=torch.float64)
    >>> figure.output
    tensor([[[4.]]], dtype=torch.float64)
    """

    kernel = traitlets.Enum(list(_KERNELS)).tag(sync=True, state=True)
    w = Number(0, 1000).tag(sync=True, state=True)
    truth: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)
    units: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    parts: "traitlets.List[str]" = traitlets.List(traitlets.Enum(list(_PARTS))).tag(
        sync=True, state=True
    )
    steps: "traitlets.List[float]" = traitlets.List(Finite(min=0, max=1000)).tag(
        sync=True, state=True
    )

    def __init__(
        self,
        keys: Tensor,
        values: Tensor,
        query: Tensor,
        kernel: str = "gaussian",
        w: float = 1.0,
        name: str = "kernel",
        lang: str = "en",
        truth: Tensor | None = None,
        units: Sequence[str] = (),
        parts: Sequence[str] = (),
        steps: Sequence[float] = (),
    ) -> None:
        shapes = {"keys": "(1, K, 1)", "values": "(1, K, 1)", "query": "(1, 1, 1)"}
        check_shapes({"keys": keys, "values": values, "query": query}, shapes)
        if len(units) not in (0, 2):
            raise ValueError(f"units must be two, of keys and of values, or none; got {len(units)}")
        super().__init__(
            name,
            lang,
            kind="kernel",
            kernel=kernel,
            w=w,
            truth=[] if truth is None or truth.numel() == 0 else _checked_truth(truth),
            units=list(units),
            parts=list(parts),
            steps=[round(w, 4) for w in steps],
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
            "keys_used": _keys_used(even_weights).mean(dim=-1)[:, None, None],
            "error": self._errors(self.w)[None, None],
            "errors": torch.stack(
                [torch.tensor([w, *self._errors(w)], dtype=torch.float64) for w in _WIDTHS], dim=-1
            )[None],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows and columns, for the stages that have some."""
        names = _ERRORS[self.lang][: 3 if self.truth else 2]
        return {"error": ([""], names), "errors": (["w", *names], [])}

    @traitlets.validate("truth")
    def _check_truth(self, proposal: dict[str, Any]) -> list[Any]:
        truth = proposal["value"]
        return checked_numbers("truth", truth, (len(truth), 2)) if truth else []

    def _weights(self, queries: Tensor) -> Tensor:
        keys = self._tensor("keys_").flatten()
        return kernels.kernel_weights(queries, keys, _KERNELS[self.kernel], self.w)[None]

    def _errors(self, w: float) -> Tensor:
        """Training and leave-one-out error, and with the truth the test error: (2,) or (3,)."""
        keys, values = self._tensor("keys_").flatten(), self._tensor("values").flatten()
        kernel = _KERNELS[self.kernel]
        errors = [
            _error(kernels.kernel_weights(keys, keys, kernel, w), values, values),
            _error(_leave_one_out(keys, kernel, w), values, values),
        ]
        if self.truth:
            places, heights = torch.tensor(self.truth, dtype=torch.float64).mT
            weights = kernels.kernel_weights(places, keys, kernel, w)
            errors.append(_error(weights, values, heights))
        return torch.stack(errors)


def _leave_one_out(keys: Tensor, kernel: kernels.Kernel, w: float) -> Tensor:
    """Weights (K, K) where each input is a query, and no key for itself."""
    itself = torch.eye(len(keys), dtype=torch.bool)
    if kernel is kernels.gaussian:
        fit = scores.gaussian(w * keys[None, :, None], w * keys[None, :, None])[0]
        return torch.softmax(fit.masked_fill(itself, -math.inf), dim=-1).nan_to_num()

    def without(x: Tensor, x_i: Tensor) -> Tensor:
        return kernel(x, x_i).masked_fill(itself, 0)

    return kernels.kernel_weights(keys, keys, without, w)


def _keys_used(weights: Tensor) -> Tensor:
    """Count the keys of each row by 1 over the sum of squares, which is n if n share alike."""
    squares = (weights**2).sum(dim=-1)
    return torch.where(squares == 0, 0, 1 / squares)


def _error(weights: Tensor, values: Tensor, expected: Tensor) -> Tensor:
    """Mean squared difference; infinite where a query has no key in reach."""
    if (weights == 0).all(dim=-1).any():
        return torch.tensor(math.inf, dtype=torch.float64)
    return ((weights @ values - expected) ** 2).mean()


def _checked_truth(truth: Tensor) -> list[Any]:
    check_shapes({"truth": truth}, {"truth": "(T, 2)"})
    return checked_numbers("truth", truth, tuple(truth.shape))
