"""Hold the state that figures of dropout share: scores, the names of their rows, draws and p."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import BoundedFloat, Draws, Numbers, check_names, check_shapes

_LARGEST = 16  # more rows or columns have no room for a number each


class NamedRows(Figure):
    """A figure of scores, which has a row for each query and a column for each key.

    Attributes:
        scores: as nested lists; assign lists or tensors.
        query_names, key_names: none, or one for each.
    """

    scores = Numbers().tag(sync=True, state=True)
    query_names: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(
        sync=True, state=True
    )
    key_names: traitlets.List[str] = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)

    def __init__(
        self,
        name: str,
        lang: str,
        tensors: dict[str, Tensor],
        shapes: dict[str, str],
        query_names: Sequence[str],
        key_names: Sequence[str],
        **state: Any,
    ) -> None:
        check_shapes(tensors, shapes)
        _, num_queries, num_keys = tensors["scores"].shape
        check_names("query_names", query_names, num_queries)
        check_names("key_names", key_names, num_keys)
        names = {"query_names": list(query_names), "key_names": list(key_names)}
        super().__init__(name, lang, **tensors, **names, **state)

    def _headings(
        self, across: Sequence[str], sums: Sequence[str]
    ) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows for these stages, and of columns for those that lie across the keys."""
        both = dict.fromkeys(across, (self.query_names, self.key_names))
        return both | dict.fromkeys(sums, (self.query_names, []))


class DroppedRows(NamedRows):
    """A figure of dropout with draws that are part of its state.

    Attributes:
        draws: (N, Q, K), as nested lists; assign lists or tensors.
        p: from 0 to 0.9.
    """

    draws = Draws().tag(sync=True, state=True)
    p = BoundedFloat(0, 0.9).tag(sync=True, state=True)

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

    draw = traitlets.Int().tag(sync=True, state=True)

    @property
    def mean(self) -> Tensor:
        """(1, Q, K) float64, the mean of the dropped weights over the draws 1 to `draw`."""
        draws = self._tensor("draws")[: self.draw]
        return self._dropout(self._stored(), draws).mean(0, keepdim=True)

    @traitlets.validate("draw")
    def _check_draw(self, proposal: dict[str, Any]) -> int:
        draw, number = int(proposal["value"]), self.shapes["draws"][0]
        if not 1 <= draw <= number:
            raise ValueError(f"draw must lie in 1..{number}; got {draw}")
        return draw


def check_few(scores: Tensor) -> None:
    """Require so few rows and columns that each number has its place on a page."""
    if max(scores.shape[1:]) > _LARGEST:
        most = f"at most {_LARGEST} rows and columns"
        raise ValueError(f"scores must have {most}; got {tuple(scores.shape)}")
