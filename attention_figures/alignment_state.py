"""Define and validate the traits of an alignment figure: parameters, sentence pairs, sentences."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import traitlets
from torch import Tensor, nn

from attention_figures.traits import Nested, checked_numbers
from attention_lib.decomposable import LABELS, DecomposableAttention

_LONGEST = 400  # characters: the page must not try to align two books
_PERCEPTRONS = ("F", "G", "H")


@runtime_checkable
class Vocabulary(Protocol):
    """A vocabulary that tokenises sentences and maps words to ids.

    `attention_course.nli.Vocabulary` implements it. The page tokenises by the same rules.
    """

    words: tuple[str, ...]

    def __len__(self) -> int:
        """Return the number of words."""

    def split(self, sentence: str, /) -> list[str]:
        """Split a sentence into words, known or not."""

    def encode(self, sentences: Sequence[str], /) -> tuple[Tensor, Tensor]:
        """Map N sentences to ids (N, L), padded to the longest, and their lengths (N,)."""


class Parameters(Nested):
    """A module's parameters and buffers by name, as nested lists; accepts a state_dict."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as nested lists, rounded."""
        if not isinstance(value, Mapping):
            raise TypeError(f"{self.name} must be a state_dict; got {type(value).__name__}")
        shapes = {name: tuple(x.shape) for name, x in obj._model.state_dict().items()}
        if set(value) != set(shapes):
            raise ValueError(f"{self.name} must be named {list(shapes)}; got {list(value)}")
        return {
            name: checked_numbers(f"{self.name}[{name!r}]", value[name], shape)
            for name, shape in shapes.items()
        }


class Pairs(Nested):
    """Pairs of sentences with their labels, as lists of three strings; accepts `Pair`s."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as lists."""
        return checked_pairs(str(self.name), value)


class Sentence(traitlets.TraitType[Any, Any]):
    """A sentence on one line; may be empty."""

    def validate(self, obj: Any, value: Any) -> str:
        """Validate `value` and return it."""
        return _check_line(str(self.name), value)


def checked_pairs(name: str, value: Any) -> list[list[str]]:
    """Validate pairs and return them as lists of three strings."""
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"{name} must be a list of at least one pair; got {value!r}")
    for number, pair in enumerate(value):
        _check_pair(f"{name}[{number}]", pair)
    return [list(pair) for pair in value]


def _check_pair(place: str, pair: Any) -> None:
    if not isinstance(pair, list | tuple) or len(pair) != 3:
        raise ValueError(f"{place} must be premise, hypothesis and label; got {pair!r}")
    for field, sentence in zip(("premise", "hypothesis"), pair, strict=False):
        _check_line(f"the {field} of {place}", sentence)
    if pair[2] not in LABELS:
        raise ValueError(f"the label of {place} must be one of {LABELS}; got {pair[2]!r}")


def _check_line(name: str, text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a string; got {type(text).__name__}")
    if len(text) > _LONGEST or "\n" in text or "\r" in text:
        line = f"one line of at most {_LONGEST} characters"
        raise ValueError(f"{name} must be {line}; got {len(text)}: {text[:40]!r}")
    return text


def layers_of(model: DecomposableAttention) -> dict[str, list[str]]:
    """Return each perceptron's layers: linear ones by their names in state_dict, and "relu"."""
    return {name: _names(name, model.get_submodule(name)) for name in _PERCEPTRONS}


def _names(name: str, perceptron: nn.Module) -> list[str]:
    layers = []
    for place, layer in perceptron.named_children():
        if isinstance(layer, nn.Linear) and layer.bias is not None:
            layers.append(f"{name}.{place}")
        elif isinstance(layer, nn.ReLU):
            layers.append("relu")
        elif not isinstance(layer, nn.Dropout):
            raise TypeError(f"model.{name} must be of Linear, ReLU and Dropout; got {layer}")
    return layers
