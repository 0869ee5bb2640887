"""Run a reader's function on copies of a case, with output captured and a time limit."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor

from attention_course.exercises.engine import containment
from attention_course.exercises.engine.exercise import Case, Function, Outcome, draw
from attention_course.exercises.engine.limit import Limit, OutOfTime
from attention_course.exercises.engine.verdict import Verdict

T = TypeVar("T")
SECONDS = 5  # for all of a reader's code in one check; a right answer takes some hundredths
_TOLERANCE = 2e-5  # right answers in float32 differ by 1e-6, mistakes by far more
_MOST = 1_000_000  # entries that are compared; the cases have a few hundred
_LONGEST = 1_000  # characters of a message
_FLOATING = (
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
)  # dtypes in which torch computes
_LIMIT: ContextVar[Limit] = ContextVar("_LIMIT")


class Error(NamedTuple):
    """An exception as strings, because the exception itself runs code of the reader."""

    kind: str
    message: str


OUT_OF_TIME = Error("OutOfTime", "")


class Observation(NamedTuple):
    """A record of what a function returned.

    A tensor is stored dense, on the CPU and detached. If it has no data, too much, or no
    floating-point numbers, only its shape and dtype are stored (on the meta device). For anything
    else the name of the type is stored.
    """

    output: Tensor | None = None
    kind: str = "NoneType"
    layout: str = ""  # of a tensor that cannot be read
    parts: Mapping[str, Tensor | None] = {}
    # By the index of an argument or the name of a leaf; None where no gradient arrives.
    gradients: Mapping[int | str, Tensor | None] = {}
    backward: Error | None = None  # an error in the backward pass
    refusal: Verdict | None = None


class Run(NamedTuple):
    """A record of a call on a case."""

    seen: Observation = Observation()
    error: Error | None = None
    changed: tuple[int, ...] = ()  # indices of the arguments that it changed
    settings: tuple[str, ...] = ()  # global settings that it changed
    generator: bytes = b""  # state of torch's generator afterwards

    @property
    def nothing(self) -> bool:
        """Whether the function returned nothing."""
        return self.error is None and self.seen.kind in ("NoneType", "ellipsis")


def run(f: Function, case: Case, seed: int = 0, gradients: bool = False) -> Run:
    """Call a reader's f on copies of the case; record what it returned, raised and changed."""
    with containment.contained():
        changes = containment.changes()
        patches: list[str] = []

        def unpatched(*arguments: Any) -> Any:
            with containment.unpatched(patches):
                return f(*arguments)

        try:
            done = _within_time(lambda: evaluate(unpatched, case, seed, gradients))
        except OutOfTime:
            done = Run(error=OUT_OF_TIME)
        return done._replace(settings=(*changes(), *patches))


def evaluate(f: Function, case: Case, seed: int = 0, gradients: bool = False) -> Run:
    """Call a function of the exercise, which needs neither a time limit nor containment."""
    own = [x.clone() if isinstance(x, Tensor) else x for x in case]
    leaves: dict[int | str, Tensor] = {}
    if gradients:
        leaves = {i: x.requires_grad_() for i, x in enumerate(own) if is_floating(x)}
        # Non-leaf copies: an answer that writes into its arguments gets our message, not torch's
        # error about leaves.
        own = [x.clone() if is_floating(x) else x for x in own]
    containment.seed(seed)
    seen, error = attempted(lambda: _observed(f(*own), leaves, gradients))
    generator = bytes(torch.get_rng_state().numpy())
    changed = (i for i, (x, y) in enumerate(zip(own, case, strict=True)) if not _unchanged(x, y))
    return Run(seen or Observation(), error, tuple(changed), generator=generator)


def built(f: Function, *arguments: Any) -> tuple[Any, Error | None]:
    """Call a reader's f and return its result itself, such as a module."""
    with containment.contained():
        containment.seed(0)
        try:
            return _within_time(lambda: attempted(lambda: f(*arguments)))
        except OutOfTime:
            return None, OUT_OF_TIME


@contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """Limit the total time of all runs inside; an enclosing limit takes precedence."""
    if _LIMIT.get(None) is not None:
        yield
        return
    token = _LIMIT.set(Limit(seconds))
    try:
        yield
    finally:
        _LIMIT.reset(token)


def _within_time(f: Callable[[], T]) -> T:
    return (_LIMIT.get(None) or Limit(SECONDS)).run(f)


def attempted(f: Callable[[], T]) -> tuple[T | None, Error | None]:
    """Return the result of f, or the error that it raised."""
    try:
        return f(), None
    except (OutOfTime, KeyboardInterrupt):
        raise
    except BaseException as raised:  # a reader's code may raise anything, even SystemExit
        return None, Error(type_name(raised), _text(raised))


