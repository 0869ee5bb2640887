"""Questions that a figure asks before it shows: the reader guesses, torch answers."""

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
_MARKS = {r"\*\*([^*]+)\*\*": r"<b>\1</b>", r"\*([^*]+)\*": r"<em>\1</em>"}
_MARKS |= {r"`([^`]+)`": r"<code>\1</code>"}
_DIGITS = 6  # of an answer; the last bits differ between processors


@dataclass(frozen=True)
class Question(ABC):
    """What every question has. Its words are those of the notebook: *words*, **more**, `code`.

    Args:
        text: what is asked.
        answer: computes it with torch: called with the figure, in the state that `at` names.
        because: why the answer is what it is; said after every guess.
        right: said to a right guess, before that.
        at: traits that differ from the figure's state, and what only the picture knows, for the
            state that is asked about. The figure goes there when the answer is shown.

    Raises:
        TypeError: a text is none, `answer` no function, or `at` no mapping.
        ValueError: there is nothing to read in `text`.
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
    def asked(self, figure: Figure) -> dict[str, Any]:
        """Return the question with its answer as JSON; `figure` is in the state asked about.

        Raises:
            ValueError: the answer is none, or what is wrong is right.
        """

    @abstractmethod
    def shown(self, asked: dict[str, Any]) -> str:
        """Return the answer as a reader reads it."""

    def html(self, asked: dict[str, Any], fold: str, stop: str) -> str:
        """Return question and folded answer, for paper and for readers without JavaScript."""
        answer = f"<summary>{fold}</summary><b>{escape(self.shown(asked))}</b>{stop}"
        return (
            f'<p class="question">{_marked(self.text)}</p>'
            f'<details class="answer">{answer}{_marked(self.because)}</details>'
        )


@dataclass(frozen=True)
class Number(Question):
    """A question whose answer is a number.

    Args:
        tolerance: how far off a guess may be; more than 0, and finite.
        wrong: guesses that tell how a reader thinks, each with what to say to it. A number, or a
            function that computes it as `answer` does.
        unit: stands behind the number.
        decimals: of the number, as it is shown; 0 to 6.
        slider: least, largest and step, where a slider serves; else the guess is typed.

    Raises:
        TypeError: as every question does, or what is said to a wrong guess is no text.
        ValueError: the tolerance, the decimals, a wrong guess or the slider is none.

    >>> import torch
    >>> from attention_figures import MaskedSoftmaxFigure
    >>> figure = MaskedSoftmaxFigure(torch.zeros(1, 1, 4), [4]).ask(
    ...     Number(
    ...         "What share do the last two keys get?",
    ...         answer=lambda figure: 100 * figure.attention_weights[0, 0, 2:].sum(),
    ...         because="Equal scores share alike.",
    ...         tolerance=5,
    ...         wrong=[(0, "Nobody has masked them.")],
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
        for one in self.wrong:
            _check_wrong(one)

    def asked(self, figure: Figure) -> dict[str, Any]:
        """Return the question with its answer as JSON; `figure` is in the state asked about.

        Raises:
            ValueError: the answer is no finite number, a wrong guess right, or the answer beyond
                the slider.
        """
        answer = _number("answer", self.answer(figure))
        wrong = [
            (_number("wrong", x(figure) if callable(x) else x), says) for x, says in self.wrong
        ]
        if right := [x for x, _ in wrong if self.is_near(x, answer)]:
            raise ValueError(f"wrong must not be right; got {right[0]} for {answer}")
        if self.slider and not self.slider[0] <= answer <= self.slider[1]:
            raise ValueError(f"slider must span the answer, {answer}; got {self.slider}")
        return {
            **_common("number", self),
            "answer": answer,
            "tolerance": float(self.tolerance),
            "wrong": [{"answer": x, "says": says} for x, says in wrong],
            "unit": self.unit,
            "decimals": int(self.decimals),
            **({"slider": [*map(_plain, self.slider)]} if self.slider else {}),
        }

    def is_near(self, guess: float, x: float) -> bool:
        """Whether a guess is near enough to a number, or to what a reader sees of it.

        >>> asked = {"answer": abs, "because": "", "tolerance": 0.02, "decimals": 2}
        >>> Number("How much?", **asked).is_near(0.82, 0.799997)
        True
        """
        slack = self.tolerance * (1 + 1e-9)  # as in exercises, for what binary fractions are off by
        return any(abs(guess - one) <= slack for one in (x, round(x, self.decimals)))

    def shown(self, asked: dict[str, Any]) -> str:
        """Return the answer as a reader reads it."""
        text = f"{asked['answer']:.{self.decimals}f}".replace("-", "\u2212")
        space = "" if self.unit == "%" else "\u202f"
        return f"{text}{space}{self.unit}" if self.unit else text


@dataclass(frozen=True)
class Choice(Question):
    """A question whose answer is one of several.

    Args:
        options: what to choose from, in the notebook's language.
        wrong: what to say to wrong ones, by the option or its place.

    `answer` returns an option or its place, 0 the first.

    Raises:
        TypeError: as every question does, or the options are no texts, or `wrong` is no mapping.
        ValueError: there are fewer than two options, two are the same, or `wrong` names none.
    """

    _: KW_ONLY
    options: Sequence[str]
    wrong: Mapping[str | int, str] = field(default_factory=dict)
    type: Literal["choice", "place"] = field(default="choice", init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        # In a sentence a word may stand at two places.
        options = check.labels("options", self.options, 2, differ=self.type != "place")
        for option, says in check.mapping("wrong", self.wrong).items():
            check.text(f"what wrong says to {options[_place('wrong', option, options)]!r}", says)

    def asked(self, figure: Figure) -> dict[str, Any]:
        """Return the question with its answer as JSON; `figure` is in the state asked about.

        Raises:
            ValueError: the answer is none of the options, or among the wrong ones.
        """
        options = list(self.options)
        answer = _place("answer", self.answer(figure), options)
        wrong = {_place("wrong", option, options): says for option, says in self.wrong.items()}
        if answer in wrong:
            raise ValueError(f"wrong must not be right; got {options[answer]!r}")
        says = [wrong.get(i, "") for i in range(len(options))]
        common = _common(self.type, self)
        return {**common, "answer": answer, "options": options, "wrong": says}

    def shown(self, asked: dict[str, Any]) -> str:
        """Return the answer as a reader reads it."""
        return str(asked["options"][asked["answer"]])


@dataclass(frozen=True)
class Place(Choice):
    """A choice of something in the picture, such as a key, which can be touched there as well.

    Args:
        options: names of the places, in the order in which the figure numbers them.
    """

    type: Literal["choice", "place"] = field(default="place", init=False)


def _common(kind: str, question: Question) -> dict[str, Any]:
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


def _plain(x: Any) -> int | float:
    return x if type(x) is int else float(x)


def _number(name: str, value: Any) -> float:
    return round(check.number(name, value), _DIGITS)


def _place(name: str, value: Any, options: list[str]) -> int:
    if isinstance(value, str):
        if value not in options:
            raise ValueError(f"{name} must be one of {options}; got {value!r}")
        return options.index(value)
    place = _number(name, value)
    if place not in range(len(options)):
        raise ValueError(f"{name} must be a place in 0..{len(options) - 1}; got {value!r}")
    return int(place)


def _marked(text: str) -> str:
    html = escape(text, quote=False)
    for mark, tag in _MARKS.items():
        html = re.sub(mark, tag, html)
    return html
