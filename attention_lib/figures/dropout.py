"""The dropout figure: weights before and after dropout, and their mean over many draws."""

from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_lib.figures.base import Figure
from attention_lib.figures.traits import Draws, Number, Numbers, check_shapes


class DropoutFigure(Figure):
    """Dropout on attention weights, with the random numbers that decide it as part of the state.

    A weight is kept where its random number is at least p, and divided by 1 − p; elsewhere it
    becomes 0. In evaluation mode dropout changes nothing.

    Shapes: Q queries, K keys, V value size, N draws.

    Args:
        scores: (1, Q, K) floating, rounded to 4 decimals, like the values.
        values: (1, K, V).
        draws: (N, Q, K), uniform in [0, 1). They are cut off after two decimals, and not rounded:
            a share of exactly 1 − p is then at least p, for any p of two decimals.
        p: from 0 to 0.9, how likely a weight is to be dropped.
        training: True in training mode, False in evaluation mode.
        draw: from 1 to N, which of the draws is looked at.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's words, "en" or "zh".

    Attributes:
        scores, values, draws: as nested lists; assign lists or tensors.
        p, training, draw: as above.
        attention_weights: (1, Q, K) float64, before dropout: a module stores these.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: training, draw or lang is none of the above.

    Source: Srivastava et al., *Dropout: A Simple Way to Prevent Neural Networks from Overfitting*,
    JMLR 15, 2014. They shrink weights in evaluation mode; dividing in training mode instead is
    what `torch.nn.functional.dropout` does.

    >>> draws = torch.tensor([[[0.1, 0.7, 0.6, 0.3]]])
    >>> figure = DropoutFigure(torch.zeros(1, 1, 4), torch.ones(1, 4, 1), draws)
    >>> figure.attention_weights
    tensor([[[0.2500, 0.2500, 0.2500, 0.2500]]], dtype=torch.float64)
    >>> figure.dropped
    tensor([[[0.0000, 0.5000, 0.5000, 0.0000]]], dtype=torch.float64)
    >>> figure.training = False
    >>> figure.dropped
    tensor([[[0.2500, 0.2500, 0.2500, 0.2500]]], dtype=torch.float64)
    """

    scores = Numbers().tag(sync=True, state=True)
    values = Numbers().tag(sync=True, state=True)
    draws = Draws().tag(sync=True, state=True)
    p = Number(0, 0.9).tag(sync=True, state=True)
    training = traitlets.Bool().tag(sync=True, state=True)
    draw = traitlets.Int().tag(sync=True, state=True)

    def __init__(
        self,
        scores: Tensor,
        values: Tensor,
        draws: Tensor,
        p: float = 0.5,
        training: bool = True,
        draw: int = 1,
        name: str = "dropout",
        lang: str = "en",
    ) -> None:
        given = {"scores": scores, "values": values, "draws": draws}
        check_shapes(given, {"scores": "(1, Q, K)", "values": "(1, K, V)", "draws": "(N, Q, K)"})
        state = {"p": p, "training": training, "draw": draw}
        super().__init__(name, lang, kind="dropout", **given, **state)

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, what the figure shows for its present state.

        The mean is that of the first draws, up to the one that is looked at, and deviation the
        largest distance of its entries from the weights before dropout.
        """
        values, draws = self._tensor("values"), self._tensor("draws")
        weights = torch.softmax(self._tensor("scores"), dim=-1)
        dropped = self._dropout(weights, draws)  # (N, Q, K)
        now, mean = dropped[[self.draw - 1]], dropped[: self.draw].mean(0, keepdim=True)
        return {
            "attention_weights": weights,
            "draws": draws[[self.draw - 1]],
            "dropped": now,
            "row_sums": now.sum(-1, keepdim=True),
            "values": values,
            "output": now @ values,
            "eval_output": weights @ values,
            "mean": mean,
            "deviation": (mean - weights).abs().amax().reshape(1, 1, 1),
        }

    @property
    def dropped(self) -> Tensor:
        """(1, Q, K) float64, the weights after dropout; in evaluation mode those before it."""
        return self.stages()["dropped"]

    @property
    def mean(self) -> Tensor:
        """(1, Q, K) float64, the mean of `dropped` over the draws 1 to `draw`."""
        return self.stages()["mean"]

    @property
    def output(self) -> Tensor:
        """(1, Q, V) float64, the sums of the values weighted by `dropped`."""
        return self.stages()["output"]

    def _dropout(self, weights: Tensor, draws: Tensor) -> Tensor:
        if not self.training:
            return weights.expand(draws.shape)
        return torch.where(draws >= self.p, weights / (1 - self.p), 0.0)

    @traitlets.validate("draw")
    def _check_draw(self, proposal: dict[str, Any]) -> int:
        draw, number = int(proposal["value"]), self.shapes["draws"][0]
        if not 1 <= draw <= number:
            raise ValueError(f"draw must lie in 1..{number}; got {draw}")
        return draw
