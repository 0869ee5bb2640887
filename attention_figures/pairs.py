"""What figures of one pair of a query and a key share: which pair is looked at."""

from typing import Any

import traitlets

from attention_figures.base import Figure
from attention_figures.traits import Numbers


class PairFigure(Figure):
    """A figure of queries and keys that looks at one pair of them.

    Attributes:
        queries, keys_: (1, Q, size) and (1, K, size), as nested lists; assign lists or tensors.
        query, key: the pair, counted from 0.
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
