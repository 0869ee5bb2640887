"""What every figure is: a widget in Jupyter, and a table that a page's script brings alive."""

import copy
import json
import re
from abc import abstractmethod
from html import escape
from typing import Any

import anywidget
import torch
import traitlets
from torch import Tensor

from attention_lib._checks import check_lengths
from attention_lib.figures import bundle


class Nested(traitlets.TraitType[Any, Any]):
    """Nested lists, to be assigned whole: a change in place would reach torch but no page."""

    def get(self, obj: Any, cls: Any = None) -> Any:
        """Return a copy, which can be changed and assigned."""
        return copy.deepcopy(super().get(obj, cls))


class Numbers(Nested):
    """Nested lists of finite numbers in the shape they had at first; takes tensors.

    Rounded to 4 decimals: torch and the browser compute from the same text, and the last bits of
    random numbers differ between processors.
    """

    def validate(self, obj: Any, value: Any) -> Any:
        """Return `value` as nested lists, or say what is wrong with it."""
        return checked_numbers(str(self.name), value, obj.shapes[self.name])


class Lengths(Nested):
    """Valid lengths, (B,) or (B, Q), as nested lists; takes tensors."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Return `value` as nested lists, or say what is wrong with it."""
        batch, num_queries, num_keys = obj.scores_shape
        lengths = _tensor(self.name, value)
        check_lengths(lengths, {"(B,)": (batch,), "(B, Q)": (batch, num_queries)}, num_keys)
        return lengths.tolist()


class Figure(anywidget.AnyWidget):
    """A live figure: its traits are its state, and all that it shows follows from them.

    In Jupyter it is a widget. A page without a kernel gets its state and, for readers without
    JavaScript, in print or with a screen reader, the same numbers as tables.

    Args:
        name: unique on a page; lower-case letters, digits and dashes.
        lang: language of its words, "en" or "zh".
        shapes: of the traits that hold numbers.
        traits: the rest of the state.

    Raises:
        ValueError, TypeError, TraitError: a trait is assigned what it cannot hold; it keeps what
            it had.
    """

    _esm = bundle.module()
    _css = bundle.stylesheet()

    kind = traitlets.Unicode().tag(sync=True, state=True)  # a key of KINDS in figure.js
    name = traitlets.Unicode().tag(sync=True, state=True)
    lang = traitlets.Enum(["en", "zh"]).tag(sync=True, state=True)

    def __init__(
        self, name: str, lang: str, shapes: dict[str, tuple[int, ...]], **traits: Any
    ) -> None:
        for trait, shape in shapes.items():
            if 0 in shape:  # nested lists would forget how empty they are
                raise ValueError(f"{trait.removesuffix('_')} must not be empty; got {shape}")
        self.shapes = shapes
        super().__init__(name=name, lang=lang, **traits)

    @abstractmethod
    def stages(self) -> dict[str, Tensor]:
        """Compute with torch, in float64, what the figure shows for its present state."""

    @property
    def attention_weights(self) -> Tensor:
        """(B, Q, K) float64, torch's answer for the present state."""
        return self.stages()["attention_weights"]

    def to_html(self) -> str:
        """One page with this figure and all it needs, for slides and mail."""
        return (
            f'<!doctype html><html lang="{self.lang}"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{self.name}</title>"
            f"<style>body {{ font-family: system-ui, sans-serif }} {bundle.stylesheet()}</style>"
            f"{self._fragment()}<script>{bundle.script()}</script></html>"
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r})"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": self._fragment()}, metadata

    def _fragment(self) -> str:
        state = {name: getattr(self, name) for name in sorted(self.trait_names(state=True))}
        # "</script>" or "<!--" within a string would move the end of the element.
        content = json.dumps(state, ensure_ascii=False).replace("<", "\\u003c")
        tables = "".join(
            _table(f"{stage}[{b}]", matrix)
            for stage, numbers in self.stages().items()
            for b, matrix in enumerate(numbers)
        )
        return (
            f'<div class="attention-figure" data-figure="{self.name}" lang="{self.lang}">'
            f'<script type="application/json">{content}</script>{tables}</div>'
        )

    @traitlets.validate("name")
    def _check_name(self, proposal: dict[str, Any]) -> str:
        name = str(proposal["value"])
        if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            raise ValueError(f"name must be lower-case letters, digits and dashes; got {name!r}")
        return name


class MaskedFigure(Figure):
    """A figure with valid lengths.

    Attributes:
        valid_lens: (B,) or (B, Q) as nested lists; assign a list or a tensor.
    """

    valid_lens = Lengths().tag(sync=True, state=True)

    @property
    @abstractmethod
    def scores_shape(self) -> tuple[int, int, int]:
        """(B, Q, K)."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, valid_lens={self.valid_lens})"


def checked_numbers(name: str, value: Any, shape: tuple[int, ...]) -> list[Any]:
    """Return finite numbers of this shape as nested lists, rounded, or say what is wrong."""
    numbers = _tensor(name, value, torch.float64)
    if tuple(numbers.shape) != shape:
        raise ValueError(f"{name} must have shape {shape}; got {tuple(numbers.shape)}")
    if not numbers.isfinite().all():
        raise ValueError(f"{name} must be finite; got {value}")
    nested: list[Any] = rounded(numbers).tolist()
    return nested


def rounded(x: Tensor) -> Tensor:
    """In float64, to 4 decimals."""
    return x.detach().cpu().double().round(decimals=4)


def _tensor(name: str | None, value: Any, dtype: torch.dtype | None = None) -> Tensor:
    try:
        return torch.as_tensor(value, dtype=dtype).cpu()
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{name} must be a tensor or nested lists; got {value!r}") from error


def _table(caption: str, matrix: Tensor) -> str:
    rows = "".join(
        "<tr>" + "".join(f"<td>{_text(x)}</td>" for x in row) + "</tr>" for row in matrix.tolist()
    )
    return f"<table><caption>{escape(caption)}</caption>{rows}</table>"


def _text(x: bool | int | float) -> str:
    return f"{x:z.4f}" if isinstance(x, float) else str(x)  # z: no -0.0000
