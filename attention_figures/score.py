"""Draw a query among keys in the plane, with a selectable scoring function: the score figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import InputsFigure, ParametersFigure
from attention_figures.parameters import named_parameters, parameter_traits
from attention_figures.traits import Names, Numbers
from attention_lib.scores import SCORES


class ScoreFigure(ParametersFigure, InputsFigure):
    """One query's scores, weights and output, for a scoring function to be chosen.

    Shapes: K keys, V value size, d the size of the query and of the keys, H hidden units.

    Args:
        queries: the vector that asks.
        keys: the vectors that it is compared with.
        values: a vector for each key.
        parameters: of the scores to choose from, in the order of `attention_lib.scores.SCORES`:
            W_q (H, d), W_k (H, d), w_v (1, H) of the additive score, W (d, d) of the bilinear one,
            and so on. A score can be chosen if all of its parameters are given.
        score: the name of a function of `attention_lib.scores`: "dot", "additive" and so on.
        names: names of the keys, in that language.
        query_name: name of the query, in that language.
        axes: what a large first and a large second number mean.
        compact: only the plane, the choice of a score, scores and weights, so that all fits one
            screen below a title.
        named: parameters by their names.

    Attributes:
        score: the name of the scoring function.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, score
            needs a parameter that was not given, or a value is not allowed.
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

    queries = Numbers("(1, 1, d)")
    keys_ = Numbers("(1, K, d)")
    values = Numbers("(1, K, V)")
    vars().update(parameter_traits("d"))
    score = traitlets.Enum(list(SCORES)).tag(sync=True, state=True)
    names = Names("K", optional=True)
    query_name = traitlets.Unicode().tag(sync=True, state=True)
    axes = Names("2", optional=True)
    compact = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        *parameters: Tensor,
        score: str = "dot",
        name: str = "scores",
        lang: str = "en",
        names: Sequence[str] = (),
        query_name: str = "",
        axes: Sequence[str] = (),
        compact: bool = False,
        **named: Tensor,
    ) -> None:
        given = {"queries": queries, "keys": keys, "values": values}
        given |= named_parameters(parameters, named)
        super().__init__(
            name,
            lang,
            kind="score",
            score=score,
            names=names,
            query_name=query_name,
            axes=axes,
            compact=compact,
            queries=given.pop("queries"),
            keys_=given.pop("keys"),
            **given,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        queries, keys, values = self._inputs()
        score = SCORES[self.score]
        parameters = self._parameters(score)
        fit = score.function(queries, keys, **parameters)
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

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        if not (self.names and self.query_name):
            return {}
        return dict.fromkeys(("scores", "attention_weights"), ([self.query_name], self.names))

    @property
    def scores(self) -> Tensor:
        """(1, 1, K) float64."""
        return self.stages()["scores"]

    @traitlets.validate("score")
    def _check_score(self, proposal: dict[str, str]) -> str:
        name = proposal["value"]
        self._check_parameters("score", name, SCORES[name])
        return name
