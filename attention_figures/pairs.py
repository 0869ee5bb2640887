"""Define the base class of figures with a selected pair of a query and a key."""

from attention_figures.base import Figure
from attention_figures.traits import Index


class PairFigure(Figure):
    """A figure of queries and keys with one selected pair.

    Attributes:
        queries, keys_: (1, Q, size) and (1, K, size), as nested lists; assign lists or tensors.
        query, key: the selected pair, counted from 0.
    """

    query = Index("Q")
    key = Index("K")
