"""Plot shares of several runs against a number such as the training step: the curves figure."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Numbers, check_shapes


class CurvesFigure(Figure):
    """Curves of a share, for several runs with several seeds, at the same numbers.

    Shapes: R runs, N seeds, S numbers.

    Args:
        shares: (R, N, S) floating, from 0 to 1, rounded to 4 decimals.
        numbers: the numbers that the shares belong to, S ascending.
        runs: names of the runs, R.
        axis: name of the numbers.
        about: name of the shares.
        point: index of the number that the sentence describes, counted from 0.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

    Raises:
        ValueError, TypeError: shapes do not fit together, numbers do not ascend, or a value is not
            allowed.

    >>> shares = torch.tensor([[[0.0, 0.8], [0.2, 1.0]]])
    >>> figure = CurvesFigure(shares, [0, 100], ["additive"], axis="step", about="right")
    >>> figure.stages()["mean"]
    tensor([[[0.1000, 0.9000]]], dtype=torch.float64)
    """

    shares = Numbers().tag(sync=True, state=True)
    numbers: "traitlets.List[int]" = traitlets.List(traitlets.Int(min=0)).tag(sync=True, state=True)
    runs: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    axis = traitlets.Unicode().tag(sync=True, state=True)
    about = traitlets.Unicode().tag(sync=True, state=True)
    point = traitlets.Int(min=0).tag(sync=True, state=True)

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
        check_shapes({"shares": shares}, {"shares": "(R, N, S)"})
        for what, given, number in (
            ("runs", runs, shares.shape[0]),
            ("numbers", numbers, shares.shape[2]),
        ):
            if len(given) != number:
                raise ValueError(f"{what} must be {number}, as shares; got {len(given)}")
        if any(a >= b for a, b in pairwise(numbers)):
            raise ValueError(f"numbers must ascend; got {list(numbers)}")
        if not ((shares >= 0) & (shares <= 1)).all():
            raise ValueError(
                f"shares must be from 0 to 1; got {shares.min():.4g} to {shares.max():.4g}"
            )
        super().__init__(
            name,
            lang,
            kind="curves",
            shares=shares,
            numbers=list(numbers),
            runs=list(runs),
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

    @traitlets.validate("point")
    def _check_point(self, proposal: dict[str, Any]) -> int:
        point, number = int(proposal["value"]), self.shapes["shares"][2]
        if point not in range(number):
            raise ValueError(f"point must be one of 0..{number - 1}; got {point}")
        return point
