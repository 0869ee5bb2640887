"""Show the weights of one query on named items: the selection figure."""

from collections.abc import Sequence
from typing import Literal

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.pooling import tempered_softmax
from attention_figures.traits import BoundedFloat, Index, Names, Numbers, OptionalNumbers
from attention_lib import scores

_SCORES = {"gaussian": scores.gaussian, "dot": scores.dot, "scaled_dot": scores.scaled_dot}


class SelectionFigure(Figure):
    """One of several queries weighs keys that have names, with one handle to move.

    Shapes: Q queries, K keys, d their size.

    Args:
        queries: the vectors that ask.
        keys: a vector for each key.
        values: averaged by the weights. None: only the weights are shown.
        names: of the keys.
        query_names: of the queries.
        handle: what the reader moves: "temperature", "query" (which of them), or "features", the
            components of the query, which then have names.
        features: names of the components, d, where they are what is moved; the first is the handle.
        score: "gaussian", −½‖q − k‖², "dot" or "scaled_dot".
        query: which one is shown.
        temperature: at 0 the keys with the largest score share all the weight.
        unit: of the values, such as "min".

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a
            value is not allowed.
        TraitError: handle, score or lang is none of the above.

    >>> keys = torch.tensor([[[0.0], [1.0]]])  # is it bright?
    >>> figure = SelectionFigure(
    ...     torch.tensor([[[2.0]]]), keys, names=["pale", "bright"], score="dot"
    ... )
    >>> figure.attention_weights  # 1 / (1 + exp(2)), and the rest
    tensor([[[0.1192, 0.8808]]], dtype=torch.float64)
    """

    queries = Numbers("(1, Q, d)")
    keys_ = Numbers("(1, K, d)")
    values = OptionalNumbers("(1, K, 1)")
    query = Index("Q")
    temperature = BoundedFloat(0, 1000)
    score = traitlets.Enum([*_SCORES]).tag(sync=True, state=True)
    handle = traitlets.Enum(["temperature", "query", "features"]).tag(sync=True, state=True)
    names = Names("K")
    query_names = Names("Q")
    features = Names("d", optional=True)
    unit = traitlets.Unicode().tag(sync=True, state=True)

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor | None = None,
        *,
        names: Sequence[str],
        query_names: Sequence[str] = ("",),
        handle: Literal["temperature", "query", "features"] = "temperature",
        features: Sequence[str] = (),
        score: Literal["gaussian", "dot", "scaled_dot"] = "gaussian",
        query: int = 0,
        temperature: float = 1.0,
        unit: str = "",
        name: str = "selection",
        lang: str = "en",
    ) -> None:
        if (handle == "features") != bool(features):
            raise ValueError(f"features must be named if they are the handle only; got {features}")
        super().__init__(
            name,
            lang,
            kind="selection",
            queries=queries,
            keys_=keys,
            values=values,
            names=names,
            query_names=query_names,
            handle=handle,
            features=features,
            score=score,
            query=query,
            temperature=temperature,
            unit=unit,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, what is shown for the query that is."""
        query = self._tensor("queries")[:, self.query : self.query + 1]
        fit = _SCORES[self.score](query, self._tensor("keys_"))
        weights = tempered_softmax(fit, self.temperature)
        shown = {"scores": fit, "attention_weights": weights}
        return (
            shown if self.values is None else {**shown, "output": weights @ self._tensor("values")}
        )

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = [self.query_names[self.query]], [*self.names]
        return dict.fromkeys(("scores", "attention_weights"), names)
