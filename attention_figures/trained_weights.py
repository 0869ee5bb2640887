"""Show the attention weights of a training, step by step."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.dropout_state import NamedRows, check_few


class TrainedWeightsFigure(NamedRows):
    """Attention weights of stored steps of a training, a row for each query or each run.

    Shapes: T steps, Q queries, K keys; Q and K at most 16.

    Args:
        scores: (T, Q, K) floating, after each step that is stored; rounded to 4 decimals.
        step: the selected step, 0 to T − 1.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".
        query_names: of the rows, in that language; none, or one for each.
        key_names: likewise.

    Attributes:
        scores: as nested lists; assign lists or tensors.
        step: as above.

    Raises:
        ValueError, TypeError: names are too few or too many, or a value is not allowed.
        TraitError: step or lang is none of the above.

    >>> figure = TrainedWeightsFigure(torch.tensor([[[0.0, 0.0]], [[0.0, 20.0]]]), step=1)
    >>> figure.attention_weights
    tensor([[[2.0612e-09, 1.0000e+00]]], dtype=torch.float64)
    """

    step = traitlets.Int().tag(sync=True, state=True)

    def __init__(
        self,
        scores: Tensor,
        step: int = 0,
        name: str = "trained-weights",
        lang: str = "en",
        query_names: Sequence[str] = (),
        key_names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            {"scores": scores},
            {"scores": "(T, Q, K)"},
            query_names,
            key_names,
            kind="trained_weights",
            step=step,
        )
        check_few(scores)

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, the weights of the selected step."""
        return {"attention_weights": torch.softmax(self._tensor("scores")[[self.step]], dim=-1)}

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows, for the stages that have some."""
        return self._headings(["attention_weights"], [])

    @traitlets.validate("step")
    def _check_step(self, proposal: dict[str, Any]) -> int:
        step, number = int(proposal["value"]), self.shapes["scores"][0]
        if not 0 <= step < number:
            raise ValueError(f"step must lie in 0..{number - 1}; got {step}")
        return step
