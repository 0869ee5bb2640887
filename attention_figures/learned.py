"""Replay how training changes the regions of two scores: the learned figure."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Listed, Names, Numbers
from attention_lib.scores import SCORES

_SCORES = ("bilinear", "additive")


class LearnedFigure(Figure):
    """A query among keys in the plane, and the regions that a score gives them as it learns.

    Queries and keys get a 1 at their end, so that both scores have biases.

    Shapes: K keys, T stored steps, H hidden units.

    Args:
        queries: the point that asks.
        keys: the points that it is compared with.
        W: of the bilinear score.
        W_q: of the additive score.
        W_k: of the additive score.
        w_v: of the additive score.
        shares: of right answers, by the bilinear and by the additive score.
        steps: whole numbers, after how many steps each was stored.
        names: of the keys and, last, of the query.
        score: "bilinear" or "additive".
        step: which of the stored steps is shown.

    Raises:
        ValueError, TypeError: shapes do not fit together, names or steps are too few or too many,
            or a value is not allowed.
        TraitError: score, step or lang is none of the above.

    >>> W = torch.stack([torch.zeros(3, 3), torch.eye(3)])
    >>> hidden = [torch.zeros(2, 1, 3), torch.zeros(2, 1, 3), torch.zeros(2, 1, 1)]
    >>> places = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[1.0, 0.0], [0.0, 0.0]]])
    >>> said = {"steps": [0, 9], "names": ["east", "here", "you"], "score": "bilinear"}
    >>> figure = LearnedFigure(*places, W, *hidden, torch.zeros(1, 2, 2), **said)
    >>> figure.step = 1
    >>> figure.stages()["scores"]
    tensor([[[2., 1.]]], dtype=torch.float64)
    """

    queries = Numbers("(1, 1, 2)")
    keys_ = Numbers("(1, K, 2)")
    W = Numbers("(T, 3, 3)")
    W_q = Numbers("(T, H, 3)")
    W_k = Numbers("(T, H, 3)")
    w_v = Numbers("(T, 1, H)")
    shares = Numbers("(1, 2, T)")
    steps = Listed("T", traitlets.Int())
    names = Names("K + 1")
    score = traitlets.Enum(list(_SCORES)).tag(sync=True, state=True)
    step = Index("T")

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        W: Tensor,
        W_q: Tensor,
        W_k: Tensor,
        w_v: Tensor,
        shares: Tensor,
        *,
        steps: Sequence[int],
        names: Sequence[str],
        score: str = "additive",
        step: int = 0,
        name: str = "learned",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="learned",
            queries=queries,
            keys_=keys,
            W=W,
            W_q=W_q,
            W_k=W_k,
            w_v=w_v,
            shares=shares,
            steps=steps,
            names=names,
            score=score,
            step=step,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        score = SCORES[self.score]
        own = {name: self._tensor(name)[self.step] for name in score.parameters}
        queries, keys = (
            F.pad(self._tensor(name), (0, 1), value=1.0) for name in ("queries", "keys_")
        )
        fit = score.function(queries, keys, **own)
        share = self._tensor("shares")[:, [_SCORES.index(self.score)], self.step]
        return {
            "scores": fit,
            "attention_weights": torch.softmax(fit, dim=-1),
            "share": share[None],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        *keys, query = self.names
        return dict.fromkeys(("scores", "attention_weights"), ([query], keys))
