"""Generate the API pages: signatures as in the source, and docstrings as Markdown.

    ```{api} attention_lib.scores
    dot: a sentence in the language of the page
    *_dot
    ```

A pattern stands for the module's public names that match it and are not listed above. Each name
gets the label `en-api-scores-dot`. Docstrings are in English, on Chinese pages too.
"""

from __future__ import annotations

import ast
import fnmatch
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from book.site.reference.pages import ReferenceDirective

WIDTH = 40  # characters of a one-line signature on a phone; longer ones have a line per parameter
_SECTION = re.compile(r"(Args|Attributes|Returns|Raises):\n((?: {4}.*\n?|\n)+)", re.MULTILINE)
_ENTRY = re.compile(r"^ {4}(\S[^:\n]*): ((?:.*)(?:\n {5,}.*)*)", re.MULTILINE)
_ADDRESS = re.compile(r"<[^<>]*(?:<[^<>]*>[^<>]*)* at 0x[0-9a-fA-F]+>")  # memory addresses
_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*|<(?=[a-z]+>)", re.MULTILINE)  # or "<pad>", not HTML


class Api(ReferenceDirective):
    """Document the names of a module that the directive lists."""

    required_arguments = 1
    has_content = True

    def markdown(self) -> str:
        """Return a section for each name."""
        module = import_module(self.arguments[0])
        return "\n\n".join(self._section(module, line) for line in listed(module, self.content))

    def _section(self, module: ModuleType, line: str) -> str:
        name, _, sentence = (part.strip() for part in line.partition(": "))
        path = f"{module.__name__}.{name}".removeprefix("attention_lib.")
        label = f"{self.language}-api-{re.sub(r'[._]', '-', path).lower()}"
        # docutils turns the class language-en into lang="en"
        english = documented(name, getattr(module, name))
        english = f"::::{{container}} docstring language-en\n{english}\n::::"
        return f"({label})=\n### `{path}`\n\n{sentence}\n\n{english}"


def listed(module: ModuleType, content: Iterable[str]) -> list[str]:
    """Return a line for each name, with patterns resolved.

    >>> import attention_figures
    >>> listed(attention_figures, ["Figure: What they share.", "[H-L]ea*Figure"])
    ['Figure: What they share.', 'HeadsFigure', 'LeakFigure', 'LearnedFigure']
    """
    lines: dict[str, str] = {}
    for line in filter(None, content):
        name = line.partition(": ")[0]
        for fitting in fnmatch.filter(module.__all__, name) if "*" in name else [name]:
            lines.setdefault(fitting, line.replace(name, fitting, 1))
    return [*lines.values()]


def documented(name: str, thing: Any) -> str:
    """Return signature and docstring of a function or class, and of a class's own methods.

    >>> from attention_course.exercises import exercise
    >>> print(documented("exercise", exercise).partition(" -> Paper")[0])
    ```python
    exercise(
        slug: str,
        *fields: Field,
        lang: str = 'en',
    )
    >>> print(documented("SIZES", (2, 3)))
    ```python
    SIZES = (2, 3)
    ```
    >>> print(documented("KINDS", {"sum": lambda x: x, "size": 2}))
    ```python
    KINDS = {'sum': ..., 'size': 2}
    ```
    """
    if not callable(thing):
        return f"```python\n{name} = {_ADDRESS.sub('...', repr(thing))}\n```"
    parts = [_signature(thing), _markdown(thing)]
    if inspect.isclass(thing):
        for member in filter(_is_method, vars(thing).values()):
            if inspect.getdoc(member) not in [None, *_inherited(thing, member)]:
                parts += [_signature(member, owner=f"{name}."), _markdown(member)]
    return "\n\n".join(parts)


def _is_method(member: Any) -> bool:
    return inspect.isfunction(_function(member)) and not _function(member).__name__.startswith("_")


def _function(thing: Any) -> Any:
    return thing.fget if isinstance(thing, property) else thing


def _inherited(cls: type, member: Any) -> list[str | None]:
    name = _function(member).__name__
    return [inspect.getdoc(vars(base)[name]) for base in cls.__mro__[1:] if name in vars(base)]


def _signature(thing: Any, owner: str = "") -> str:
    """Return the signature as in the source, with types spelt as they are there."""
    decorator = "@property\n" if isinstance(thing, property) else ""
    function = thing.__init__ if inspect.isclass(thing) else _function(thing)
    if inspect.isclass(thing) and is_dataclass(thing):
        line = _spelt(f"{owner}{thing.__name__}", _fields(thing))
    elif inspect.isfunction(function):
        name = (thing if inspect.isclass(thing) else function).__name__
        line = _line(owner + name, function)
    else:  # a named tuple has no source of its own
        line = f"{thing.__name__}{inspect.signature(thing)}"
    return f"```python\n{decorator}{line}\n```"


def _line(name: str, function: Any) -> str:
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    parameters = [text for text in _parameters(definition.args) if text != "self"]
    returns = ""
    if definition.returns and definition.name != "__init__":
        returns = f" -> {ast.unparse(definition.returns)}"
    return _spelt(name, parameters, returns)


def _fields(cls: type) -> list[str]:
    """Return the fields of a dataclass, whose generated `__init__` has no source."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(definition, ast.ClassDef)
    return [ast.unparse(node) for node in definition.body if isinstance(node, ast.AnnAssign)]


def _spelt(name: str, parameters: list[str], returns: str = "") -> str:
    line = f"{name}({', '.join(parameters)}){returns}"
    split = "".join(f"    {parameter},\n" for parameter in parameters)
    return line if len(line) <= WIDTH else f"{name}(\n{split}){returns}"


def _parameters(args: ast.arguments) -> Iterator[str]:
    required: list[None] = [None] * (len(args.args) - len(args.defaults))
    for parameter, default in zip(args.args, [*required, *args.defaults], strict=True):
        yield ast.unparse(parameter) + (f" = {ast.unparse(default)}" if default else "")
    if args.vararg or args.kwonlyargs:
        yield f"*{ast.unparse(args.vararg) if args.vararg else ''}"
    for parameter, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        yield ast.unparse(parameter) + (f" = {ast.unparse(default)}" if default else "")
    if args.kwarg:
        yield f"**{ast.unparse(args.kwarg)}"


def _markdown(thing: Any) -> str:
    text = (inspect.getdoc(thing) or "") + "\n"
    text = _SECTION.sub(lambda match: _section(match[1], match[2]), text)
    return _EXAMPLE.sub(lambda m: f"```pycon\n{m[0]}\n```" if m[0] != "<" else r"\<", text)


def _section(title: str, body: str) -> str:
    if title == "Returns":
        return f"**{title}:** {textwrap.dedent(body)}"
    entries = [f"- {_names(m[1])}: {' '.join(m[2].split())}" for m in _ENTRY.finditer(body)]
    return "\n".join([f"**{title}:**", "", *entries, "", ""])


def _names(names: str) -> str:
    return ", ".join(f"`{name}`" for name in names.split(", "))
