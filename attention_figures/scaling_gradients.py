"""Plot the gradients that reach each query through softmax, with and without √d."""

import torch
from torch import Tensor

from attention_figures.scaling_state import ScaledProducts
from attention_lib import scores


class ScalingGradientsFigure(ScaledProducts):
    """How much a small change of each query changes its weights, for every d.

    Shapes: Q queries, K keys, D components.

    Args:
        queries: random draws of mean 0 and variance 1.
        keys: random draws of the same kind.
        d: how many of the components count, from the first: a power of two, or D. None: D.
        scaled: whether the scores are divided by √d.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: scaled or lang is none of the above.

    >>> queries, keys = torch.ones(1, 1, 4), torch.tensor([[[1.0, 1.0, 1.0, 1.0], [0, 0, 0, 0]]])
    >>> ScalingGradientsFigure(queries, keys).stages()["query_gradients"]
    tensor([[[0.1485]]], dtype=torch.float64)
    """

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        d: int | None = None,
        scaled: bool = True,
        name: str = "scaling-gradients",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="scaling_gradients",
            queries=queries,
            keys_=keys,
            d=d,
            scaled=scaled,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        Query gradients have one of every query; their mean and median are for all sizes.
        """
        fit, of_queries = self._scores(), self._query_gradients()
        mean_and_median = torch.stack([of_queries.mean(-1), of_queries.quantile(0.5, -1)])
        return {
            "scores": fit,
            "attention_weights": torch.softmax(fit, dim=-1),
            "query_gradients": of_queries[None, [self.sizes.index(self.d)]],
            "mean_and_median": mean_and_median[None],
        }

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
