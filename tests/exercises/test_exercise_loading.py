"""Test that exercises do not depend on what ran before they are imported."""

import importlib.util
import pkgutil
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import Tensor

from attention_course import exercises
from attention_course.exercises.engine.exercise import Exercise, Hint, Mistake
from attention_course.exercises.engine.running import run

MODULES = [
    module.name for module in pkgutil.walk_packages(exercises.__path__, f"{exercises.__name__}.")
]


def loaded_again(name: str) -> ModuleType:
    """Execute a module again, without replacing the imported one."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def described(x: Any) -> Any:
    """Return an exercise as plain values; functions are represented by their names."""
    if isinstance(x, Tensor):
        return str(x.dtype), tuple(x.shape), repr(x.tolist())
    if isinstance(x, dict):
        return [(key, described(value)) for key, value in x.items()]
    if isinstance(x, tuple | list):
        return [described(each) for each in x]
    if is_dataclass(x) and not isinstance(x, type):
        return [described(getattr(x, field.name)) for field in fields(x)]
    return getattr(x, "__name__", repr(x))


def outcomes(module: ModuleType) -> list[Any]:
    """Return the results of every wrong function on the first cases."""
    every = [exercise for exercise in vars(module).values() if isinstance(exercise, Exercise)]
    return [
        described(run(wrong, case))
        for exercise in every
        for _, wrong in exercise.wrong(1)
        for case in exercise.cases[:3]
    ]


def tables(module: ModuleType) -> dict[str, Any]:
    kinds = (Exercise, Mistake, Hint, Tensor, tuple, dict)
    found = {name: x for name, x in vars(module).items() if isinstance(x, kinds)}
    return {name: described(x) for name, x in found.items() if not name.startswith("__")}


@pytest.mark.parametrize("name", MODULES)
def test_an_exercise_is_the_same_when_loaded_again(name: str) -> None:
    torch.manual_seed(123)
    before = torch.get_rng_state()
    again, module = loaded_again(name), importlib.import_module(name)
    assert tables(again) == tables(module)
    assert outcomes(again) == outcomes(module)
    assert torch.equal(torch.get_rng_state(), before)
