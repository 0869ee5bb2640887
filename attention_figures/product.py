"""Multiply queries by keys, and add up the terms of one product: the product figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.pairs import PairFigure
from attention_figures.traits import Index, Names, Numbers


class ProductFigure(PairFigure):
    """Queries times transposed keys: every entry is a row times a column, term by term.

    Shapes: Q queries, K keys, D components, of which the first d count.

    Args:
        queries: a vector for each query.
        keys: a vector for each key.
        d: number of components that count. None: D.
        query, key: the selected pair.
        names: names of the keys, in that language.
        query_names: names of the queries, in that language.
        compact: whether to show only the matrices; the handle then moves the query, not d.
        scaled: whether the scores are the products divided by √d, or the products themselves.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a
            value is not allowed.
        TraitError: d, query or key is not an integer, or lang is unknown.

    >>> queries = torch.tensor([[[1.0, 2.0, 0.0, 1.0]]])
    >>> keys = torch.tensor([[[1.0, 1.0, 1.0, 1.0], [0.0, -1.0, 0.0, 0.0]]])
    >>> figure = ProductFigure(queries, keys)
    >>> figure.stages()["partial_sums"]
    tensor([[[1., 3., 3., 4.]]], dtype=torch.float64)
    >>> figure.d = 2
    >>> figure.products
    tensor([[[ 3., -2.]]], dtype=torch.float64)
    """

    queries = Numbers("(1, Q, D)")
    keys_ = Numbers("(1, K, D)")
    d = Index("D", first=1)
    names = Names("K", optional=True)
    query_names = Names("Q", optional=True)
    compact = traitlets.Bool().tag(sync=True, state=True)
    scaled = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        d: int | None = None,
        query: int = 0,
        key: int = 0,
        name: str = "product",
        lang: str = "en",
        names: Sequence[str] = (),
        query_names: Sequence[str] = (),
        compact: bool = False,
        scaled: bool = True,
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="product",
            queries=queries,
            keys_=keys,
            d=d,
            query=query,
            key=key,
            names=names,
            query_names=query_names,
            compact=compact,
            scaled=scaled,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        Terms and partial sums are those of the selected pair.
        """
        queries, keys = (self._tensor(name)[..., : self.d] for name in ("queries", "keys_"))
        terms = queries[:, [self.query]] * keys[:, [self.key]]  # (1, 1, d)
        products = queries @ keys.mT
        scores = products / self.d**0.5 if self.scaled else products
        return {
            "terms": terms,
            "partial_sums": terms.cumsum(-1),
            "products": products,
            "scores": scores,
            "attention_weights": torch.softmax(scores, dim=-1),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        if not (self.names and self.query_names):
            return {}
        names = self.query_names, self.names
        return dict.fromkeys(("products", "scores", "attention_weights"), names)

    @property
    def products(self) -> Tensor:
        """(1, Q, K) float64, queries times keys by their first d components."""
        return self.stages()["products"]
