"""Show what each head of self-attention reads, and its vote for the answers: the heads figure."""

import copy
from collections.abc import Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.traits import Nested, Numbers, check_shapes
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
        embedding: (V, d) floating, a row for each word.
        positions: (P, d) floating, the vector added at each position.
        vocabulary: V words.
        tokens: the N words of the sentence, as indices into the vocabulary.
        answers: M words, from which the attention selects.
        swaps: for each word of the sentence, the tokens that may replace it. None: only itself.
        query: index of the query word. None: the last.
        on: whether each head is active. None: all are.
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of the figure's text, "en" or "zh".

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

    vocabulary: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(
        sync=True, state=True
    )
    answers: "traitlets.List[str]" = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    swaps = Nested().tag(sync=True, state=True)
    tokens: "traitlets.List[int]" = traitlets.List(traitlets.Int(min=0)).tag(sync=True, state=True)
    query = traitlets.Int(min=0).tag(sync=True, state=True)
    on: "traitlets.List[bool]" = traitlets.List(traitlets.Bool()).tag(sync=True, state=True)
    embedding = Numbers().tag(sync=True, state=True)
    positions = Numbers().tag(sync=True, state=True)
    W_q = Numbers().tag(sync=True, state=True)
    W_k = Numbers().tag(sync=True, state=True)
    W_v = Numbers().tag(sync=True, state=True)
    W_o = Numbers().tag(sync=True, state=True)

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
        check_shapes(
            {"embedding": embedding, "positions": positions, **weights},
            {
                "embedding": "(V, d)",
                "positions": "(P, d)",
                **dict.fromkeys(_WEIGHTS[:3], "(M, d)"),
                "W_o": "(M, M)",
            },
        )
        for what, given, number in (
            ("vocabulary", vocabulary, len(embedding)),
            ("answers", answers, len(weights["W_o"])),
        ):
            if len(given) != number:
                raise ValueError(f"{what} must be {number}; got {len(given)}")
        if not 0 < len(tokens) <= len(positions):
            raise ValueError(f"tokens must be 1 to {len(positions)}; got {len(tokens)}")
        own = [[token] for token in tokens]
        allowed = own if swaps is None else [list(tokens) for tokens in swaps]
        if len(allowed) != len(tokens):
            raise ValueError(f"swaps must be {len(tokens)}, as tokens; got {len(allowed)}")
        if unknown := {t for ts in allowed for t in ts}.difference(range(len(vocabulary))):
            raise ValueError(f"swaps must be tokens in 0..{len(vocabulary) - 1}; got {unknown}")
        self._attention = copy.deepcopy(attention)
        super().__init__(
            name,
            lang,
            kind="heads",
            vocabulary=list(vocabulary),
            answers=list(answers),
            swaps=allowed,
            embedding=embedding,
            positions=positions,
            **weights,
            tokens=list(tokens),
            query=len(tokens) - 1 if query is None else query,
            on=[True] * attention.num_heads if on is None else list(on),
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

    @traitlets.validate("tokens")
    def _check_tokens(self, proposal: dict[str, Any]) -> list[int]:
        tokens = list(proposal["value"])
        if len(tokens) != len(self.swaps):
            raise ValueError(f"tokens must be {len(self.swaps)}; got {len(tokens)}")
        for token, allowed in zip(tokens, self.swaps, strict=True):
            if token not in allowed:
                raise ValueError(f"tokens must be among those of swaps, {allowed}; got {token}")
        return tokens

    @traitlets.validate("query")
    def _check_query(self, proposal: dict[str, Any]) -> int:
        query = int(proposal["value"])
        if query not in range(len(self.swaps)):
            raise ValueError(f"query must be one of 0..{len(self.swaps) - 1}; got {query}")
        return query

    @traitlets.validate("on")
    def _check_on(self, proposal: dict[str, Any]) -> list[bool]:
        on = list(proposal["value"])
        if len(on) != self._attention.num_heads:
            raise ValueError(f"on must be {self._attention.num_heads}, one a head; got {len(on)}")
        return on
