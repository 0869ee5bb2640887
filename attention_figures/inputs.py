"""Define base classes of figures by their inputs: vectors, parameters of scores, valid lengths."""

from typing import Any

from torch import Tensor

from attention_figures.base import Figure
from attention_figures.parameters import PARAMETERS
from attention_figures.traits import Lengths, Numbers
from attention_lib.scores import Score


class InputsFigure(Figure):
    """A figure of queries, keys and values, with traits `queries`, `keys_` and `values`."""

    @property
    def output(self) -> Tensor:
        """(B, Q, V) float64, the weighted sums of the values."""
        return self.stages()["output"]

    def _inputs(self) -> tuple[Tensor, Tensor, Tensor]:
        return self._tensor("queries"), self._tensor("keys_"), self._tensor("values")


class ParametersFigure(Figure):
    """A figure of scores, with a trait for each parameter in `SCORES` of `attention_lib.scores`.

    Pages do not store a parameter that the figure does not use.
    """

    def _parameters(self, score: Score) -> dict[str, Tensor]:
        return {name: self._tensor(name) for name in score.parameters}

    def _check_parameters(self, trait: str, name: str, score: Score) -> None:
        if missing := [own for own in score.parameters if own not in self.given]:
            raise ValueError(
                f"{trait} must need no parameter that was not given; "
                f"got {name} without {', '.join(missing)}"
            )

    def _page_state(self, alone: bool = False) -> dict[str, Any]:
        missing = {name for name in PARAMETERS if name not in self.given}
        state = super()._page_state(alone)
        return {name: value for name, value in state.items() if name not in missing}


class MaskedFigure(Figure):
    """A figure with valid lengths.

    Attributes:
        valid_lens: nested lists; assign a list or a tensor.
    """

    valid_lens: Lengths

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, valid_lens={self.valid_lens})"


class RowFigure(MaskedFigure):
    """A figure of one query's scores, with one length."""

    scores = Numbers("(1, 1, K)", given="(K,)")
    valid_lens = Lengths("(1,)", keys="K")
