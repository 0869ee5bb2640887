"""Follow one number through a decoder, stage by stage: the forward-pass figure."""

from typing import Any

import traitlets
from torch import Tensor, float64, tensor

from attention_figures.decoder_state import DecoderFigure, Sentence, TrainedDecoder
from attention_figures.decoder_trace import LINES, NUM_STAGES, trace
from attention_figures.traits import Index


class ForwardPassFigure(DecoderFigure):
    """One component of a word's vector, from the embedding to the probability of a next word.

    The reader goes from stage to stage, and each adds a line with its computation. Where a word of
    the sentence is exchanged, the numbers that differ from before are marked.

    Shapes: N tokens, V words in the vocabulary, h heads, d size of a vector.

    Args:
        model: of one block.
        sentence: its words, and those that the reader can exchange.
        step: how many tokens are written; the last of them asks.
        component: which one is followed, 0 to d − 1; it belongs to head component // (d / h).
        key: the place of the word that is read. None: the one with the largest weight.
        next_token: the token whose logit and probability come last. None: the most probable one.
        stage: how far the reader has gone, 1 to 15.

    Raises:
        ValueError, TypeError, TraitError: a value is not allowed.

    >>> from attention_course.decoder import load_model, sentence
    >>> figure = ForwardPassFigure(load_model("en"), sentence("en"), step=11, component=8)
    >>> f"{figure.numbers()['probabilities']:.2f}"
    '1.00'
    """

    step = Index("N", first=1)
    component = traitlets.Int(0, min=0).tag(sync=True, state=True)
    key = traitlets.Int(None, allow_none=True).tag(sync=True, state=True)
    next_token = traitlets.Int(None, allow_none=True).tag(sync=True, state=True)
    stage = traitlets.Int(1, min=1, max=NUM_STAGES).tag(sync=True, state=True)

    def __init__(
        self,
        model: TrainedDecoder,
        sentence: Sentence,
        step: int | None = None,
        component: int = 0,
        key: int | None = None,
        next_token: int | None = None,
        stage: int = 1,
        name: str = "forward-pass",
        lang: str = "en",
    ) -> None:
        places = {
            "step": step,
            "component": component,
            "key": key,
            "next_token": next_token,
            "stage": stage,
        }
        super().__init__(model, sentence, name, lang, kind="forward_pass", **places)

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        written (1, 1, N), tokens; trace (1, 1, 18), the numbers of `numbers`.
        """
        numbers = tensor([[[*self.numbers().values()]]], dtype=float64)
        return {"written": tensor(self.written())[None, None], "trace": numbers}

    def numbers(self) -> dict[str, float]:
        """Return the numbers of all stages by the names in `attention_figures.decoder_trace`."""
        return trace(
            self._unpacked,
            self.written(),
            self.num_heads,
            query=self.step - 1,
            component=self.component,
            key=self.key,
            next_token=self.next_token,
        )

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        return {"trace": ([], [*LINES])}

    @traitlets.validate("component")
    def _check_component(self, proposal: dict[str, Any]) -> int:
        return _below(self._unpacked["embedding.weight"].shape[1], proposal)

    @traitlets.validate("key")
    def _check_key(self, proposal: dict[str, Any]) -> int | None:
        return None if proposal["value"] is None else _below(len(self.tokens), proposal)

    @traitlets.validate("next_token")
    def _check_next_token(self, proposal: dict[str, Any]) -> int | None:
        return None if proposal["value"] is None else _below(len(self.vocabulary), proposal)


def _below(number: int, proposal: dict[str, Any]) -> int:
    got: int = proposal["value"]
    if not 0 <= got < number:
        name = proposal["trait"].name
        raise ValueError(f"{name} must be one of 0..{number - 1}; got {got}")
    return got
