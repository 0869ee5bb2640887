"""Replay the attention weights of a training at stored steps: the replay figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Listed, Names, Numbers

FOUND, LOST = 0.5, 0.001  # a key is found above the first weight, lost below the second


class ReplayFigure(Figure):
    """Queries that learn to find their keys, in several runs; the target of query i is key i.

    Nothing is trained here: the figure gets the weights of some steps, which a slider selects.

    Shapes: R runs, S steps, K queries and as many keys.

    Args:
        weights: of each run and step; each row has the sum 1.
        steps: the numbers of the steps.
        runs: names of the runs.
        names: names of the keys.
        query_names: names of the queries.
        run, step: indices of the run and step shown.
        curve: the curve drawn by step, "loss" or "found".

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a
            value is not allowed.
        TraitError: curve or lang is none of the above.

    >>> undecided, decided = torch.full((2, 2), 0.5), torch.eye(2)
    >>> figure = ReplayFigure(torch.stack([undecided, decided])[None], [0, 100], ["scaled"])
    >>> figure.step = 1
    >>> figure.stages()["found"]  # none at first, then both
    tensor([[[0, 2]]])
    """

    weights = Numbers("(R, S, K, K)")
    steps = Listed("S", traitlets.Int(min=0), ascending=True)
    runs = Names("R")
    names = Names("K", optional=True)
    query_names = Names("K", optional=True)
    run = Index("R")
    step = Index("S")
    curve = traitlets.Enum(["loss", "found"]).tag(sync=True, state=True)

    def __init__(
        self,
        weights: Tensor,
        steps: Sequence[int],
        runs: Sequence[str],
        names: Sequence[str] = (),
        query_names: Sequence[str] = (),
        run: int = 0,
        step: int = 0,
        name: str = "replay",
        lang: str = "en",
        curve: str = "loss",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="replay",
            weights=weights,
            steps=steps,
            runs=runs,
            names=names,
            query_names=query_names,
            run=run,
            step=step,
            curve=curve,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        The loss is half the squared distance from the target weights, averaged over the queries; a
        query has found its key with more than ½ of the weight, and lost it with less than 0.001.
        All three have a row for each run.
        """
        replayed = self._tensor("weights")
        target = replayed.diagonal(dim1=-2, dim2=-1)  # (R, S, K)
        off = replayed - torch.eye(target.shape[-1], dtype=torch.float64)
        return {
            "attention_weights": replayed[self.run, self.step][None],
            "loss": off.square().sum((-2, -1))[None] / 2 / target.shape[-1],
            "found": (target > FOUND).sum(-1)[None],
            "lost": (target < LOST).sum(-1)[None],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        steps = [str(step) for step in self.steps]
        rows = dict.fromkeys(("loss", "found", "lost"), ([*self.runs], steps))
        return {"attention_weights": ([*self.query_names], [*self.names]), **rows}
