"""Compare decoders trained with and without the mask, where words look ahead or do not."""

from functools import cached_property
from typing import Any

import traitlets
from torch import Tensor, tensor

from attention_figures.decoder_pass import NOTHING, forward_pass, greedy
from attention_figures.decoder_state import DecoderFigure, Sentence, TrainedDecoder
from attention_figures.packed import pack, unpack


class LookAheadFigure(DecoderFigure):
    """How probable a decoder finds each next word of a sentence, and what it writes by itself.

    One decoder was trained with the causal mask, the other without it. While later words are
    visible, each word reads the whole sentence, the next word too. Otherwise a word reads itself
    and the words before it, as when the decoder writes.

    Shapes: N tokens, V words in the vocabulary, h heads.

    Args:
        model: of one block, trained with the mask.
        unmasked: of one block, trained without it.
        sentence: the words that come next.
        training: which decoder is shown, "masked" or "unmasked".
        visible: whether a word reads later words, "all", or not, "so_far".

    Raises:
        ValueError, TypeError, TraitError: a value is not allowed.

    >>> from attention_course.decoder import load_model, sentence
    >>> models = load_model("en"), load_model("en", causal=False)
    >>> figure = LookAheadFigure(*models, sentence("en"))
    >>> round(figure.loss(), 1), figure.text()[:15]
    (0.0, 'Ann hid hid hid')
    """

    unmasked_parameters: "traitlets.Dict[str, Any]" = traitlets.Dict().tag(sync=True, state=True)
    training = traitlets.Enum(["masked", "unmasked"]).tag(sync=True, state=True)
    visible = traitlets.Enum(["all", "so_far"]).tag(sync=True, state=True)

    def __init__(
        self,
        model: TrainedDecoder,
        unmasked: TrainedDecoder,
        sentence: Sentence,
        training: str = "unmasked",
        visible: str = "all",
        name: str = "look-ahead",
        lang: str = "en",
    ) -> None:
        super().__init__(
            model,
            sentence,
            name,
            lang,
            kind="look_ahead",
            unmasked_parameters=pack(unmasked.state_dict()),
            training=training,
            visible=visible,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        written (1, 1, N), tokens that the decoder writes after the first one; probabilities
        (1, 1, N − 1), of the word that really comes next after each token but the last; loss
        (1, 1, 1), in nats, of the sentence.
        """
        given = [place == 0 for place in range(len(self.tokens))]
        written = greedy(self._decoder(self.training), self.tokens, self.num_heads, given)
        probabilities = self._probabilities(self.training, self.visible)
        return {
            "written": tensor(written)[None, None],
            "probabilities": probabilities[None, None],
            "loss": -probabilities.log().sum()[None, None, None],
        }

    def loss(self, training: str | None = None, visible: str | None = None) -> float:
        """Return the loss of the sentence in nats.

        Args:
            training: as of the figure. None: that of the present state.
            visible: as of the figure. None: that of the present state.
        """
        probabilities = self._probabilities(training or self.training, visible or self.visible)
        return -probabilities.log().sum().item()

    def text(self) -> str:
        """Return what the decoder writes by itself, its words separated by spaces."""
        return " ".join(self.words_of(self.stages()["written"][0, 0, 1:].tolist()))

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        return {"probabilities": ([], self.words_of(self.tokens[1:]))}

    def _probabilities(self, training: str, visible: str) -> Tensor:
        # With one block, the causal mask gives each word what it gets if the later words are not
        # there.
        without = "mask" if visible == "all" else NOTHING
        found = forward_pass(self._decoder(training), self.tokens, self.num_heads, without)
        rows = found["probabilities"][0, :-1]
        return rows.gather(1, tensor(self.tokens[1:])[:, None])[:, 0]

    def _decoder(self, training: str) -> dict[str, Tensor]:
        return self._unpacked if training == "masked" else self._without_mask

    @cached_property
    def _without_mask(self) -> dict[str, Tensor]:
        return unpack(self.unmasked_parameters)
