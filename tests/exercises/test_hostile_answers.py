"""Whatever an answer does, `check` says one true thing about it, soon, and nothing leaks out."""

import os
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from attention_lib import AdditiveAttention, masked_softmax
from attention_lib.exercises import Verdict, check
from attention_lib.exercises.engine.containment import SETTINGS
from attention_lib.exercises.engine.exercise import Exercise, draw
from attention_lib.exercises.engine.judging import judge

SHAPE = (2, 3, 5)  # of the first case of masked-softmax


def told(f: Any, slug: str = "masked-softmax") -> str:
    """Return what is said of a wrong answer, in English; Chinese says as much."""
    english, chinese = (check(slug, f, lang) for lang in ("en", "zh"))
    assert not english.passed
    assert not english.mistakes
    assert len(english.paragraphs) == len(chinese.paragraphs)
    return repr(english)


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attention_lib.exercises.engine.judging.SECONDS", 0.2)


def loop(*args: Any) -> Any:
    while True:
        pass


def loop_that_catches(*args: Any) -> Any:
    while True:
        try:
            masked_softmax(*args)
        except:  # noqa: E722
            abs(1)


class Endless(Exception):
    def __str__(self) -> str:
        return str(loop())


def recursion(*args: Any) -> Any:
    """Call itself twice at each of a thousand levels, whatever is raised."""
    try:
        return recursion(*args)
    except BaseException:
        return recursion(*args)


def recursion_in_loops(*args: Any) -> Any:
    while True:
        try:
            recursion_in_loops(*args)
        except:  # noqa: E722
            abs(1)


def endless_message(*args: Any) -> Any:
    raise Endless


class EndlessName(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        return str(loop())


class Backwards(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        return loop()


OUT_OF_TIME = "your code was stopped, since it had run for 5 seconds in all"


def test_an_endless_loop_is_stopped_within_ten_seconds() -> None:
    began = time.monotonic()
    assert OUT_OF_TIME in repr(check("masked-softmax", loop))
    assert time.monotonic() - began < 10


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "f",
    [
        loop,
        loop_that_catches,
        recursion,
        recursion_in_loops,
        endless_message,
        lambda *args: EndlessName("Sum", (), {})(),
        lambda *args: masked_softmax(*args) if args[1] is not None else loop(),
        lambda *args: sum(1 for _ in iter(int, 1)),
    ],
)
def test_what_never_ends_is_stopped(f: Callable[..., Any]) -> None:
    began = time.monotonic()
    assert "your code was stopped" in told(f)
    assert time.monotonic() - began < 10


@pytest.mark.usefixtures("_impatient")
def test_a_gradient_that_never_comes_is_waited_for_no_longer() -> None:
    def f(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Any = None) -> Tensor:
        scores = Backwards.apply(queries) @ keys.mT / keys.shape[-1] ** 0.5
        return masked_softmax(scores, valid_lens) @ values

    assert "your code was stopped" in told(f, "scaled-dot-product-attention")


@pytest.mark.usefixtures("_impatient")
def test_a_module_that_is_never_built_is_waited_for_no_longer() -> None:
    class Slow(nn.Module):
        def __init__(self, *sizes: Any) -> None:
            super().__init__()
            loop()

    assert "your code was stopped" in told(Slow, "additive-attention")


@pytest.mark.usefixtures("_impatient")
def test_slow_calls_count_together() -> None:
    def slow(*args: Any) -> Tensor:
        time.sleep(0.05)
        return masked_softmax(*args)

    began = time.monotonic()
    assert "your code was stopped" in told(slow)
    assert time.monotonic() - began < 5


def test_another_thread_can_check_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []

    def ask() -> None:
        found.append(repr(check("masked-softmax", masked_softmax)))
        monkeypatch.setattr("attention_lib.exercises.engine.judging.SECONDS", 0.2)
        found.append(told(loop_that_catches))

    before = threading.active_count()
    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert threading.active_count() == before
    assert found[0].startswith("Correct.")
    assert "your code was stopped" in found[1]


def test_an_interrupt_ends_the_check_even_where_code_catches_it() -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        check("masked-softmax", loop_that_catches)
    assert time.monotonic() - began < 3
    timer.join()


def test_an_interrupt_of_the_solution_is_not_taken_for_its_result() -> None:
    """It is kept for later checks."""
    interrupts = [True]

    def solution(x: Tensor) -> Tensor:
        if interrupts.pop():
            signal.raise_signal(signal.SIGINT)
        return x

    exercise = Exercise(solution, (draw(1, (2, 3)),), ())
    with pytest.raises(KeyboardInterrupt):
        judge(exercise, lambda x: x)
    interrupts.extend([False] * 9)
    assert judge(exercise, lambda x: x)


class Loud(Exception):
    def __init__(self, raised: BaseException) -> None:
        super().__init__()
        self.raised = raised

    def __str__(self) -> str:
        raise self.raised


def raising(error: BaseException) -> Callable[..., Any]:
    def f(*args: Any) -> Any:
        raise error

    return f


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SystemExit("bye"), "raised `SystemExit`: bye"),
        (KeyboardInterrupt(), "raised `KeyboardInterrupt`."),
        (GeneratorExit(), "raised `GeneratorExit`."),
        (Loud(SystemExit()), "raised `Loud`."),
        (Loud(KeyboardInterrupt()), "raised `Loud`."),
        (Loud(RecursionError()), "raised `Loud`."),
        (ValueError("x" * 50_000_000), "raised `ValueError`: xxx"),
        (ValueError([0] * 100_000), "raised `ValueError`: [0, 0"),
    ],
)
def test_whatever_is_raised_is_told(error: BaseException, words: str) -> None:
    began = time.monotonic()
    assert words in told(raising(error))
    assert time.monotonic() - began < 10


