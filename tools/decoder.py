"""Train and store chapter 13's decoders: `python -m tools.decoder [LANGUAGE …]`.

Decoders of 32 seeds were trained for each language. The seed below is the one whose heads a reader
can follow best: they read the words that determine others with large weights and share them, and
the decoder writes the book's own sentence. A decoder without the causal mask is stored beside it.
"""

import sys

import torch

from attention_course.decoder import GRAMMARS, accuracy, loss_of, new_decoder, train
from attention_course.decoder.stored import store_models

SEEDS = {"en": 20, "zh": 16}


def main(languages: list[str]) -> None:
    """Train the decoders of some languages, update the file, and print how good they are."""
    torch.set_num_threads(1)  # another number would add in another order
    for lang in languages:
        grammar = GRAMMARS[lang]
        models = [new_decoder(grammar, SEEDS[lang]), new_decoder(grammar, causal=False)]
        for model, seed in zip(models, (SEEDS[lang], 0), strict=True):
            train(model, grammar, seed=seed)
        store_models(lang, *models)
        held_out = grammar.split()[1]
        losses = [loss_of(model, grammar.encode(held_out)).item() for model in models]
        print(f"{lang}: {accuracy(models[0], grammar, held_out)}")
        print(f"    losses {losses}, entropy {grammar.entropy}")


if __name__ == "__main__":
    main(sys.argv[1:] or [*GRAMMARS])
