"""Define what the decoder figures share: a trained decoder, and a sentence that it writes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import traitlets
from torch import Tensor

from attention_figures.base import Figure
from attention_figures.decoder_pass import NOTHING, forward_pass, greedy
from attention_figures.packed import pack, unpack
from attention_figures.traits import Listed, Names, Nested


@dataclass(frozen=True)
class Determined:
    """A word of a sentence that an earlier word determines.

    Args:
        place: of the word; the first token has place 0.
        source: the place of the word that determines it.
        right: for each token that may stand at the source, the tokens that are right here.
    """

    place: int
    source: int
    right: Mapping[int, Sequence[int]]


@dataclass(frozen=True)
class Sentence:
    """A sentence that a decoder writes and of which the reader can exchange words.

    Args:
        vocabulary: V words.
        tokens: N indices of words; the first stands before the sentence.
        swaps: for each token those that may stand there. Where there are several, the reader
            chooses; elsewhere the decoder writes.
        determined: words that earlier words determine.
    """

    vocabulary: Sequence[str]
    tokens: Sequence[int]
    swaps: Sequence[Sequence[int]]
    determined: Sequence[Determined] = field(default=())


class TrainedDecoder(Protocol):
    """A decoder of one block, such as `attention_course.decoder.Decoder`."""

    num_heads: int

    def state_dict(self) -> dict[str, Tensor]:
        """Return the parameters by name."""


class DecoderFigure(Figure):
    """The base of the figures of a trained decoder.

    Shapes: N tokens, V words in the vocabulary, h heads.
    """

    parameters: "traitlets.Dict[str, Any]" = traitlets.Dict().tag(sync=True, state=True)
    num_heads = traitlets.Int(min=1).tag(sync=True, state=True)
    vocabulary = Names("V")
    swaps = Nested()
    tokens = Listed("N", traitlets.Int(min=0))

    def __init__(
        self,
        model: TrainedDecoder,
        sentence: Sentence,
        name: str,
        lang: str,
        kind: str,
        **traits: Any,
    ) -> None:
        super().__init__(
            name,
            lang,
            kind=kind,
            parameters=pack(model.state_dict()),
            num_heads=model.num_heads,
            vocabulary=sentence.vocabulary,
            swaps=[list(allowed) for allowed in sentence.swaps],
            tokens=sentence.tokens,
            **traits,
        )

    def written(self) -> list[int]:
        """Return the tokens of the sentence: the reader's choices, and what the decoder writes."""
        given = [len(allowed) > 1 or place == 0 for place, allowed in enumerate(self.swaps)]
        return greedy(self._unpacked, self.tokens, self.num_heads, given)

    def forward(self, tokens: Sequence[int], without: str = NOTHING) -> dict[str, Tensor]:
        """Return every tensor of a pass over these tokens, as `forward_pass`."""
        return forward_pass(self._unpacked, tokens, self.num_heads, without)

    def words_of(self, tokens: Sequence[int]) -> list[str]:
        """Return the words of tokens."""
        return [str(self.vocabulary[token]) for token in tokens]

    @cached_property
    def _unpacked(self) -> dict[str, Tensor]:
        return unpack(self.parameters)

    @traitlets.validate("tokens")
    def _check_tokens(self, proposal: dict[str, Any]) -> list[int]:
        tokens = list(proposal["value"])
        for token, allowed in zip(tokens, self.swaps, strict=False):
            if token not in allowed:
                raise ValueError(f"tokens must be among those of swaps, {allowed}; got {token}")
        return tokens


class CutDecoderFigure(DecoderFigure):
    """The base of the figures in which the reader removes a part of the decoder."""

    removable = traitlets.List(traitlets.Unicode()).tag(sync=True, state=True)
    without = traitlets.Unicode(NOTHING).tag(sync=True, state=True)

    @traitlets.validate("without")
    def _check_without(self, proposal: dict[str, Any]) -> str:
        without: str = proposal["value"]
        if without not in (allowed := [NOTHING, *self.removable]):
            raise ValueError(f"without must be one of {allowed}; got {without!r}")
        return without
