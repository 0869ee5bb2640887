"""Project word vectors onto directions for queries, keys and values: the projections figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Numbers, check_names, check_shapes

_ARROWS = ("W_q", "W_k", "W_v")


class ProjectionsFigure(Figure):
    """Self-attention: every word is projected onto a direction for queries and one for keys.

    Shapes: N words.

    Args:
        words: N of them.
        x: (1, N, 2) floating, their vectors; rounded to 4 decimals, like the rest.
        W_q, W_k, W_v: (1, 2), the directions of queries, keys and values.
        arrows: the directions that are shown and can be moved; the first is the handle.
        axes: names of the axes: what increases to the right, and what upwards.
        query: the selected word.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

    Attributes:
        W_q, W_k, W_v: as nested lists; assign lists or tensors.
        query: as above.

    Raises:
        ValueError, TypeError: shapes or words do not fit, or a value is not allowed.

    >>> x = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    >>> right, up = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    >>> figure = ProjectionsFigure(["Mia", "her"], x, up, right, right, axes=["", ""])
    >>> figure.stages()["scores"]
    tensor([[[0., 0.],
             [2., 0.]]], dtype=torch.float64)
    """

    words: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    x = Numbers().tag(sync=True, state=True)
    W_q = Numbers().tag(sync=True, state=True)
    W_k = Numbers().tag(sync=True, state=True)
    W_v = Numbers().tag(sync=True, state=True)
    arrows: traitlets.List[str] = traitlets.List(traitlets.Enum(_ARROWS), minlen=1).tag(
        sync=True, state=True
    )
    axes: traitlets.List[str] = traitlets.List(traitlets.Unicode(), minlen=2, maxlen=2).tag(
        sync=True, state=True
    )
    query = traitlets.Int(min=0).tag(sync=True, state=True)

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
        given = {"x": x, "W_q": W_q, "W_k": W_k, "W_v": W_v}
        check_shapes(given, {"x": "(1, N, 2)", **dict.fromkeys(_ARROWS, "(1, 2)")})
        if not words:
            raise ValueError(f"words must be {x.shape[1]}, as in x; got none")
        check_names("words", words, x.shape[1])
        super().__init__(
            name,
            lang,
            kind="projections",
            words=list(words),
            **given,
            arrows=list(arrows),
            axes=list(axes),
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

    @traitlets.validate("query")
    def _check_query(self, proposal: dict[str, Any]) -> int:
        query = int(proposal["value"])
        if query not in range(len(self.words)):
            raise ValueError(f"query must be one of 0..{len(self.words) - 1}; got {query}")
        return query
