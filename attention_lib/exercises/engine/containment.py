"""Keeping prints, warnings, random numbers and settings of a reader's code to the inside."""

import random
import sys
import warnings
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from io import TextIOBase
from typing import Any, NamedTuple

import numpy as np
import torch


class Setting(NamedTuple):
    """Something that the whole program shares, and what it is while answers are judged."""

    name: str
    get: Callable[[], Any]
    put: Callable[[Any], Any]
    standard: Any


def _put_device(device: torch.device) -> None:
    # None is the CPU too, without a look at every call of torch.
    torch.set_default_device(None if device.type == "cpu" else device)


def _anomaly() -> tuple[bool, bool]:
    return torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()


SETTINGS = (
    Setting(
        "torch.set_default_dtype", torch.get_default_dtype, torch.set_default_dtype, torch.float32
    ),
    Setting("torch.set_default_device", torch.get_default_device, _put_device, torch.device("cpu")),
    Setting("torch.set_grad_enabled", torch.is_grad_enabled, torch.set_grad_enabled, True),
    # On tensors this small, threads only wait for each other.
    Setting("torch.set_num_threads", torch.get_num_threads, torch.set_num_threads, 1),
    Setting(
        "torch.use_deterministic_algorithms",
        torch.get_deterministic_debug_mode,
        torch.set_deterministic_debug_mode,
        0,
    ),
    Setting(
        "torch.set_float32_matmul_precision",
        torch.get_float32_matmul_precision,
        torch.set_float32_matmul_precision,
        "highest",
    ),
    Setting(
        "torch.autograd.set_detect_anomaly",
        _anomaly,
        lambda both: torch.autograd.set_detect_anomaly(*both),
        (False, True),
    ),
    Setting("torch.set_warn_always", torch.is_warn_always_enabled, torch.set_warn_always, False),
    Setting("sys.setrecursionlimit", sys.getrecursionlimit, sys.setrecursionlimit, None),
)


class _Nowhere(TextIOBase):
    """Swallows what is printed, however much it is."""

    def write(self, _: str, /) -> int:
        return len(_)


@contextmanager
def contained() -> Generator[None]:
    """Start from settings that are the same everywhere, and bring everything back afterwards."""
    before = [setting.get() for setting in SETTINGS]
    with ExitStack() as stack:
        stack.callback(_put_all, before)
        stack.callback(setattr, sys, "unraisablehook", sys.unraisablehook)
        stack.callback(random.setstate, random.getstate())
        stack.callback(np.random.set_state, np.random.get_state())
        stack.callback(np.seterr, **np.geterr())
        stack.callback(torch.set_rng_state, torch.get_rng_state())
        stack.enter_context(redirect_stdout(_Nowhere()))
        stack.enter_context(redirect_stderr(_Nowhere()))
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(torch.inference_mode(False))
        _put_all([setting.standard for setting in SETTINGS])
        if torch.get_default_device().type != "cpu":  # inside `with torch.device(...)`
            stack.enter_context(torch.device("cpu"))
        warnings.simplefilter("ignore")
        sys.unraisablehook = _ignore
        yield


def changes() -> Callable[[], tuple[str, ...]]:
    """Return a function that tells which settings are others than now."""
    before = [setting.get() for setting in SETTINGS]
    return lambda: tuple(s.name for s, x in zip(SETTINGS, before, strict=True) if s.get() != x)


def seed(number: int) -> None:
    """Let all random numbers be the same whenever this is the number."""
    torch.default_generator.manual_seed(number)
    random.seed(number)
    np.random.seed(number)


def _put_all(values: list[Any]) -> None:
    for setting, value in zip(SETTINGS, values, strict=True):
        if value is not None and setting.get() != value:
            setting.put(value)


def _ignore(_: object) -> None:
    """Say nothing of what is raised where nobody can catch it, such as in `__del__`."""
