"""Show causal masking, where every word reads the words up to itself: the staircase figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import MaskedFigure
from attention_figures.traits import Numbers
from attention_lib._checks import check_floating
from attention_lib.masking import length_mask, masked_softmax


class StaircaseFigure(MaskedFigure):
    """Self-attention over the words of a sentence, one valid length for each query.

    Shapes: N words, each a query and a key.

    Args:
        words: N words.
        scores: (N, N) floating, a row for each query; rounded to 4 decimals.
        valid_lens: (N,) integer, how many words each query may read. None: 1, 2, …, N.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

    Attributes:
        scores, valid_lens: (1, N, N) and (1, N), as nested lists; assign lists or tensors.

    Raises:
        ValueError, TypeError: scores is not 2-D and floating, words do not fit it, or a value is
            not allowed.

    >>> StaircaseFigure(["the", "train", "left"], torch.zeros(3, 3)).attention_weights
    tensor([[[1.0000, 0.0000, 0.0000],
             [0.5000, 0.5000, 0.0000],
             [0.3333, 0.3333, 0.3333]]], dtype=torch.float64)
    """

    view_state = ("row",)
    words: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    scores = Numbers().tag(sync=True, state=True)

    def __init__(
        self,
        words: Sequence[str],
        scores: Tensor,
        valid_lens: Tensor | Sequence[int] | None = None,
        name: str = "staircase",
        lang: str = "en",
    ) -> None:
        check_floating("scores", scores, "(N, N)")
        expected = (len(words), len(words))
        if tuple(scores.shape) != expected:
            raise ValueError(f"scores must have shape (N, N) = {expected}; got {(*scores.shape,)}")
        lengths = range(1, len(words) + 1) if valid_lens is None else valid_lens
        super().__init__(
            name,
            lang,
            kind="staircase",
            words=list(words),
            scores=scores[None],
            valid_lens=[[int(n) for n in lengths]],
        )

    @property
    def scores_shape(self) -> tuple[int, int, int]:
        """(1, N, N)."""
        batch, num_queries, num_keys = self.shapes["scores"]
        return batch, num_queries, num_keys

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        scores, lengths = self._tensor("scores"), torch.tensor(self.valid_lens)
        return {
            "scores": scores,
            "mask": length_mask(lengths, *scores.shape[1:]),
            "attention_weights": masked_softmax(scores, lengths),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = list(self.words), list(self.words)
        return dict.fromkeys(("scores", "mask", "attention_weights"), names)

    @traitlets.validate("valid_lens")
    def _check_lengths_of_queries(self, proposal: dict[str, Any]) -> Any:
        if not isinstance(proposal["value"][0], list):
            raise ValueError("valid_lens must have shape (1, N): a length for each query")
        return proposal["value"]
