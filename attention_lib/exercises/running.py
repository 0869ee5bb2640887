"""Running a reader's function on a case: quietly, on copies, whatever it does."""

import warnings
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import TextIOBase
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attention_lib.exercises.exercise import Case, Function
from attention_lib.exercises.words import NotYet

_TOLERANCE = 1e-4  # far above the rounding of float32, far below what a mistake changes


class Run(NamedTuple):
    """What a function did with a case."""

    result: Any
    error: BaseException | None
    changed: tuple[int, ...]  # places of the arguments that it wrote into


def run(f: Function, case: Case, seed: int = 0) -> Run:
    """Call f on copies of the case, and keep what it returned, raised and changed."""
    own = [x.clone() if isinstance(x, Tensor) else x for x in case]
    result, error = None, None
    with _contained(seed):
        try:
            result = _settled(f(*own))
        except (KeyboardInterrupt, NotYet):
            raise
        except BaseException as raised:  # a reader's code may raise anything, SystemExit too
            error = raised
    changed = (i for i, (x, y) in enumerate(zip(own, case, strict=True)) if not _unchanged(x, y))
    return Run(result, error, tuple(changed))


def agree(one: Run, other: Run) -> bool:
    """Whether two runs came to the same: equal numbers, or the very same error."""
    if one.error or other.error:
        return type(one.error) is type(other.error) and text(one.error) == text(other.error)
    a, b = one.result, other.result
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)) or a.shape != b.shape:
        return False
    if not (a.is_floating_point() and b.is_floating_point()):
        return False
    tolerance = {"atol": _TOLERANCE, "rtol": _TOLERANCE}
    return torch.allclose(a.double(), b.double(), **tolerance, equal_nan=True)


def text(error: BaseException | None) -> str:
    """Ask what an error says."""
    try:
        return str(error)
    except Exception:
        return ""


def _settled(result: Any) -> Any:
    """Take a tensor's numbers as they are now, free of graph, device and sparse layout."""
    if not isinstance(result, Tensor):
        return result
    return result.detach().cpu().to_dense().clone().as_subclass(Tensor)


def _unchanged(x: Any, original: Any) -> bool:
    if not isinstance(original, Tensor):
        return True
    return x.shape == original.shape and x.dtype == original.dtype and torch.equal(x, original)


class _Nowhere(TextIOBase):
    """Swallows what is printed, however much it is."""

    def write(self, _: str, /) -> int:
        return len(_)


@contextmanager
def _contained(seed: int) -> Generator[None]:
    """Keep prints, warnings and random numbers to the inside."""
    nowhere = _Nowhere()
    with (
        _restored(),
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
        warnings.catch_warnings(),
        torch.random.fork_rng(devices=[]),
    ):
        warnings.simplefilter("ignore")
        torch.default_generator.manual_seed(seed)
        torch.set_num_threads(1)  # on tensors this small, threads only wait for each other
        yield


@contextmanager
def _restored() -> Generator[None]:
    """Bring torch's defaults back afterwards."""
    dtype, grad, threads = (
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.get_num_threads(),
    )
    try:
        yield
    finally:
        torch.set_default_dtype(dtype)
        torch.set_grad_enabled(grad)
        torch.set_num_threads(threads)
