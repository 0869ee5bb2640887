"""Compare dropout of weights, of weights that are renormalised, and of scores."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.dropout_state import DroppedRows, check_few
from attention_figures.traits import Draws


class DropoutVariantsFigure(DroppedRows):
    """Three ways to drop: weights, weights that are then divided by their sum, and scores.

    A row of weights that lost everything stays empty. A dropped score becomes 0, and its key keeps
    some weight.

    Shapes: Q queries, K keys, both at most 16.

    Args:
        scores: before the softmax.
        draws: uniform, cut off after two decimals.
        p: how likely a weight or a score is to be dropped.
        query_names: of the queries, in that language.
        key_names: of the keys, in that language.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a value
            is not allowed.
        TraitError: lang is none of the above.

    >>> scores, draws = torch.tensor([[[-1.0, -3.0]]]), torch.tensor([[[0.9, 0.1]]])
    >>> figure = DropoutVariantsFigure(scores, draws)
    >>> figure.attention_weights
    tensor([[[0.8808, 0.1192]]], dtype=torch.float64)
    >>> figure.dropped
    tensor([[[1.7616, 0.0000]]], dtype=torch.float64)
    >>> figure.stages()["scores_dropped"]
    tensor([[[0.1192, 0.8808]]], dtype=torch.float64)
    """

    draws = Draws("(1, Q, K)")

    def __init__(
        self,
        scores: Tensor,
        draws: Tensor,
        p: float = 0.5,
        name: str = "dropout-variants",
        lang: str = "en",
        query_names: Sequence[str] = (),
        key_names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="dropout_variants",
            scores=scores,
            draws=draws,
            p=p,
            query_names=query_names,
            key_names=key_names,
        )
        check_few(scores)

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        weights, draws = self._stored(), self._tensor("draws")
        dropped = self._dropout(weights, draws)
        row_sums = dropped.sum(-1, keepdim=True)
        return {
            "attention_weights": weights,
            "draws": draws,
            "dropped": dropped,
            "row_sums": row_sums,
            "renormalised": torch.where(row_sums == 0, 0.0, dropped / row_sums),
            "scores_dropped": torch.softmax(self._dropout(self._tensor("scores"), draws), dim=-1),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows, for the stages that have some."""
        across = ["attention_weights", "draws", "dropped", "renormalised", "scores_dropped"]
        return self._headings(across, ["row_sums"])
