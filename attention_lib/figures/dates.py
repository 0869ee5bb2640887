"""The date figure: a date of the reader's own, read by a trained model."""

import json
from datetime import date
from functools import cache
from typing import Any

import torch
import traitlets
from torch import Tensor

from attention_lib.dates import TARGET, compose, load_model, written
from attention_lib.dates.sentences import cut
from attention_lib.dates.stored import STORED
from attention_lib.figures.base import Figure
from attention_lib.languages import LANGUAGES

YEARS = 1700, 2099
_TOLD = date(2013, 7, 9)  # what was signed; the reader's date is what was paid
_STYLES = {"en": (1, 4), "zh": (1, 3)}  # of `attention_lib.dates.written`, without days of the week


class DatesFigure(Figure):
    """A sentence with two dates, one of them the reader's, and the date that a model reads in it.

    The model is the stored one of `attention_lib.dates.load_model`. On a page its parameters are
    loaded when the figure is first used. Days that no calendar has, such as 31 February, are
    allowed: the model reads what is written.

    Shapes: T = 10 characters of an answer, K tokens.

    Args:
        lang: language of the sentence and of the figure's words, "en" or "zh".
        year: 1700 to 2099; the model was trained on 1950 to 2049.
        month, day: 1 to 12, and 1 to 31.
        style: of the two ways to write a date; in English the month first or the day first, in
            Chinese in digits or in Chinese numerals.
        place: which character of the answer asks, counted from 0.
        name: unique on a page; lower-case letters, digits and dashes.

    Raises:
        ValueError, TraitError: a value is not allowed.

    >>> figure = DatesFigure("en", year=2014, month=5, day=3, style=1, place=9)
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
        lang: str = "en",
        *,
        year: int = 2014,
        month: int = 5,
        day: int = 3,
        style: int = 0,
        place: int = 0,
        name: str = "dates",
    ) -> None:
        if lang not in LANGUAGES:
            raise ValueError(f"lang must be {' or '.join(map(repr, LANGUAGES))}; got {lang!r}")
        super().__init__(
            name,
            lang,
            kind="dates",
            year=year,
            month=month,
            day=day,
            style=style,
            place=place,
            around=[_around(lang, style) for style in _STYLES[lang]],
            styles=[_names(lang, style) for style in _STYLES[lang]],
            trained=f"dates/{lang}",
            model=json.loads((STORED / f"{lang}.json").read_text("utf-8")),
        )

    @property
    def tokens(self) -> tuple[str, ...]:
        """The sentence, cut into K tokens."""
        before, after = self.around[self.style]
        names = self.styles[self.style]
        digits = names["digits"]
        said = {
            "y": "".join(digits[int(digit)] for digit in str(self.year)),
            "M": names["months"][self.month - 1],
            "d": names["days"][self.day - 1],
        }
        own = "".join(said.get(field, text) for field, text in names["parts"])
        return tuple(cut(f"{before}{own}{after}"))

    @property
    def written(self) -> str:
        """What the model writes, 10 characters."""
        return "".join(TARGET[i] for i in self.stages()["characters"].flatten().tolist())

    @torch.no_grad()
    def stages(self) -> dict[str, Tensor]:
        """Compute with torch what is shown for the present state.

        characters (1, 1, T), indices of `attention_lib.dates.TARGET`; attention_weights (1, T, K).
        """
        model, tokens = _loaded(self.lang)
        words = self.tokens
        ids = torch.tensor([[tokens.ids[word] for word in words]])
        characters = model(ids, torch.tensor([len(words)])).argmax(dim=-1)[None]
        assert model.attention_weights is not None
        return {"characters": characters, "attention_weights": model.attention_weights}

    def headings(self) -> dict[str, tuple[list[str], list[str]]]:
        """Names of rows and columns, for the stages that have some."""
        return {"attention_weights": (list(self.written), list(self.tokens))}


_loaded = cache(load_model)


@cache
def _around(lang: str, style: int) -> tuple[str, str]:
    """Return what stands before and after the reader's date."""
    own = date(2014, 5, 3)
    text = compose(lang, 1, [(0, _TOLD, style), (1, own, style)]).text
    before, _, after = text.partition(_text(own, lang, style))
    return before, after


@cache
def _names(lang: str, style: int) -> dict[str, Any]:
    """Return how a style says years, months and days, and what stands between these."""

    def said(day: date, field: str) -> str:
        return next(text for own, text in written(day, lang, style) if own == field)

    return {
        "parts": [[field, "" if field else text] for field, text in written(_TOLD, lang, style)],
        "digits": "".join(said(date(2000 + digit, 1, 1), "y")[-1] for digit in range(10)),
        "months": [said(date(2001, month, 1), "M") for month in range(1, 13)],
        "days": [said(date(2001, 1, day), "d") for day in range(1, 32)],
    }


def _text(day: date, lang: str, style: int) -> str:
    return "".join(text for _, text in written(day, lang, style))
