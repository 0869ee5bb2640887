"""Show which names in the plane get a query's weight, by a selectable score."""

from collections.abc import Callable, Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Names, Numbers
from attention_lib import scores


def _additive(queries: Tensor, keys: Tensor) -> Tensor:
    one = torch.eye(queries.shape[-1], dtype=queries.dtype)
    return scores.additive(queries, keys, one, one, torch.ones_like(one[:1]))


_SCORES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "dot": scores.dot,
    "gaussian": scores.gaussian,
    "additive": _additive,
}


class RetrievalFigure(Figure):
    """A query among keys that are names in the plane, and the weights they get under a score.

    The additive score has nothing learnt in it here: W_q and W_k change nothing, w_v is all ones.

    Shapes: K keys.

    Args:
        query: the point that asks.
        keys: the points that have names.
        names: of the keys.
        axes: what a large first and a large second number mean.
        score: "dot", "gaussian" or "additive".

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a
            value is not allowed.
        TraitError: score or lang is none of the above.

    >>> keys = torch.tensor([[1.0, 0.0], [3.0, 0.0]])
    >>> figure = RetrievalFigure(keys[0], keys, ["dog", "horse"], ["large", "tame"])
    >>> figure.attention_weights  # a long key wins, even where the query is another
    tensor([[[0.1192, 0.8808]]], dtype=torch.float64)
    >>> figure.score = "gaussian"
    >>> figure.attention_weights
    tensor([[[0.8808, 0.1192]]], dtype=torch.float64)
    """

    queries = Numbers("(1, 1, 2)", given="(2,)", argument="query")
    keys_ = Numbers("(1, K, 2)", given="(K, 2)")
    names = Names("K")
    axes = Names("2")
    score = traitlets.Enum(list(_SCORES)).tag(sync=True, state=True)

    def __init__(
        self,
        query: Tensor,
        keys: Tensor,
        names: Sequence[str],
        axes: Sequence[str],
        score: str = "dot",
        name: str = "retrieval",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="retrieval",
            queries=query,
            keys_=keys,
            names=names,
            axes=axes,
            score=score,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        queries, keys = self._tensor("queries"), self._tensor("keys_")
        fit = _SCORES[self.score](queries, keys)
        return {
            "queries": queries,
            "keys": keys,
            "scores": fit,
            "attention_weights": torch.softmax(fit, dim=-1),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        query = "query" if self.lang == "en" else "查询"
        by_key = [query], list(self.names)
        return {
            "queries": ([query], list(self.axes)),
            "keys": (list(self.names), list(self.axes)),
            "scores": by_key,
            "attention_weights": by_key,
        }
