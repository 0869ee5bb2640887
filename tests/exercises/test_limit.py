"""Test that the time limit stops any code, and leaves neither timers nor handlers.

The clock advances by a second whenever the limit reads it, so a busy machine changes nothing.
"""

import importlib
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from attention_course.exercises.engine import limit
from attention_course.exercises.engine.limit import Limit, OutOfTime


def loop() -> None:
    while True:
        pass


def loop_that_catches() -> None:
    while True:
        try:
            for _ in range(10**9):
                abs(1)
        except:  # noqa: E722
            pass


def loops_that_catch() -> None:
    while True:
        try:
            while True:
                try:
                    loop_that_catches()
                except BaseException:
                    abs(1)
        except BaseException:
            abs(1)


def loop_that_continues_at_last() -> None:
    while True:
        try:
            sum(range(1000))
        finally:
            continue  # noqa: B012


def loop_of_tensors() -> None:
    x = torch.ones(3)
    while True:
        try:
            x = torch.softmax(x + 1, 0)
        except:  # noqa: E722
            x = torch.ones(3)


def loop_of_generators() -> None:
    def ones() -> Iterator[int]:
        while True:
            try:
                yield 1
            except BaseException:
                yield 2

    for _ in ones():
        try:
            next(ones())
        except BaseException:
            continue


def loop_at_an_end() -> None:
    class Loop:
        def __del__(self) -> None:
            loop()

    Loop()


def catch_and_return() -> None:
    try:
        loop()
    except BaseException:
        return


def wait_for_a_lock() -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


ENDLESS = [
    loop,
    loop_that_catches,
    loops_that_catch,
    loop_that_continues_at_last,
    loop_of_tensors,
    loop_of_generators,
    loop_at_an_end,
    catch_and_return,
    wait_for_a_lock,
    lambda: time.sleep(1000),
    lambda: re.match(r"(a+)+$", "a" * 60 + "b"),  # in C, which checks for signals itself
]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    own = SimpleNamespace(now=0.0, step=1.0, looks=0)

    def monotonic() -> float:
        own.now += own.step
        own.looks += 1
        return float(own.now)

    monkeypatch.setattr(limit, "time", SimpleNamespace(monotonic=monotonic))
    return own


@pytest.fixture(autouse=True)
def _nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(
        sys, "unraisablehook", lambda _: None
    )  # raised when a generator is closed, or in __del__
    before = [signal.getsignal(signal.SIGALRM), threading.active_count()]
    yield
    assert [signal.getsignal(signal.SIGALRM), threading.active_count()] == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("f", ENDLESS)
def test_code_ends_when_its_time_is_up(f: Callable[[], Any]) -> None:
    with pytest.raises(OutOfTime):
        Limit(3).run(f)


def wait_for_looks(clock: SimpleNamespace, number: int) -> None:
    looks = clock.looks
    while clock.looks < looks + number:
        pass


def test_code_that_catches_nothing_tidies_up_undisturbed(clock: SimpleNamespace) -> None:
    """If a context manager of torch were left halfway, its setting would stay on."""
    tidied: list[bool] = []

    def tidy() -> None:
        try:
            loop()
        finally:
            clock.step = 0
            wait_for_looks(clock, 6)
            tidied.append(True)

    with pytest.raises(OutOfTime):
        Limit(3).run(tidy)
    assert tidied


def test_code_that_is_quick_returns_and_raises_as_ever() -> None:
    assert Limit(60).run(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        Limit(60).run(lambda: 1 / 0)
    with pytest.raises(KeyboardInterrupt):
        Limit(60).run(lambda: signal.raise_signal(signal.SIGINT))


@pytest.mark.usefixtures("clock")
def test_the_parts_of_code_have_one_limit_together() -> None:
    together = Limit(3)
    assert together.run(lambda: 1) == 1
    with pytest.raises(OutOfTime):
        [together.run(lambda: 1) for _ in range(9)]
    with pytest.raises(OutOfTime):
        together.run(lambda: pytest.fail("there was no time left"))


@pytest.mark.usefixtures("clock")
def test_a_part_within_a_part_counts_as_that() -> None:
    own = Limit(3)
    with pytest.raises(OutOfTime):
        own.run(lambda: own.run(loop))


@pytest.mark.usefixtures("clock")
def test_a_limit_within_a_limit_ends_first() -> None:
    def inner() -> str:
        with pytest.raises(OutOfTime):
            Limit(3).run(loop)
        return "done"

    assert Limit(1e9).run(inner) == "done"
    with pytest.raises(OutOfTime):
        Limit(20).run(lambda: (inner(), loop()))


def test_the_handler_and_the_timer_of_another_go_on() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 1000, 7)
        Limit(60).run(lambda: None)
        left, again = signal.setitimer(signal.ITIMER_REAL, 0)
        assert 0 < left <= 1000
        assert again == 7
        assert not rung
        signal.raise_signal(signal.SIGALRM)
        assert rung == [signal.SIGALRM]
    finally:
        signal.signal(signal.SIGALRM, before)


def test_without_a_timer_there_is_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(Limit(0).run(lambda: "of a thread")))
    thread.start()
    thread.join()
    monkeypatch.delattr(signal, "setitimer")  # as on Windows
    assert [*found, Limit(0).run(lambda: "of Windows")] == ["of a thread", "of Windows"]


def test_imports_do_not_count_but_for_some_minutes(
    clock: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def go_on() -> None:
        clock.now += 1000
        wait_for_looks(clock, 2)

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "go_on", go_on, raising=False)
    for name, times in (("slow", 1), ("slower", 2)):
        (tmp_path / f"{name}_module.py").write_text("import sys\n" + "sys.go_on()\n" * times)
    Limit(100).run(lambda: importlib.import_module("slow_module"))
    for f in (go_on, lambda: importlib.import_module("slower_module")):
        with pytest.raises(OutOfTime):
            Limit(100).run(f)


COLD = r"""
import time, torch
from attention_lib import masked_softmax
from attention_course.exercises import check
from attention_course.exercises.engine import judging

judging.SECONDS = 2  # torch needs more for its imports

def checkpointed(X, valid_lens):
    from torch.utils.checkpoint import checkpoint
    return checkpoint(masked_softmax, X, valid_lens, use_reentrant=False)

def compiled(X, valid_lens, once=[]):
    def backend(graph, inputs):
        time.sleep(2.5)
        return graph.forward
    if not once:
        once.append(torch.compile(torch.neg, backend=backend)(X))
    return masked_softmax(X, valid_lens)

print(check("masked-softmax", checkpointed), check("masked-softmax", compiled), sep="\n")
"""


def test_imports_and_compilation_of_torch_are_no_time_of_the_answer() -> None:
    """Use a separate process, because each process imports and compiles once."""
    asked = [sys.executable, "-c", COLD]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    assert done.stdout == 2 * "Correct. It passes every hidden case.\n"
