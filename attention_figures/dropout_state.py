"""Hold the state that figures of dropout share: scores, the names of their rows, draws and p."""

from collections.abc import Sequence

import torch
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import BoundedFloat, Draws, Index, Names, Numbers

_LARGEST = 16  # more rows or columns have no room for a number each


class NamedRows(Figure):
    """A figure of scores, which has a row for each query and a column for each key.

    Attributes:
        query_names, key_names: none, or one for each.
    """

    scores = Numbers("(1, Q, K)")
    query_names = Names("Q", optional=True)
    key_names = Names("K", optional=True)

    def _headings(
        self, across: Sequence[str], sums: Sequence[str]
    ) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows for these stages, and of columns for those that lie across the keys."""
        both = dict.fromkeys(across, (self.query_names, self.key_names))
        return both | dict.fromkeys(sums, (self.query_names, []))


class DroppedRows(NamedRows):
    """A figure of dropout with draws that are part of its state.

    Attributes:
        p: from 0 to 0.9.
    """

    draws = Draws("(N, Q, K)")
    p = BoundedFloat(0, 0.9)

    @property
    def dropped(self) -> Tensor:
        """(1, Q, K) float64, the weights after dropout; in evaluation mode those before it."""
        return self.stages()["dropped"]

    def _stored(self) -> Tensor:
        return torch.softmax(self._tensor("scores"), dim=-1)

    def _dropout(self, x: Tensor, draws: Tensor) -> Tensor:
        return torch.where(draws >= self.p, x / (1 - self.p), 0.0)


class SeveralDraws(DroppedRows):
    """A figure of dropout that has come to one of its draws.

    Attributes:
        draw: from 1 to N.
    """

    draw = Index("N", first=1)

    @property
    def mean(self) -> Tensor:
        """(1, Q, K) float64, the mean of the dropped weights over the draws 1 to `draw`."""
        draws = self._tensor("draws")[: self.draw]
        return self._dropout(self._stored(), draws).mean(0, keepdim=True)


def check_few(scores: Tensor) -> None:
    """Require so few rows and columns that each number has its place on a page."""
    if max(scores.shape[1:]) > _LARGEST:
        most = f"at most {_LARGEST} rows and columns"
        raise ValueError(f"scores must have {most}; got {tuple(scores.shape)}")
