"""Show causal masking, where every word reads the words up to itself: the staircase figure."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.inputs import MaskedFigure
from attention_figures.traits import Lengths, Names, Numbers
from attention_lib.masking import length_mask, masked_softmax


class StaircaseFigure(MaskedFigure):
    """Self-attention over the words of a sentence, one valid length for each query.

    Shapes: N words, each a query and a key.

    Args:
        words: the words of the sentence.
        scores: a row for each query.
        valid_lens: how many words each query may read. None: 1, 2, …, N.

    Raises:
        ValueError, TypeError: scores is not 2-D and floating, words do not fit it, or a value is
            not allowed.

    >>> StaircaseFigure(["the", "train", "left"], torch.zeros(3, 3)).attention_weights
    tensor([[[1.0000, 0.0000, 0.0000],
             [0.5000, 0.5000, 0.0000],
             [0.3333, 0.3333, 0.3333]]], dtype=torch.float64)
    """

    view_state = ("row",)
    words = Names("N")
    valid_lens = Lengths("(1, N)", keys="N")
    scores = Numbers("(1, N, N)", given="(N, N)")

    def __init__(
        self,
        words: Sequence[str],
        scores: Tensor,
        valid_lens: Tensor | Sequence[int] | None = None,
        name: str = "staircase",
        lang: str = "en",
    ) -> None:
        lengths = range(1, len(words) + 1) if valid_lens is None else valid_lens
        super().__init__(
            name,
            lang,
            kind="staircase",
            words=words,
            scores=scores,
            valid_lens=[[int(n) for n in lengths]],
        )

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
