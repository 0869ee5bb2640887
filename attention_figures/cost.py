"""Count the multiplications and the memory of scores, for selectable sizes: the cost figure."""

from collections.abc import Sequence

import torch
import traitlets
from torch import Tensor

from attention_figures import bundle
from attention_figures.base import Figure

_SCORES = ["dot", "scaled_dot", "bilinear", "gaussian", "additive"]
_POWERS = [2**n for n in range(13)]
_SLIDERS = ("length", "num_queries", "num_keys", "d", "size", "num_hiddens")


class CostFigure(Figure):
    """Multiplications and kept numbers of five scores, counted by formulas.

    A multiplication or division counts; additions and tanh do not. The kept numbers are
    those that a backward pass needs, each tensor once: queries and keys, parameters, and what
    `attention_lib.scores` computes on the way to its scores, but not the scores themselves.

    Args:
        num_queries: a power of two up to 4096, like the next three.
        num_keys: of them each query has a score.
        d: size of queries and keys.
        num_hiddens: of the additive score.
        sliders: what the reader moves, the first of them the handle: "num_queries", "num_keys",
            "d", "num_hiddens", "length" (queries and keys, as many), "size" (d and num_hiddens).

    Raises:
        TraitError: a size is no such power, one of sliders or lang none of the above.

    >>> figure = CostFigure(num_queries=2, num_keys=4, d=8, num_hiddens=1)
    >>> figure.stages()["multiplications"]  # dot, scaled dot, bilinear, gaussian, additive
    tensor([[[ 64.,  80., 192.,  64.,  56.]]], dtype=torch.float64)
    """

    num_queries = traitlets.Enum(_POWERS).tag(sync=True, state=True)
    num_keys = traitlets.Enum(_POWERS).tag(sync=True, state=True)
    d = traitlets.Enum(_POWERS).tag(sync=True, state=True)
    num_hiddens = traitlets.Enum(_POWERS).tag(sync=True, state=True)
    sliders: "traitlets.List[str]" = traitlets.List(traitlets.Enum(list(_SLIDERS)), minlen=1).tag(
        sync=True, state=True
    )

    def __init__(
        self,
        num_queries: int = 256,
        num_keys: int = 256,
        d: int = 64,
        num_hiddens: int = 64,
        sliders: Sequence[str] = ("length", "size"),
        name: str = "cost",
        lang: str = "en",
    ) -> None:
        sizes = {"num_queries": num_queries, "num_keys": num_keys, "num_hiddens": num_hiddens}
        super().__init__(name, lang, kind="cost", d=d, **sizes, sliders=list(sliders))

    def stages(self) -> dict[str, Tensor]:
        """Count what the figure shows for its present state: (1, 1, 5) each, a number per score."""
        Q, K, d, H = self.num_queries, self.num_keys, self.d, self.num_hiddens
        both = (Q + K) * d  # numbers in all queries and keys
        own = H * (2 * d + 1)
        pairs = Q * K * d
        counts = {
            "parameters": [0, 0, d * d, 0, own],
            "multiplications": [pairs, Q * d + pairs, Q * d * d + pairs, pairs, (both + Q * K) * H],
            "kept": [both, both, both + Q * d + d * d, 2 * pairs, both + Q * K * H + own],
        }
        return {name: torch.tensor([[row]], dtype=torch.float64) for name, row in counts.items()}

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        words = bundle.strings(self.lang)
        scores = [words[f"score_{score}"] for score in _SCORES]
        return dict.fromkeys(("parameters", "multiplications", "kept"), ([], scores))
