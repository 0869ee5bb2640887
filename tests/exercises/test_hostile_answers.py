"""Test that `check` returns a true verdict on hostile answers, in time and without side effects."""

import gc
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

from attention_course.exercises import Verdict, check
from attention_course.exercises.engine.containment import SETTINGS
from attention_course.exercises.engine.exercise import Exercise, draw
from attention_course.exercises.engine.judging import judge
from attention_lib import AdditiveAttention, masked_softmax

SHAPE = (2, 3, 5)  # of the first case of masked-softmax


def refusal_of(f: Any, slug: str = "masked-softmax") -> str:
    """Return the English verdict on a wrong answer; the Chinese one has as many paragraphs."""
    verdict = check(slug, f)
    assert not verdict.passed
    assert not verdict.mistakes
    assert all(one.en and one.zh for one in verdict.words)
    return repr(verdict)


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attention_course.exercises.engine.judging.SECONDS", 0.2)
    monkeypatch.setattr("attention_course.exercises.engine.limit.TIDYING", 0.1)


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


def endless_message(*args: Any) -> Any:
    raise Endless


class Backwards(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        return loop()


OUT_OF_TIME = "your code was stopped after it had run for 5 seconds in all"


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "f",
    [
        loop,
        loop_that_catches,
        endless_message,
        lambda *args: masked_softmax(*args) if args[1] is not None else loop(),
    ],
)
def test_what_never_ends_is_stopped(f: Callable[..., Any]) -> None:
    assert OUT_OF_TIME in refusal_of(f)


@pytest.mark.usefixtures("_impatient")
def test_a_gradient_that_never_comes_is_waited_for_no_longer() -> None:
    def f(queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Any = None) -> Tensor:
        scores = Backwards.apply(queries) @ keys.mT / keys.shape[-1] ** 0.5
        return masked_softmax(scores, valid_lens) @ values

    assert "your code was stopped" in refusal_of(f, "scaled-dot-product-attention")


@pytest.mark.usefixtures("_impatient")
def test_a_module_that_is_never_built_is_waited_for_no_longer() -> None:
    class Slow(nn.Module):
        def __init__(self, *sizes: Any) -> None:
            super().__init__()
            loop()

    assert "your code was stopped" in refusal_of(Slow, "additive-attention")


@pytest.mark.usefixtures("_impatient")
def test_slow_calls_count_together() -> None:
    def slow(*args: Any) -> Tensor:
        time.sleep(0.05)
        return masked_softmax(*args)

    assert OUT_OF_TIME in refusal_of(slow)


def test_another_thread_can_check_as_well() -> None:
    found: list[Verdict] = []
    thread = threading.Thread(target=lambda: found.append(check("masked-softmax", masked_softmax)))
    thread.start()
    thread.join()
    assert found[0].passed


def test_an_interrupt_ends_the_check() -> None:
    with pytest.raises(KeyboardInterrupt):
        check("masked-softmax", lambda *args: signal.raise_signal(signal.SIGINT))


def test_an_interrupt_of_the_solution_is_not_taken_for_its_result() -> None:
    """Results of the solution are cached for later checks."""
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
        (GeneratorExit(), "raised `GeneratorExit`."),
        (Loud(SystemExit()), "raised `Loud`."),
        (Loud(RecursionError()), "raised `Loud`."),
        (ValueError("x" * 50_000_000), "raised `ValueError`: xxx"),
        (ValueError([0] * 1_000), "raised `ValueError`: [0, 0"),
        (MemoryError(), "raised `MemoryError`."),
        (StopIteration(3), "raised `StopIteration`: 3"),
        (ExceptionGroup("two", [ValueError(), ValueError()]), "raised `ExceptionGroup`: two (2"),
    ],
)
def test_every_exception_is_reported(error: BaseException, words: str) -> None:
    assert words in refusal_of(raising(error))


class Named(Tensor):
    """A tensor subclass."""


class Refusing(Tensor):
    @classmethod
    def __torch_function__(cls, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("not with me")


def lying(message: str) -> Any:
    def lie(*args: Any) -> Any:
        raise ValueError(message)

    return lie


class Liar:
    """Raises on any access."""

    __class__ = property(lying("nobody asks me"))  # type: ignore[assignment]
    __eq__ = __bool__ = __len__ = __repr__ = __hash__ = lying("nobody asks me")

    def __call__(self, *args: Any) -> Tensor:
        return masked_softmax(*args)


class Stubborn:
    """Raises when it is compared, printed, measured or copied."""

    __eq__ = __bool__ = __len__ = __repr__ = __deepcopy__ = lying("leave me alone")
    __hash__ = None  # type: ignore[assignment]


class NameOfType(type):
    __name__ = property(lying("no name"))  # type: ignore[assignment]


class Shapeless(Tensor):
    shape = property(lying("no shape"))  # type: ignore[assignment]
    dtype = property(lying("no dtype"))  # type: ignore[assignment]
    __deepcopy__ = lying("no copies")


class Uncopied(Tensor):
    clone = detach = __deepcopy__ = lying("no copies")


async def later(*args: Any) -> Any:
    return masked_softmax(*args)


def nested() -> Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])


