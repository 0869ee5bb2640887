"""Show what a decoder computes, with and without a cache: the decoder-cache figure."""

import torch
import traitlets
from torch import Tensor

from attention_figures import bundle
from attention_figures.decoder_pass import forward_pass
from attention_figures.decoder_state import DecoderFigure, Sentence, TrainedDecoder
from attention_figures.traits import Index

COMPUTED = ("query", "key", "value", "attention", "feed_forward", "next_word")
_NAMES = ("query", "key", "value", "decoderAttention", "decoderNetwork", "nextWord")
_KEPT = [part in ("key", "value") for part in COMPUTED]


class DecoderCacheFigure(DecoderFigure):
    """What a decoder computes for the newest word and for the words before it, and how much it is.

    With a cache, the keys and values of earlier words are kept, and nothing else of those words is
    needed any more. Without one, the decoder runs over all words again, as `model(tokens)` does.
    A multiplication counts if it belongs to a product of matrices, even where the mask hides its
    result.

    Shapes: N words, V in the vocabulary; the 6 parts are `COMPUTED`, of which "attention" is the
    weights, the sum of the values and W_o.

    Args:
        model: of one block.
        sentence: its words.
        step: how many words are written; the last of them is the newest.
        cached: whether the parts are those with a cache. The numbers are shown both ways.

    Raises:
        ValueError, TypeError, TraitError: a value is not allowed.

    >>> from attention_course.decoder import load_model, sentence
    >>> figure = DecoderCacheFigure(load_model("en"), sentence("en"), step=11)
    >>> figure.stages()["totals"]  # with a cache, without: this step, all steps so far
    tensor([[[  2928.,  30448.],
             [ 32208., 186208.]]], dtype=torch.float64)
    >>> figure.kept
    ['key', 'value']
    """

    step = Index("N", first=1)
    cached = traitlets.Bool().tag(sync=True, state=True)

    def __init__(
        self,
        model: TrainedDecoder,
        sentence: Sentence,
        step: int = 1,
        cached: bool = True,
        name: str = "decoder-cache",
        lang: str = "en",
    ) -> None:
        super().__init__(
            model, sentence, name, lang, kind="decoder_cache", step=step, cached=cached
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        computed, kept (1, N, 6), of each word at this step; multiplications (1, 2, 6), at this
        step with and without a cache; totals (1, 2, 2), at this step and at all so far;
        probabilities (1, 2, V) of the next word, from kept keys and values and without.
        """
        place = torch.arange(len(self.tokens))[:, None]
        earlier, newest = place < self.step - 1, place == self.step - 1
        kept = earlier & torch.tensor(_KEPT) & torch.tensor(self.cached)
        again = earlier & torch.tensor([not self.cached] * len(COMPUTED))
        counts = torch.stack([self._counts(n) for n in range(1, self.step + 1)])
        return {
            "computed": (newest | again).double()[None],
            "kept": kept.double()[None],
            "multiplications": counts[-1][None],
            "totals": torch.stack([counts[-1].sum(-1), counts.sum((0, 2))], dim=-1)[None],
            "probabilities": torch.cat([self._from_cache(), self._from_all()], dim=1),
        }

    @property
    def kept(self) -> list[str]:
        """The parts that are kept of some word."""
        found = self.stages()["kept"][0].any(dim=0)
        return [part for part, kept in zip(COMPUTED, found, strict=True) if kept]

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        say = bundle.strings(self.lang)
        parts = [say[name] for name in _NAMES]
        ways = [say["decoderCached"], say["decoderUncached"]]
        sums = [say["decoderThisStep"], say["decoderAllSteps"].format(step=self.step)]
        words = self.words_of(self.tokens)
        return {
            "computed": (words, parts),
            "kept": (words, parts),
            "multiplications": (ways, parts),
            "totals": (ways, sums),
            "probabilities": (ways, list(self.vocabulary)),
        }

    def _counts(self, step: int) -> Tensor:
        """Return the multiplications of each part at a step, (2, 6), with and without a cache."""
        words, size = self._unpacked["embedding.weight"].shape
        hidden = len(self._unpacked["blocks.0.feed_forward.0.weight"])
        square, read = size * size, 2 * step * size
        newest = [*[square] * 3, read + square, 2 * size * hidden, size * words]
        one = torch.tensor(newest, dtype=torch.float64)
        return torch.stack([one, step * one])

    def _from_cache(self) -> Tensor:
        past = None
        for token in self.tokens[: self.step]:
            past = forward_pass(self._unpacked, [token], self.num_heads, past=past)
        assert past is not None  # step is at least 1
        return past["probabilities"]

    def _from_all(self) -> Tensor:
        return self.forward(self.tokens[: self.step])["probabilities"][:, -1:]
