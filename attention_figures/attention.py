"""Show scores, mask, weights and output of an attention module: the pipeline figure."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import torch
import traitlets
from torch import Tensor, nn

from attention_figures.inputs import MaskedFigure
from attention_figures.presets import PresetFigure
from attention_figures.traits import Declared, Lengths, Numbers, check_texts, rounded
from attention_lib.masking import length_mask, masked_softmax
from attention_lib.modules import AdditiveAttention, Attention, DotProductAttention

_SCORES: dict[type[Attention], str] = {
    AdditiveAttention: "additive",
    DotProductAttention: "dot_product",
}

NameLists = Sequence[str] | Sequence[Sequence[str]]  # for all examples, or a list for each


class _NamesByExample(Declared):
    """A name for each place of an axis, for all examples, or a list of them for each; or none."""

    rank = 1

    def __init__(self, batch: str, axis: str) -> None:
        super().__init__(default_value=[])
        self.batch, self.axis = batch, axis

    def validate(self, obj: Any, value: Any) -> Any:
        """Validate `value` and return it as lists."""
        name, batch, number = self.name, obj.axis_sizes[self.batch], obj.axis_sizes[self.axis]
        for_all = all(isinstance(own, str) for own in value)
        if not for_all and len(value) != batch:
            raise ValueError(f"{name} must be lists for {batch} examples; got {len(value)}")
        for own in [value] if for_all else value:
            check_texts(str(name), own)
            if len(own) not in (0, number):
                raise ValueError(f"{name} must be {number} or none; got {len(own)}")
        return [own if for_all else [*own] for own in value]

    def described(self) -> str:
        """Return how many names there are."""
        return f"none, {self.axis}, or {self.batch} such lists"


class AttentionFigure(PresetFigure, MaskedFigure):
    """Attention pooling, interactive: scores → mask → weights → output for each example of a batch.

    If all queries of a single example begin with a direction in the plane, (cos, sin), and its keys
    are directions, the figure is a compass whose needles can be turned.

    Shapes: B batch, Q queries, K keys, V value size.

    Args:
        attention: a module of this library, or several `AdditiveAttention` modules that differ
            in their number of hidden units, to select from. The figure copies them, with
            parameters rounded to 4 decimals and without dropout.
        queries: what each query asks.
        keys: what the queries are compared with.
        values: what the weights average.
        valid_lens: how many keys count. None: all.
        key_presets: other keys to select, named "identical", "one_changed" or "random".
        names: names of the keys, in that language.
        query_names: names of the queries, in that language.

    Attributes:
        key_preset: the selected preset, or "own" for keys that were typed or assigned.
        num_hiddens: hidden units of the selected module, 0 if the score has none.

    Raises:
        ValueError, TypeError: shapes do not fit together, names are too few or too many, or a
            value is not allowed.
        TraitError: lang is unknown.

    >>> figure = AttentionFigure(
    ...     DotProductAttention(), torch.ones(1, 1, 2), torch.ones(1, 4, 2), torch.ones(1, 4, 1)
    ... )
    >>> figure.valid_lens = [2]
    >>> figure.attention_weights
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]]], dtype=torch.float64)
    """

    view_state = ("query", "example")
    queries = Numbers("(B, Q, query size)")
    keys_ = Numbers("(B, K, key size)")
    values = Numbers("(B, K, V)")
    valid_lens = Lengths("(B,)", "(B, Q)", keys="K")
    modules: traitlets.List[Any] = traitlets.List().tag(sync=True, state=True)
    num_hiddens = traitlets.Int().tag(sync=True, state=True)
    names = _NamesByExample("B", "K")
    query_names = _NamesByExample("B", "Q")

    def __init__(
        self,
        attention: Attention | Sequence[Attention],
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Tensor | Sequence[Any] | None = None,
        name: str = "attention",
        lang: str = "en",
        key_presets: Mapping[str, Tensor] | None = None,
        names: NameLists = (),
        query_names: NameLists = (),
    ) -> None:
        modules = [attention] if isinstance(attention, nn.Module) else list(attention)
        self._modules = _rounded_copies(modules)
        for module in modules:
            module.check(queries, keys, values)
        super().__init__(
            name,
            lang,
            kind="attention",
            key_presets=key_presets,
            modules=[_description(module) for module in self._modules.values()],
            num_hiddens=next(iter(self._modules)),
            names=names,
            query_names=query_names,
            valid_lens=valid_lens,
            queries=queries,
            keys_=keys,
            values=values,
        )

    def stages(self) -> dict[str, Tensor]:
        """Compute scores, mask, weights and output with torch, in float64, for this state."""
        queries, keys, values = self._inputs()
        lengths = torch.tensor(self.valid_lens)
        with torch.no_grad():
            scores = self._modules[self.num_hiddens].score(queries, keys)
        weights = masked_softmax(scores, lengths)
        return {
            "scores": scores,
            "mask": length_mask(lengths, *scores.shape[1:]).expand(scores.shape),
            "attention_weights": weights,
            "output": weights @ values,
        }

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        if not (self.names and self.query_names):
            return {}
        return {
            f"{stage}[{b}]": (_of_example(self.query_names, b), _of_example(self.names, b))
            for stage in ("scores", "mask", "attention_weights")
            for b in range(self.axis_sizes["B"])
        }

    @property
    def scores(self) -> Tensor:
        """(B, Q, K) float64, before the mask."""
        return self.stages()["scores"]

    @traitlets.validate("num_hiddens")
    def _check_num_hiddens(self, proposal: dict[str, Any]) -> int:
        number = int(proposal["value"])
        if number not in self._modules:
            raise ValueError(f"num_hiddens must be one of {list(self._modules)}; got {number}")
        return number


def _of_example(names: NameLists, b: int) -> list[str]:
    own = names[b] if b < len(names) else ""
    return [str(name) for name in (names if isinstance(own, str) else own)]


def _num_hiddens(attention: Attention) -> int:
    return attention.w_v.in_features if isinstance(attention, AdditiveAttention) else 0


def _rounded_copies(modules: list[Attention]) -> dict[int, Attention]:
    """Return copies by number of hidden units."""
    copies = {_num_hiddens(module): _rounded_copy(module) for module in modules}
    if len(copies) < max(1, len(modules)):
        raise ValueError("attention must be modules that differ in num_hiddens")
    return copies


def _rounded_copy(attention: Attention) -> Attention:
    if type(attention) not in _SCORES:
        known = " or ".join(module.__name__ for module in _SCORES)
        raise TypeError(f"attention must be {known}; got {type(attention).__name__}")
    module = copy.deepcopy(attention).double().eval()
    for name, parameter in module.named_parameters():
        if not parameter.isfinite().all():
            raise ValueError(f"attention must have finite parameters; {name} has others")
        parameter.data = rounded(parameter)
    return module


def _description(attention: Attention) -> dict[str, Any]:
    parameters = {
        name.removesuffix(".weight"): parameter.tolist()
        for name, parameter in attention.named_parameters()
    }
    return {
        "score": _SCORES[type(attention)],
        "num_hiddens": _num_hiddens(attention),
        **parameters,
    }
