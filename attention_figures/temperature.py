"""Let a trained decoder write sentences at a temperature: the temperature figure."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_figures.decoder_pass import forward_pass
from attention_figures.decoder_state import DecoderFigure, Sentence, TrainedDecoder
from attention_figures.pooling import tempered_softmax
from attention_figures.traits import BoundedFloat, Draws, Listed


class TemperatureFigure(DecoderFigure):
    """The probabilities of the next word at a temperature, and sentences that are drawn from them.

    At some places of a sentence it shows how probable each next word is, softmax(logits / T).
    Below are sentences that the decoder writes. At each place it writes the first word at which the
    sum of the probabilities, in the order of the vocabulary, exceeds the draw. A word is marked if
    it does not fit its place, or does not fit the earlier word that determines it.

    Shapes: N words, V in the vocabulary, S sentences, P places.

    Args:
        model: of one block.
        sentence: its words and grammar. The word after it is right if it is the most probable one.
        draws: uniform numbers, one for each word.
        temperature: what the logits are divided by.
        after: the words of the sentence after which the next word is shown. None: the first token,
            and the one before the last word that an earlier word determines.

    Raises:
        ValueError, TypeError, TraitError: shapes do not fit together, or a value is not allowed.

    >>> from attention_course.decoder import load_model, sentence
    >>> draws = torch.rand(2, 12, generator=torch.Generator().manual_seed(0))
    >>> figure = TemperatureFigure(load_model("en"), sentence("en"), draws)
    >>> " ".join(figure.words_of(figure.stages()["written"][0, 0].int().tolist()))
    'Eva forgot her key . She found it in the car .'
    >>> figure.mistakes()
    tensor([[0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.],
            [0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]], dtype=torch.float64)
    """

    draws = Draws("(S, N)")
    temperature = BoundedFloat(0.1, 5)
    places = Listed("P", traitlets.Int(min=0), ascending=True)
    rules: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)

    def __init__(
        self,
        model: TrainedDecoder,
        sentence: Sentence,
        draws: Tensor,
        temperature: float = 1,
        after: Sequence[str] | None = None,
        name: str = "temperature",
        lang: str = "en",
    ) -> None:
        super().__init__(
            model,
            sentence,
            name,
            lang,
            kind="temperature",
            draws=draws,
            temperature=temperature,
            places=_places(sentence, after),
            rules=_rules(model, sentence),
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state.

        distributions (1, P, V), of the next word at each of the places; written (1, S, N), tokens.
        """
        logits = self.forward(self.tokens)["logits"][:, self.places]
        return {
            "distributions": tempered_softmax(logits, self.temperature),
            "written": torch.tensor([[self._write(draws) for draws in self._tensor("draws")]]),
        }

    def mistakes(self) -> Tensor:
        """Return which written words are wrong: (S, N), 0 or 1."""
        written = self.stages()["written"][0].tolist()
        return torch.tensor([self._wrong(words) for words in written], dtype=torch.float64)

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        after = self.words_of([self.tokens[place] for place in self.places])
        return {"distributions": (after, list(self.vocabulary))}

    def _write(self, draws: Tensor) -> list[int]:
        token, past, words = self.tokens[0], None, []
        for draw in draws:
            past = forward_pass(self._unpacked, [token], self.num_heads, past=past)
            shares = tempered_softmax(past["logits"], self.temperature)[0, 0]
            token = int(torch.searchsorted(shares.cumsum(-1), draw, right=True))
            words.append(token)
        return words

    def _wrong(self, words: Sequence[int]) -> list[bool]:
        all_tokens = [self.tokens[0], *words]
        return [
            not _fits(rule, all_tokens[rule["source"]], word)
            for rule, word in zip(self.rules, words, strict=True)
        ]

    @traitlets.validate("places")
    def _check_places(self, proposal: dict[str, Any]) -> list[int]:
        places = list(proposal["value"])
        if max(places) >= (number := self.axis_sizes["N"]):
            raise ValueError(f"places must be less than {number}; got {max(places)}")
        return places


def _places(sentence: Sentence, after: Sequence[str] | None) -> list[int]:
    if after is None:
        return [0, max(word.place for word in sentence.determined) - 1]
    words = [sentence.vocabulary[token] for token in sentence.tokens]
    if missing := [word for word in after if word not in words]:
        raise ValueError(f"after must be words of the sentence, {words}; got {missing}")
    return sorted(words.index(word) for word in after)


def _rules(model: TrainedDecoder, sentence: Sentence) -> list[dict[str, Any]]:
    """Return which words may follow at each place: for each token at the source, the right ones."""
    rules = [_rule(sentence, place) for place in range(1, len(sentence.tokens))]
    logits = forward_pass(model.state_dict(), sentence.tokens, model.num_heads)["logits"]
    return [*rules, _free(sentence, [int(logits[0, -1].argmax())])]


def _rule(sentence: Sentence, place: int) -> dict[str, Any]:
    for word in sentence.determined:
        if word.place == place:
            right = {str(by): list(tokens) for by, tokens in word.right.items()}
            return {"source": word.source, "right": right}
    return _free(sentence, sentence.swaps[place])


def _free(sentence: Sentence, allowed: Sequence[int]) -> dict[str, Any]:
    """Return the rule of words that nothing but the place determines."""
    return {"source": 0, "right": {str(sentence.tokens[0]): list(allowed)}}


def _fits(rule: Mapping[str, Any], source: int, word: int) -> bool:
    """Return whether a word may follow; after a wrong source, any word that ever stands there."""
    right: dict[str, list[int]] = rule["right"]
    ever = [token for tokens in right.values() for token in tokens]
    return word in right.get(str(source), ever)
