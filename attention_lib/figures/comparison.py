"""The comparison figure: what different scoring functions make of the same query and keys."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from attention_lib import scores
from attention_lib.figures.base import Figure
from attention_lib.figures.traits import Numbers, check_shapes


def _sum(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    hidden = F.linear(queries, W_q).unsqueeze(2) + F.linear(keys, W_k).unsqueeze(1)
    return F.linear(hidden, w_v).squeeze(-1)


_ADDITIVE = ("W_q", "W_k", "w_v")
_SCORES: dict[str, tuple[Callable[..., Tensor], tuple[str, ...]]] = {
    "dot": (scores.dot, ()),
    "scaled_dot": (scores.scaled_dot, ()),
    "bilinear": (scores.bilinear, ("W",)),
    "additive": (scores.additive, _ADDITIVE),
    "gaussian": (scores.gaussian, ()),
    "sum": (_sum, _ADDITIVE),
}
_SHAPES = {
    "queries": "(1, 1, 2)",
    "keys": "(1, K, 2)",
    "W_q": "(H, 2)",
    "W_k": "(H, 2)",
    "w_v": "(1, H)",
    "W": "(2, 2)",
}


class ComparisonFigure(Figure):
    """One query and its keys in the plane, to be dragged, and the weights of six scores of them.

    The rows of scores and weights are the scores "dot", "scaled_dot", "bilinear", "additive" and
    "gaussian" of `attention_lib.scores`, and "sum", the additive one without its tanh,
    w_vᵀ(W_q q + W_k k): its query adds the same to every score, and cancels in the softmax.

    Shapes: K keys, H hidden units.

    Args:
        queries: (1, 1, 2) floating, rounded to 4 decimals, like all tensors here.
        keys: (1, K, 2).
        W_q: (H, 2), of the additive score and of the sum, like the next two.
        W_k: (H, 2).
        w_v: (1, H).
        W: (2, 2), of the bilinear score.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's words, "en" or "zh".

    Attributes:
        queries, keys_, W_q, W_k, w_v, W: as nested lists; assign lists or tensors.
        attention_weights: (1, 6, K) float64, a row for each score.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: lang is neither.

    >>> query, keys = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[1.0, 0.0], [3.0, 0.0]]])
    >>> W_q, W_k, w_v = torch.eye(2), torch.eye(2), torch.ones(1, 2)
    >>> figure = ComparisonFigure(query, keys, W_q, W_k, w_v, W=torch.zeros(2, 2))
    >>> figure.scores[0, [0, 2, 4, 5]]  # dot, bilinear, gaussian, sum
    tensor([[ 1.,  3.],
            [ 0.,  0.],
            [ 0., -2.],
            [ 2.,  4.]], dtype=torch.float64)
    >>> figure.queries = torch.zeros(1, 1, 2)
    >>> figure.attention_weights[0, [0, 5]]  # the sum's weights are what they were
    tensor([[0.5000, 0.5000],
            [0.1192, 0.8808]], dtype=torch.float64)
    """

    queries = Numbers().tag(sync=True, state=True)
    keys_ = Numbers().tag(sync=True, state=True)
    W_q = Numbers().tag(sync=True, state=True)
    W_k = Numbers().tag(sync=True, state=True)
    w_v = Numbers().tag(sync=True, state=True)
    W = Numbers().tag(sync=True, state=True)

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        W_q: Tensor,
        W_k: Tensor,
        w_v: Tensor,
        W: Tensor,
        name: str = "comparison",
        lang: str = "en",
    ) -> None:
        given = {"queries": queries, "keys": keys, "W_q": W_q, "W_k": W_k, "w_v": w_v, "W": W}
        check_shapes(given, _SHAPES)
        super().__init__(name, lang, kind="comparison", keys_=given.pop("keys"), **given)

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, what the figure shows for its present state."""
        queries, keys = self._tensor("queries"), self._tensor("keys_")
        parameters = {name: self._tensor(name) for name in (*_ADDITIVE, "W")}
        rows = [
            score(queries, keys, **{name: parameters[name] for name in names})
            for score, names in _SCORES.values()
        ]
        fit = torch.cat(rows, dim=1)  # (1, 6, K)
        return {
            "queries": queries,
            "keys": keys,
            **{name: parameter[None] for name, parameter in parameters.items()},
            "scores": fit,
            "attention_weights": torch.softmax(fit, dim=-1),
        }

    @property
    def scores(self) -> Tensor:
        """(1, 6, K) float64, a row for each score."""
        return self.stages()["scores"]
