"""Let a trained model read a date that the reader sets: the date figure."""

from collections.abc import Sequence
from typing import Any, Protocol

import traitlets
from torch import Tensor

from attention_figures.base import Figure

YEARS = 1700, 2099


class DateModel(Protocol):
    """A trained model that reads dates, and the sentence into which the figure writes a date.

    Attributes:
        lang: language of the sentence, "en" or "zh".
        around: for each style, the texts before and after the date.
        styles: for each style a mapping: "parts", the fields "y", "M" and "d" and, after "", the
            texts between them; and the names of "digits", "months" and "days".
        characters: the characters of an answer, by id.
        trained: the name by which a page loads the model, such as "dates/en".
        stored: the model as JSON, as a page loads it.
    """

    lang: str
    around: list[tuple[str, str]]
    styles: list[dict[str, Any]]
    characters: str
    trained: str
    stored: dict[str, Any]

    def cut(self, sentence: str, /) -> list[str]:
        """Split a sentence into tokens."""

    def read(self, tokens: Sequence[str], /) -> tuple[Tensor, Tensor]:
        """Return the answer (1, T), as ids, and the weights (1, T, K) of the attention."""


class DatesFigure(Figure):
    """A sentence with two dates, one of them set by the reader, and the date that a model reads.

    On a page the model's parameters are loaded when the figure is first used. Invalid dates such as
    31 February are allowed: the model reads any text.

    Shapes: T = 10 characters of an answer, K tokens.

    Args:
        model: a `DateModel`, whose language is the figure's. For the one of
            `attention_course.dates.load_model`, take `attention_course.dates.figure_model`.
        year: 1700 to 2099; the model was trained on 1950 to 2049.
        month, day: 1 to 12, and 1 to 31.
        style: 0 or 1, a way to write the date: in English the month first or the day first, in
            Chinese in digits or in Chinese numerals.
        place: the character of the answer whose weights are shown, counted from 0.

    Raises:
        ValueError, TraitError: a value is not allowed.

    >>> from attention_course.dates import figure_model
    >>> figure = DatesFigure(figure_model("en"), year=2014, month=5, day=3, style=1, place=9)
    >>> " ".join(figure.tokens), figure.written
    ('Paid ? Signed on 9 July 2 0 1 3 , paid on 3 May 2 0 1 4 .', '2014-05-03')
    >>> figure.tokens[figure.attention_weights[0, 9].argmax()]
    '3'
    """

    year = traitlets.Int(min=YEARS[0], max=YEARS[1]).tag(sync=True, state=True)
    month = traitlets.Int(min=1, max=12).tag(sync=True, state=True)
    day = traitlets.Int(min=1, max=31).tag(sync=True, state=True)
    style = traitlets.Int(min=0, max=1).tag(sync=True, state=True)
    place = traitlets.Int(min=0, max=9).tag(sync=True, state=True)
    around: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)  # by style
    styles: "traitlets.List[Any]" = traitlets.List().tag(sync=True, state=True)
    trained = traitlets.Unicode().tag(sync=True, state=True)
    model: "traitlets.Dict[str, Any]" = traitlets.Dict().tag(sync=True, late=True)  # its parameters

    def __init__(
        self,
        model: DateModel,
        *,
        year: int = 2014,
        month: int = 5,
        day: int = 3,
        style: int = 0,
        place: int = 0,
        name: str = "dates",
    ) -> None:
        self._model = model
        super().__init__(
            name,
            model.lang,
            kind="dates",
            year=year,
            month=month,
            day=day,
            style=style,
            place=place,
            around=model.around,
            styles=model.styles,
            trained=model.trained,
            model=model.stored,
        )

    @property
    def tokens(self) -> tuple[str, ...]:
        """The K tokens of the sentence."""
        before, after = self.around[self.style]
        names = self.styles[self.style]
        digits = names["digits"]
        texts = {
            "y": "".join(digits[int(digit)] for digit in str(self.year)),
            "M": names["months"][self.month - 1],
            "d": names["days"][self.day - 1],
        }
        own = "".join(texts.get(field, text) for field, text in names["parts"])
        return tuple(self._model.cut(f"{before}{own}{after}"))

    @property
    def written(self) -> str:
        """The model's answer, 10 characters."""
        ids = self.stages()["characters"].flatten().tolist()
        return "".join(self._model.characters[i] for i in ids)

    def stages(self) -> dict[str, Tensor]:
        """Compute all stages with torch for the present state.

        characters (1, 1, T), ids of the model's characters; attention_weights (1, T, K).
        """
        characters, weights = self._model.read(self.tokens)
        return {"characters": characters[None], "attention_weights": weights}

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Return names of rows and columns, by stage."""
        return {"attention_weights": (list(self.written), list(self.tokens))}
