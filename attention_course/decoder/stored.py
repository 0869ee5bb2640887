"""Store and load the trained decoders, with one byte per parameter."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attention_course.decoder.model import Decoder
from attention_course.decoder.sentences import GRAMMARS, START, Grammar
from attention_course.decoder.training import new_decoder
from attention_course.records import Lang
from attention_figures.decoder_state import Determined, Sentence
from attention_figures.packed import pack, unpack

STORED = Path(__file__).with_name("models.json")


def load_model(lang: Lang, causal: bool = True) -> Decoder:
    """Return the decoder that `tools.decoder` trained on the sentences of a language.

    Args:
        lang: "en" or "zh".
        causal: whether it was trained with the causal mask.

    Returns:
        In evaluation mode, float64, its parameters rounded to 255 levels a row.

    Raises:
        KeyError: lang is neither.

    >>> from attention_course.decoder import GRAMMARS, write
    >>> model, grammar = load_model("en"), GRAMMARS["en"]
    >>> words = write(model, grammar.encode([["Mia", "lost"]]), number=10)[0]
    >>> " ".join(grammar.vocabulary[word] for word in words)  # doctest: +ELLIPSIS
    '<s> Mia lost her ... . She found ... in the garden .'
    """
    model = new_decoder(GRAMMARS[lang], causal=causal).double()
    model.load_state_dict(unpack(_stored()[lang]["causal" if causal else "unmasked"]))
    return model.eval().requires_grad_(False)


def store_models(lang: str, causal: Decoder, unmasked: Decoder) -> None:
    """Store the two decoders of a language, for `load_model`."""
    stored = _stored() if STORED.exists() else {}
    packed = {"causal": pack(causal.state_dict()), "unmasked": pack(unmasked.state_dict())}
    STORED.write_text(json.dumps({**stored, lang: packed}) + "\n", "utf-8")
    _stored.cache_clear()


def sentence(lang: Lang, also: tuple[str, ...] = ()) -> Sentence:
    """Return the example of a language, as the decoder figures take it.

    Its last word, the full stop, is what the decoder writes at the end. The reader chooses the
    words that nothing determines, and those of the slots in `also`.

    >>> mia = sentence("en")
    >>> mia.determined[0]
    Determined(place=3, source=1, right={1: [11], 2: [11], 3: [11], 4: [12], 5: [12], 6: [12]})
    """
    grammar = GRAMMARS[lang]
    places = {word: place for place, word in enumerate(grammar.vocabulary)}
    tokens = [places[word] for word in (START, *grammar.example[:-1])]
    swaps = [[0]] + [
        [places[word] for word in dict.fromkeys(slot.all_words)]
        if slot.name in (*grammar.free, *also)
        else [token]
        for slot, token in zip(grammar.slots, tokens[1:], strict=False)
    ]
    return Sentence(grammar.vocabulary, tokens, swaps, _determined(grammar, places))


def _determined(grammar: Grammar, places: dict[str, int]) -> list[Determined]:
    where = {slot.name: place for place, slot in enumerate(grammar.slots, 1)}
    return [
        Determined(
            where[slot.name],
            where[slot.by],
            {places[by]: [places[word] for word in words] for by, words in slot.words.items()},
        )
        for slot in grammar.slots
        if isinstance(slot.words, Mapping)
    ]


@cache
def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(STORED.read_text("utf-8"))
    return stored
