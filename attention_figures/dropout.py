"""The dropout figure: weights before and after dropout, and their mean over many draws."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Draws, Number, Numbers, check_names, check_shapes

_PARTS = (
    *("p", "training", "draw", "resample", "step"),
    *("arcs", "weights", "connections", "values", "ways", "mean", "distance", "spread"),
)
_MOST_KEYS = 10  # there are 2 ** K ways to drop
_WHOLE = [part for part in _PARTS if part not in ("step", "arcs", "weights", "ways", "spread")]


class DropoutFigure(Figure):
    """Dropout on attention weights, with the random numbers that decide it as part of the state.

    A weight is kept where its random number is at least p, and divided by 1 − p; elsewhere it
    becomes 0. In evaluation mode dropout changes nothing.

    Beside it, for comparison: dropout of the scores, and weights that are divided by the sum of
    what is left of their row (an empty row stays empty).

    Shapes: Q queries, K keys, V value size, N draws, T steps of training.

    Args:
        scores: (T, Q, K) floating, rounded to 4 decimals, like the values: as they were after each
            of T steps that are stored; without training, one.
        values: (1, K, V).
        draws: (N, Q, K), uniform in [0, 1). They are cut off after two decimals, and not rounded:
            a share of exactly 1 − p is then at least p, for any p of two decimals.
        p: from 0 to 0.9, how likely a weight is to be dropped.
        training: True in training mode, False in evaluation mode.
        draw: from 1 to N, which of the draws is looked at.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's words, "en" or "zh".
        query_names: of the queries, in that language; none, or one for each.
        key_names: likewise. Where a query has the name of a key, it stands above it.
        step: from 0 to T − 1, which of the scores are looked at.
        parts: what is shown: "p", "training", "draw", "resample" and "step" (controls), "arcs"
            (from one query to its keys), "weights" (stored), "connections" (each weight with its
            draw and what is used), "values" (with the outputs), "ways" (those to compare),
            "mean" and "distance" (over many draws), "spread" (how likely each output is, or
            each sum of a row where all values are 1; for 10 keys at most). The first control is
            the handle. None: all but "step", "arcs", "weights", "ways" and "spread".

    Attributes:
        scores, values, draws: as nested lists; assign lists or tensors.
        p, training, draw, step: as above.
        attention_weights: (1, Q, K) float64, before dropout: a module stores these.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a value
            is not allowed.
        TraitError: training, draw, step, lang or one of parts is none of the above.

    Source: Srivastava et al., *Dropout: A Simple Way to Prevent Neural Networks from Overfitting*,
    JMLR 15, 2014. They shrink weights in evaluation mode; dividing in training mode instead is
    what `torch.nn.functional.dropout` does.

    >>> draws = torch.tensor([[[0.1, 0.7, 0.6, 0.3]]])
    >>> figure = DropoutFigure(torch.zeros(1, 1, 4), torch.ones(1, 4, 1), draws)
    >>> figure.attention_weights
    tensor([[[0.2500, 0.2500, 0.2500, 0.2500]]], dtype=torch.float64)
    >>> figure.dropped
    tensor([[[0.0000, 0.5000, 0.5000, 0.0000]]], dtype=torch.float64)
    >>> figure.training = False
    >>> figure.dropped
    tensor([[[0.2500, 0.2500, 0.2500, 0.2500]]], dtype=torch.float64)
    """

    scores = Numbers().tag(sync=True, state=True)
    values = Numbers().tag(sync=True, state=True)
    draws = Draws().tag(sync=True, state=True)
    p = Number(0, 0.9).tag(sync=True, state=True)
    training = traitlets.Bool().tag(sync=True, state=True)
    draw = traitlets.Int().tag(sync=True, state=True)
    step = traitlets.Int().tag(sync=True, state=True)
    query_names: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(
        sync=True, state=True
    )
    key_names: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    parts: traitlets.List[str] = traitlets.List(traitlets.Enum(list(_PARTS))).tag(
        sync=True, state=True
    )

    def __init__(
        self,
        scores: Tensor,
        values: Tensor,
        draws: Tensor,
        p: float = 0.5,
        training: bool = True,
        draw: int = 1,
        name: str = "dropout",
        lang: str = "en",
        query_names: Sequence[str] = (),
        key_names: Sequence[str] = (),
        step: int = 0,
        parts: Sequence[str] = (),
    ) -> None:
        given = {"scores": scores, "values": values, "draws": draws}
        check_shapes(given, {"scores": "(T, Q, K)", "values": "(1, K, V)", "draws": "(N, Q, K)"})
        check_names("query_names", query_names, scores.shape[1])
        check_names("key_names", key_names, scores.shape[2])
        if "spread" in parts and scores.shape[2] > _MOST_KEYS:
            raise ValueError(f"spread is of at most {_MOST_KEYS} keys; got {scores.shape[2]}")
        state = {"p": p, "training": training, "draw": draw, "step": step}
        names = {"query_names": list(query_names), "key_names": list(key_names)}
        shown = list(parts or _WHOLE)
        super().__init__(name, lang, kind="dropout", parts=shown, **given, **state, **names)

    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, what the figure shows for its present state.

        The mean is that of the first draws, up to the one that is looked at, and deviation the
        largest distance of its entries from the weights before dropout; standard_error is the
        largest of their standard deviations, and output_std has those of one draw's output.
        """
        values, draws = self._tensor("values"), self._tensor("draws")
        scores = self._tensor("scores")[[self.step]]
        weights = torch.softmax(scores, dim=-1)
        dropped = self._dropout(weights, draws)  # (N, Q, K)
        now, mean = dropped[[self.draw - 1]], dropped[: self.draw].mean(0, keepdim=True)
        row_sums = now.sum(-1, keepdim=True)
        odds = self.p / (1 - self.p) if self.training else 0.0
        scores_dropped = self._dropout(scores, draws)[[self.draw - 1]]
        return {
            "attention_weights": weights,
            "draws": draws[[self.draw - 1]],
            "dropped": now,
            "row_sums": row_sums,
            "scores_dropped": torch.softmax(scores_dropped, dim=-1),
            "renormalised": torch.where(row_sums == 0, 0.0, now / row_sums),
            "values": values,
            "output": now @ values,
            "eval_output": weights @ values,
            "mean": mean,
            "deviation": (mean - weights).abs().amax().reshape(1, 1, 1),
            "standard_error": (odds / self.draw) ** 0.5 * weights.amax().reshape(1, 1, 1),
            "output_std": (odds * (weights**2 @ values**2)).sqrt(),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows, for the stages that have some."""
        across = ("attention_weights", "draws", "dropped", "scores_dropped", "renormalised", "mean")
        sums = ("row_sums", "output", "eval_output", "output_std")
        both = dict.fromkeys(across, (self.query_names, self.key_names))
        return both | dict.fromkeys(sums, (self.query_names, []))

    @property
    def dropped(self) -> Tensor:
        """(1, Q, K) float64, the weights after dropout; in evaluation mode those before it."""
        return self.stages()["dropped"]

    @property
    def mean(self) -> Tensor:
        """(1, Q, K) float64, the mean of `dropped` over the draws 1 to `draw`."""
        return self.stages()["mean"]

    @property
    def output(self) -> Tensor:
        """(1, Q, V) float64, the sums of the values weighted by `dropped`."""
        return self.stages()["output"]

    def _dropout(self, x: Tensor, draws: Tensor) -> Tensor:
        if not self.training:
            return x.expand(draws.shape)
        return torch.where(draws >= self.p, x / (1 - self.p), 0.0)

    @traitlets.validate("step")
    def _check_step(self, proposal: dict[str, Any]) -> int:
        step, number = int(proposal["value"]), self.shapes["scores"][0]
        if not 0 <= step < number:
            raise ValueError(f"step must lie in 0..{number - 1}; got {step}")
        return step

    @traitlets.validate("draw")
    def _check_draw(self, proposal: dict[str, Any]) -> int:
        draw, number = int(proposal["value"]), self.shapes["draws"][0]
        if not 1 <= draw <= number:
            raise ValueError(f"draw must lie in 1..{number}; got {draw}")
        return draw
