"""Contain the side effects of a reader's code: output, warnings, random draws, settings, patches.

This is no sandbox: files, the working directory, the environment, hooks and threads are not
restored.
"""

import gc
import random
import sys
import warnings
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from io import TextIOBase
from operator import is_
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch._tensor_str import get_printoptions
from torch.backends import cudnn


class Setting(NamedTuple):
    """A global setting, and its standard value while answers are judged."""

    name: str
    get: Callable[[], Any]
    set: Callable[[Any], Any]
    standard: Any


def _set_device(device: torch.device) -> None:
    # `None` also means CPU but does not install a torch function mode that would slow every call.
    torch.set_default_device(None if device.type == "cpu" else device)


def _anomaly() -> tuple[bool, bool]:
    return torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()


def _autocast() -> list[tuple[str, bool, torch.dtype]]:
    return [
        (kind, torch.is_autocast_enabled(kind), torch.get_autocast_dtype(kind))
        for kind in ("cpu", "cuda")
    ]


def _set_autocast(kinds: list[tuple[str, bool, torch.dtype]]) -> None:
    for kind, is_enabled, dtype in kinds:
        torch.set_autocast_enabled(kind, is_enabled)
        torch.set_autocast_dtype(kind, dtype)


def _set_cudnn(flags: tuple[bool, bool]) -> None:
    cudnn.deterministic, cudnn.benchmark = flags


SETTINGS = (
    Setting(
        "torch.set_default_dtype", torch.get_default_dtype, torch.set_default_dtype, torch.float32
    ),
    Setting("torch.set_default_device", torch.get_default_device, _set_device, torch.device("cpu")),
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
    Setting(
        "torch.set_autocast_enabled",
        _autocast,
        _set_autocast,
        [("cpu", False, torch.bfloat16), ("cuda", False, torch.float16)],
    ),
    Setting(
        "torch.backends.cudnn",
        lambda: (cudnn.deterministic, cudnn.benchmark),
        _set_cudnn,
        (False, False),
    ),
    Setting(
        "torch.set_printoptions",
        get_printoptions,
        lambda options: torch.set_printoptions(**options),  # type: ignore[no-untyped-call]
        None,
    ),
    Setting("sys.setrecursionlimit", sys.getrecursionlimit, sys.setrecursionlimit, None),
)

# Only these are checked for monkey patches.
_PATCHED = (
    ("torch", torch),
    ("torch.Tensor", Tensor),
    ("torch.nn.functional", torch.nn.functional),
)


class _Discard(TextIOBase):
    """A stream that discards its input."""

    def write(self, _: str, /) -> int:
        return len(_)


@contextmanager
def contained() -> Generator[None]:
    """Apply standard settings inside, and restore the previous ones afterwards."""
    before = [setting.get() for setting in SETTINGS]
    with ExitStack() as stack:
        stack.callback(_set_all, before)
        stack.callback(setattr, sys, "unraisablehook", sys.unraisablehook)
        stack.callback(gc.enable if gc.isenabled() else gc.disable)
        stack.callback(random.setstate, random.getstate())
        stack.callback(np.random.set_state, np.random.get_state())
        stack.callback(np.seterr, **np.geterr())
        stack.enter_context(np.printoptions())
        stack.callback(torch.set_rng_state, torch.get_rng_state())
        stack.enter_context(redirect_stdout(_Discard()))
        stack.enter_context(redirect_stderr(_Discard()))
        stack.enter_context(warnings.catch_warnings())
        stack.enter_context(torch.inference_mode(False))
        stack.enter_context(
            unpatched([])
        )  # restored first, because the other callbacks use the patched functions
        _set_all([setting.standard for setting in SETTINGS])
        if torch.get_default_device().type != "cpu":  # inside `with torch.device(...)`
            stack.enter_context(torch.device("cpu"))
        warnings.simplefilter("ignore")
        sys.unraisablehook = _ignore
        yield


def changes() -> Callable[[], tuple[str, ...]]:
    """Return a function that names the settings that have changed since this call."""
    before = [setting.get() for setting in SETTINGS]
    return lambda: tuple(s.name for s, x in zip(SETTINGS, before, strict=True) if s.get() != x)


@contextmanager
def unpatched(names: list[str]) -> Generator[None]:
    """Undo monkey patches made inside, and append their names to `names`."""
    before = [dict(vars(owner)) for _, owner in _PATCHED]
    try:
        yield
    finally:
        for (name, owner), attributes in zip(_PATCHED, before, strict=True):
            for key in _patched(owner, attributes):
                names.append(f"{name}.{key}")
                if key in attributes:
                    setattr(owner, key, attributes[key])
                else:
                    delattr(owner, key)


def _patched(owner: Any, before: dict[str, Any]) -> list[str]:
    """Name the attributes that have changed."""
    now = vars(owner)
    if len(now) == len(before) and all(map(is_, before.values(), now.values())):
        return []
    others = [
        key
        for key, old in before.items()
        if (new := now.get(key)) is not old
        and key != "Storage"  # depends on the default dtype
        and not _is_wrapped_by_torch(new, old)
    ]
    # A new attribute of a module may be a submodule that torch imported. A new attribute of a class
    # may hide one of its base class.
    return others + [key for key in now if key not in before and owner is Tensor]


def _is_wrapped_by_torch(new: Any, old: Any) -> bool:
    """Return whether torch itself wrapped its function, as it does on first compilation."""
    return (
        type(new) is FunctionType
        and new.__globals__.get("__name__", "").startswith("torch.")
        and getattr(new, "__wrapped__", None) is old
    )


def seed(number: int) -> None:
    """Seed the generators of torch, Python and NumPy."""
    torch.default_generator.manual_seed(number)
    random.seed(number)
    np.random.seed(number)


def _set_all(values: list[Any]) -> None:
    for setting, value in zip(SETTINGS, values, strict=True):
        if value is not None and setting.get() != value:
            setting.set(value)


def _ignore(_: object) -> None:
    """Ignore exceptions that nobody can catch, such as those in `__del__`."""
