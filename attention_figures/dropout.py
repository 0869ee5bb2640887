"""Apply one draw of dropout to attention weights: the dropout figure."""

from collections.abc import Sequence

import traitlets
from torch import Tensor

from attention_figures.dropout_state import SeveralDraws

_CONTROLS = ("p", "training", "draw", "resample")


class DropoutFigure(SeveralDraws):
    """Dropout on attention weights, with the random numbers that decide it as part of the state.

    A weight is kept where its random number is at least p, and divided by 1 − p; elsewhere it
    becomes 0. In evaluation mode dropout changes nothing.

    Shapes: Q queries, K keys, N draws.

    Args:
        scores: before the softmax. One query has lines to its keys.
        draws: uniform. They are cut off after two decimals, and not rounded: a share of exactly 1 −
            p is then at least p, for any p of two decimals.
        p: how likely a weight is to be dropped.
        training: True in training mode, False in evaluation mode.
        draw: the selected draw.
        query_names: of the queries, in that language.
        key_names: of the keys, in that language. A query with a key's name stands above that key.
        controls: of "p", "training", "draw" and "resample", in order; the first is the handle.

    Attributes:
        attention_weights: (1, Q, K) float64, before dropout: a module stores these.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, there is
            no control, or a value is not allowed.
        TraitError: training, draw, lang or one of controls is none of the above.

    Source: Srivastava et al., *Dropout: A Simple Way to Prevent Neural Networks from Overfitting*,
    JMLR 15, 2014. They shrink weights in evaluation mode; dividing in training mode instead is
    what `torch.nn.functional.dropout` does.

    >>> draws = torch.tensor([[[0.1, 0.7, 0.6, 0.3]]])
    >>> figure = DropoutFigure(torch.zeros(1, 1, 4), draws)
    >>> figure.attention_weights
    tensor([[[0.2500, 0.2500, 0.2500, 0.2500]]], dtype=torch.float64)
    >>> figure.dropped
    tensor([[[0.0000, 0.5000, 0.5000, 0.0000]]], dtype=torch.float64)
    >>> figure.training = False
    >>> figure.dropped
    tensor([[[0.2500, 0.2500, 0.2500, 0.2500]]], dtype=torch.float64)
    """

    training = traitlets.Bool().tag(sync=True, state=True)
    controls: "traitlets.List[str]" = traitlets.List(traitlets.Enum(list(_CONTROLS)), minlen=1).tag(
        sync=True, state=True
    )

    def __init__(
        self,
        scores: Tensor,
        draws: Tensor,
        p: float = 0.5,
        training: bool = True,
        draw: int = 1,
        name: str = "dropout",
        lang: str = "en",
        query_names: Sequence[str] = (),
        key_names: Sequence[str] = (),
        controls: Sequence[str] = _CONTROLS,
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="dropout",
            scores=scores,
            draws=draws,
            p=p,
            training=training,
            draw=draw,
            controls=list(controls),
            query_names=query_names,
            key_names=key_names,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        weights, draws = self._stored(), self._tensor("draws")[[self.draw - 1]]
        dropped = self._dropout(weights, draws)
        return {
            "attention_weights": weights,
            "draws": draws,
            "dropped": dropped,
            "row_sums": dropped.sum(-1, keepdim=True),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows, for the stages that have some."""
        return self._headings(["attention_weights", "draws", "dropped"], ["row_sums"])

    def _dropout(self, x: Tensor, draws: Tensor) -> Tensor:
        return super()._dropout(x, draws) if self.training else x.expand(draws.shape)
