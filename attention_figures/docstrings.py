"""Complete the docstrings of figures by what their traits declare."""

import inspect
import re
import textwrap
from collections.abc import Iterator

from attention_figures.traits import Declared, Numbers

_ARGUMENTS = re.compile(r"(?<=\nArgs:\n)(?: {4}.*(?:\n|$)|\n)+")
_ENTRY = re.compile(r"^ {4}(\S[^:\n]*): ((?:.*)(?:\n {5,}\S.*)*)", re.MULTILINE)
_SHARED = {
    "name": "unique on a page; lower-case letters, digits and dashes.",
    "lang": 'language of the figure\'s text, "en" or "zh".',
}
_WIDTH = 100


def documented(cls: type) -> str | None:
    r"""Return the class's docstring, in which each argument has its declared shape or range.

    >>> class Figure:
    ...     keys_ = Numbers("(1, K, 2)")
    >>> Figure.__doc__ = "A figure.\n\nArgs:\n    keys: the points."
    >>> print(documented(Figure))
    A figure.
    <BLANKLINE>
    Args:
        keys: (1, K, 2) floating; the points.
    """
    declared = dict(arguments(cls))

    def described(match: re.Match[str]) -> str:
        names, text = match[1], " ".join(match[2].split())
        said = {declared[name].described() for name in names.split(", ") if name in declared}
        return _entry(names, "; ".join([*sorted(said), text]))

    def completed(match: re.Match[str]) -> str:
        parameters = inspect.signature(cls).parameters
        shared = [_entry(name, _SHARED[name]) for name in _SHARED if name in parameters]
        return "\n".join([_ENTRY.sub(described, match[0].rstrip()), *shared, "", ""])

    own = cls.__doc__
    return own and _ARGUMENTS.sub(completed, inspect.cleandoc(own) + "\n").rstrip()


def _entry(names: str, text: str) -> str:
    line = f"{names}: {text}"
    return textwrap.fill(line, _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8)


def arguments(cls: type) -> Iterator[tuple[str, Declared]]:
    """Yield the declared traits of a class by the names of their arguments."""
    for base in reversed(cls.__mro__):
        for name, trait in vars(base).items():
            if isinstance(trait, Declared):
                own = trait.argument if isinstance(trait, Numbers) else None
                yield own or name.removesuffix("_"), trait
