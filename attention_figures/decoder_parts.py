"""Show which words a decoder gets right without one of its parts: the decoder-parts figure."""

from collections.abc import Sequence
from typing import Any

import traitlets
from torch import Tensor, stack, tensor

from attention_figures.decoder_pass import NOTHING
from attention_figures.decoder_state import (
    CutDecoderFigure,
    Determined,
    Sentence,
    TrainedDecoder,
)


class DecoderPartsFigure(CutDecoderFigure):
    """A sentence that a whole decoder writes, and what it would write there without a part.

    The reader exchanges words and removes a part. At each place the decoder without this part reads
    the right words before it, and says which word it would write. For words that earlier words
    determine, a bar shows the probability of a right word.

    Shapes: N tokens, V words in the vocabulary, h heads, D determined words.

    Args:
        model: of one block.
        sentence: its words, those that the reader can exchange, and those that are determined.
        removable: parts that the reader can remove, of `attention_figures.decoder_pass`.
        without: the part that is removed.

    Raises:
        ValueError, TypeError, TraitError: a value is not allowed.

    >>> from attention_course.decoder import load_model, sentence
    >>> parts = ["head-0", "head-1", "positions"]
    >>> figure = DecoderPartsFigure(load_model("en"), sentence("en"), parts, without="head-1")
    >>> figure.least(), figure.guess_after("the")
    ('garden', 'street')
    >>> figure.wrong(), figure.wrong("head-0")
    (['Mia', 'garden'], [])
    """

    determined: "traitlets.List[dict[str, Any]]" = traitlets.List().tag(sync=True, state=True)

    def __init__(
        self,
        model: TrainedDecoder,
        sentence: Sentence,
        removable: Sequence[str] = ("head-0", "head-1", "positions"),
        without: str = NOTHING,
        name: str = "decoder-parts",
        lang: str = "en",
    ) -> None:
        super().__init__(
            model,
            sentence,
            name,
            lang,
            kind="decoder_parts",
            removable=[*removable],
            without=without,
            determined=[_as_json(word) for word in sentence.determined],
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        written (1, 1, N), tokens; guessed (1, 1, N), the most probable token after each of them;
        probabilities (1, 1, D), that a right word stands at each determined place.
        """
        written = self.written()
        rows = self.forward(written, self.without)["probabilities"][0]
        right = [rows[word["place"] - 1][_right(word, written)].sum() for word in self.determined]
        return {
            "written": tensor(written)[None, None],
            "guessed": rows.argmax(dim=-1)[None, None],
            "probabilities": stack(right)[None, None],
        }

    def least(self) -> str:
        """Return the determined word of which the decoder is least sure."""
        place: int = self.determined[int(self.stages()["probabilities"].argmin())]["place"]
        return self.words_of(self.written())[place]

    def guess_after(self, word: str) -> str:
        """Return what would be written after a word of the sentence, where it stands first.

        Raises:
            ValueError: the sentence has no such word.
        """
        place = self.words_of(self.written()).index(word)
        return self.words_of([int(self.stages()["guessed"][0, 0, place])])[0]

    def wrong(self, without: str | None = None) -> list[str]:
        """Return the words of the sentence in whose place a wrong one would be written.

        Args:
            without: a part that is removed. None: that of the present state.

        Raises:
            ValueError: there is no such part.
        """
        written = self.written()
        part = self.without if without is None else without
        guessed = self.forward(written, part)["probabilities"][0].argmax(dim=-1).tolist()
        allowed = {i: self.swaps[i] for i in range(1, len(written))}
        allowed |= {word["place"]: _right(word, written) for word in self.determined}
        places = [i for i, right in allowed.items() if guessed[i - 1] not in right]
        return self.words_of([written[i] for i in places])

    def probability_of(self, word: str) -> float:
        """Return the probability of a right word where this determined word stands.

        Raises:
            ValueError: no such word of the sentence is determined.
        """
        written = self.words_of(self.written())
        place = [written[one["place"]] for one in self.determined].index(word)
        return self.stages()["probabilities"][0, 0, place].item()

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        words = self.words_of(self.written())
        found = [words[word["place"]] for word in self.determined]
        return {"guessed": ([], words), "probabilities": ([], found)}


def _as_json(word: Determined) -> dict[str, Any]:
    right = [[token, [*tokens]] for token, tokens in word.right.items()]
    return {"place": word.place, "source": word.source, "right": right}


def _right(word: dict[str, Any], written: Sequence[int]) -> list[int]:
    """Return the tokens that are right at a determined place of a sentence."""
    tokens: list[int] = dict(word["right"])[written[word["source"]]]
    return tokens
