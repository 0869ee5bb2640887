"""Provide the date figure with its trained model and with the sentence around a date."""

import json
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attention_course.dates.sentences import TARGET, compose, cut, written
from attention_course.dates.stored import STORED, load_model

_TOLD = date(2013, 7, 9)  # what was signed; the reader's date is what was paid
_STYLES = {"en": (1, 4), "zh": (1, 3)}  # of `written`, without days of the week


class FigureModel:
    """The stored model of a language, as `attention_figures.DatesFigure` takes it.

    Args:
        lang: "en" or "zh".

    Raises:
        ValueError: lang is neither.

    >>> model = FigureModel("en")
    >>> model.around[0]
    ('Paid? Signed on July 9, 2013, paid on ', '.')
    >>> characters, _ = model.read(model.cut("Paid? Signed on July 9, 2013, paid on May 3, 2014."))
    >>> "".join(model.characters[i] for i in characters.flatten())
    '2014-05-03'
    """

    characters = TARGET

    def __init__(self, lang: str) -> None:
        self._model, self._tokens = load_model(lang)
        self.lang = lang
        self.trained = f"dates/{lang}"
        self.around = [_around(lang, style) for style in _STYLES[lang]]
        self.styles = [_names(lang, style) for style in _STYLES[lang]]
        self.stored: dict[str, Any] = json.loads((STORED / f"{lang}.json").read_text("utf-8"))

    def cut(self, sentence: str) -> list[str]:
        """Cut a sentence into tokens."""
        return cut(sentence)

    @torch.no_grad()
    def read(self, tokens: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Write the date that a sentence of K tokens asks for.

        Returns:
            (1, T) integer, indices of the characters; (1, T, K), the weights of the attention.
        """
        ids = torch.tensor([[self._tokens.ids[token] for token in tokens]])
        characters = self._model(ids, torch.tensor([len(tokens)])).argmax(dim=-1)
        assert self._model.attention_weights is not None  # after a forward
        return characters, self._model.attention_weights


@cache
def figure_model(lang: str) -> FigureModel:
    """Return the `FigureModel` of a language; the same one each time.

    Raises:
        ValueError: lang is neither "en" nor "zh".
    """
    return FigureModel(lang)


def _around(lang: str, style: int) -> tuple[str, str]:
    """Return what stands before and after the reader's date."""
    own = date(2014, 5, 3)
    text = compose(lang, 1, [(0, _TOLD, style), (1, own, style)]).text
    before, _, after = text.partition(_text(own, lang, style))
    return before, after


def _names(lang: str, style: int) -> dict[str, Any]:
    """Return how a style writes years, months and days, and what stands between these."""

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
