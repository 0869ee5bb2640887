"""Show what each head of self-attention reads, and its vote for the answers: the heads figure."""

import copy
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Index, Listed, Names, Nested, Numbers
from attention_lib.modules import DotProductAttention
from attention_lib.multi_head import MultiHeadAttention

_WEIGHTS = ("W_q", "W_k", "W_v", "W_o")


class HeadsFigure(Figure):
    """Self-attention with several heads, which can be turned off one by one.

    Each word reads the words up to itself. The output of the attention is the logits of the
    answers; a head's contribution to them, through its columns of W_o, is its vote.

    Shapes: V words in the vocabulary, N words of the sentence, d size of a vector, h heads, M =
    num_hiddens = number of answers, P ≥ N positions.

    Args:
        attention: scaled dot-product attention for inputs of size d, without bias.
        embedding: a row for each word.
        positions: the vector added at each position.
        vocabulary: the words.
        tokens: the N words of the sentence, as indices into the vocabulary.
        answers: the words from which the attention selects.
        swaps: for each word of the sentence, the tokens that may replace it. None: only itself.
        query: index of the query word. None: the last.
        on: whether each head is active. None: all are.

    Raises:
        ValueError, TypeError: shapes do not fit together, or a value is not allowed.

    >>> attention = MultiHeadAttention(2, 2, 2, num_hiddens=2, num_heads=2)
    >>> for W in (attention.W_q, attention.W_k, attention.W_v, attention.W_o):
    ...     _ = torch.nn.init.eye_(W.weight)
    >>> words = ["one", "two"], [0, 1], ["yes", "no"]
    >>> figure = HeadsFigure(attention, torch.eye(2), torch.zeros(2, 2), *words)
    >>> figure.stages()["votes"]
    tensor([[[0.5000, 0.0000],
             [0.0000, 0.7311]]], dtype=torch.float64)
    >>> figure.on = [False, True]
    >>> figure.stages()["probabilities"]
    tensor([[[0.3250, 0.6750]]], dtype=torch.float64)
    """

    vocabulary = Names("V")
    answers = Names("M")
    swaps = Nested()
    tokens = Listed("N", traitlets.Int(min=0))
    query = Index("N")
    on = Listed("h", traitlets.Bool())
    embedding = Numbers("(V, d)")
    positions = Numbers("(P, d)")
    W_q = Numbers("(M, d)")
    W_k = Numbers("(M, d)")
    W_v = Numbers("(M, d)")
    W_o = Numbers("(M, M)")

    def __init__(
        self,
        attention: MultiHeadAttention,
        embedding: Tensor,
        positions: Tensor,
        vocabulary: Sequence[str],
        tokens: Sequence[int],
        answers: Sequence[str],
        swaps: Sequence[Sequence[int]] | None = None,
        query: int | None = None,
        on: Sequence[bool] | None = None,
        name: str = "heads",
        lang: str = "en",
    ) -> None:
        if not isinstance(attention.attention, DotProductAttention):
            raise TypeError("attention must be by scaled dot products")
        weights = {name: getattr(attention, name).weight for name in _WEIGHTS}
        own = [[token] for token in tokens]
        self._attention = copy.deepcopy(attention)
        super().__init__(
            name,
            lang,
            kind="heads",
            vocabulary=vocabulary,
            answers=answers,
            swaps=own if swaps is None else [list(allowed) for allowed in swaps],
            embedding=embedding,
            positions=positions,
            **weights,
            tokens=tokens,
            query=query,
            on=[True] * attention.num_heads if on is None else on,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        scores and attention_weights have a matrix for each head; votes has a row for each head and
        probabilities one row, with the answers of the query word.
        """
        number = len(self.on)
        x = (self._tensor("embedding")[self.tokens] + self._tensor("positions")[: self._length])[
            None
        ]
        causal = torch.arange(1, self._length + 1)[None]
        attention = self._module()
        queries, keys = (
            W(x).unflatten(-1, (number, -1)).transpose(1, 2)[0]
            for W in (attention.W_q, attention.W_k)
        )
        votes = []
        with torch.no_grad():
            for head in range(number):
                alone = self._module()
                own = torch.arange(len(self.answers)) // (len(self.answers) // number) == head
                alone.W_o.weight *= own
                votes.append(alone(x, x, x, causal)[0, self.query])
            weights = alone.attention_weights
        assert weights is not None  # after a forward
        on = torch.tensor(self.on, dtype=torch.float64)
        stacked = torch.stack(votes)
        return {
            "scores": (queries @ keys.transpose(1, 2)).detach() / queries.shape[-1] ** 0.5,
            "attention_weights": weights[0],
            "votes": stacked[None],
            "probabilities": (on @ stacked).softmax(-1)[None, None],
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        words = [self.vocabulary[token] for token in self.tokens]
        return {
            **dict.fromkeys(("scores", "attention_weights"), (words, words)),
            "votes": ([str(head) for head in range(len(self.on))], list(self.answers)),
            "probabilities": ([], list(self.answers)),
        }

    @property
    def _length(self) -> int:
        return len(self.tokens)

    def _module(self) -> MultiHeadAttention:
        """Return the library's module with the figure's parameters."""
        attention = copy.deepcopy(self._attention).double()
        state = {f"{name}.weight": self._tensor(name) for name in _WEIGHTS}
        attention.load_state_dict(state)
        return attention

    @traitlets.validate("swaps")
    def _check_swaps(self, proposal: dict[str, Any]) -> Any:
        swaps, number, last = proposal["value"], self.axis_sizes["N"], self.axis_sizes["V"] - 1
        if len(swaps) != number:
            raise ValueError(f"swaps must be {number}, as tokens; got {len(swaps)}")
        if unknown := {token for allowed in swaps for token in allowed}.difference(range(last + 1)):
            raise ValueError(f"swaps must be tokens in 0..{last}; got {unknown}")
        return swaps

    @traitlets.validate("positions")
    def _check_length(self, proposal: dict[str, Any]) -> Any:
        length, most = self.axis_sizes["N"], self.axis_sizes["P"]
        if length > most:
            raise ValueError(f"tokens must be at most {most}; got {length}")
        return proposal["value"]

    @traitlets.validate("tokens")
    def _check_tokens(self, proposal: dict[str, Any]) -> list[int]:
        tokens = list(proposal["value"])
        for token, allowed in zip(tokens, self.swaps, strict=False):
            if token not in allowed:
                raise ValueError(f"tokens must be among those of swaps, {allowed}; got {token}")
        return tokens

    @traitlets.validate("on")
    def _check_on(self, proposal: dict[str, Any]) -> list[bool]:
        on = list(proposal["value"])
        if len(on) != self._attention.num_heads:
            raise ValueError(f"on must be {self._attention.num_heads}, one a head; got {len(on)}")
        return on
