"""Train the model of chapter 9 for each language, and store it: `python -m tools.nli_model`.

The chapter's training gives the same model; the stored one lets its first figure start at once.
"""

import json

import torch

from attention_course.nli import (
    Vocabulary,
    aligned_model,
    encode_pairs,
    load_pairs,
    neighbour_vectors,
    train,
)
from attention_course.nli.training import STORED
from attention_lib import DecomposableAttention
from tools.replacing import write


def trained(lang: str) -> DecomposableAttention:
    """Train as in the chapter, in float64 with seed 0."""
    pairs, *_ = load_pairs(lang)
    sentences = [text for pair in pairs for text in pair[:2]]
    vocabulary = Vocabulary(sentences)
    vectors = neighbour_vectors(sentences, vocabulary, 16).double()
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        torch.manual_seed(0)
        model = aligned_model(vectors)
        train(model, encode_pairs(pairs, vocabulary))
    finally:
        torch.set_default_dtype(default)
    return model


def main() -> None:
    """Store the parameters, rounded to 4 decimals as in figures."""
    torch.set_num_threads(1)
    STORED.mkdir(exist_ok=True)
    for lang in ("en", "zh"):
        numbers = {name: x.tolist() for name, x in trained(lang).state_dict().items()}
        text = json.dumps(numbers, default=float, separators=(",", ":"))
        rounded = json.loads(text, parse_float=lambda x: round(float(x), 4))
        path = STORED / f"{lang}.json"
        write(path, json.dumps(rounded, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
