"""Store and load a trained date model with one byte per parameter."""

import base64
import json
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attention_course.dates.model import MODELS, Aligner
from attention_course.dates.sentences import Tokens
from attention_figures.languages import LANGUAGES

STORED = Path(__file__).parent / "models"
LEVELS = 127  # of a stored parameter, on each side of 0


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


def pack(parameters: dict[str, Tensor]) -> dict[str, dict[str, Any]]:
    """Round each row to multiples of a 127th of its largest number, a byte each.

    Args:
        parameters: vectors and matrices by name; a vector is a row.

    Returns:
        For each its shape, the step of each row, and the multiples in base64.

    >>> pack({"x": torch.tensor([[1.0, -2.0], [0.0, 0.0]])})
    {'x': {'shape': [2, 2], 'scale': [0.015748, 1.0], 'levels': 'QIEAAA=='}}
    """
    return {name: _packed(x) for name, x in parameters.items()}


def _packed(x: Tensor) -> dict[str, Any]:
    rows = x if x.dim() == 2 else x[None]
    scale = [float(f"{row.abs().max() / LEVELS:.5g}") or 1.0 for row in rows]
    levels = (rows / torch.tensor(scale)[:, None]).round().to(torch.int8)
    text = base64.b64encode(levels.numpy().tobytes()).decode()
    return {"shape": list(x.shape), "scale": scale, "levels": text}


def unpack(stored: dict[str, dict[str, Any]]) -> dict[str, Tensor]:
    """Return parameters as `pack` has rounded them, float64.

    >>> unpack(pack({"x": torch.tensor([1.0, -2.0])}))["x"]
    tensor([ 1.0079, -2.0000], dtype=torch.float64)
    """
    return {name: _unpacked(one) for name, one in stored.items()}


def _unpacked(stored: dict[str, Any]) -> Tensor:
    levels = torch.frombuffer(bytearray(base64.b64decode(stored["levels"])), dtype=torch.int8)
    scale = torch.tensor(stored["scale"], dtype=torch.float64)
    return (levels.reshape(len(scale), -1) * scale[:, None]).reshape(stored["shape"])
