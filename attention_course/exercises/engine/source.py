"""Run a source text, and return the function that it defines or a verdict on why it does not."""

import ast
import linecache
import math
import traceback
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import torch
from torch import nn

from attention_course.exercises.engine import texts
from attention_course.exercises.engine.containment import contained
from attention_course.exercises.engine.errors import in_words
from attention_course.exercises.engine.running import OUT_OF_TIME, SECONDS, built
from attention_course.exercises.engine.verdict import refusal
from attention_lib.masking import masked_softmax

# What a source may use without importing it.
NAMES = {
    "torch": torch,
    "math": math,
    "nn": nn,
    "F": nn.functional,
    "masked_softmax": masked_softmax,
}


def defined(source: str, name: str = "") -> Any:
    """Run a source in a namespace of its own.

    Args:
        source: the text.
        name: what it has to define; "" is the last function or class at its top level.

    Returns:
        What has the name, or a verdict: the source is not Python, raises, or does not define it.
    """
    file = f"<answer {sha256(source.encode('utf-8', 'replace')).hexdigest()[:12]}>"
    # Without this, the source of a function could not be read again.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    try:
        with contained():
            tree = ast.parse(source, file)
            code = compile(tree, file, "exec")
    except (SyntaxError, ValueError) as error:  # ValueError: a null byte
        return refusal(texts.SYNTAX.filled(line=getattr(error, "lineno", None) or 1))
    names: dict[str, Any] = {**NAMES, "__name__": "reader"}
    lines: list[int] = []
    _, fault = built(_noting(lines, file, lambda: exec(code, names)))
    if fault == OUT_OF_TIME:
        return refusal(texts.ENDLESS.filled(seconds=SECONDS))
    if fault is not None:
        return refusal(texts.LOADING.filled(line=lines[0] if lines else 1, error=in_words(fault)))
    wanted = name or _last(tree)
    if wanted not in names:
        return refusal(texts.UNDEFINED.filled(name=wanted or "…"))
    return names[wanted]


def _noting(lines: list[int], file: str, f: Callable[[], None]) -> Callable[[], None]:
    """Return f, which notes the line of the file that an exception passed through first."""

    def noted() -> None:
        try:
            f()
        except BaseException as error:
            frames = traceback.walk_tb(error.__traceback__)
            lines.extend(line for frame, line in frames if frame.f_code.co_filename == file)
            raise

    return noted


def _last(tree: ast.Module) -> str:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return next((node.name for node in reversed(tree.body) if isinstance(node, kinds)), "")