def quantised(shape: tuple[int, ...] = SHAPE) -> Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.quantize_per_tensor(torch.ones(shape), 0.1, 0, torch.quint8)


def per_channel() -> Tensor:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scales, zeros = torch.ones(3), torch.zeros(3)
        return torch.quantize_per_channel(torch.ones(SHAPE), scales, zeros, 1, torch.qint8)


LARGE = 10**9
ODD: list[tuple[Callable[[], Any], str]] = [
    (lambda: torch.zeros(1).expand(LARGE), f"(2, 3, 5); yours has ({LARGE},)"),
    (lambda: torch.empty(LARGE, device="meta"), f"(2, 3, 5); yours has ({LARGE},)"),
    (lambda: torch.empty(LARGE).reshape(10, -1), f"(2, 3, 5); yours has (10, {LARGE // 10})"),
    (lambda: torch.eye(2).to_sparse(), "(2, 3, 5); yours has (2, 2)"),
    (lambda: torch.ones(4, 4).to_sparse_bsr((2, 2)), "(2, 3, 5); yours has (4, 4)"),
    (
        lambda: torch.sparse_coo_tensor(torch.zeros(2, 0), torch.zeros(0), (LARGE, LARGE)),
        f"(2, 3, 5); yours has ({LARGE}, {LARGE})",
    ),
    (lambda: [0.0] * 10_000_000, "yours is of type `list`"),
    (lambda: range(10**18), "yours is of type `range`"),
    (lambda: torch.ones(SHAPE, device="meta"), "the right shape, but no numbers"),
    (nested, "(2, 3, 5); yours has the layout `torch.nested`"),
    (quantised, "yours holds torch.quint8."),
    (lambda: quantised((2,)), "(2, 3, 5); yours has (2,)"),
    (per_channel, "yours holds torch.qint8."),
    (lambda: torch.ones(SHAPE, dtype=torch.complex64), "yours holds torch.complex64"),
    (lambda: torch.ones(SHAPE, dtype=torch.bool), "yours holds torch.bool"),
    (lambda: torch.ones(SHAPE, dtype=torch.int64), "yours holds torch.int64"),
    (lambda: torch.empty(SHAPE, dtype=torch.uint4), "yours holds torch.uint4"),
    (lambda: torch.empty(SHAPE, dtype=torch.bits8), "yours holds torch.bits8"),
    (lambda: torch.ones(SHAPE).to(torch.float8_e4m3fn), "yours holds torch.float8_e4m3fn"),
    (lambda: torch.ones(SHAPE).as_subclass(Refusing), "yours is of type `Refusing`"),
    (lambda: torch.ones(SHAPE).as_subclass(Uncopied), "yours is of type `Uncopied`"),
    (lambda: torch.ones(SHAPE).as_subclass(Shapeless), "yours is of type `Shapeless`"),
    (lambda: torch.ones(SHAPE, dtype=torch.float16), "should be 0.099, but yours is 1.000."),
    (lambda: torch.full(SHAPE, torch.nan), "should be 0.099, but yours is nan."),
    (lambda: torch.full(SHAPE, -torch.inf), "should be 0.099, but yours is -inf."),
    (Liar, "`ValueError`: nobody asks me"),
    (Stubborn, "yours is of type `Stubborn`"),
    (lambda: NameOfType("Sum", (), {})(), "yours is of type `Sum`"),
    (lambda: (x for x in [1]), "yours is of type `generator`"),
    (lambda: (torch.ones(SHAPE), Liar()), "yours is of type `tuple`"),
]


@pytest.mark.parametrize(("result", "words"), ODD)
def test_every_odd_result_is_reported(result: Callable[[], Any], words: str) -> None:
    assert words in refusal_of(lambda *args: result())


@pytest.mark.parametrize("slug", ["masked-softmax", "additive-attention"])
def test_an_answer_that_raises_on_access_is_reported(slug: str) -> None:
    words = "could not inspect what it was given: doing so raised `ValueError`: nobody asks me"
    assert words in refusal_of(Liar(), slug)
    assert "got an object of type `Stubborn`" in refusal_of(Stubborn(), slug)


def test_arguments_may_become_anything() -> None:
    def f(X: Tensor, valid_lens: Any) -> Tensor:
        weights = masked_softmax(X, valid_lens)
        X.__class__ = Shapeless
        return weights

    assert "The function changes `X`" in refusal_of(f)


