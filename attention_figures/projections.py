"""Project word vectors onto directions for queries, keys and values: the projections figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Names, Numbers

_ARROWS = ("W_q", "W_k", "W_v")


class ProjectionsFigure(Figure):
    """Self-attention: every word is projected onto a direction for queries and one for keys.

    Shapes: N words.

    Args:
        words: the words of the sentence.
        x: their vectors.
        W_q, W_k, W_v: the directions of queries, keys and values.
        arrows: the directions that are shown and can be moved; the first is the handle.
        axes: names of the axes: what increases to the right, and what upwards.
        query: the selected word.

    Raises:
        ValueError, TypeError: shapes or words do not fit, or a value is not allowed.

    >>> x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    >>> right, up = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    >>> figure = ProjectionsFigure(["Mia", "her"], x, up, right, right, axes=["", ""])
    >>> figure.stages()["scores"]
    tensor([[[0., 0.],
             [2., 0.]]], dtype=torch.float64)
    """

    words = Names("N")
    x = Numbers("(1, N, 2)")
    W_q = Numbers("(1, 2)")
    W_k = Numbers("(1, 2)")
    W_v = Numbers("(1, 2)")
    arrows: traitlets.List[str] = traitlets.List(traitlets.Enum(_ARROWS), minlen=1).tag(
        sync=True, state=True
    )
    axes = Names("2")
    query = Index("N")

    def __init__(
        self,
        words: Sequence[str],
        x: Tensor,
        W_q: Tensor,
        W_k: Tensor,
        W_v: Tensor,
        axes: Sequence[str],
        arrows: Sequence[str] = ("W_q", "W_k"),
        query: int = 0,
        name: str = "projections",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="projections",
            words=words,
            x=x,
            W_q=W_q,
            W_k=W_k,
            W_v=W_v,
            arrows=list(arrows),
            axes=axes,
            query=query,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        x = self._tensor("x")
        queries, keys, values = (x @ self._tensor(W).T for W in _ARROWS)  # (1, N, 1) each
        scores = queries @ keys.mT
        weights = torch.softmax(scores, dim=-1)
        return {
            "queries": queries,
            "projected_keys": keys,
            "values": values,
            "scores": scores,
            "attention_weights": weights,
            "output": weights @ values,
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = list(self.words), list(self.words)
        return dict.fromkeys(("scores", "attention_weights"), names)
