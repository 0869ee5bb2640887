"""Figures by what goes into them: queries, keys and values; valid lengths."""

from abc import abstractmethod
from typing import Any

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Lengths, Numbers


class InputsFigure(Figure):
    """A figure of queries, keys and values.

    Attributes:
        queries, keys_, values: as nested lists; assign lists or tensors. (Every ipywidget has
            `keys` of its own: the names of its traits.)
    """

    queries = Numbers().tag(sync=True, state=True)
    keys_ = Numbers().tag(sync=True, state=True)
    values = Numbers().tag(sync=True, state=True)

    @property
    def output(self) -> Tensor:
        """(B, Q, V) float64, the weighted sums of the values."""
        return self.stages()["output"]

    def _inputs(self) -> tuple[Tensor, Tensor, Tensor]:
        return self._tensor("queries"), self._tensor("keys_"), self._tensor("values")


class MaskedFigure(Figure):
    """A figure with valid lengths.

    Attributes:
        valid_lens: (B,) or (B, Q) as nested lists; assign a list or a tensor.
    """

    valid_lens = Lengths().tag(sync=True, state=True)

    @property
    @abstractmethod
    def scores_shape(self) -> tuple[int, int, int]:
        """(B, Q, K)."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, valid_lens={self.valid_lens})"


class RowFigure(MaskedFigure):
    """A figure of one query's scores, with one length.

    Attributes:
        scores, valid_lens: (1, 1, K) and (1,), as nested lists; assign lists or tensors.
    """

    scores = Numbers().tag(sync=True, state=True)

    @property
    def scores_shape(self) -> tuple[int, int, int]:
        """(1, 1, K)."""
        return 1, 1, self.shapes["scores"][2]

    @traitlets.validate("valid_lens")
    def _check_one_length(self, proposal: dict[str, Any]) -> Any:
        if isinstance(proposal["value"][0], list):
            raise ValueError("valid_lens must have shape (1,): there is one query")
        return proposal["value"]
