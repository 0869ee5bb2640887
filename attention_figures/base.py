"""Define the base of every figure: a widget in Jupyter, and HTML tables that a page hydrates."""

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from typing import Any, ClassVar, Self

import anywidget
import torch
import traitlets
from torch import Tensor

from attention_figures import bundle
from attention_figures.docstrings import documented
from attention_figures.inline_json import inline_json
from attention_figures.languages import LANGUAGES
from attention_figures.question import ChoiceQuestion, Question
from attention_figures.traits import Declared

_FOLD, _COLON = {"en": "Answer", "zh": "答案"}, {"en": ": ", "zh": "："}
_SEEN = {"en": "What did you see? ", "zh": "你看到了什么？"}


class Figure(anywidget.AnyWidget):
    """An interactive figure: its traits are its state, from which everything shown is computed.

    In Jupyter it is a widget. A page without a kernel gets its initial state as JSON and, for
    readers without JavaScript, in print or with a screen reader, the same numbers as tables. The
    value of a trait tagged `late` is too large for that: a page loads it at the figure's first use.

    A trait of numbers holds nested lists, rounded to 4 decimals; assign lists or tensors. Keys are
    called `keys_`, since in every ipywidget `keys` is the list of trait names.

    Attributes:
        axis_sizes: the size of each axis that the traits declare, such as Q and K.

    Args:
        lang: language of its text, "en" or "zh".
        traits: the rest of the state. The first value for an axis such as K fixes its size.

    Raises:
        ValueError, TypeError, TraitError: a value is not allowed; the trait keeps its old value.
    """

    _esm = bundle.module()
    _css = bundle.stylesheet()

    kind = traitlets.Unicode().tag(sync=True, state=True)  # the name of a file in web/kinds
    name = traitlets.Unicode().tag(sync=True, state=True)
    lang = traitlets.Enum(list(LANGUAGES)).tag(sync=True, state=True)
    question: "traitlets.Dict[str, Any]" = traitlets.Dict(read_only=True).tag(sync=True)
    observation: "traitlets.Dict[str, Any]" = traitlets.Dict(read_only=True).tag(sync=True)
    # State that only the view in the browser knows, such as the row that the sentence describes.
    view_state: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__doc__ = documented(cls)

    def __init__(self, name: str, lang: str, **traits: Any) -> None:
        self.axis_sizes: dict[str, int] = {}
        self._html: dict[str, str] = {}  # of the question, and of the observation
        self.given = {key for key, value in traits.items() if value is not None}
        known = self.class_traits()
        declared = [(key, x) for key in traits if isinstance(x := known[key], Declared)]
        for key, trait in sorted(declared, key=lambda item: item[1].rank):
            traits[key] = trait.bind(traits[key], self.axis_sizes)
        super().__init__(name=name, lang=lang, **traits)
        inline_json(self._page_state())  # raises if a value cannot be stored in a page

    @abstractmethod
    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch, in float64, for the present state."""

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns by stage, or by matrix `stage[b]`, if there are any."""
        return {}

    def ask(self, question: Question) -> Self:
        """Add a question that the reader answers before the figure is revealed; return the figure.

        Torch computes the answer, for the state that the question names. Everything that would
        reveal it is hidden until the reader has guessed or skipped; then the figure moves to that
        state. The question's state may include the figure's `view_state`.

        Raises:
            ValueError, TypeError, TraitError: the figure has no such state, or the answer is not
                valid for the question.
        """
        record = self._record(question)
        html = question.html(record, _FOLD[self.lang], _COLON[self.lang])
        self._html["ask"] = _data("ask", record) + html
        self.set_trait("question", record)
        return self

    def ask_after_moving(self, observation: ChoiceQuestion) -> Self:
        """Add a question about what the reader saw while moving the figure; return the figure.

        It appears once the figure's question is done and something has moved, and hides nothing.
        Torch computes its answer, for the state that it names; a reader who saw something else
        is shown that state.

        Raises:
            ValueError, TypeError, TraitError: as `ask`.
        """
        if not isinstance(observation, ChoiceQuestion):
            got = type(observation).__name__
            raise TypeError(f"observation must be a ChoiceQuestion; got {got}")
        record = self._record(observation)
        seen = replace(observation, text=_SEEN[self.lang] + observation.text)
        html = seen.html(record, _FOLD[self.lang], _COLON[self.lang])
        self._html["observe"] = _data("observe", record) + html
        self.set_trait("observation", record)
        return self

    def _record(self, question: Question) -> dict[str, Any]:
        if not isinstance(question, Question):
            raise TypeError(f"question must be a Question; got {type(question).__name__}")
        view_state = {name: x for name, x in question.at.items() if name in self.view_state}
        traits = {name: x for name, x in question.at.items() if name not in view_state}
        with self._in_state(traits) as at:
            record = {**question.record(self), "at": {**at, **view_state}}
        inline_json(record)
        return record

    @contextmanager
    def _in_state(self, changes: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Change traits temporarily; yield those that differ from before."""
        names = self.trait_names(state=True)
        if unknown := sorted({*changes}.difference(names)):
            raise ValueError(f"at must name traits of the figure's state; got {unknown}")
        before = {name: getattr(self, name) for name in names}
        with self.hold_sync():
            try:
                for name, value in changes.items():
                    setattr(self, name, value)
                now = {name: getattr(self, name) for name in names}
                yield {name: x for name, x in now.items() if x != before[name]}
            finally:
                for name, value in before.items():
                    setattr(self, name, value)

    @property
    def attention_weights(self) -> Tensor:
        """(B, Q, K) float64, computed with torch for the present state."""
        return self.stages()["attention_weights"]

    def to_html(self) -> str:
        """Return a page with this figure and its scripts inlined, for slides and mail."""
        script = bundle.script(frozenset({self.kind}), frozenset({self.lang}))
        style = bundle.stylesheet({self.kind})
        return (
            f'<!doctype html><html lang="{escape(self.lang)}"><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{escape(self.name)}</title>"
            f"<style>body {{ font-family: system-ui, sans-serif }} {style}</style>"
            f"{self._fragment(alone=True)}<script>{script}\nhydrateFigures(document)</script></html>"
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r})"

    def _tensor(self, trait: str) -> Tensor:
        return torch.tensor(getattr(self, trait), dtype=torch.float64)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": self._fragment()}, metadata

    def _page_state(self, alone: bool = False) -> dict[str, Any]:
        names = {*self.trait_names(state=True)}.union(self.trait_names(late=True) if alone else ())
        return {name: getattr(self, name) for name in sorted(names)}

    def _fragment(self, alone: bool = False) -> str:
        state = self._page_state(alone)
        headings = self.headings()
        tables = "".join(
            _table(f"{stage}[{b}]", matrix, *headings.get(f"{stage}[{b}]", headings.get(stage, ())))
            for stage, numbers in self.stages().items()
            for b, matrix in enumerate(numbers)
        )
        return (
            f'<div class="attention-figure" data-figure="{escape(self.name)}"'
            f' data-kind="{escape(self.kind)}" lang="{escape(self.lang)}">'
            f'<script type="application/json">{inline_json(state)}</script>'
            f"{''.join(self._html.values())}{tables}</div>"
        )

    @traitlets.validate("name")
    def _check_name(self, proposal: dict[str, Any]) -> str:
        name = str(proposal["value"])
        if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
            raise ValueError(f"name must be lower-case letters, digits and dashes; got {name!r}")
        return name

    @traitlets.validate("keys")
    def _check_keys(self, proposal: dict[str, Any]) -> Any:
        if not all(isinstance(name, str) for name in proposal["value"]):
            raise ValueError("keys are the names of a widget's traits; assign to keys_ instead")
        return proposal["value"]


def _data(name: str, record: dict[str, Any]) -> str:
    return f'<script type="application/json" data-{name}>{inline_json(record)}</script>'


def _table(
    caption: str, matrix: Tensor, sides: Sequence[str] = (), heads: Sequence[str] = ()
) -> str:
    names = map(_head, sides) if sides else [""] * len(matrix)
    rows = "".join(
        f"<tr>{name}" + "".join(f"<td>{_text(x)}</td>" for x in row) + "</tr>"
        for name, row in zip(names, matrix.tolist(), strict=True)
    )
    top = "".join(map(_head, ["", *heads] if sides else heads))
    above = f"<thead><tr>{top}</tr></thead>" if heads else ""
    return f"<table><caption>{escape(caption)}</caption>{above}{rows}</table>"


def _head(name: str) -> str:
    return f"<th>{escape(name)}</th>" if name else "<td></td>"


def _text(x: bool | int | float) -> str:
    return f"{x:z.4f}" if isinstance(x, float) else str(x)  # z: no -0.0000
