"""Average dropped weights over more and more draws: the figure of dropout's mean."""

from collections.abc import Sequence

from torch import Tensor

from attention_figures.dropout_state import SeveralDraws


class DropoutMeanFigure(SeveralDraws):
    """The mean of dropped weights over the first draws, and how far it is from the stored weights.

    Shapes: Q queries, K keys, N draws.

    Args:
        scores: before the softmax.
        draws: uniform, cut off after two decimals.
        p: how likely a weight is to be dropped.
        draw: how many of the draws the mean is over.
        query_names: of the queries, in that language.
        key_names: of the keys, in that language.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a value
            is not allowed.
        TraitError: draw or lang is none of the above.

    >>> draws = torch.tensor([[[0.1, 0.7]], [[0.6, 0.8]]])
    >>> figure = DropoutMeanFigure(torch.zeros(1, 1, 2), draws, draw=2)
    >>> figure.mean
    tensor([[[0.5000, 1.0000]]], dtype=torch.float64)
    """

    def __init__(
        self,
        scores: Tensor,
        draws: Tensor,
        p: float = 0.5,
        draw: int = 1,
        name: str = "dropout-mean",
        lang: str = "en",
        query_names: Sequence[str] = (),
        key_names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="dropout_mean",
            scores=scores,
            draws=draws,
            p=p,
            draw=draw,
            query_names=query_names,
            key_names=key_names,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        The deviation is the largest distance of the mean's entries from the weights before dropout,
        and standard_error the largest of their standard deviations.
        """
        weights, mean = self._stored(), self.mean
        error = (self.p / (1 - self.p) / self.draw) ** 0.5 * weights.amax()
        return {
            "attention_weights": weights,
            "mean": mean,
            "deviation": (mean - weights).abs().amax().reshape(1, 1, 1),
            "standard_error": error.reshape(1, 1, 1),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows, for the stages that have some."""
        return self._headings(["attention_weights", "mean"], [])
