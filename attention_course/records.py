"""Record a question once for both languages, and turn it into a figure's question in one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from types import SimpleNamespace
from typing import Any, Protocol

from attention_course.translated import Lang, Text, Translated
from attention_figures import ChoiceQuestion, NumberQuestion
from attention_figures.question import Answer

__all__ = [
    "ChoiceRecord",
    "Lang",
    "NumberRecord",
    "Record",
    "Text",
    "Translated",
    "in_language",
    "named_options",
]

_NOTHING = Text("", "")


def _resolved(x: Any, lang: Lang) -> Any:
    """Return x in a language: it, or values of the mapping that it is, may be translated."""
    if isinstance(x, Translated):
        return x.into(lang)
    return {key: _resolved(y, lang) for key, y in x.items()} if isinstance(x, Mapping) else x


@dataclass(frozen=True)
class ChoiceRecord:
    """A question whose answer is one of several, which have names.

    Args:
        text: the question.
        options: what the reader chooses from, by the name of each answer. The options of each
            language by name, where their order or number differs.
        answer: computes the right one with torch: called with the figure, in the state that `at`
            names, it returns a name.
        because: why the answer is right.
        wrong: what a wrong answer would be right for, by name, as in `options`.
        right: what is said to a right guess first.
        at: traits of the state that the question asks about, which may be translated.
        kind: `PlaceQuestion` for places in the picture.

    >>> record = ChoiceRecord(
    ...     Text("Which key weighs most?", "哪个键最重？"),
    ...     options={"first": Text("the first", "第一个"), "equal": Text("all alike", "一样重")},
    ...     answer=lambda figure: "equal",
    ...     because=Text("The scores are equal.", "分数相等。"),
    ... )
    >>> record.into("zh").options
    ['第一个', '一样重']
    """

    text: Text
    _: KW_ONLY
    options: Mapping[str, Text] | Translated[Mapping[str, str]]
    answer: Callable[[Any], str]
    because: Text
    wrong: Mapping[str, Text] | Translated[Mapping[str, str]] = field(default_factory=dict)
    right: Text = _NOTHING
    at: Mapping[str, Any] = field(default_factory=dict)
    kind: type[ChoiceQuestion] = ChoiceQuestion

    def into(self, lang: Lang) -> ChoiceQuestion:
        """Return the question in a language."""
        options, wrong = _resolved(self.options, lang), _resolved(self.wrong, lang)
        names = list(options)
        return self.kind(
            self.text.into(lang),
            options=list(options.values()),
            answer=lambda figure: names.index(self.answer(figure)),
            because=self.because.into(lang),
            wrong={names.index(name): text for name, text in wrong.items()},
            right=self.right.into(lang),
            at=_resolved(self.at, lang),
        )


@dataclass(frozen=True)
class NumberRecord:
    """A question whose answer is a number.

    Args:
        text: the question.
        answer: computes the number with torch, as in `attention_figures.NumberQuestion`.
        tolerance: how far off a guess may be.
        because: why the answer is right.
        wrong: likely wrong guesses, or functions that compute them, with what is said to each.
        right: what is said to a right guess first.
        at: traits of the state that the question asks about, which may be translated.
        unit: stands behind the number.
        decimals: of the number, as it is shown.
        slider: least, largest and step, where a slider serves.
    """

    text: Text
    _: KW_ONLY
    answer: Answer
    tolerance: float
    because: Text
    wrong: Sequence[tuple[float | Answer, Text]] = ()
    right: Text = _NOTHING
    at: Mapping[str, Any] = field(default_factory=dict)
    unit: str | Text = ""
    decimals: int = 0
    slider: tuple[float, float, float] | Translated[tuple[float, float, float]] | None = None

    def into(self, lang: Lang) -> NumberQuestion:
        """Return the question in a language."""
        return NumberQuestion(
            self.text.into(lang),
            answer=self.answer,
            tolerance=self.tolerance,
            because=self.because.into(lang),
            wrong=[(guess, text.into(lang)) for guess, text in self.wrong],
            right=self.right.into(lang),
            at=_resolved(self.at, lang),
            unit=_resolved(self.unit, lang),
            decimals=self.decimals,
            slider=_resolved(self.slider, lang),
        )


class Record(Protocol):
    """What a chapter has in both languages: a text, names, or a question."""

    def into(self, lang: Lang, /) -> Any:
        """Return it in a language."""


def in_language(lang: Lang, records: Mapping[str, Record]) -> SimpleNamespace:
    """Return texts, names and questions in a language, as attributes.

    Raises:
        KeyError: lang is neither "en" nor "zh".

    >>> in_language("zh", {"morning": Translated(["good", "morning"], ["早上", "好"])}).morning
    ['早上', '好']
    """
    return SimpleNamespace(**{name: record.into(lang) for name, record in records.items()})


def named_options(names: Translated[list[str]]) -> dict[str, Text]:
    """Return names as the options of a question, each by its English name.

    >>> named_options(Translated(["dog", "bites"], ["狗", "咬"]))["dog"].zh
    '狗'
    """
    return {en: Text(en, zh) for en, zh in zip(names.en, names.zh, strict=True)}
