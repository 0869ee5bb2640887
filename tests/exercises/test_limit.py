"""Code whose time is up ends, whatever it does, and leaves neither threads nor handlers."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from attention_lib.exercises.engine.limit import OutOfTime, limited

Endless = Callable[[], Any]


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


def sleep() -> None:
    time.sleep(100)


def wait() -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


LOOPS: list[Endless] = [
    loop,
    loop_that_catches,
    loops_that_catch,
    loop_that_continues_at_last,
    loop_of_tensors,
    loop_of_generators,
    loop_at_an_end,
]


def seconds_of(f: Endless) -> float:
    """Take the time that it takes to stop f."""
    began = time.monotonic()
    with pytest.raises(OutOfTime):
        limited(f, 0.05)
    return time.monotonic() - began


@pytest.fixture(autouse=True)
def _nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # a generator's end, or __del__
    kinds = signal.SIGALRM, signal.SIGINT
    before = [*map(signal.getsignal, kinds), sys.gettrace(), threading.active_count()]
    yield
    after = [*map(signal.getsignal, kinds), sys.gettrace(), threading.active_count()]
    assert after == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("f", [*LOOPS, sleep, wait])
def test_code_in_the_main_thread_ends(f: Endless) -> None:
    assert seconds_of(f) < 5


def in_a_thread(f: Callable[[], Any]) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(f()))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize("f", LOOPS)
def test_code_in_another_thread_ends(f: Endless) -> None:
    assert in_a_thread(lambda: seconds_of(f)) < 5


@pytest.mark.parametrize("f", LOOPS)
def test_code_ends_where_there_are_no_signals(f: Endless, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("attention_lib.exercises.engine.limit._BY_SIGNAL", False)
    assert seconds_of(f) < 5


@pytest.mark.parametrize("run", [lambda f: f(), in_a_thread], ids=["main", "other"])
def test_code_that_is_quick_returns_and_raises_as_ever(run: Callable[..., Any]) -> None:
    assert run(lambda: limited(lambda: 7, 5)) == 7

    def race() -> str:
        try:
            return limited(lambda: time.sleep(1e-3) or "done", 1e-3)
        except OutOfTime:
            return "out of time"

    for _ in range(100):  # time is up just when all is done
        assert run(race) in ("done", "out of time")
    with pytest.raises(ZeroDivisionError):
        limited(lambda: 1 / 0, 5)


def test_code_that_catches_and_returns_was_out_of_time_all_the_same() -> None:
    def catch() -> None:
        try:
            loop()
        except BaseException:
            return

    assert seconds_of(catch) < 5


def test_an_interrupt_passes_even_where_code_catches_it() -> None:
    def catch() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except BaseException:
            return

    for f in (lambda: signal.raise_signal(signal.SIGINT), catch):
        with pytest.raises(KeyboardInterrupt):
            limited(f, 5)


def interrupted(f: Callable[[], Any], after: float = 0.05) -> Any:
    """Call f, and let the reader interrupt it."""
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        return f()
    finally:
        timer.join()


@pytest.mark.parametrize("by_signal", [True, False])
@pytest.mark.parametrize("f", LOOPS)
def test_an_interrupt_ends_code_at_once(
    f: Endless, by_signal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("attention_lib.exercises.engine.limit._BY_SIGNAL", by_signal)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted(lambda: limited(f, 60))
    assert time.monotonic() - began < 5


def test_an_interrupt_ends_code_that_keeps_what_it_catches() -> None:
    kept: list[BaseException] = []

    def keep() -> None:
        while True:
            try:
                loop()
            except BaseException as raised:
                kept.append(raised)
                if len(kept) < 3:
                    continue
                raise

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted(lambda: limited(keep, 60))
    assert time.monotonic() - began < 5
    kept.clear()


def test_an_interrupt_ends_all_limits_at_once() -> None:
    def twice() -> None:
        while True:
            try:
                limited(loop_that_catches, 60)
            except BaseException:
                abs(1)

    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupted(lambda: limited(twice, 60))
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("handler", [signal.SIG_IGN, lambda number, frame: None])
def test_an_interrupt_that_means_something_else_ends_nothing(handler: Any) -> None:
    before = signal.signal(signal.SIGINT, handler)
    try:
        assert limited(lambda: signal.raise_signal(signal.SIGINT) or "done", 5) == "done"
        assert signal.getsignal(signal.SIGINT) == handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_alarm_of_another_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, _: rung.append(number))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        limited(lambda: None, 5)
        assert not rung
        time.sleep(0.2)
        assert rung == [signal.SIGALRM]
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_limit_within_a_limit_ends_first() -> None:
    def inner() -> str:
        with pytest.raises(OutOfTime):
            limited(loop, 0.05)
        return "done"

    assert limited(inner, 5) == "done"
    assert seconds_of(lambda: limited(loop, 5)) < 3


def test_python_is_as_fast_afterwards() -> None:
    """What is asked for and taken back, Python 3.11 would look for at every call and jump."""

    def seconds() -> float:
        began = time.thread_time()  # of this thread alone, whatever else the machine does
        for _ in range(300_000):
            abs(1)
        return time.thread_time() - began

    def stopped() -> float:
        with pytest.raises(OutOfTime):
            limited(loop, 0.05)
        return min(seconds() for _ in range(5))

    before = in_a_thread(lambda: min(seconds() for _ in range(5)))
    assert in_a_thread(stopped) < 2 * before
