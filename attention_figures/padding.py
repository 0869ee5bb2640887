"""Show how much of one query's attention falls on padding: the padding figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import RowFigure
from attention_figures.traits import Index, Names
from attention_lib.masking import length_mask, masked_softmax

_PAD = {"en": "‹pad›", "zh": "‹填充›"}


class PaddingFigure(RowFigure):
    """One word of a sentence attends to the words and to the padding after or before them.

    Shapes: K keys.

    Args:
        words: words of the sentence, at most K. The other keys are padding.
        scores: the query's scores.
        query: index of the word that attends.
        valid_len: how many keys count, 0 to K. None: all.
        before: how many places of padding stand before the words; the others stand after them.

    Raises:
        ValueError, TypeError: scores is not 1-D and floating, words or query do not fit it, or a
            value is not allowed.

    >>> figure = PaddingFigure(["the", "train"], torch.tensor([0.8, 0.2, 0.9, 0.4]))
    >>> figure.stages()["padding_share"]
    tensor([[[0.5341]]], dtype=torch.float64)
    >>> figure.valid_lens = [2]
    >>> figure.attention_weights
    tensor([[[0.6457, 0.3543, 0.0000, 0.0000]]], dtype=torch.float64)
    >>> PaddingFigure(["the", "train"], torch.zeros(4), before=2).headings()["mask"]
    (['the'], ['‹pad›', '‹pad›', 'the', 'train'])
    """

    words = Names("W")
    query = Index("W")
    before = traitlets.Int(min=0).tag(sync=True, state=True)

    def __init__(
        self,
        words: Sequence[str],
        scores: Tensor,
        query: int = 0,
        valid_len: int | None = None,
        name: str = "padding",
        lang: str = "en",
        before: int = 0,
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="padding",
            words=words,
            query=query,
            before=before,
            scores=scores,
            valid_lens=None if valid_len is None else [valid_len],
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
            "padding_share": (weights * self._padding()).sum(-1, keepdim=True),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = [self.words[self.query]], [*self.words]
        for k in self._padding().nonzero().flatten().tolist():
            names[1].insert(k, _PAD[self.lang])
        return dict.fromkeys(("scores", "mask", "attention_weights"), names)

    def _padding(self) -> Tensor:
        """(K,) bool, which keys are padding."""
        places = torch.arange(self.axis_sizes["K"])
        return (places < self.before) | (places >= self.before + len(self.words))

    @traitlets.validate("words")
    def _check_words(self, proposal: dict[str, Any]) -> Any:
        words, num_keys = proposal["value"], self.axis_sizes["K"]
        if len(words) > num_keys:
            raise ValueError(f"words must be at most {num_keys}, as scores; got {len(words)}")
        return words

    @traitlets.validate("before")
    def _check_before(self, proposal: dict[str, Any]) -> int:
        before, most = int(proposal["value"]), self.axis_sizes["K"] - self.axis_sizes["W"]
        if before > most:
            raise ValueError(f"before must be at most {most}, beside the words; got {before}")
        return before
