"""Define the base class of figures with a selected pair of a query and a key."""

from typing import Any

import traitlets

from attention_figures.base import Figure
from attention_figures.traits import Numbers


class PairFigure(Figure):
    """A figure of queries and keys with one selected pair.

    Attributes:
        queries, keys_: (1, Q, size) and (1, K, size), as nested lists; assign lists or tensors.
        query, key: the selected pair, counted from 0.
    """

    queries = Numbers().tag(sync=True, state=True)
    keys_ = Numbers().tag(sync=True, state=True)
    query = traitlets.Int().tag(sync=True, state=True)
    key = traitlets.Int().tag(sync=True, state=True)

    @traitlets.validate("query", "key")
    def _check_place(self, proposal: dict[str, Any]) -> int:
        name, place = proposal["trait"].name, int(proposal["value"])
        number = self.shapes["queries" if name == "query" else "keys_"][1]
        if not 0 <= place < number:
            raise ValueError(f"{name} must lie in 0..{number - 1}; got {place}")
        return place
