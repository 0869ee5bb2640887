"""Show what a note of fixed size keeps of a board of numbers: the note figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Names, Numbers


class NoteFigure(Figure):
    """A board with one number per line, and a note of it: means of neighbouring lines.

    From the note alone, the answer for a line is the mean that contains it.

    Shapes: D days, K lines.

    Args:
        boards: a board for each day.
        names: names of the lines.
        days: names of the boards.
        size: how many numbers the note has; it divides K.
        day: index of the board.
        asked: index of the line that is asked for.
        unit: unit of the numbers, such as "min".

    Raises:
        ValueError, TypeError: boards is not (1, D, K) and floating, names do not fit it, or a
            value is not allowed.

    >>> board = torch.tensor([[[10.0, 20.0, 60.0, 70.0]]])
    >>> figure = NoteFigure(board, list("abcd"), ["Monday"], size=2)
    >>> figure.stages()["restored"]
    tensor([[[15., 15., 65., 65.]]], dtype=torch.float64)
    >>> figure.attention_weights  # of the answer for line a
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]]], dtype=torch.float64)
    """

    boards = Numbers("(1, D, K)")
    size = traitlets.Int(min=1).tag(sync=True, state=True)
    day = Index("D")
    asked = Index("K")
    names = Names("K")
    days = Names("D")
    unit = traitlets.Unicode().tag(sync=True, state=True)

    def __init__(
        self,
        boards: Tensor,
        names: Sequence[str],
        days: Sequence[str],
        size: int = 1,
        day: int = 0,
        asked: int = 0,
        unit: str = "",
        name: str = "note",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="note",
            boards=boards,
            names=names,
            days=days,
            size=size,
            day=day,
            asked=asked,
            unit=unit,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        board = self._tensor("boards")[:, self.day : self.day + 1]
        length = board.shape[-1] // self.size
        note = board.reshape(1, 1, self.size, length).mean(-1)
        restored = note.repeat_interleave(length, dim=-1)
        group = torch.arange(board.shape[-1]) // length
        together = (group == self.asked // length).expand(board.shape)
        return {
            "board": board,
            "note": note,
            "attention_weights": together.double() / length,
            "restored": restored,
            "error": (restored - board).abs().mean(-1, keepdim=True),
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = [self.days[self.day]], [*self.names]
        return dict.fromkeys(("board", "attention_weights", "restored"), names)

    @traitlets.validate("size")
    def _check_size(self, proposal: dict[str, Any]) -> int:
        size, lines = int(proposal["value"]), self.axis_sizes["K"]
        if lines % size:
            raise ValueError(f"size must divide the number of lines, {lines}; got {size}")
        return size
