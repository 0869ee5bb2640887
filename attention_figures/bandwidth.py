"""Plot the errors of kernel regression against the kernel's width: the bandwidth figure."""

import math
from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.kernel_state import KERNELS, TrueRegression
from attention_figures.traits import Finite
from attention_lib import kernels, scores

_ERRORS = {"en": ["training", "leave-one-out", "test"], "zh": ["训练", "留一", "测试"]}
# Those of the slider: 0, and ten in each power of ten, of two digits.
_WIDTHS = [0.0] + [float(f"{10 ** (i / 10 - 1):.2g}") for i in range(31)]


class BandwidthFigure(TrueRegression):
    """How wrong the curve of kernel regression is, for every width of the kernel.

    Two errors, mean squared differences, are drawn for many w: that of the curve at the training
    inputs, and the same with each of them left out where it is predicted. With the truth there is
    a third, the test error. An error is infinite where some query has no key in reach.

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
        show_data: whether the data and the curve are shown beside the errors.
        steps: what w was at each step of a training, through which its slider goes; none: widths.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: kernel, lang or one of steps is none of the above.

    >>> keys, values = torch.tensor([[[0.0], [0.5], [2.0]]]), torch.tensor([[[3.0], [6.0], [9.0]]])
    >>> figure = BandwidthFigure(keys, values, torch.zeros(1, 1, 1), kernel="triangular")
    >>> figure.stages()["error"]  # 2.0 reaches no key but itself
    tensor([[[0.6667,    inf]]], dtype=torch.float64)
    """

    choose_kernel = traitlets.Bool().tag(sync=True, state=True)
    show_data = traitlets.Bool().tag(sync=True, state=True)
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
        name: str = "bandwidth",
        lang: str = "en",
        truth: Tensor | None = None,
        units: Sequence[str] = (),
        choose_kernel: bool = False,
        show_data: bool = True,
        steps: Sequence[float] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="bandwidth",
            keys_=keys,
            values=values,
            queries=query,
            units=units,
            kernel=kernel,
            w=w,
            truth=truth,
            choose_kernel=choose_kernel,
            show_data=show_data,
            steps=[round(w, 4) for w in steps],
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        errors = [torch.tensor([w, *self._errors(w)], dtype=torch.float64) for w in _WIDTHS]
        return {
            **super().stages(),
            "error": self._errors(self.w)[None, None],
            "errors": torch.stack(errors, dim=-1)[None],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = _ERRORS[self.lang][: 3 if self.truth else 2]
        return {"error": ([""], names), "errors": (["w", *names], [])}

    def _errors(self, w: float) -> Tensor:
        """Training and leave-one-out error, and with the truth the test error: (2,) or (3,)."""
        keys, values = self._tensor("keys_").flatten(), self._tensor("values").flatten()
        kernel = KERNELS[self.kernel]
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


def _error(weights: Tensor, values: Tensor, expected: Tensor) -> Tensor:
    """Mean squared difference; infinite where a query has no key in reach."""
    if (weights == 0).all(dim=-1).any():
        return torch.tensor(math.inf, dtype=torch.float64)
    return ((weights @ values - expected) ** 2).mean()
