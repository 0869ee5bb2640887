"""Show which keys a decoder computes at each step, with and without a cache: the cache figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Names


class CacheFigure(Figure):
    """Decoding with and without a cache: in every step the newest word attends to all words so far.

    Shapes: N words. A row of a table is a step, a column a key.

    Args:
        words: the words of the sentence.
        step: number of words written.
        cached: whether keys of earlier steps are cached; if not, each step computes them again.

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

    words = Names("N")
    step = Index("N", first=1)
    cached = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        words: Sequence[str],
        step: int = 1,
        cached: bool = True,
        name: str = "cache",
        lang: str = "en",
    ) -> None:
        super().__init__(name, lang, kind="cache", words=words, step=step, cached=cached)

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
