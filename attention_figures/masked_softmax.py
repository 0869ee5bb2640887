"""Step through masked softmax, from the scores to the weights: the step figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import MaskedFigure
from attention_figures.traits import Lengths, Numbers
from attention_lib.masking import length_mask, masked_softmax


class MaskedSoftmaxFigure(MaskedFigure):
    """Masked softmax, one step after the other, on scores that can be edited.

    The steps: 0 scores, 1 the lengths broadcast to the rows, 2 the mask, 3 the masked scores,
    4 the exponentials with their row sums, 5 the weights.

    Shapes: B batch, Q queries, K keys.

    Args:
        scores: before the mask.
        valid_lens: how many keys count, for an example or for each query.
        step: the initial step.

    Raises:
        ValueError, TypeError: scores is not 3-D and floating, or a value is not allowed.
        TraitError: lang or step is none of the above.

    >>> figure = MaskedSoftmaxFigure(torch.tensor([[[0.8, 0.2, 0.9, 0.4]]]), torch.tensor([2]))
    >>> figure.attention_weights
    tensor([[[0.6457, 0.3543, 0.0000, 0.0000]]], dtype=torch.float64)
    """

    scores = Numbers("(B, Q, K)")
    valid_lens = Lengths("(B,)", "(B, Q)", keys="K")
    step = traitlets.Int(min=0, max=5).tag(sync=True, state=True)

    def __init__(
        self,
        scores: Tensor,
        valid_lens: Tensor | Sequence[Any],
        name: str = "masked-softmax",
        lang: str = "en",
        step: int = 0,
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="masked_softmax",
            scores=scores,
            valid_lens=valid_lens,
            step=step,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, the numbers of every step for the present state."""
        scores = self._tensor("scores")
        lengths = torch.tensor(self.valid_lens)
        keep = length_mask(lengths, *scores.shape[1:]).expand(scores.shape)
        masked = scores.masked_fill(~keep, -torch.inf)
        largest = masked.amax(-1, keepdim=True).nan_to_num(
            neginf=0
        )  # for an empty row, any number will do
        exponentials = torch.exp(masked - largest)
        return {
            "scores": scores,
            "lengths": keep.sum(-1, keepdim=True),
            "mask": keep,
            "masked_scores": masked,
            "exponentials": exponentials,
            "sums": exponentials.sum(-1, keepdim=True),
            "attention_weights": masked_softmax(scores, lengths),
        }