def type_name(x: Any) -> str:
    """Return the name of x's type without running code of its metaclass."""
    return str(vars(type)["__name__"].__get__(type(x)))


def _text(error: BaseException) -> str:
    """Return the message of an error."""
    try:
        return str(error)[:_LONGEST]
    except (OutOfTime, KeyboardInterrupt):
        raise
    except BaseException:
        return ""


def _observed(returned: Any, leaves: dict[int | str, Tensor], gradients: bool) -> Observation:
    """Record what can be judged, without references to the reader's objects."""
    if isinstance(returned, Verdict) and not returned.passed:
        return Observation(refusal=returned)
    outcome = returned if isinstance(returned, Outcome) else Outcome(returned)
    output, _ = attempted(lambda: _plain(outcome.output))
    seen = Observation(
        output,
        type_name(outcome.output),
        "" if output is not None else attempted(lambda: _layout(outcome.output))[0] or "",
        {name: attempted(partial(_plain, part))[0] for name, part in outcome.parts.items()},
    )
    if not gradients or output is None or output.is_meta:
        return seen
    leaves = {**leaves, **outcome.leaves}
    found, error = attempted(lambda: _gradients(outcome.output, output, leaves))
    return seen._replace(gradients=found or dict.fromkeys(leaves), backward=error)


def _plain(x: Any) -> Tensor | None:
    """Return a detached dense copy of a tensor on the CPU."""
    if not isinstance(x, Tensor) or x.is_nested:
        return None
    if x.is_meta or x.numel() > _MOST or not is_floating(x):
        return torch.empty(x.shape, dtype=x.dtype, device="meta")
    plain = x.detach().cpu().to_dense().clone().as_subclass(Tensor)
    return plain if type(plain) is Tensor else None


def _layout(x: Any) -> str:
    if not isinstance(x, Tensor):
        return ""
    if x.is_nested:
        return "torch.nested"
    return "" if x.layout is torch.strided else str(x.layout)


def _gradients(
    output: Tensor, plain: Tensor, leaves: dict[int | str, Tensor]
) -> dict[int | str, Tensor | None]:
    """Differentiate a weighted sum of the outputs."""
    found: dict[int | str, Tensor | None] = dict.fromkeys(leaves)
    wanted = {name: leaf for name, leaf in leaves.items() if leaf.requires_grad}
    if wanted and output.requires_grad:
        (weights,) = draw(0, tuple(plain.shape))
        # The sum is explicit, because passing the weights to `grad` imports much on first use.
        total = (output * weights.to(output)).sum()
        own = torch.autograd.grad(total, list(wanted.values()), allow_unused=True)
        found.update(zip(wanted, map(_plain, own), strict=True))
    return found


def agree(one: Run, other: Run) -> bool:
    """Return whether two runs agree: equal numbers, or the same error."""
    if one.error or other.error:
        return one.error == other.error
    a, b = one.seen, other.seen
    return (
        close(a.output, b.output)
        and a.backward == b.backward
        and all(close(a.parts[k], b.parts[k]) for k in a.parts.keys() & b.parts.keys())
        and all(same_gradient(a.gradients[k], b.gradients[k]) for k in a.gradients)
    )


def close(a: Tensor | None, b: Tensor | None) -> bool:
    """Return whether two tensors are equal up to rounding."""
    if a is None or b is None or a.shape != b.shape or a.is_meta or b.is_meta:
        return False
    a, b = (a, b) if a.dtype == b.dtype else (a.double(), b.double())
    return bool(is_close(a, b).all())


def is_close(a: Tensor, b: Tensor) -> Tensor:
    """Return elementwise whether two tensors of the same dtype are equal up to rounding."""
    return torch.isclose(a, b, atol=_TOLERANCE, rtol=_TOLERANCE, equal_nan=True)


def same_gradient(a: Tensor | None, b: Tensor | None) -> bool:
    """Return whether two gradients are equal; a missing one equals zeros."""
    if a is None or b is None:
        return all(x is None or not x.any() for x in (a, b))
    return close(a, b)


def is_floating(x: Any) -> bool:
    """Return whether x is a tensor with a floating dtype in which torch computes."""
    return isinstance(x, Tensor) and x.dtype in _FLOATING


def _unchanged(x: Any, original: Any) -> bool:
    if not isinstance(original, Tensor):
        return True

    def same() -> bool:  # the answer may have changed the shape, dtype or device of x
        if x.shape != original.shape or x.dtype != original.dtype:
            return False
        return bool(((x == original) | ((x != x) & (original != original))).all())  # NaN too

    return bool(attempted(same)[0])