class Named(Tensor):
    """A tensor with another name."""


class Refusing(Tensor):
    @classmethod
    def __torch_function__(cls, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("not with me")


class Liar:
    @property
    def __class__(self) -> Any:
        raise ValueError("nobody asks me")


async def later(*args: Any) -> Any:
    return masked_softmax(*args)


def jagged() -> Tensor:
    return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged)


def nested() -> Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])


LARGE = 10**9


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (lambda: torch.zeros(1).expand(LARGE), f"(2, 3, 5); yours has ({LARGE},)"),
        (lambda: torch.empty(LARGE, device="meta"), f"(2, 3, 5); yours has ({LARGE},)"),
        (lambda: torch.empty(LARGE).reshape(10, -1), f"(2, 3, 5); yours has (10, {LARGE // 10})"),
        (lambda: torch.eye(2).to_sparse(), "(2, 3, 5); yours has (2, 2)"),
        (
            lambda: torch.sparse_coo_tensor(torch.zeros(2, 0), torch.zeros(0), (LARGE, LARGE)),
            f"(2, 3, 5); yours has ({LARGE}, {LARGE})",
        ),
        (lambda: [0.0] * 10_000_000, "yours is of type `list`"),
        (lambda: range(10**18), "yours is of type `range`"),
        (lambda: torch.ones(SHAPE, device="meta"), "the right shape, but no numbers"),
        (jagged, "(2, 3, 5); yours has the layout `torch.nested`"),
        (nested, "(2, 3, 5); yours has the layout `torch.nested`"),
        (lambda: torch.ones(SHAPE, dtype=torch.complex64), "yours holds torch.complex64"),
        (lambda: torch.ones(SHAPE, dtype=torch.bool), "yours holds torch.bool"),
        (lambda: torch.ones(SHAPE).as_subclass(Refusing), "yours is of type `Refusing`"),
        (lambda: torch.ones(SHAPE, dtype=torch.float16), "should be 0.099, but yours is 1.000."),
        (lambda: torch.full(SHAPE, torch.nan), "should be 0.099, but yours is nan."),
        (lambda: torch.full(SHAPE, -torch.inf), "should be 0.099, but yours is -inf."),
        (Liar, "`ValueError`: nobody asks me"),
        (lambda: (x for x in [1]), "yours is of type `generator`"),
    ],
)
def test_whatever_is_returned_is_told(result: Callable[[], Any], words: str) -> None:
    began = time.monotonic()
    assert words in told(lambda *args: result())
    assert time.monotonic() - began < 10


