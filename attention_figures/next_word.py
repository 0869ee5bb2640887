"""Let a trained decoder write a sentence, and show what each head reads: the next-word figure."""

from collections.abc import Sequence

from torch import Tensor, tensor

from attention_figures.decoder_pass import NOTHING
from attention_figures.decoder_state import CutDecoderFigure, Sentence, TrainedDecoder
from attention_figures.traits import Index


class NextWordFigure(CutDecoderFigure):
    """A sentence that a decoder writes, what each head reads, and which word comes next.

    The reader exchanges words and says how many words are written. The decoder writes the other
    words, each the most probable one, with all its parts; a part that is removed changes what the
    heads read and the probabilities of the next word.

    Shapes: N tokens, V words in the vocabulary, h heads.

    Args:
        model: of one block.
        sentence: its words, and those that the reader can exchange.
        step: how many tokens are written; the last of them asks.
        handle: the place of the word that the reader is invited to exchange. None: the first.
        removable: parts that the reader can remove, of `attention_figures.decoder_pass`.
        without: the part that is removed.

    Raises:
        ValueError, TypeError, TraitError: a value is not allowed.

    >>> from attention_course.decoder import load_model, sentence
    >>> figure = NextWordFigure(load_model("en"), sentence("en"), step=11)
    >>> figure.next_word, " ".join(figure.words_of(figure.written())[1:4])
    ('garden', 'Mia lost her')
    """

    step = Index("N", first=1)
    handle = Index("N")

    def __init__(
        self,
        model: TrainedDecoder,
        sentence: Sentence,
        step: int | None = None,
        handle: int | None = None,
        removable: Sequence[str] = (),
        without: str = NOTHING,
        name: str = "next-word",
        lang: str = "en",
    ) -> None:
        choices = [i for i, allowed in enumerate(sentence.swaps) if len(allowed) > 1]
        super().__init__(
            model,
            sentence,
            name,
            lang,
            kind="next_word",
            step=step,
            handle=(choices or [0])[0] if handle is None else handle,
            removable=[*removable],
            without=without,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        written (1, 1, N), tokens; attention_weights (h, N, N); probabilities (1, 1, V), of the word
        that follows the first `step`.
        """
        written = self.written()
        found = self.forward(written, self.without)
        return {
            "written": tensor(written)[None, None],
            "attention_weights": found["attention_weights"],
            "probabilities": found["probabilities"][:, self.step - 1 : self.step],
        }

    @property
    def next_word(self) -> str:
        """The most probable next word."""
        best = int(self.stages()["probabilities"].argmax())
        return self.words_of([best])[0]

    def read_most(self, head: int) -> str:
        """Return the word that a head reads most when the next word is predicted."""
        row = self.stages()["attention_weights"][head, self.step - 1]
        return self.words_of(self.written())[int(row.argmax())]

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        words = self.words_of(self.written())
        return {"attention_weights": (words, words), "probabilities": ([], list(self.vocabulary))}
