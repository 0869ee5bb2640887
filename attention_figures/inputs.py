"""Define base classes of figures by their inputs: vectors, parameters of scores, valid lengths."""

from abc import abstractmethod
from typing import Any

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import PARAMETERS, Lengths, Numbers, Parameter
from attention_lib.scores import Score


class InputsFigure(Figure):
    """A figure of queries, keys and values.

    Attributes:
        queries, keys_, values: as nested lists; assign lists or tensors. (In every ipywidget
            `keys` is the list of trait names.)
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


class ParametersFigure(Figure):
    """A figure of scores, with a trait for each parameter in `SCORES` of `attention_lib.scores`.

    A parameter that the figure does not use is None, and pages do not store it: notebooks do not
    change when a new score adds a parameter.
    """

    vars().update({name: Parameter().tag(sync=True, state=True) for name in PARAMETERS})

    def _parameters(self, score: Score) -> dict[str, Tensor]:
        return {name: self._tensor(name) for name in score.parameters}

    def _check_parameters(self, trait: str, name: str, score: Score) -> None:
        if missing := [own for own in score.parameters if own not in self.shapes]:
            raise ValueError(
                f"{trait} must need no parameter that was not given; "
                f"got {name} without {', '.join(missing)}"
            )

    def _page_state(self, alone: bool = False) -> dict[str, Any]:
        missing = {name for name in PARAMETERS if name not in self.shapes}
        state = super()._page_state(alone)
        return {name: value for name, value in state.items() if name not in missing}


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
