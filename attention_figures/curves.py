"""Plot shares of several runs against a number such as the training step: the curves figure."""

from collections.abc import Sequence

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Listed, Names, Numbers


class CurvesFigure(Figure):
    """Curves of a share, for several runs with several seeds, at the same numbers.

    Shapes: R runs, N seeds, S numbers.

    Args:
        shares: a share for each run, seed and number.
        numbers: the numbers that the shares belong to.
        runs: names of the runs.
        axis: name of the numbers.
        about: name of the shares.
        point: index of the number that the sentence describes, counted from 0.

    Raises:
        ValueError, TypeError: shapes do not fit together, numbers do not ascend, or a value is not
            allowed.

    >>> shares = torch.tensor([[[0.0, 0.8], [0.2, 1.0]]])
    >>> figure = CurvesFigure(shares, [0, 100], ["additive"], axis="step", about="right")
    >>> figure.stages()["mean"]
    tensor([[[0.1000, 0.9000]]], dtype=torch.float64)
    """

    shares = Numbers("(R, N, S)", low=0, high=1)
    numbers = Listed("S", traitlets.Int(min=0), ascending=True)
    runs = Names("R")
    axis = traitlets.Unicode().tag(sync=True, state=True)
    about = traitlets.Unicode().tag(sync=True, state=True)
    point = Index("S")

    def __init__(
        self,
        shares: Tensor,
        numbers: Sequence[int],
        runs: Sequence[str],
        *,
        axis: str,
        about: str,
        point: int = 0,
        name: str = "curves",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="curves",
            shares=shares,
            numbers=numbers,
            runs=runs,
            axis=axis,
            about=about,
            point=point,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        mean (1, R, S), over the seeds; now (1, R, N), the shares at the selected number.
        """
        shares = self._tensor("shares")
        return {"mean": shares.mean(1)[None], "now": shares[..., self.point][None]}

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        return {
            "mean": (self.runs, [str(number) for number in self.numbers]),
            "now": (self.runs, []),
        }
