"""Show how additive attention adds every query to every key at once: the broadcasting figure."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.pairs import PairFigure
from attention_figures.traits import Names, Numbers


class BroadcastingFigure(PairFigure):
    """Broadcasting queries and keys to a grid, with a sum of vectors for every pair.

    Additive attention needs tanh(W_q q + W_k k) for all pairs. (1, Q, 1, H) + (1, 1, K, H) is
    (1, Q, K, H), without a loop over the pairs.

    Shapes: Q queries, K keys, H hidden units.

    Args:
        queries: W_q q for each query.
        keys: W_k k for each key.
        w_v: the weights of the hidden units.
        query, key: the selected pair.
        names: names of the keys, in that language.
        query_names: names of the queries, in that language.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a
            value is not allowed.
        TraitError: query or key is not an integer, or lang is unknown.

    >>> queries, keys = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[-1.0, 0.0], [0.0, 2.0]]])
    >>> figure = BroadcastingFigure(queries, keys, w_v=torch.tensor([[1.0, 1.0]]), key=1)
    >>> figure.stages()["pair"]
    tensor([[[1., 2.]]], dtype=torch.float64)
    >>> figure.scores  # tanh(0) + tanh(0), tanh(1) + tanh(2)
    tensor([[[0.0000, 1.7256]]], dtype=torch.float64)
    """

    queries = Numbers("(1, Q, H)")
    keys_ = Numbers("(1, K, H)")
    w_v = Numbers("(1, H)")
    names = Names("K", optional=True)
    query_names = Names("Q", optional=True)

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        w_v: Tensor,
        query: int = 0,
        key: int = 0,
        name: str = "broadcasting",
        lang: str = "en",
        names: Sequence[str] = (),
        query_names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="broadcasting",
            queries=queries,
            keys_=keys,
            w_v=w_v,
            query=query,
            key=key,
            names=names,
            query_names=query_names,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        pair, hidden and terms belong to the selected pair: the sum, its tanh, and tanh times w_v.
        """
        queries, keys, w_v = map(self._tensor, ("queries", "keys_", "w_v"))
        sums = queries.unsqueeze(2) + keys.unsqueeze(1)  # (1, Q, K, H)
        scores = torch.tanh(sums) @ w_v[0]
        pair = sums[:, self.query, [self.key]]  # (1, 1, H)
        return {
            "pair": pair,
            "hidden": torch.tanh(pair),
            "terms": torch.tanh(pair) * w_v,
            "scores": scores,
            "attention_weights": torch.softmax(scores, dim=-1),
        }

    @property
    def scores(self) -> Tensor:
        """(1, Q, K) float64."""
        return self.stages()["scores"]
