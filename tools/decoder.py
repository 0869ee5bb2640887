"""Train and store chapter 13's decoders: `python -m tools.decoder [LANGUAGE …]`.

Decoders that differ only by their seed are trained. The one is stored whose heads read the words
that determine others with the largest weights: the figures show what heads read, and a reader can
follow it best there. A decoder without the causal mask is stored beside it.
"""

import sys

import torch

from attention_course.decoder import (
    GRAMMARS,
    Decoder,
    Grammar,
    accuracy,
    loss_of,
    new_decoder,
    train,
    weights_of,
)
from attention_course.decoder.stored import store_models
from attention_figures.languages import LANGUAGES

SEEDS = 32
# The name determines "She", but a head may as well read "her", which the name has determined.
STANDS_FOR = {"pronoun": "possessive"}


@torch.no_grad()
def legible(model: Decoder, grammar: Grammar) -> float:
    """Return the smallest weight, over determined words, that the best head gives to the source."""
    weights = weights_of(model, grammar.encode([grammar.example]))[0]
    found = {word.name: word for word in grammar.determined(grammar.example)}
    best = []
    for name, word in found.items():
        instead = found.get(STANDS_FOR.get(name, ""))
        source = instead.place if instead else word.source
        best.append(weights[:, word.place - 1, source].max().item())
    return min(best)


def trained(grammar: Grammar, seed: int) -> tuple[float, Decoder]:
    """Train a decoder; return how legible it is, 0 if a word that it writes is wrong."""
    model = new_decoder(grammar, seed)
    train(model, grammar, seed=seed)
    right = min(accuracy(model, grammar, grammar.split()[1]).values())
    score = legible(model, grammar) if right == 1 else 0.0
    print(f"seed {seed}: {right:.2f} right, smallest weight {score:.2f}", flush=True)
    return score, model


def main(languages: list[str]) -> None:
    """Train the decoders of some languages and update the file."""
    for lang in LANGUAGES:
        if lang not in languages:
            continue
        grammar = GRAMMARS[lang]
        _, model = max((trained(grammar, seed) for seed in range(SEEDS)), key=lambda pair: pair[0])
        unmasked = new_decoder(grammar, causal=False)
        train(unmasked, grammar)
        store_models(lang, model, unmasked)
        held_out = grammar.encode(grammar.split()[1])
        losses = [loss_of(own, held_out).item() for own in (model, unmasked)]
        print(f"{lang}: losses {losses}, entropy {grammar.entropy}")


if __name__ == "__main__":
    main(sys.argv[1:] or [*GRAMMARS])
