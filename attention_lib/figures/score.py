"""The score figure: one query, some keys, and the choice of a scoring function."""

from collections.abc import Callable

import torch
import traitlets
from torch import Tensor

from attention_lib import scores
from attention_lib.figures.inputs import InputsFigure
from attention_lib.figures.traits import Numbers, check_shapes

_SCORES: dict[str, Callable[..., Tensor]] = {
    "dot": scores.dot,
    "scaled_dot": scores.scaled_dot,
    "additive": scores.additive,
    "gaussian": scores.gaussian,
    "cosine": scores.cosine,
    "bilinear": scores.bilinear,
}
_PARAMETERS = {"additive": ["W_q", "W_k", "w_v"], "bilinear": ["W"]}
_SHAPES = {
    "queries": "(1, 1, d)",
    "keys": "(1, K, d)",
    "values": "(1, K, V)",
    "W_q": "(H, d)",
    "W_k": "(H, d)",
    "w_v": "(1, H)",
    "W": "(d, d)",
}


class ScoreFigure(InputsFigure):
    """One query's scores, weights and output, for a scoring function to be chosen.

    Shapes: K keys, V value size, d the size of the query and of the keys, H hidden units.

    Args:
        queries: (1, 1, d) floating, rounded to 4 decimals, like all tensors here.
        keys: (1, K, d).
        values: (1, K, V).
        W_q: (H, d), of the additive score, like the next two.
        W_k: (H, d).
        w_v: (1, H).
        W: (d, d), of the bilinear score.
        score: "dot", "scaled_dot", "additive", "gaussian", "cosine" or "bilinear", the functions of
            `attention_lib.scores`.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's words, "en" or "zh".

    Attributes:
        queries, keys_, values, W_q, W_k, w_v, W: as nested lists; assign lists or tensors.
        score: the name of the scoring function.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.
        TraitError: score or lang is none of the above.

    >>> one = torch.ones(1, 1)
    >>> figure = ScoreFigure(
    ...     one[None], torch.tensor([[[1.0], [2.0]]]), one.expand(1, 2, 1), one, one, one, W=-one
    ... )
    >>> figure.attention_weights  # 1 / (1 + exp(1)), and the rest
    tensor([[[0.2689, 0.7311]]], dtype=torch.float64)
    >>> figure.score = "bilinear"
    >>> figure.attention_weights
    tensor([[[0.7311, 0.2689]]], dtype=torch.float64)
    """

    W_q = Numbers().tag(sync=True, state=True)
    W_k = Numbers().tag(sync=True, state=True)
    w_v = Numbers().tag(sync=True, state=True)
    W = Numbers().tag(sync=True, state=True)
    score = traitlets.Enum(list(_SCORES)).tag(sync=True, state=True)

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        W_q: Tensor,
        W_k: Tensor,
        w_v: Tensor,
        W: Tensor,
        score: str = "dot",
        name: str = "scores",
        lang: str = "en",
    ) -> None:
        given = {"queries": queries, "keys": keys, "values": values}
        given |= {"W_q": W_q, "W_k": W_k, "w_v": w_v, "W": W}
        check_shapes(given, _SHAPES)
        super().__init__(name, lang, kind="score", score=score, keys_=given.pop("keys"), **given)

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, what the figure shows for its present state."""
        queries, keys, values = self._inputs()
        parameters = {name: self._tensor(name) for name in _PARAMETERS.get(self.score, [])}
        fit = _SCORES[self.score](queries, keys, **parameters)
        weights = torch.softmax(fit, dim=-1)
        return {
            "queries": queries,
            "keys": keys,
            "values": values,
            **{name: parameter[None] for name, parameter in parameters.items()},
            "scores": fit,
            "attention_weights": weights,
            "output": weights @ values,
        }

    @property
    def scores(self) -> Tensor:
        """(1, 1, K) float64."""
        return self.stages()["scores"]
