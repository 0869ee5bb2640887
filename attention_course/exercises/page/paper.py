"""Make exercises of fields for numbers, choices and places."""

from dataclasses import replace
from typing import Any

from ipywidgets import VBox

from attention_course.exercises.ask import Field
from attention_course.exercises.page import jupyter, strings
from attention_course.exercises.page.sheet import Sheet, marked


class Paper(Sheet):
    """An exercise with some fields, and one button that checks them all."""

    kind = "exercise"

    def __init__(self, slug: str, fields: tuple[Field, ...], lang: str) -> None:
        super().__init__(slug, lang)
        if not fields:
            raise ValueError(f"{slug}: an exercise has at least one field")
        for one in fields:
            if not isinstance(one, Field):
                raise TypeError(f"{slug}: a field must be made by ask; got {one!r}")
        others = getattr(strings.OTHERS, lang)
        self.fields = tuple(replace(one, others=one.others or others) for one in fields)

    def state(self) -> dict[str, Any]:
        return {"fields": [{**self._none_yet(one), **one.state()} for one in self.fields]}

    def paper(self) -> str:
        colon = getattr(strings.COLON, self.lang)
        return "".join(_on_paper(field, colon) for field in self.fields)

    def widget(self) -> VBox:
        return jupyter.fields(self.fields, self.lang)

    def _none_yet(self, field: Field) -> dict[str, str]:
        return {"none": getattr(strings.NONE_YET[field.kind], self.lang)}


def exercise(slug: str, *fields: Field, lang: str = "en") -> Paper:
    """Ask for numbers, choices or places, and reply to each mistake.

    Args:
        slug: name of the exercise, unique in its chapter.
        fields: the fields, made by `ask.number`, `ask.choice` and `ask.place`.
        lang: language of the texts, "en" or "zh".

    Returns:
        The exercise to show: interactive on the page and in JupyterLab.

    Raises:
        ValueError: the slug or the language is invalid, or there is no field.
        TypeError: a field was not made by `ask`.

    >>> from attention_course.exercises import ask
    >>> exercise("half", ask.number("A half of 3", 1.5, {"That doubles it.": 6}, said="Yes."))
    exercise('half')
    """
    return Paper(slug, fields, lang)


def _on_paper(field: Field, colon: str) -> str:
    items = "".join(f"<li>{marked(line)}</li>" for line in field.lines(colon))
    blank = f"<ul>{items}</ul>" if items else ""
    return f"<p>{marked(field.label)}{'' if items else ' ______'}</p>{blank}"
