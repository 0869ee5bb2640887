"""Plot the distribution of an output under dropout: the figure of dropout's spread."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.dropout_state import NamedRows
from attention_figures.traits import BoundedFloat, Numbers

_MOST_KEYS = 10  # there are 2 ** K ways to drop


class DropoutSpreadFigure(NamedRows):
    """Every output that dropout of the weights can give, and how likely it is.

    Where all values are 1 at first, an output is the sum of a row, and neither the weights nor the
    values are drawn.

    Shapes: Q queries, K keys, at most 10.

    Args:
        scores: before the softmax.
        values: one number for each key.
        p: how likely a weight is to be dropped.
        query_names: of the queries, in that language.
        key_names: of the keys, in that language.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a value
            is not allowed.
        TraitError: lang is none of the above.

    >>> figure = DropoutSpreadFigure(torch.zeros(1, 1, 4), torch.ones(1, 4, 1))
    >>> figure.stages()["output_std"]
    tensor([[[0.5000]]], dtype=torch.float64)
    """

    values = Numbers("(1, K, 1)")
    p = BoundedFloat(0, 0.9)

    def __init__(
        self,
        scores: Tensor,
        values: Tensor,
        p: float = 0.5,
        name: str = "dropout-spread",
        lang: str = "en",
        query_names: Sequence[str] = (),
        key_names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="dropout_spread",
            scores=scores,
            values=values,
            p=p,
            query_names=query_names,
            key_names=key_names,
        )
        if scores.shape[2] > _MOST_KEYS:
            raise ValueError(f"scores must have at most {_MOST_KEYS} keys; got {scores.shape[2]}")

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        The output without dropout is the mean, and output_std the standard deviation, of the
        outputs with it.
        """
        weights, values = torch.softmax(self._tensor("scores"), dim=-1), self._tensor("values")
        odds = self.p / (1 - self.p)
        return {
            "attention_weights": weights,
            "values": values,
            "eval_output": weights @ values,
            "output_std": (odds * (weights**2 @ values**2)).sqrt(),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows, for the stages that have some."""
        return self._headings(["attention_weights"], ["eval_output", "output_std"])
