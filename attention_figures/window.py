"""Show a sliding window and ALiBi's distance penalty on a causal mask: the window figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import BoundedFloat, Index, Names, Numbers

_HANDLES = ("width", "slope", "corner")


class WindowFigure(Figure):
    """The last words of a sentence attend to all or some of the words up to themselves.

    Shapes: Q queries, N ≥ Q words, each a key. Query i is the word N − Q + i.

    Args:
        words: the words of the sentence.
        scores: a row for each query.
        width: how many keys a query reads at most, the last being its own;. None: N.
        slope: the penalty on a score for each word of distance (ALiBi), 0 to 2.
        corner: alignment of the causal mask: "lower" (right) lets the last query read every key,
            "upper" (left) lets the first query read only the first key.
        handle: the trait that the handle moves, "width", "slope" or "corner".

    Raises:
        ValueError, TypeError: scores is not 2-D and floating, has another number of columns than
            there are words or more rows, or a value is not allowed.
        TraitError: corner or handle is none of the above.

    Source: Press, Smith & Lewis, *Train Short, Test Long*, ICLR 2022; Beltagy, Peters & Cohan,
    *Longformer*, 2020.

    >>> words = ["the", "train", "left"]
    >>> WindowFigure(words, torch.zeros(3, 3), width=2).attention_weights
    tensor([[[1.0000, 0.0000, 0.0000],
             [0.5000, 0.5000, 0.0000],
             [0.0000, 0.5000, 0.5000]]], dtype=torch.float64)
    >>> WindowFigure(words, torch.zeros(1, 3), corner="upper").attention_weights
    tensor([[[1., 0., 0.]]], dtype=torch.float64)
    """

    view_state = ("back",)
    words = Names("N")
    scores = Numbers("(1, Q, N)", given="(Q, N)")
    width = Index("N", first=1)
    slope = BoundedFloat(0, 2)
    corner = traitlets.Enum(["upper", "lower"]).tag(sync=True, state=True)
    handle = traitlets.Enum(list(_HANDLES)).tag(sync=True, state=True)

    def __init__(
        self,
        words: Sequence[str],
        scores: Tensor,
        width: int | None = None,
        slope: float = 0.0,
        corner: str = "lower",
        handle: str = "width",
        name: str = "window",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="window",
            words=words,
            scores=scores,
            width=width,
            slope=slope,
            corner=corner,
            handle=handle,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        scores = self._tensor("scores")
        _, num_queries, num_keys = scores.shape
        first = num_keys - num_queries if self.corner == "lower" else 0
        distance = first + torch.arange(num_queries)[:, None] - torch.arange(num_keys)
        mask = (distance >= 0) & (distance < self.width)
        biased = scores - self.slope * distance.double()
        return {
            "mask": mask[None],
            "biased_scores": biased,
            "attention_weights": torch.softmax(biased.masked_fill(~mask, -torch.inf), dim=-1),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = self.words[-self.axis_sizes["Q"] :], list(self.words)
        return dict.fromkeys(("mask", "biased_scores", "attention_weights"), names)

    @traitlets.validate("scores")
    def _check_queries(self, proposal: dict[str, Any]) -> Any:
        num_queries, num_words = self.axis_sizes["Q"], self.axis_sizes["N"]
        if num_queries > num_words:
            raise ValueError(f"scores must have Q ≤ N = {num_words} rows; got {num_queries}")
        return proposal["value"]
