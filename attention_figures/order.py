"""Show that self-attention ignores word order unless positions are added: the order figure."""

from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Names, Numbers
from attention_lib.positions import sinusoidal_positions


class OrderFigure(Figure):
    """Scaled dot-product self-attention over a sentence whose words can be reordered.

    Shapes: N words, d components, an even number.

    Args:
        words: in the initial order.
        x: their vectors in that order.
        order: the word at each position. None: the initial order.
        positioned: whether positions are added to the words' vectors.

    Raises:
        ValueError, TypeError: shapes or words do not fit, d is odd, or a value is not allowed.

    >>> x = torch.tensor([[[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]]])
    >>> figure = OrderFigure(["dog", "bites", "man"], x, order=[2, 1, 0])
    >>> figure.stages()["moved"]
    tensor([[[0., 0., 0.]]], dtype=torch.float64)
    """

    words = Names("N")
    x = Numbers("(1, N, d)")
    order: traitlets.List[int] = traitlets.List(traitlets.Int()).tag(sync=True, state=True)
    positioned = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        words: Sequence[str],
        x: Tensor,
        order: Sequence[int] | None = None,
        positioned: bool = False,
        name: str = "order",
        lang: str = "en",
    ) -> None:
        super().__init__(
            name,
            lang,
            kind="order",
            words=words,
            x=x,
            order=list(range(len(words)) if order is None else order),
            positioned=positioned,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        `moved` is the distance of each word's output from its output in the initial order.
        """
        weights, output = self._attend(self.order)
        _, before = self._attend(range(len(self.words)))
        moved = (output - before[:, self.order]).abs().amax(-1)
        # A sum in another order may differ in its last bits.
        return {
            "attention_weights": weights,
            "output": output,
            "moved": moved.round(decimals=12)[:, None],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        names = [self.words[i] for i in self.order]
        return {"attention_weights": (names, names)}

    def _attend(self, order: Sequence[int]) -> tuple[Tensor, Tensor]:
        x = self._tensor("x")[:, list(order)]
        if self.positioned:
            _, number, size = x.shape
            x = x + sinusoidal_positions(number, size, dtype=x.dtype)
        weights = torch.softmax(x @ x.mT / x.shape[-1] ** 0.5, dim=-1)
        return weights, weights @ x

    @traitlets.validate("order")
    def _check_order(self, proposal: dict[str, Any]) -> Any:
        order, number = proposal["value"], len(self.words)
        if sorted(order) != list(range(number)):
            raise ValueError(f"order must have each of 0..{number - 1} once; got {order}")
        return order

    @traitlets.validate("x")
    def _check_size(self, proposal: dict[str, Any]) -> Any:
        if self.axis_sizes["d"] % 2:
            raise ValueError(f"x must have vectors of an even size; got {self.axis_sizes['d']}")
        return proposal["value"]
