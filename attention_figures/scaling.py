"""The scaling figure: what dividing by √d does to scores, weights and gradients."""

import math
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Numbers, check_names, check_shapes
from attention_lib import scores

_PARTS = ("spread", "row", "map", "measure", "walk", "gradients")
_OUTERMOST = 16  # bars to either side of the middle one
_EDGE = 1e-9  # a score on the edge of two bars belongs to the right one, whatever rounding says


class ScalingFigure(Figure):
    """Dot products of d components, divided by √d or not, and what softmax makes of them.

    Shapes: Q queries, K keys, D components.

    Args:
        queries: (1, Q, D) floating, random draws of mean 0 and variance 1; rounded to 4 decimals.
        keys: (1, K, D), likewise.
        d: how many of the components count, from the first: a power of two, or D. None: D.
        scaled: whether the scores are divided by √d.
        names: of the keys, in that language; none, or one for each.
        parts: what is shown, of "spread" (how the scores are distributed), "row" (the weights of
            the first query), "map" (those of all), "measure" (their entropy, or the norm of the
            Jacobian, for every d), "walk" (how the products of the first query add up) and
            "gradients" (of each query, for every d); none: spread, map and measure.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's words, "en" or "zh".

    Attributes:
        queries, keys_: as nested lists; assign lists or tensors.
        d, scaled: as above.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: scaled, lang or one of parts is none of the above.

    >>> queries, keys = torch.ones(1, 1, 4), torch.tensor([[[1.0, 1.0, 1.0, 1.0], [0, 0, 0, 0]]])
    >>> figure = ScalingFigure(queries, keys)
    >>> figure.attention_weights  # scores 2 and 0
    tensor([[[0.8808, 0.1192]]], dtype=torch.float64)
    >>> figure.scaled = False
    >>> figure.attention_weights  # scores 4 and 0
    tensor([[[0.9820, 0.0180]]], dtype=torch.float64)
    """

    choices = ("measure",)
    queries = Numbers().tag(sync=True, state=True)
    keys_ = Numbers().tag(sync=True, state=True)
    d = traitlets.Int().tag(sync=True, state=True)
    scaled = traitlets.Bool().tag(sync=True, state=True)
    names: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    parts: "traitlets.List[str]" = traitlets.List(traitlets.Enum(list(_PARTS))).tag(
        sync=True, state=True
    )

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        d: int | None = None,
        scaled: bool = True,
        name: str = "scaling",
        lang: str = "en",
        names: Sequence[str] = (),
        parts: Sequence[str] = (),
    ) -> None:
        given = {"queries": queries, "keys": keys}
        check_shapes(given, {"queries": "(1, Q, D)", "keys": "(1, K, D)"})
        if queries.shape[1] * keys.shape[1] < 2:
            raise ValueError("queries and keys must give two scores at least; got one of each")
        check_names("names", names, keys.shape[1])
        super().__init__(
            name,
            lang,
            kind="scaling",
            names=list(names),
            parts=list(parts),
            queries=queries,
            keys_=keys,
            d=queries.shape[-1] if d is None else d,
            scaled=scaled,
        )

    @property
    def sizes(self) -> list[int]:
        """What d can be: 1, 2, 4, … and D."""
        largest = self.shapes["queries"][-1]
        return sorted({2**i for i in range(int(math.log2(largest)) + 1)} | {largest})

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, what the figure shows for its present state.

        The histogram counts scores in bars half a standard deviation wide, the first around -8
        of them, the last around 8, which take what lies beyond too; entropy and gradient have a
        row of the sizes d, one without √d and one with it. Query gradients have one of every query;
        their mean and median are for all sizes.
        """
        by_size, place = self._scores(), self.sizes.index(self.d)
        fit = by_size[int(self.scaled), place][None]
        of_queries = self._query_gradients()
        return {
            "scores": fit,
            "mean_and_variance": torch.stack([fit.mean(), fit.var()])[None, None],
            "histogram": _histogram(fit, 1 if self.scaled else math.sqrt(self.d)),
            "attention_weights": torch.softmax(fit, dim=-1),
            "entropy": self._by_size(_entropies(by_size)),
            "gradient": self._by_size(_gradients(by_size)),
            "query_gradients": of_queries[None, [place]],
            "mean_and_median": torch.stack([of_queries.mean(-1), of_queries.quantile(0.5, -1)])[
                None
            ],
        }

    def _scores(self) -> Tensor:
        queries, keys = self._tensor("queries"), self._tensor("keys_")
        rows = [
            torch.cat([score(queries[..., :d], keys[..., :d]) for d in self.sizes])
            for score in (scores.dot, scores.scaled_dot)
        ]
        return torch.stack(rows)  # (2, sizes, Q, K)

    def _query_gradients(self) -> Tensor:
        """Frobenius norm of ∂weights/∂query, by automatic differentiation: (sizes, Q)."""
        queries, keys = self._tensor("queries")[0], self._tensor("keys_")
        score = scores.scaled_dot if self.scaled else scores.dot
        norms = []
        for d in self.sizes:

            def weights(query: Tensor, d: int = d) -> Tensor:
                return torch.softmax(score(query[None, None, :d], keys[..., :d])[0, 0], dim=-1)

            jacobians = torch.func.vmap(torch.func.jacrev(weights))(queries)  # (Q, K, D)
            norms.append(torch.linalg.matrix_norm(jacobians))
        return torch.stack(norms)

    def _by_size(self, measured: Tensor) -> Tensor:
        means = measured.mean(-1)  # over the queries
        return torch.cat([torch.tensor([self.sizes]), means])[None]  # (1, 3, sizes)

    @traitlets.validate("d")
    def _check_d(self, proposal: dict[str, Any]) -> int:
        if proposal["value"] not in self.sizes:
            raise ValueError(f"d must be one of {self.sizes}; got {proposal['value']}")
        return int(proposal["value"])


def _histogram(fit: Tensor, deviation: float) -> Tensor:
    bars = torch.floor(fit / (deviation / 2) + 0.5 + _EDGE).clamp(-_OUTERMOST, _OUTERMOST)
    counts = torch.bincount((bars + _OUTERMOST).long().flatten(), minlength=2 * _OUTERMOST + 1)
    return counts[None, None]


def _entropies(fit: Tensor) -> Tensor:
    entropies: Tensor = torch.special.entr(torch.softmax(fit, dim=-1))
    return entropies.sum(-1)


def _gradients(fit: Tensor) -> Tensor:
    """Frobenius norm of ∂weights/∂scores for every row, by automatic differentiation."""
    softmax = torch.func.jacrev(lambda row: torch.softmax(row, dim=-1))
    jacobians = torch.func.vmap(softmax)(fit.flatten(0, -2))  # (rows, K, K)
    norms: Tensor = torch.linalg.matrix_norm(jacobians)
    return norms.reshape(fit.shape[:-1])
