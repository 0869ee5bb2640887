"""What tests/fixtures holds, and figures in the states that stand there."""

import gzip
import json
from collections import OrderedDict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from attention_lib import AdditiveAttention, DecomposableAttention, DotProductAttention
from attention_lib.figures import (
    AlignmentFigure,
    AttentionFigure,
    ComparisonFigure,
    DropoutFigure,
    Figure,
    KernelFigure,
    MaskedSoftmaxFigure,
    PoolingFigure,
    ScalingFigure,
    ScoreFigure,
)
from attention_lib.nli import Pair, Vocabulary

FOLDER = Path(__file__).parents[1] / "fixtures"
State = dict[str, Any]
_PLAIN = {
    "masked_softmax": MaskedSoftmaxFigure,
    "pooling": PoolingFigure,
    "kernel": KernelFigure,
    "score": ScoreFigure,
    "scaling": ScalingFigure,
    "dropout": DropoutFigure,
    "comparison": ComparisonFigure,
}


def fixture(name: str) -> Any:
    """Read one of the files, packed as it is."""
    return json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))


def figure_of(state: State) -> Figure:
    """Make a figure in a state, as a notebook stores it; a value that it changes is an error."""
    make = {"attention": _attention, "alignment": _alignment}.get(state["kind"], _plain)
    figure = make(state)
    now = {name: getattr(figure, name) for name in state}
    assert now == state, "no such state"
    return figure


def _tensors(state: State) -> dict[str, Any]:
    return {
        name.removesuffix("_"): x if _is_text(x) else _tensor(x, name)
        for name, x in state.items()
        if name != "kind"
    }


def _tensor(nested: Any, name: str = "") -> Tensor:
    return torch.tensor(nested, dtype=torch.int64 if name == "valid_lens" else torch.float64)


def _is_text(x: Any) -> bool:
    """Words, lists of them for each example, and what is no list, are given as they are."""
    return not isinstance(x, list) or _is_words(x) or all(map(_is_words, x))


def _is_words(x: Any) -> bool:
    return isinstance(x, list) and all(isinstance(item, str) for item in x)


def _plain(state: State) -> Figure:
    given = _tensors(state)
    if state["kind"] == "kernel":
        given["query"] = given.pop("queries")
    return _PLAIN[state["kind"]](**given)


def _attention(state: State) -> Figure:
    given = _tensors({name: x for name, x in state.items() if name != "modules"})
    chosen = {name: given.pop(name) for name in ("num_hiddens", "key_preset")}
    presets = given.pop("key_presets")
    figure = AttentionFigure(
        [_module(description) for description in state["modules"]],
        key_presets={name: _tensor(keys) for name, keys in presets.items() if name != "own"},
        **given,
    )
    figure.set_state({**chosen, "key_presets": presets, "keys_": state["keys_"]})
    return figure


def _module(description: dict[str, Any]) -> AdditiveAttention | DotProductAttention:
    if description["score"] == "dot_product":
        return DotProductAttention()
    weights = {name: _tensor(description[name]) for name in ("W_k", "W_q", "w_v")}
    hiddens = description["num_hiddens"]
    module = AdditiveAttention(weights["W_k"].shape[1], weights["W_q"].shape[1], hiddens).double()
    module.load_state_dict({f"{name}.weight": weight for name, weight in weights.items()})
    return module


def _alignment(state: State) -> Figure:
    words = state["words"][2:]  # without <pad> and <unk>
    vocabulary = Vocabulary(words, lexicon=words)
    pairs = [Pair(*pair) for pair in state["pairs"]]
    names = ("premise", "hypothesis", "name", "lang", "parts", "word")
    rest = {name: state[name] for name in names if name in state}
    return AlignmentFigure(_model(state), vocabulary, pairs, **rest)


def _model(state: State) -> DecomposableAttention:
    parameters = {name: _tensor(x) for name, x in state["parameters"].items()}
    layers = state["layers"]
    num_hiddens = parameters[f"{layers['H'][0]}.weight"].shape[1] // 2
    vectors, (words, learnt) = parameters.get("vectors"), parameters["embedding.weight"].shape
    size = learnt + (0 if vectors is None else vectors.shape[1])
    model = DecomposableAttention(words, size, num_hiddens, vectors=vectors).double()
    for perceptron, names in layers.items():
        made = OrderedDict(
            (_place(name, i), _layer(name, parameters)) for i, name in enumerate(names)
        )
        setattr(model, perceptron, nn.Sequential(made))
    model.load_state_dict(parameters)
    return model


def _place(name: str, number: int) -> str:
    """Call a layer as its parameters are called: dropout, which has none, may stand before it."""
    return f"relu{number}" if name == "relu" else name.split(".")[1]


def _layer(name: str, parameters: dict[str, Tensor]) -> nn.Module:
    if name == "relu":
        return nn.ReLU()
    outputs, inputs = parameters[f"{name}.weight"].shape
    return nn.Linear(inputs, outputs, dtype=torch.float64)
