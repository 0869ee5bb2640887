"""Generate English and Chinese sentences that name several dates and ask for one.

How a date is written comes from Unicode's CLDR, by way of Babel. It is formatted field by field, so
that the tokens of each field are known, and with them what a reader has to look at.
"""

import random
import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import product
from typing import Literal, NamedTuple

import torch
from babel.dates import format_datetime, get_date_format, tokenize_pattern
from torch import Tensor

from attention_figures.languages import LANGUAGES

TARGET = "0123456789-"  # the characters of an answer, by id
FIRST, DAYS, HELD_OUT = date(1950, 1, 1), 36_525, 2_000  # to the end of 2049
SHOWN = date(2013, 7, 9), date(2014, 5, 3), date(2014, 11, 13)  # in the figures of the chapter

# What can happen on a date, by its name in the question.
ASKED = {
    "en": ("Signed", "Paid", "Sent", "Due"),
    "zh": ("签字", "付款", "发货", "到期"),
}
_Length = Literal["full", "long", "medium"]
_STYLES: dict[str, tuple[tuple[str, _Length], ...]] = {  # locale, and length; zh_Hans: numerals
    "en": (
        ("en", "full"),
        ("en", "long"),
        ("en", "medium"),
        ("en_GB", "full"),
        ("en_GB", "long"),
        ("en_GB", "medium"),
    ),
    "zh": (("zh", "full"), ("zh", "long"), ("zh_Hans", "full"), ("zh_Hans", "long")),
}
_NUMERALS = "〇一二三四五六七八九"
_FIELDS = {"y": range(0, 4), "M": range(5, 7), "d": range(8, 10)}  # what they fill of an answer


class Sentence(NamedTuple):
    """A question and a statement with dates, as tokens, with the answer.

    Attributes:
        text: as a reader sees it.
        tokens: K strings; English words, and single characters of all else.
        answer: 10 characters, such as "2014-05-03".
        spans: for each character of the answer, first token and end of what says it; "-": (0, 0).
    """

    text: str
    tokens: tuple[str, ...]
    answer: str
    spans: tuple[tuple[int, int], ...]


def written(day: date, lang: str, style: int) -> list[tuple[str, str]]:
    """Write a date, in parts, each with the field that it says.

    Args:
        day: which date.
        lang: "en" or "zh".
        style: which of the ways to write it, counted from 0; there are six in English, four in
            Chinese, of which the last two have Chinese numerals.

    Returns:
        Field and text of each part; the field is "y", "M", "d", "E" for the day of the week, or ""
        for what stands between.

    >>> written(date(2014, 5, 3), "en", 4)
    [('d', '3'), ('', ' '), ('M', 'May'), ('', ' '), ('y', '2014')]
    >>> "".join(part for field, part in written(date(2014, 5, 3), "zh", 3))
    '二〇一四年五月三日'
    """
    locale, length = _STYLES[lang][style]
    parts = []
    for kind, value in tokenize_pattern(get_date_format(length, locale).pattern):
        if kind == "chars" or isinstance(value, str):
            parts.append(("", str(value)))
            continue
        letter, width = str(value[0]), int(value[1])
        text = format_datetime(day, letter * width, locale=locale)
        if locale == "zh_Hans" and text.isdigit():
            text = _numeral(text)
        parts.append((letter, text))
    return parts


def _numeral(digits: str) -> str:
    """Chinese numerals: of a year digit by digit, of a month or day as it is spoken.

    CLDR's name for the first is zh@numbers=hanidec, which Babel does not follow.
    """
    tens, ones = divmod(int(digits), 10)
    if tens >= 10:
        return "".join(_NUMERALS[int(digit)] for digit in digits)
    return (_NUMERALS[tens] if tens > 1 else "") + "十" * (tens > 0) + _NUMERALS[ones] * (ones > 0)


def held_out() -> frozenset[date]:
    """Return the 2,000 of 36,525 dates that no sentence for training holds."""
    days = [day for day in map(_day, range(DAYS)) if day not in SHOWN]
    return frozenset((*SHOWN, *random.Random("held out").sample(days, HELD_OUT - len(SHOWN))))


def _day(number: int) -> date:
    return FIRST + timedelta(days=number)


