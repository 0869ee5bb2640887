"""Show the weights of one query on named items: the selection figure."""

from collections.abc import Sequence
from typing import Any, Literal

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.pooling import tempered_softmax
from attention_figures.traits import BoundedFloat, Numbers, check_shapes
from attention_lib import scores

_SCORES = {"gaussian": scores.gaussian, "dot": scores.dot, "scaled_dot": scores.scaled_dot}


class SelectionFigure(Figure):
    """One of several queries weighs keys that have names, with one handle to move.

    Shapes: Q queries, K keys, d their size.

    Args:
        queries: (1, Q, d) floating, rounded to 4 decimals, like keys and values.
        keys: (1, K, d).
        values: (1, K, 1), averaged by the weights. None: only the weights are shown.
        names: of the keys, K.
        query_names: of the queries, Q.
        handle: what the reader moves: "temperature", "query" (which of them), or "features", the
            components of the query, which then have names.
        features: names of the components, d, where they are what is moved; the first is the handle.
        score: "gaussian", −½‖q − k‖², "dot" or "scaled_dot".
        query: which one is shown.
        temperature: from 0 to 1000. At 0 the keys with the largest score share all the weight.
        unit: of the values, such as "min".
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

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

    queries = Numbers().tag(sync=True, state=True)
    keys_ = Numbers().tag(sync=True, state=True)
    values = Numbers(default_value=None, allow_none=True).tag(sync=True, state=True)
    query = traitlets.Int(min=0).tag(sync=True, state=True)
    temperature = BoundedFloat(0, 1000).tag(sync=True, state=True)
    score = traitlets.Enum([*_SCORES]).tag(sync=True, state=True)
    handle = traitlets.Enum(["temperature", "query", "features"]).tag(sync=True, state=True)
    names: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    query_names: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(
        sync=True, state=True
    )
    features: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
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
        given = {} if values is None else {"values": values}
        shapes = {"queries": "(1, Q, d)", "keys": "(1, K, d)", "values": "(1, K, 1)"}
        check_shapes({"queries": queries, "keys": keys, **given}, shapes)
        _check_number("names", names, keys.shape[1])
        _check_number("query_names", query_names, queries.shape[1])
        _check_number("features", features, keys.shape[2] if handle == "features" else 0)
        super().__init__(
            name,
            lang,
            kind="selection",
            queries=queries,
            keys_=keys,
            **given,
            names=list(names),
            query_names=list(query_names),
            handle=handle,
            features=list(features),
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

    @traitlets.validate("query")
    def _check_query(self, proposal: dict[str, Any]) -> int:
        query = int(proposal["value"])
        if query not in range(self.shapes["queries"][1]):
            raise ValueError(
                f"query must be one of 0..{self.shapes['queries'][1] - 1}; got {query}"
            )
        return query


def _check_number(what: str, names: Sequence[str], number: int) -> None:
    if len(names) != number:
        raise ValueError(f"{what} must be {number}; got {len(names)}")
