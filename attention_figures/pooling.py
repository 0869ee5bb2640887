"""Pool values by the distance of their keys from a query in the plane: the look-up figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.inputs import InputsFigure
from attention_figures.traits import BoundedFloat, Names, Numbers
from attention_lib import scores

_TIE = 2.5e-9  # coordinates of 4 decimals give scores that are equal or 5e-9 apart


class PoolingFigure(InputsFigure):
    """Attention pooling of values whose keys are draggable points in the plane.

    A key's score is −½‖q − k‖², so that near keys weigh more. The weights are the softmax of the
    scores divided by a temperature: high for the plain average, 0 for the hard maximum.

    Shapes: Q queries, K keys.

    Args:
        queries: the points that ask.
        keys: the points that have values.
        values: one number for each key.
        temperature: at 0 the keys with the largest score share all the weight.
        names: names of the keys, in that language.
        query_names: names of the queries, in that language.
        unit: unit of the values, such as "min".
        compact: whether to leave out the fields for coordinates, to fit one screen below a title.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a
            value is not allowed.
        TraitError: lang is unknown.

    >>> queries, keys = torch.tensor([[[0.0, 0.0]]]), torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    >>> figure = PoolingFigure(queries, keys, values=torch.tensor([[[10.0], [20.0]]]))
    >>> figure.attention_weights  # 1 / (1 + exp(-1.5)), and the rest
    tensor([[[0.8176, 0.1824]]], dtype=torch.float64)
    >>> figure.temperature = 0
    >>> figure.output
    tensor([[[10.]]], dtype=torch.float64)
    """

    view_state = ("query",)
    queries = Numbers("(1, Q, 2)")
    keys_ = Numbers("(1, K, 2)")
    values = Numbers("(1, K, 1)")
    temperature = BoundedFloat(0, 1000)
    names = Names("K", optional=True)
    query_names = Names("Q", optional=True)
    unit = traitlets.Unicode().tag(sync=True, state=True)
    compact = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        temperature: float = 1.0,
        name: str = "pooling",
        lang: str = "en",
        names: Sequence[str] = (),
        query_names: Sequence[str] = (),
        unit: str = "",
        compact: bool = False,
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="pooling",
            names=names,
            query_names=query_names,
            unit=unit,
            compact=compact,
            temperature=temperature,
            queries=queries,
            keys_=keys,
            values=values,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        queries, keys, values = self._inputs()
        fit = scores.gaussian(queries, keys)
        weights = tempered_softmax(fit, self.temperature)
        return {
            "queries": queries,
            "keys": keys,
            "values": values,
            "scores": fit,
            "attention_weights": weights,
            "output": weights @ values,
            "mean": values.mean(1, keepdim=True),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        if not (self.names and self.query_names):
            return {}
        return dict.fromkeys(("scores", "attention_weights"), (self.query_names, self.names))


def tempered_softmax(fit: Tensor, temperature: float) -> Tensor:
    """Softmax of scores divided by a temperature; at 0 the largest share all the weight.

    >>> tempered_softmax(torch.tensor([2.0, 2.0, 1.0]), temperature=0)
    tensor([0.5000, 0.5000, 0.0000], dtype=torch.float64)
    """
    # Subtract the largest first: divided by a small temperature, all scores could overflow.
    below = fit - fit.amax(-1, keepdim=True)
    if temperature > 0:
        return torch.softmax(below / temperature, dim=-1)
    largest = (below >= -_TIE).double()
    return largest / largest.sum(-1, keepdim=True)
