"""Check functions in both languages, and list functions that do odd things."""

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from attention_course.exercises import check


def both(slug: str, f: Any) -> str:
    """Return the English verdict, after checking that both languages have one."""
    english = check(slug, f)
    chinese = replace(english, lang="zh")
    for answer in (english, chinese):
        assert not answer.passed
        assert not answer
        assert "Traceback" not in repr(answer)
        assert not re.search(r"\{[a-z]+\}", repr(answer))  # an unfilled placeholder
    assert repr(english).startswith("Not yet. ")
    assert repr(chinese).startswith("还没做对。")
    assert repr(english).count("\n") == repr(chinese).count("\n")
    return repr(english)


def raising(error: BaseException) -> Callable[..., Any]:
    def f(*args: Any) -> Any:
        raise error

    return f


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("even this fails")


def endless() -> Any:
    while True:
        yield torch.zeros(1)


def nested() -> Tensor:
    return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged)


def deep(*args: Any) -> Any:
    return deep(*args)


ODD: dict[str, Callable[..., Any]] = {
    "a number": lambda *args: 7,
    "a list": lambda *args: [0.5, 0.5],
    "an array": lambda *args: np.ones((2, 3)),
    "a tuple": lambda *args: (args[0], args[0]),
    "a string": lambda *args: "{0}",
    "a generator": lambda *args: endless(),
    "a function": lambda *args: endless,
    "a class": lambda *args: Tensor,
    "no dimension": lambda *args: torch.tensor(1.0),
    "no element": lambda *args: torch.ones(0),
    "whole numbers": lambda *args: torch.zeros(2, 3, 5, dtype=torch.int64),
    "truth values": lambda *args: torch.ones(2, dtype=torch.bool),
    "complex numbers": lambda *args: torch.ones(2, 3, dtype=torch.complex64),
    "a nested tensor": lambda *args: nested(),
    "a sparse tensor": lambda *args: torch.eye(3).to_sparse(),
    "no storage": lambda *args: torch.ones(2, 3, 5, device="meta"),
    "an error": raising(ValueError("wrong\nin two lines")),
    "a formatted error": raising(ValueError("{0} {")),
    "an error without words": raising(ValueError()),
    "an error that cannot be told": raising(Silent()),
    "an error with half a character": raising(ValueError("\ud800")),
    "an exit": lambda *args: sys.exit(),
    "an end of iteration": raising(StopIteration()),
    "an assertion": raising(AssertionError()),
    "an endless recursion": deep,
    "a missing name": lambda *args: undefined_name,  # type: ignore[name-defined] # noqa: F821
    "no parameter": lambda: torch.ones(1),
    "too many parameters": lambda a, b, c, d, e, f, g: torch.ones(1),
    "a named parameter": lambda *args, temperature: torch.ones(1),
    "a built-in": len,
    "a type": dict,
    "a module": nn.Linear(2, 3),
}
