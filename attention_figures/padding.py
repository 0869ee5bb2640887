"""Show how much of one query's attention falls on padding: the padding figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import RowFigure
from attention_lib._checks import check_floating
from attention_lib.masking import length_mask, masked_softmax

_PAD = {"en": "‹pad›", "zh": "‹填充›"}


class PaddingFigure(RowFigure):
    """One word of a sentence attends to the words and to the padding after them.

    Shapes: K keys.

    Args:
        words: words of the sentence, at most K. The other keys are padding.
        scores: (K,) floating, the query's scores; rounded to 4 decimals.
        query: index of the word that attends.
        valid_len: how many keys count, 0 to K. None: all.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

    Attributes:
        scores, valid_lens: (1, 1, K) and (1,), as nested lists; assign lists or tensors.

    Raises:
        ValueError, TypeError: scores is not 1-D and floating, words or query do not fit it, or a
            value is not allowed.

    >>> figure = PaddingFigure(["the", "train"], torch.tensor([0.8, 0.2, 0.9, 0.4]))
    >>> figure.stages()["padding_share"]
    tensor([[[0.5341]]], dtype=torch.float64)
    >>> figure.valid_lens = [2]
    >>> figure.attention_weights
    tensor([[[0.6457, 0.3543, 0.0000, 0.0000]]], dtype=torch.float64)
    """

    words: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    query = traitlets.Int(min=0).tag(sync=True, state=True)

    def __init__(
        self,
        words: Sequence[str],
        scores: Tensor,
        query: int = 0,
        valid_len: int | None = None,
        name: str = "padding",
        lang: str = "en",
    ) -> None:
        check_floating("scores", scores, "(K,)")
        num_keys = len(scores)
        if not 0 < len(words) <= num_keys:
            raise ValueError(f"words must be 1 to {num_keys}, as scores; got {len(words)}")
        if query not in range(len(words)):
            raise ValueError(f"query must be one of 0..{len(words) - 1}; got {query}")
        super().__init__(
            name,
            lang,
            kind="padding",
            words=list(words),
            query=query,
            scores=scores[None, None],
            valid_lens=[num_keys if valid_len is None else valid_len],
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        scores = self._tensor("scores")
        lengths = torch.tensor(self.valid_lens)
        weights = masked_softmax(scores, lengths)
        return {
            "scores": scores,
            "mask": length_mask(lengths, 1, scores.shape[-1]),
            "attention_weights": weights,
            "padding_share": weights[..., len(self.words) :].sum(-1, keepdim=True),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        padding = [_PAD[self.lang]] * (self.scores_shape[2] - len(self.words))
        names = [self.words[self.query]], [*self.words, *padding]
        return dict.fromkeys(("scores", "mask", "attention_weights"), names)
