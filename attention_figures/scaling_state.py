"""Hold the state that figures of scaled dot products share: vectors, how many components count."""

import math
from typing import Any

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Names, Numbers
from attention_lib import scores


class ScaledProducts(Figure):
    """A figure of dot products of d components, divided by √d or not.

    Attributes:
        d: how many of the components count, from the first.
        scaled: whether the scores are divided by √d.
    """

    queries = Numbers("(1, Q, D)")
    keys_ = Numbers("(1, K, D)")
    d = Index("D", first=1)
    scaled = traitlets.Bool().tag(sync=True, state=True)

    @property
    def sizes(self) -> list[int]:
        """What d can be: 1, 2, 4, … and D."""
        largest = self.axis_sizes["D"]
        return sorted({2**i for i in range(int(math.log2(largest)) + 1)} | {largest})

    def _scores(self) -> Tensor:
        score = scores.scaled_dot if self.scaled else scores.dot
        return score(self._tensor("queries")[..., : self.d], self._tensor("keys_")[..., : self.d])

    @traitlets.validate("d")
    def _check_d(self, proposal: dict[str, Any]) -> int:
        if proposal["value"] not in self.sizes:
            raise ValueError(f"d must be one of {self.sizes}; got {proposal['value']}")
        return int(proposal["value"])


class NamedProducts(ScaledProducts):
    """A figure of several such products, whose keys may have names.

    Attributes:
        names: names of the keys; empty, or one for each.
    """

    names = Names("K", optional=True)

    @traitlets.validate("queries")
    def _check_products(self, proposal: dict[str, Any]) -> Any:
        if self.axis_sizes["Q"] * self.axis_sizes["K"] < 2:  # one score has no variance
            raise ValueError("queries and keys must give two scores at least; got one of each")
        return proposal["value"]
