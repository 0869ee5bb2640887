"""Store and load a trained date model with one byte per parameter."""

import json
from pathlib import Path

from attention_course.dates.model import MODELS, Aligner
from attention_course.dates.sentences import Tokens
from attention_figures.languages import LANGUAGES
from attention_figures.packed import pack, unpack

STORED = Path(__file__).parent / "models"


def load_model(lang: str) -> tuple[Aligner, Tokens]:
    """Return the additive model that `benchmarks.alignments` trained and stored, and its tokens.

    Args:
        lang: "en" or "zh".

    Returns:
        A model in evaluation mode, float64, its parameters rounded to 255 levels a row.

    Raises:
        ValueError: lang is neither.

    >>> model, tokens = load_model("en")
    >>> words = "Paid ? Signed on 9 July 2 0 1 3 , paid on 3 May 2 0 1 4 .".split()
    >>> ids = torch.tensor([[tokens.ids[word] for word in words]])
    >>> model(ids, torch.tensor([len(words)])).argmax(dim=-1).tolist()  # 10: "-"
    [[2, 0, 1, 4, 10, 0, 5, 10, 0, 3]]
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be {' or '.join(map(repr, LANGUAGES))}; got {lang!r}")
    tokens = Tokens(lang)
    stored = json.loads((STORED / f"{lang}.json").read_text("utf-8"))
    model = Aligner(len(tokens.words), MODELS["additive"]()).double()
    model.load_state_dict(unpack(stored["parameters"]))
    return model.eval(), tokens


def store_model(model: Aligner, lang: str) -> None:
    """Store an additive model and the tokens of its language, for `load_model` and for pages."""
    stored = {"words": Tokens(lang).words, "parameters": pack(model.state_dict())}
    text = json.dumps(stored, ensure_ascii=False)
    (STORED / f"{lang}.json").write_text(f"{text}\n", "utf-8")
