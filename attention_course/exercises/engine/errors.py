"""Describe exceptions of a reader's code in words."""

import inspect
import re
from collections.abc import Sequence

from attention_course.exercises.engine import texts
from attention_course.exercises.engine.exercise import Case, Function, Hint
from attention_course.exercises.engine.running import OUT_OF_TIME, SECONDS, Error, built
from attention_course.translated import Text

_LENGTH = 160
_DIVISION = re.compile(r"^(float|integer) .*by zero$")  # words that differ between versions
_STARS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def raised(
    error: Error, case: Text, hints: Sequence[Hint], words_of_it: Text = texts.RAISED
) -> list[Text]:
    """Describe an error by its type and message, with a hint at its cause."""
    if error == OUT_OF_TIME:
        return [texts.OUT_OF_TIME.filled(case=case, seconds=SECONDS)]
    message = words_of_it.filled(case=case, error=in_words(error))
    searched = f"{case.en} {_one_line(error.kind)}: {_one_line(error.message)}"
    return [message, *[one.words for one in hints if re.search(one.pattern, searched)][:1]]


def in_words(error: Error) -> Text:
    """Return the type of an error and its message, in one line."""
    message = _DIVISION.sub("division by zero", _one_line(error.message))
    ends = (f": {message}", f"：{message}") if message else (".", "。")
    return Text(*(f"`{_one_line(error.kind)}`{end}" for end in ends))


def arguments(f: Function, case: Case, names: Sequence[str]) -> Text | None:
    """Report that f does not accept the arguments of a case; None if it does."""
    signature, _ = built(inspect.signature, f)
    if signature is None:  # some built-in functions have no signature
        return None
    try:
        signature.bind(*case)
    except TypeError:
        own = ", ".join(_STARS.get(p.kind, "") + p.name for p in signature.parameters.values())
        return texts.ARGUMENTS.filled(names=", ".join(names[: len(case)]), own=own)
    return None


def _one_line(message: str) -> str:
    """Make a message short, printable, and the same in every run."""
    printable = message.encode("utf-8", "replace").decode()
    line = re.sub(r"0x[0-9a-fA-F]+", "0x…", " ".join(printable.split()))
    return line if len(line) <= _LENGTH else f"{line[: _LENGTH - 1]}…"
