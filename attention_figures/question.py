"""Define questions that a reader answers before a figure is revealed; torch computes the answer."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from attention_figures import question_checks as check

if TYPE_CHECKING:
    from torch import Tensor

    from attention_figures.base import Figure

Answer = Callable[[Any], "Tensor | float | str"]
_MARKUP = {r"\*\*([^*]+)\*\*": r"<b>\1</b>", r"\*([^*]+)\*": r"<em>\1</em>"}
_MARKUP |= {r"`([^`]+)`": r"<code>\1</code>"}
_DIGITS = 6  # decimals of an answer; the last bits differ between processors


@dataclass(frozen=True)
class Question(ABC):
    """The base of all questions. Texts may contain *emphasis*, **strong emphasis** and `code`.

    Args:
        text: the question.
        answer: a function that computes the answer with torch; it is called with the figure in the
            state that `at` names.
        because: the reason, shown after every guess.
        right: a comment on a right guess, shown before the reason.
        at: the state that the question is about: traits and view state that differ from the
            figure's. The figure moves there when the answer is revealed.

    Raises:
        TypeError: a text is not a string, `answer` not a function, or `at` not a mapping.
        ValueError: `text` is blank.
    """

    text: str
    _: KW_ONLY
    answer: Answer
    because: str
    right: str = ""
    at: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check.label("text", self.text)
        check.text("because", self.because)
        check.text("right", self.right)
        if not callable(self.answer):
            raise TypeError(f"answer must be a function of the figure; got {self.answer!r}")
        for name in check.mapping("at", self.at):
            check.text("a trait of at", name)

    @abstractmethod
    def record(self, figure: Figure) -> dict[str, Any]:
        """Return the question with its answer, as JSON; `figure` is in the question's state.

        Raises:
            ValueError: the answer is invalid, or a wrong guess is right.
        """

    @abstractmethod
    def answer_text(self, record: dict[str, Any]) -> str:
        """Return the answer as text."""

    def html(self, record: dict[str, Any], fold: str, stop: str) -> str:
        """Return the question and its folded answer as HTML, for print and without JavaScript."""
        answer = f"<summary>{fold}</summary><b>{escape(self.answer_text(record))}</b>{stop}"
        return (
            f'<p class="question">{_markup_html(self.text)}</p>'
            f'<details class="answer">{answer}{_markup_html(self.because)}</details>'
        )


@dataclass(frozen=True)
class NumberQuestion(Question):
    """A question whose answer is a number.

    Args:
        tolerance: the largest error of a right guess; more than 0, and finite.
        wrong: likely wrong guesses, each with a comment that explains the mistake. A guess is a
            number, or a function that computes it as `answer` does.
        unit: the unit shown after the number.
        decimals: number of decimals shown, 0 to 6.
        slider: minimum, maximum and step of a slider, which starts at its minimum. None: the
            guess is typed.

    Raises:
        TypeError: as `Question`, or a comment is not a string.
        ValueError: the tolerance, the decimals, a wrong guess or the slider is invalid.

    >>> import torch
    >>> from attention_figures import MaskedSoftmaxFigure
    >>> figure = MaskedSoftmaxFigure(torch.zeros(1, 1, 4), [4]).ask(
    ...     NumberQuestion(
    ...         "What share do the last two keys get?",
    ...         answer=lambda figure: 100 * figure.attention_weights[0, 0, 2:].sum(),
    ...         because="Equal scores share alike.",
    ...         tolerance=5,
    ...         wrong=[(0, "No mask removes them.")],
    ...         unit="%",
    ...         slider=(0, 100, 1),
    ...     )
    ... )
    >>> figure.question["answer"]
    50.0
    """

    _: KW_ONLY
    tolerance: float
    wrong: Sequence[tuple[float | Answer, str]] = ()
    unit: str = ""
    decimals: int = 0
    slider: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check.above_zero("tolerance", self.tolerance)
        check.whole("decimals", self.decimals, 0, _DIGITS)
        check.text("unit", self.unit)
        if self.slider is not None:
            _check_slider(self.slider)
        if not isinstance(self.wrong, Sequence):
            raise TypeError(f"wrong must be a sequence of pairs; got {self.wrong!r}")
        for guess_and_comment in self.wrong:
            _check_wrong(guess_and_comment)

    def record(self, figure: Figure) -> dict[str, Any]:
        """Return the question with its answer, as JSON; `figure` is in the question's state.

        Raises:
            ValueError: the answer is not finite or outside the slider, or a wrong guess or the
                slider's minimum is right.
        """
        answer = _number("answer", self.answer(figure))
        wrong = [
            (_number("wrong", x(figure) if callable(x) else x), says) for x, says in self.wrong
        ]
        if right := [x for x, _ in wrong if self.is_near(x, answer)]:
            raise ValueError(f"wrong must not be right; got {right[0]} for {answer}")
        if self.slider and not self.slider[0] <= answer <= self.slider[1]:
            raise ValueError(f"slider must span the answer, {answer}; got {self.slider}")
        if self.slider and self.is_near(self.slider[0], answer):
            raise ValueError(f"slider must not start at a right guess, {answer}; got {self.slider}")
        return {
            **_common_record("number", self),
            "answer": answer,
            "tolerance": float(self.tolerance),
            "wrong": [{"answer": x, "says": says} for x, says in wrong],
            "unit": self.unit,
            "decimals": int(self.decimals),
            **({"slider": [*map(_plain_number, self.slider)]} if self.slider else {}),
        }

    def is_near(self, guess: float, x: float) -> bool:
        """Whether a guess is within tolerance of a number, or of its rounded text.

        >>> settings = {"answer": abs, "because": "", "tolerance": 0.02, "decimals": 2}
        >>> NumberQuestion("How much?", **settings).is_near(0.82, 0.799997)
        True
        """
        slack = self.tolerance * (1 + 1e-9)  # as in exercises, for binary rounding errors
        return any(abs(guess - y) <= slack for y in (x, round(x, self.decimals)))

    def answer_text(self, record: dict[str, Any]) -> str:
        """Return the answer as text."""
        text = f"{record['answer']:.{self.decimals}f}".replace("-", "\u2212")
        space = "" if self.unit == "%" else "\u202f"
        return f"{text}{space}{self.unit}" if self.unit else text


@dataclass(frozen=True)
class ChoiceQuestion(Question):
    """A question whose answer is one of several options.

    Args:
        options: the options, in the notebook's language.
        wrong: comments on wrong options, by the option or its index.

    `answer` returns an option or its index, counted from 0.

    Raises:
        TypeError: as `Question`, or an option is not a string, or `wrong` is not a mapping.
        ValueError: there are fewer than two options, two are equal, or `wrong` has an unknown one.
    """

    _: KW_ONLY
    options: Sequence[str]
    wrong: Mapping[str | int, str] = field(default_factory=dict)
    type: Literal["choice", "place"] = field(default="choice", init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        # In a sentence a word may occur twice.
        options = check.labels("options", self.options, 2, differ=self.type != "place")
        for option, says in check.mapping("wrong", self.wrong).items():
            check.text(f"what wrong says to {options[_index('wrong', option, options)]!r}", says)

    def record(self, figure: Figure) -> dict[str, Any]:
        """Return the question with its answer, as JSON; `figure` is in the question's state.

        Raises:
            ValueError: the answer is none of the options, or `wrong` has a comment on it.
        """
        options = list(self.options)
        answer = _index("answer", self.answer(figure), options)
        wrong = {_index("wrong", option, options): says for option, says in self.wrong.items()}
        if answer in wrong:
            raise ValueError(f"wrong must not be right; got {options[answer]!r}")
        says = [wrong.get(i, "") for i in range(len(options))]
        common = _common_record(self.type, self)
        return {**common, "answer": answer, "options": options, "wrong": says}

    def answer_text(self, record: dict[str, Any]) -> str:
        """Return the answer as text."""
        return str(record["options"][record["answer"]])


@dataclass(frozen=True)
class PlaceQuestion(ChoiceQuestion):
    """A choice of something in the picture, such as a key, which can also be clicked there.

    Args:
        options: names of the places, in the figure's order.
    """

    type: Literal["choice", "place"] = field(default="place", init=False)


def _common_record(kind: str, question: Question) -> dict[str, Any]:
    texts = {name: getattr(question, name) for name in ("text", "because", "right")}
    return {"type": kind, **texts}


def _check_slider(slider: Any) -> None:
    if not isinstance(slider, Sequence) or len(slider) != 3:
        raise ValueError(f"slider must be least, largest and step; got {slider!r}")
    low, high, step = (check.number("slider", x) for x in slider)
    if not (low < high and 0 < step <= high - low):
        raise ValueError(f"slider must be least < largest and a step between them; got {slider}")


def _check_wrong(wrong: Any) -> None:
    if not isinstance(wrong, Sequence) or len(wrong) != 2:
        raise ValueError(f"wrong must be pairs of a guess and what is said to it; got {wrong!r}")
    guess, says = wrong
    if not callable(guess):
        check.number("wrong", guess)
    check.text(f"what wrong says to {guess}", says)


def _plain_number(x: Any) -> int | float:
    return x if type(x) is int else float(x)


def _number(name: str, value: Any) -> float:
    return round(check.number(name, value), _DIGITS)


def _index(name: str, value: Any, options: list[str]) -> int:
    if isinstance(value, str):
        if value not in options:
            raise ValueError(f"{name} must be one of {options}; got {value!r}")
        return options.index(value)
    place = _number(name, value)
    if place not in range(len(options)):
        raise ValueError(f"{name} must be a place in 0..{len(options) - 1}; got {value!r}")
    return int(place)


def _markup_html(text: str) -> str:
    html = escape(text, quote=False)
    for mark, tag in _MARKUP.items():
        html = re.sub(mark, tag, html)
    return html
