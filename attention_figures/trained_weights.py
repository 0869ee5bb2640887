"""Show the attention weights of a training, step by step."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.dropout_state import NamedRows, check_few
from attention_figures.traits import Index, Listed, Numbers


class TrainedWeightsFigure(NamedRows):
    """Attention weights of stored steps of a training, a row for each query or each run.

    Shapes: T steps, Q queries, K keys; Q and K at most 16.

    Args:
        scores: after each step that is stored.
        steps: the numbers of these steps, in ascending order.
        step: the index of the selected step.
        query_names: of the rows, in that language.
        key_names: of the keys, in that language.

    Raises:
        ValueError, TypeError: names are too few or too many, or a value is not allowed.
        TraitError: step or lang is none of the above.

    >>> scores = torch.tensor([[[0.0, 0.0]], [[0.0, 20.0]]])
    >>> figure = TrainedWeightsFigure(scores, steps=[0, 100], step=1)
    >>> figure.attention_weights
    tensor([[[2.0612e-09, 1.0000e+00]]], dtype=torch.float64)
    """

    scores = Numbers("(T, Q, K)")
    steps = Listed("T", traitlets.Int(min=0), ascending=True)
    step = Index("T")

    def __init__(
        self,
        scores: Tensor,
        steps: Sequence[int],
        step: int = 0,
        name: str = "trained-weights",
        lang: str = "en",
        query_names: Sequence[str] = (),
        key_names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="trained_weights",
            scores=scores,
            steps=steps,
            step=step,
            query_names=query_names,
            key_names=key_names,
        )
        check_few(scores)

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, the weights of the selected step."""
        return {"attention_weights": torch.softmax(self._tensor("scores")[[self.step]], dim=-1)}

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows, for the stages that have some."""
        return self._headings(["attention_weights"], [])
