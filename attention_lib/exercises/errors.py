"""Telling in words what a reader's code raised."""

import inspect
import re
from collections.abc import Sequence

from attention_lib.exercises import words
from attention_lib.exercises.exercise import Case, Function, Hint
from attention_lib.exercises.running import text
from attention_lib.exercises.words import Words

_LENGTH = 160


def raised(error: BaseException, case: Words, hints: Sequence[Hint]) -> list[Words]:
    """Tell the kind of an error, its message in one line, and what may lie behind it."""
    message = _one_line(text(error))
    kind = type(error).__name__
    ends = (f": {message}", f"：{message}") if message else (".", "。")
    told = words.RAISED.filled(case=case, error=Words(*(f"`{kind}`{end}" for end in ends)))
    searched = f"{case.en} {kind}: {message}"
    return [told, *[one.words for one in hints if re.search(one.pattern, searched)][:1]]


def arguments(f: Function, case: Case, names: Sequence[str]) -> Words | None:
    """Tell that f cannot be called with a case, if that is so."""
    try:
        signature = inspect.signature(f)
    except Exception:  # some built-in functions do not say
        return None
    try:
        signature.bind(*case)
    except TypeError:
        own = ", ".join(signature.parameters)
        return words.ARGUMENTS.filled(names=", ".join(names[: len(case)]), own=own)
    return None


def _one_line(message: str) -> str:
    """Keep a message short, printable, and the same in every run."""
    printable = message.encode("utf-8", "replace").decode()
    line = re.sub(r"0x[0-9a-fA-F]+", "0x…", " ".join(printable.split()))
    return line if len(line) <= _LENGTH else f"{line[: _LENGTH - 1]}…"
