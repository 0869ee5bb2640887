"""Show which keys a decoder computes at each step, with and without a cache: the cache figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure


class CacheFigure(Figure):
    """Decoding with and without a cache: in every step the newest word attends to all words so far.

    Shapes: N words. A row of a table is a step, a column a key.

    Args:
        words: N of them.
        step: number of words written, 1 to N.
        cached: whether keys of earlier steps are cached; if not, each step computes them again.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

    Raises:
        ValueError: there are no words, or step is not one of 1..N.

    >>> figure = CacheFigure(["the", "train", "left"], step=3, cached=False)
    >>> figure.stages()["computed"]
    tensor([[[1., 0., 0.],
             [1., 1., 0.],
             [1., 1., 1.]]], dtype=torch.float64)
    >>> figure.cached = True
    >>> figure.stages()["totals"]  # keys computed, keys in the cache
    tensor([[[3., 3.]]], dtype=torch.float64)
    """

    words: traitlets.List[str] = traitlets.List(traitlets.Unicode(), minlen=1).tag(
        sync=True, state=True
    )
    step = traitlets.Int().tag(sync=True, state=True)
    cached = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        words: Sequence[str],
        step: int = 1,
        cached: bool = True,
        name: str = "cache",
        lang: str = "en",
    ) -> None:
        if not words:
            raise ValueError("words must be at least one; got none")
        self._number = len(words)
        super().__init__(name, lang, kind="cache", words=list(words), step=step, cached=cached)

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""
        size = len(self.words)
        done = torch.arange(size)[:, None] < self.step
        read = done & torch.ones(size, size).tril().bool()
        new = torch.eye(size).bool() if self.cached else torch.ones(size, size).bool()
        computed = (read & new).double()[None]
        kept = torch.tensor(self.step if self.cached else 0)
        return {
            "computed": computed,
            "reused": (read & ~new).double()[None],
            "by_step": computed.sum(dim=-1, keepdim=True),
            "totals": torch.stack([computed.sum(), kept])[None, None],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = list(self.words), list(self.words)
        return dict.fromkeys(("computed", "reused"), names) | {"by_step": (names[0], [])}

    @traitlets.validate("step")
    def _check_step(self, proposal: dict[str, Any]) -> int:
        step = int(proposal["value"])
        if not 1 <= step <= self._number:
            raise ValueError(f"step must be one of 1..{self._number}; got {step}")
        return step
