"""Average dropped weights over more and more draws: the figure of dropout's mean."""

from collections.abc import Sequence

from torch import Tensor

from attention_figures.dropout_state import SeveralDraws


class DropoutMeanFigure(SeveralDraws):
    """The mean of dropped weights over the first draws, and how far it is from the stored weights.

    Shapes: Q queries, K keys, N draws.

    Args:
        scores: (1, Q, K) floating, rounded to 4 decimals.
        draws: (N, Q, K), uniform in [0, 1), cut off after two decimals.
        p: from 0 to 0.9, how likely a weight is to be dropped.
        draw: from 1 to N, how many of the draws the mean is over.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".
        query_names: of the queries, in that language; none, or one for each.
        key_names: likewise.

    Attributes:
        scores, draws: as nested lists; assign lists or tensors.
        p, draw: as above.

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
            {"scores": scores, "draws": draws},
            {"scores": "(1, Q, K)", "draws": "(N, Q, K)"},
            query_names,
            key_names,
            kind="dropout_mean",
            p=p,
            draw=draw,
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
