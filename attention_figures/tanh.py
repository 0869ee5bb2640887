"""Compare additive attention with and without its tanh: the tanh figure."""

from collections.abc import Sequence
from typing import Literal

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import BoundedFloat, Finite, Index, Listed, Names, Numbers
from attention_lib.scores import additive

LARGEST = 1000.0  # the largest factor of queries and keys


class TanhFigure(Figure):
    """Additive attention of queries to keys of size 1, with and without tanh.

    Shapes: Q queries of size d, K keys, H hidden units, T steps of a training.

    Args:
        queries: the first number of a query can be moved.
        keys: a number for each key.
        W_q: of the hidden units, like the next two; T is 1 without a training.
        W_k: of the keys.
        w_v: of their sum.
        names: names of the keys.
        query_names: names of the queries.
        handle: the trait that the handle moves: "bent" (whether there is a tanh), "query" (its
            first number), "num_hiddens" (how many units count), "size" (the factor of queries and
            keys) or "step" (of the training).
        bent: whether there is a tanh.
        query: index of the query that can be moved.
        reach: minimum and maximum of a moved query's first number.
        moved: name of a query's first number, and `unit` its unit; `axis`: name of a key's number.
        steps: number of training steps between two stored ones.

    Attributes:
        num_hiddens: how many units count, from the first; initially all.
        size: the factor of queries and keys, from 0 to 1000; initially 1.
        step: index of the stored parameters that are used; initially 0.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a
            value is not allowed.
        TraitError: handle or lang is none of the above.

    >>> figure = TanhFigure(
    ...     torch.tensor([[[1.0], [-1.0]]]),
    ...     torch.tensor([[[0.0], [1.0]]]),
    ...     *torch.ones(3, 1, 1, 1),
    ...     names=["a", "b"],
    ...     query_names=["p", "q"],
    ... )
    >>> figure.scores  # tanh(1), tanh(2) and tanh(-1), tanh(0)
    tensor([[[ 0.7616,  0.9640],
             [-0.7616,  0.0000]]], dtype=torch.float64)
    >>> figure.bent = False
    >>> figure.attention_weights  # of 1 and 2, of -1 and 0
    tensor([[[0.2689, 0.7311],
             [0.2689, 0.7311]]], dtype=torch.float64)
    """

    queries = Numbers("(1, Q, d)")
    keys_ = Numbers("(1, K, 1)")
    W_q = Numbers("(T, H, d)")
    W_k = Numbers("(T, H, 1)")
    w_v = Numbers("(T, 1, H)")
    bent = traitlets.Bool().tag(sync=True, state=True)
    query = Index("Q")
    num_hiddens = Index("H", first=1)
    size = BoundedFloat(0.0, LARGEST)
    step = Index("T")
    handle = traitlets.Enum(["bent", "query", "num_hiddens", "size", "step"]).tag(
        sync=True, state=True
    )
    names = Names("K")
    query_names = Names("Q")
    reach = Listed("2", Finite(), ascending=True)
    moved = traitlets.Unicode().tag(sync=True, state=True)
    unit = traitlets.Unicode().tag(sync=True, state=True)
    axis = traitlets.Unicode().tag(sync=True, state=True)
    steps = traitlets.Int(min=1).tag(sync=True, state=True)

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        W_q: Tensor,
        W_k: Tensor,
        w_v: Tensor,
        *,
        names: Sequence[str],
        query_names: Sequence[str],
        handle: Literal["bent", "query", "num_hiddens", "size", "step"] = "bent",
        bent: bool = True,
        query: int = 0,
        reach: tuple[float, float] = (-1.0, 1.0),
        moved: str = "",
        unit: str = "",
        axis: str = "",
        steps: int = 1,
        name: str = "tanh",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="tanh",
            queries=queries,
            keys_=keys,
            W_q=W_q,
            W_k=W_k,
            w_v=w_v,
            bent=bent,
            query=query,
            num_hiddens=None,
            size=1.0,
            step=0,
            handle=handle,
            names=names,
            query_names=query_names,
            reach=[float(x) for x in reach],
            moved=moved,
            unit=unit,
            axis=axis,
            steps=steps,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        queries, keys = (self.size * self._tensor(name) for name in ("queries", "keys_"))
        used = slice(self.num_hiddens)
        W_q, W_k = (self._tensor(name)[self.step, used] for name in ("W_q", "W_k"))
        w_v = self._tensor("w_v")[self.step, :, used]
        if self.bent:
            scores = additive(queries, keys, W_q, W_k, w_v)
        else:
            sums = (queries @ W_q.T).unsqueeze(2) + (keys @ W_k.T).unsqueeze(1)
            scores = sums @ w_v[0]
        return {"scores": scores, "attention_weights": torch.softmax(scores, dim=-1)}

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = [*self.query_names], [*self.names]
        return dict.fromkeys(("scores", "attention_weights"), names)

    @property
    def scores(self) -> Tensor:
        """(1, Q, K) float64."""
        return self.stages()["scores"]
