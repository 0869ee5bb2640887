"""Hold the state that figures of scaled dot products share: vectors, how many components count."""

import math
from collections.abc import Sequence
from typing import Any

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Numbers, check_names, check_shapes
from attention_lib import scores


class ScaledProducts(Figure):
    """A figure of dot products of d components, divided by √d or not.

    Attributes:
        queries, keys_: (1, Q, D) and (1, K, D), as nested lists; assign lists or tensors.
        d: how many of the components count, from the first.
        scaled: whether the scores are divided by √d.
    """

    queries = Numbers().tag(sync=True, state=True)
    keys_ = Numbers().tag(sync=True, state=True)
    d = traitlets.Int().tag(sync=True, state=True)
    scaled = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        name: str,
        lang: str,
        queries: Tensor,
        keys: Tensor,
        d: int | None,
        scaled: bool,
        **state: Any,
    ) -> None:
        given = {"queries": queries, "keys": keys}
        check_shapes(given, {"queries": "(1, Q, D)", "keys": "(1, K, D)"})
        size = queries.shape[-1] if d is None else d
        given = {"queries": queries, "keys_": keys}
        super().__init__(name, lang, **given, d=size, scaled=scaled, **state)

    @property
    def sizes(self) -> list[int]:
        """What d can be: 1, 2, 4, … and D."""
        largest = self.shapes["queries"][-1]
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

    names: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)

    def __init__(
        self,
        name: str,
        lang: str,
        queries: Tensor,
        keys: Tensor,
        d: int | None,
        scaled: bool,
        names: Sequence[str],
        **state: Any,
    ) -> None:
        super().__init__(name, lang, queries, keys, d, scaled, names=list(names), **state)
        if queries.shape[1] * keys.shape[1] < 2:  # one score has no variance
            raise ValueError("queries and keys must give two scores at least; got one of each")
        check_names("names", names, keys.shape[1])
