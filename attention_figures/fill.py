"""Show when padding that is filled with a finite number gets weight: the fill figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import BoundedFloat, Names, Numbers

LOWEST_HALF = -60000.0  # lowest level in float16, whose range ends at −65504
_FILLS = ["-1e4", "-1e6", "-inf"]


class FillFigure(Figure):
    """Scores of one query, shifted up and down, with padding that has a fill value.

    Shapes: K keys.

    Args:
        scores: those of one query.
        valid_len: how many keys count, 1 to K − 1.
        fill: the fill value: "-1e4", "-1e6" or "-inf".
        level: a number added to every score, −1e7 to 0; in float16 not below −60000.
        half: whether to use float16 instead of float64.
        names: names of the keys, in that language.

    Raises:
        ValueError, TypeError: scores is not 1-D and floating, names are too few or too many, or a
            value is not allowed.
        TraitError: fill or half is none of the above.

    >>> figure = FillFigure(torch.tensor([0.8, 0.2, 0.9]), valid_len=2, fill="-1e6", level=-2e6)
    >>> figure.attention_weights
    tensor([[[0., 0., 1.]]], dtype=torch.float64)
    """

    scores = Numbers("(1, 1, K)", given="(K,)", low=-100, high=100)
    valid_len = traitlets.Int(min=1).tag(sync=True, state=True)
    fill = traitlets.Enum(_FILLS).tag(sync=True, state=True)
    level = BoundedFloat(-1e7, 0.0)
    half = traitlets.Bool().tag(sync=True, state=True)
    names = Names("K", optional=True)

    def __init__(
        self,
        scores: Tensor,
        valid_len: int,
        fill: str = "-1e6",
        level: float = 0.0,
        half: bool = False,
        name: str = "fill",
        lang: str = "en",
        names: Sequence[str] = (),
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="fill",
            names=names,
            scores=scores,
            valid_len=valid_len,
            fill=fill,
            half=half,
            level=level,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch for the present state.

        With `half`, scores, fill and weights are rounded to float16; the softmax is computed in
        float64, and all stages are returned as float64.
        """
        dtype = torch.float16 if self.half else torch.float64
        moved = (self._tensor("scores") + self.level).to(dtype)
        keep = torch.arange(moved.shape[-1]) < self.valid_len
        filled = torch.where(keep, moved, torch.tensor(float(self.fill), dtype=dtype))
        weights = torch.softmax(filled.double(), dim=-1).to(dtype).double()
        return {
            "mask": keep.expand(moved.shape),
            "moved_scores": moved.double(),
            "filled_scores": filled.double(),
            "attention_weights": weights,
            "padding_share": weights[..., self.valid_len :].sum(-1, keepdim=True),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of columns, by stage."""
        stages = ("mask", "moved_scores", "filled_scores", "attention_weights")
        return dict.fromkeys(stages, ([], self.names))

    @traitlets.validate("level")
    def _check_level(self, proposal: dict[str, Any]) -> float:
        level = float(proposal["value"])
        if self.half and level < LOWEST_HALF:
            raise ValueError(f"level must be at least {LOWEST_HALF:g} in float16; got {level:g}")
        return level

    @traitlets.observe("half")
    def _raise_level(self, change: Any) -> None:
        if self.half and self.level < LOWEST_HALF:
            self.level = LOWEST_HALF

    @traitlets.validate("valid_len")
    def _check_length(self, proposal: dict[str, Any]) -> int:
        length, most = int(proposal["value"]), self.axis_sizes["K"] - 1
        if not 1 <= length <= most:
            raise ValueError(f"valid_len must be one of 1..{most}; got {length}")
        return length
