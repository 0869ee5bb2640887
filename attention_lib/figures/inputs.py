"""Figures by what goes into them: queries, keys and values; valid lengths."""

from abc import abstractmethod

from torch import Tensor

from attention_lib.figures.base import Figure
from attention_lib.figures.traits import Lengths, Numbers


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
