"""Define families of questions for review: one idea, asked in variants."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from attention_course.exercises.ask import ChoiceField, Field, NumberField, PlaceField
from attention_course.exercises.page.strings import COLON
from attention_course.review.draw import Draw
from attention_course.translated import Lang, Text

__all__ = ["FAMILIES", "VARIANTS", "Family", "Item", "Table", "family", "say_in", "unlike"]

VARIANTS = 5
_TRIES = 200  # draws until a variant has another answer than the ones before
_SEMICOLON = Text("; ", "；")
_KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Table:
    """Numbers or words of a question, with names of columns and rows."""

    columns: Sequence[str]
    rows: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Item:
    """One variant of a question.

    A reader answers it in about 12 seconds without the figure. The reader sees the text, the table
    and the field with its label; `code` may stand between backticks. A reply to a wrong answer
    says what that answer would be right for, or which slip it is. The reply to the right one says
    why it is right. They are shown together: "You said **A**. {wrong} The answer is **B**:
    {because}", and "You said **B**. You are right. {because}". So no reply says "Right".

    Args:
        text: what is given: a sentence or two with the numbers.
        field: the question, made by `attention_course.exercises.ask`.
        table: rows of numbers or words below the text.
        answer: how the right answer is written; by default the number, option or columns.
    """

    text: str
    field: Field
    table: Table | None = None
    answer: str = ""

    def right_in(self, lang: Lang) -> str:
        """Return the right answer in words, with the punctuation of the language."""
        if self.answer:
            return self.answer
        match self.field:
            case NumberField():
                return _written(self.field)
            case ChoiceField():
                return next(text for text, said in self.field.options if said.right)
            case PlaceField():
                places = self.field.patterns[0][0]
                columns = [self.field.columns[column] for column in places]
                pairs = zip(self.field.rows, columns, strict=True)
                colon, stop = COLON.into(lang), _SEMICOLON.into(lang)
                return stop.join(f"{row}{colon}{column}" for row, column in pairs)
        raise TypeError(f"a field must be made by ask; got {self.field!r}")


def _written(field: NumberField) -> str:
    """Write the right number with the decimals that the tolerance asks for."""
    decimals = max(0, math.ceil(-math.log10(2.001 * field.within)))
    return f"{round(field.points[0].value, decimals):g}".replace("-", "−")


Make = Callable[[Draw, Lang], Item]


@dataclass(frozen=True)
class Family:
    """A question with variants.

    Args:
        key: name, unique in its chapter.
        figure: name of the figure whose idea it asks for, and to which a miss links.
        exercise: name of the paper exercise that asks for the same idea, if there is one.
        make: makes a variant.
    """

    key: str
    figure: str
    exercise: str
    make: Make

    def variants(self, chapter: str, lang: Lang) -> list[Item]:
        """Return the variants, drawn until their answers differ.

        Raises:
            ValueError: too few answers are possible: a number or a place must be another one each
                time, and no option may be right more than twice (of two options: three times).
        """
        found: list[Item] = []
        for turn in range(VARIANTS):
            drawn = (
                self.make(Draw(f"{chapter}/{self.key}/{turn}/{i}", turn), lang)
                for i in range(_TRIES)
            )
            fresh = next((one for one in drawn if _is_varied([*found, one], lang)), None)
            if fresh is None:
                raise ValueError(f"{chapter}, {self.key}: variant {turn} finds no new answer")
            found.append(fresh)
        return found


def _is_varied(items: list[Item], lang: Lang) -> bool:
    """Whether answers, and texts with their numbers, repeat as little as they may."""
    fields = [one.field for one in items]
    often = 1
    if isinstance(fields[0], ChoiceField):
        often = 3 if len(fields[0].options) == 2 else 2
    asked = {(one.text, one.field.label, str(one.table)) for one in items}
    return max(Counter(one.right_in(lang) for one in items).values()) <= often and len(
        asked
    ) == len(items)


FAMILIES: dict[str, dict[str, Family]] = {}  # by module of a chapter, by key


def family(key: str, *, figure: str, exercise: str = "") -> Callable[[Make], Make]:
    """Register a function that makes the variants of a question.

    Args:
        key: name, unique in its chapter; the readers' records hold it, so it never changes.
        figure: name of the chapter's figure whose question asks for the same idea. A reader who
            misses a variant is sent there.
        exercise: name of the paper exercise that asks for the same idea, if there is one.

    Raises:
        ValueError: the key is not lower-case words with dashes, or the chapter has it already.
    """

    def register(make: Make) -> Make:
        own = FAMILIES.setdefault(make.__module__.rpartition(".")[2], {})
        if not _KEY.fullmatch(key) or key in own:
            raise ValueError(f"key must be new, lower-case words with dashes; got {key!r}")
        own[key] = Family(key, figure, exercise, make)
        return make

    return register


def say_in(lang: Lang) -> Callable[[str, str], str]:
    """Return a function that picks the text of a language.

    >>> say = say_in("zh")
    >>> say("the key", "键")
    '键'
    """
    return lambda en, zh: Text(en, zh).into(lang)


def unlike(right: Any, mistakes: Mapping[str, Any], within: float = 0.005) -> dict[str, Any]:
    """Return the mistakes whose answer is neither right nor that of an earlier mistake.

    With the numbers of one variant two classic mistakes may give the same answer, and `ask.number`
    and `ask.place` refuse that.

    >>> unlike(0.5, {"half": 0.501, "all": 1, "twice": 1.0})
    {'all': 1}
    """

    def near(one: Any, other: Any) -> bool:
        pairs = zip(_numbers(one), _numbers(other), strict=True)
        return all(abs(x - y) <= 2.1 * within for x, y in pairs)

    left: dict[str, Any] = {}
    for words, answer in mistakes.items():
        if not any(near(answer, other) for other in [right, *left.values()]):
            left[words] = answer
    return left


def _numbers(answer: Any) -> list[float]:
    if isinstance(answer, Tensor):
        return [float(x) for x in answer.flatten()]
    return [float(x) for x in answer] if isinstance(answer, Sequence) else [float(answer)]
