"""Make programs that run recorded answers on the cases of their exercises."""

from collections.abc import Iterator
from typing import Any

import torch
from extracted import module, program
from torch import Tensor

from attention_course.exercises import EXERCISES
from attention_course.exercises.engine.exercise import Case, Exercise
from attention_course.exercises.engine.puzzle import fillings

TABLES = ("RIGHT", "WRONG", "FORBIDDEN")
HALF = (torch.float16, torch.bfloat16)  # refused by name
CALLS = """
import math
import torch
import torch.nn as nn

def on_cases(answer):
    found = []
    for case in CASES:
        own = [x.clone() if isinstance(x, torch.Tensor) else x for x in case]
        try:
            found.append([answer(*own), own])
        except Exception as error:
            found.append(["error", type(error).__name__, str(error)])
    return found

def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lengths = valid_lens[:, None, None] if valid_lens.dim() == 1 else valid_lens[..., None]
    keep = torch.arange(X.shape[2]) < lengths
    return X.masked_fill(~keep, -torch.inf).softmax(-1).masked_fill(~keep, 0)
"""


def setup(exercise: Exercise, every: int) -> str:
    """Return a program that defines cases of all stages, and a function that runs answers.

    `every` is the distance of the cases that are used: 1 stands for all.
    """
    cases = [trial.case for stage in exercise.stages for trial in stage.trials]
    usable = [case for case in cases if not any(is_half(x) for x in case)][::every]
    return f"{CALLS}\ninf, nan = math.inf, math.nan\nCASES = [{', '.join(map(_case, usable))}]\n"


def is_half(x: Any) -> bool:
    return isinstance(x, Tensor) and x.dtype in HALF


def _case(case: Case) -> str:
    return f"({''.join(f'{_source(x)}, ' for x in case)})"


def _source(x: Any) -> str:
    """Write an argument of a case; a tensor with the order of its memory."""
    if not isinstance(x, Tensor):
        return repr(x)
    order = sorted(range(x.dim()), key=lambda d: -x.stride(d))
    dense = x.permute(order)
    flat = f"torch.tensor({dense.flatten().tolist()}, dtype={x.dtype})"
    shaped = f"{flat}.reshape({tuple(dense.shape)})"
    back = tuple(order.index(d) for d in range(x.dim()))
    return shaped if back == tuple(range(x.dim())) else f"{shaped}.permute({back})"


def answers(slug: str) -> Iterator[tuple[str, str]]:
    """Yield the names of the recorded answers of an exercise, and programs that run them."""
    own = module(f"answers.{slug.replace('-', '_')}")
    for table in TABLES:
        for name, expression in own.table(table):
            yield name, f"{program(own, expression)}\nresult = on_cases(answer)\n"


def filled(slug: str) -> Iterator[tuple[str, str]]:
    """Yield the fillings of a puzzle, and programs that run them."""
    for places, source in fillings(EXERCISES[slug], slug):
        name = source.split("def ")[1].split("(")[0]
        yield f"filling {places}", f"{source}\nresult = on_cases({name})\n"