def test_a_tensor_by_another_name_is_a_tensor() -> None:
    assert check("masked-softmax", lambda X, n: masked_softmax(X, n).as_subclass(Named))
    assert check("masked-softmax", lambda X, n: masked_softmax(X, n).to_sparse())


def test_a_coroutine_is_reported_without_a_warning() -> None:
    assert "yours is of type `coroutine`" in refusal_of(later)  # a warning would fail the test


def test_a_verdict_of_ones_own_does_not_pass() -> None:
    assert not check("masked-softmax", lambda *args: Verdict(True, ()))


CHANGES: dict[str, Callable[[], Any]] = {
    "torch.set_default_dtype": lambda: torch.set_default_dtype(torch.float64),
    "torch.set_default_device": lambda: torch.set_default_device("meta"),
    "torch.set_grad_enabled": lambda: torch.set_grad_enabled(False),
    "torch.set_num_threads": lambda: torch.set_num_threads(2),
    "torch.use_deterministic_algorithms": lambda: torch.set_deterministic_debug_mode(1),
    "torch.set_float32_matmul_precision": lambda: torch.set_float32_matmul_precision("medium"),
    "torch.autograd.set_detect_anomaly": lambda: torch.autograd.set_detect_anomaly(True),
    "torch.set_warn_always": lambda: torch.set_warn_always(True),
    "torch.set_autocast_enabled": lambda: torch.set_autocast_enabled("cpu", True),
    "torch.backends.cudnn": lambda: setattr(torch.backends.cudnn, "benchmark", True),
    "torch.set_printoptions": lambda: torch.set_printoptions(precision=2, sci_mode=True),
    "sys.setrecursionlimit": lambda: sys.setrecursionlimit(12_345),
}


def state() -> list[Any]:
    """Collect the global state."""
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
        np.get_printoptions(),
        gc.isenabled(),
        dict(vars(Tensor)),
        [torch.softmax, torch.get_rng_state, torch.isclose, torch.nn.functional.softmax],
    ]


@pytest.fixture
def _unchanged() -> Iterator[None]:
    before = state()
    yield
    assert state() == before


@pytest.mark.usefixtures("_unchanged")
@pytest.mark.parametrize("name", [setting.name for setting in SETTINGS])
def test_a_global_setting_is_reported_and_restored(name: str) -> None:
    def f(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        weights = masked_softmax(X, valid_lens)
        CHANGES[name]()
        return weights

    assert f"changes what the whole program shares: `{name}`." in refusal_of(f)


@pytest.mark.usefixtures("_unchanged")
@pytest.mark.parametrize(
    ("owner", "name", "patch"),
    [
        (torch, "torch.softmax", torch.sigmoid),
        (torch, "torch.get_rng_state", None),
        (torch, "torch.isclose", lying("not today")),
        (Tensor, "torch.Tensor.softmax", lambda x, dim: x),  # hides the attribute of its base class
        (Tensor, "torch.Tensor.detach", lying("not today")),
        (torch.nn.functional, "torch.nn.functional.softmax", torch.softmax),
    ],
)
def test_a_patch_is_reported_and_undone(owner: Any, name: str, patch: Any) -> None:
    def f(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        weights = masked_softmax(X, valid_lens)
        setattr(owner, name.rpartition(".")[2], patch)
        return weights

    assert f"changes what the whole program shares: `{name}`." in refusal_of(f)


@pytest.mark.usefixtures("_unchanged")
def test_what_an_answer_puts_back_itself_is_its_own_affair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def f(X: Tensor, valid_lens: Tensor | None) -> Tensor:
        with monkeypatch.context() as own:
            own.setattr(torch, "softmax", torch.nn.functional.softmax)
            return masked_softmax(X, valid_lens)

    assert check("masked-softmax", f)


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
        np.set_printoptions(precision=2)
        gc.disable()
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

    assert "your code was stopped" in refusal_of(f)


def test_settings_of_the_notebook_change_no_verdict() -> None:
    before = [setting.get() for setting in SETTINGS]
    for change in CHANGES.values():
        change()
    try:
        verdicts = [
            check("masked-softmax", masked_softmax),
            check("additive-attention", AdditiveAttention),
        ]
    finally:
        for setting, value in zip(SETTINGS, before, strict=True):
            setting.set(value)
    assert all(verdicts), verdicts


@pytest.mark.parametrize(
    "around",
    [
        torch.no_grad,
        torch.inference_mode,
        lambda: torch.autocast("cpu"),
        lambda: torch.device("meta"),
        lambda: torch.autograd.set_detect_anomaly(True),
    ],
)
def test_a_check_inside_of_a_context_judges_the_same(around: Callable[[], Any]) -> None:
    with around():
        assert check("masked-softmax", masked_softmax)
        assert check("additive-attention", AdditiveAttention)