def test_a_tensor_by_another_name_is_a_tensor() -> None:
    assert check("masked-softmax", lambda X, n: masked_softmax(X, n).as_subclass(Named))
    assert check("masked-softmax", lambda X, n: masked_softmax(X, n).to_sparse())


def test_what_is_awaited_says_so_without_a_warning() -> None:
    assert "yours is of type `coroutine`" in told(later)  # a warning would be an error


def test_a_verdict_of_ones_own_does_not_pass() -> None:
    assert not check("masked-softmax", lambda *args: Verdict(True, ()))


CHANGES: dict[str, Callable[[], Any]] = {
    "torch.set_default_dtype": lambda: torch.set_default_dtype(torch.float64),
    "torch.set_default_device": lambda: torch.set_default_device("meta"),
    "torch.set_grad_enabled": lambda: torch.set_grad_enabled(False),
    "torch.set_num_threads": lambda: torch.set_num_threads(2),
    "torch.use_deterministic_algorithms": lambda: torch.use_deterministic_algorithms(True),
    "torch.set_float32_matmul_precision": lambda: torch.set_float32_matmul_precision("medium"),
    "torch.autograd.set_detect_anomaly": lambda: torch.autograd.set_detect_anomaly(True),
    "torch.set_warn_always": lambda: torch.set_warn_always(True),
    "sys.setrecursionlimit": lambda: sys.setrecursionlimit(12_345),
}


def state() -> list[Any]:
    """Collect what the whole program shares."""
    return [
        *(setting.get() for setting in SETTINGS),
        torch.get_rng_state().tolist(),
        random.getstate(),
        np.random.get_state()[1].tolist(),
        np.geterr(),
        warnings.filters.copy(),
        sys.stdout,
        sys.stderr,
        sys.unraisablehook,
        sys.gettrace(),
        torch.is_inference_mode_enabled(),
    ]


@pytest.fixture
def _unchanged() -> Iterator[None]:
    before = state()
    yield
    assert state() == before


@pytest.mark.usefixtures("_unchanged")
@pytest.mark.parametrize("name", [setting.name for setting in SETTINGS])
def test_a_setting_of_the_whole_program_is_told_and_put_back(name: str) -> None:
    def f(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        weights = masked_softmax(X, valid_lens)
        CHANGES[name]()
        return weights

    assert f"changes what the whole program shares: `{name}`." in told(f)


@pytest.mark.usefixtures("_unchanged")
def test_nothing_else_leaks_out(capsys: pytest.CaptureFixture[str]) -> None:
    def loud(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        print("x" * 10_000)
        print("error", file=sys.stderr)
        sys.stdout = sys.stderr = sys.__stderr__
        warnings.simplefilter("error")
        sys.unraisablehook = print
        random.random()
        np.random.rand()
        np.seterr(all="raise")
        torch.rand(3)
        return masked_softmax(X, valid_lens)

    assert check("masked-softmax", loud)
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("_unchanged", "_impatient")
def test_nothing_leaks_out_of_what_is_stopped() -> None:
    def f(*args: Any) -> Any:
        for change in CHANGES.values():
            change()
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            loop_that_catches()

    assert "your code was stopped" in told(f)


@pytest.mark.parametrize("slug", ["masked-softmax", "additive-attention"])
def test_settings_of_the_notebook_change_no_verdict(slug: str) -> None:
    right = masked_softmax if slug == "masked-softmax" else AdditiveAttention
    before = [setting.get() for setting in SETTINGS]
    for name, change in CHANGES.items():
        change()
        try:
            assert check(slug, right), name
        finally:
            for setting, value in zip(SETTINGS, before, strict=True):
                setting.put(value)


@pytest.mark.parametrize(
    "around",
    [
        torch.no_grad,
        torch.inference_mode,
        lambda: torch.device("meta"),
        lambda: torch.autograd.set_detect_anomaly(True),
    ],
)
def test_a_check_inside_of_a_context_judges_the_same(around: Callable[[], Any]) -> None:
    with around():
        assert check("masked-softmax", masked_softmax)
        assert check("additive-attention", AdditiveAttention)