def compose(lang: str, asked: int, told: Sequence[tuple[int, date, int]]) -> Sentence:
    """Make a sentence of what is told, and ask for one of the dates.

    Args:
        lang: "en" or "zh".
        asked: what is asked for, an index of ASKED[lang].
        told: what happened, when, and in which style the date is written (see `written`).

    Returns:
        The sentence.

    Raises:
        ValueError: there is no such language, an event is told twice, or the one asked for is not.

    >>> compose("en", 1, [(0, date(2013, 7, 9), 4), (1, date(2014, 5, 3), 1)])[:3:2]
    ('Paid? Signed on 9 July 2013, paid on May 3, 2014.', '2014-05-03')
    >>> compose("zh", 1, [(0, date(2013, 7, 9), 1), (1, date(2014, 5, 3), 3)]).text
    '何时付款？2013年7月9日签字，二〇一四年五月三日付款。'
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be {' or '.join(map(repr, LANGUAGES))}; got {lang!r}")
    events = [event for event, _, _ in told]
    if len(set(events)) < len(events) or asked not in events:
        raise ValueError(f"told must have {asked} and each event once; got {events}")
    names = ASKED[lang]
    parts = [("", f"{names[asked]}? " if lang == "en" else f"何时{names[asked]}？")]
    for i, (event, day, style) in enumerate(told):
        own = [(field if event == asked else "", part) for field, part in written(day, lang, style)]
        stop = i == len(told) - 1
        if lang == "en":
            name = names[event] if i == 0 else names[event].lower()
            parts += [("", f"{name} on "), *own, ("", "." if stop else ", ")]
        else:
            parts += [*own, ("", names[event] + ("。" if stop else "，"))]
    tokens: list[str] = []
    spans = {"-": (0, 0)}
    for field, part in parts:
        first = len(tokens)
        tokens += cut(part)
        if field:
            spans[field] = (first, len(tokens))
    answer = dict((event, day) for event, day, _ in told)[asked].isoformat()
    fields = [next((f for f, places in _FIELDS.items() if i in places), "-") for i in range(10)]
    text = "".join(part for _, part in parts)
    return Sentence(text, tuple(tokens), answer, tuple(spans[field] for field in fields))


def cut(text: str) -> list[str]:
    """Cut a text into tokens: English words, and single characters of all else.

    >>> cut("May 3, 2014")
    ['May', '3', ',', '2', '0', '1', '4']
    """
    return re.findall(r"[A-Za-z]+|\S", text)


def sentences(
    lang: str, number: int, seed: int, dates: int = 2, unseen: bool = False
) -> list[Sentence]:
    """Draw sentences; the same ones for the same seed.

    Args:
        lang: "en" or "zh".
        number: how many.
        seed: of the draw.
        dates: how many each of them tells, 1 to 4.
        unseen: from the dates that are held out, or from all others.

    Returns:
        The sentences. What is told, in which order and style, and which is asked for, is drawn.

    Raises:
        ValueError: there is no such language, or dates is not 1 to 4.

    >>> [one.text for one in sentences("en", 1, seed=1)] == [sentences("en", 9, seed=1)[0].text]
    True
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be {' or '.join(map(repr, LANGUAGES))}; got {lang!r}")
    if dates not in range(1, len(ASKED[lang]) + 1):
        raise ValueError(f"dates must be 1 to {len(ASKED[lang])}; got {dates}")
    chance, kept = random.Random(seed), held_out()
    days = [day for day in map(_day, range(DAYS)) if (day in kept) == unseen]
    drawn = []
    for _ in range(number):
        first = 2 * chance.randrange(2) if dates <= 2 else 0  # events of two come in this order
        events = range(first, first + dates)
        styles = range(len(_STYLES[lang]))
        told = [(event, chance.choice(days), chance.choice(styles)) for event in events]
        drawn.append(compose(lang, chance.choice(events), told))
    return drawn


class Tokens:
    """The tokens that sentences of a language can hold, numbered; 0 is padding.

    Args:
        lang: "en" or "zh".

    Attributes:
        words: all tokens by id.

    >>> Tokens("zh").words[:3]
    ('<pad>', '0', '1')
    """

    def __init__(self, lang: str) -> None:
        texts = ["0123456789"]
        events = range(len(ASKED[lang]))
        for number in range(0, 365, 23):  # all months, and all days of the week
            day = date(2001, 1, 1) + timedelta(days=number)
            for event, style in product(events, range(len(_STYLES[lang]))):
                told = [(event, day, style), ((event + 1) % len(events), day, style)]
                texts.append(compose(lang, event, told).text)
        texts += [_NUMERALS, "十"] * (lang == "zh")
        found = dict.fromkeys(token for text in texts for token in cut(text))
        self.words = ("<pad>", *found)
        self.ids = {word: i for i, word in enumerate(self.words)}


def encode(sources: Sequence[Sentence], tokens: Tokens) -> tuple[Tensor, Tensor, Tensor]:
    """Turn sentences into numbers.

    Shapes: B sentences, K tokens in the longest.

    Args:
        sources: B sentences of one language.
        tokens: those of that language.

    Returns:
        ids (B, K), 0 beyond the end; valid_lens (B,); answers (B, 10), indices of TARGET.

    Raises:
        KeyError: a sentence holds a token that is not of that language.

    >>> ids, valid_lens, answers = encode(sentences("zh", 2, seed=3), Tokens("zh"))
    >>> ids.shape == (2, max(valid_lens)), answers.shape
    (True, torch.Size([2, 10]))
    """
    valid_lens = torch.tensor([len(source.tokens) for source in sources])
    ids = torch.zeros(len(sources), int(valid_lens.max()), dtype=torch.long)
    for row, source in zip(ids, sources, strict=True):
        row[: len(source.tokens)] = torch.tensor([tokens.ids[token] for token in source.tokens])
    answers = [[TARGET.index(character) for character in source.answer] for source in sources]
    return ids, valid_lens, torch.tensor(answers)
