"""Make Jupyter widgets of exercises, for JupyterLab."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ipywidgets import HTML, Button, Layout, RadioButtons, Text, VBox, Widget

from attention_course.exercises.ask import (
    ChoiceField,
    Field,
    NumberField,
    PlaceField,
    Reply,
    is_ambiguous,
)
from attention_course.exercises.page import strings
from attention_course.exercises.page.program import Part, mark, written
from attention_course.exercises.page.sheet import marked

_FRAME = Layout(
    border="1px solid var(--jp-border-color1, gray)", margin="0 0 8px", padding="2px 8px"
)
_WIDE = Layout(width="auto", max_width="42em")


def fields(several: Sequence[Field], lang: str) -> VBox:
    """Make fields, each with its label above and its verdict below."""
    made: list[Widget] = []
    checks: list[Callable[[], None]] = []
    for field in several:
        controls, verdict = _controls(field), HTML()
        made += [HTML(marked(field.label)), *controls, verdict]
        checks.append(partial(_check_field, field, controls, verdict, lang))
    return VBox([*made, _button(checks, lang)])


def puzzle(
    intro: str,
    parts: Sequence[Part],
    labels: Sequence[str],
    said: Mapping[tuple[int, ...], Reply],
    lang: str,
) -> VBox:
    """Make a program with gaps, and below it a frame per gap with the lines to choose from."""
    lines = [part for part in parts if isinstance(part, list)]
    gaps = [_radio([(line.strip(), i) for i, line in enumerate(own)]) for own in lines]
    frames = [
        VBox([HTML(mark(label)), gap], layout=_FRAME)
        for label, gap in zip(labels, gaps, strict=True)
    ]
    program, verdict = HTML(), HTML()

    def show(_: object = None) -> None:
        program.value = written(parts, labels, [gap.value for gap in gaps])

    def check() -> None:
        places = tuple(gap.value for gap in gaps)
        verdict.value = getattr(strings.NO_LINES, lang) if None in places else said[places].words

    show()
    for gap in gaps:
        gap.observe(show, "value")
    return VBox([HTML(intro), program, *frames, _button([check], lang), verdict])


def _check_field(field: Field, controls: Sequence[Any], verdict: HTML, lang: str) -> None:
    values = [control.value for control in controls]
    said = field.judge(values if isinstance(field, PlaceField) else values[0])
    is_unclear = isinstance(field, NumberField) and is_ambiguous(values[0])
    none = strings.COMMA if is_unclear else strings.NONE_YET[field.kind]
    verdict.value = marked(said.words if said else getattr(none, lang))


def _controls(field: Field) -> list[Widget]:
    if isinstance(field, ChoiceField):
        return [_radio([(text, i) for i, (text, _) in enumerate(field.options)])]
    if isinstance(field, PlaceField):
        columns = [(name, i) for i, name in enumerate(field.columns)]
        return [_radio(columns, row) for row in field.rows]
    return [Text(layout=Layout(width="10em"))]


def _radio(options: Sequence[tuple[str, int]], description: str = "") -> RadioButtons:
    plain = [
        (text.replace("`", ""), place) for text, place in options
    ]  # radio buttons take no HTML
    style = {"description_width": "initial"}
    return RadioButtons(
        options=plain, value=None, description=description, layout=_WIDE, style=style
    )


def _button(checks: Sequence[Callable[[], None]], lang: str) -> Button:
    button = Button(description=getattr(strings.CHECK, lang))
    button.on_click(lambda _: [check() for check in checks])
    return button
