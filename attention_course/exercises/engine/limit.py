"""Stop a reader's code at its time limit, with a timer in the main thread.

Twenty times a second, a signal handler inspects the stack. Imports and torch's compilation, up to
five minutes, do not count. At the limit, the handler raises `OutOfTime` between two instructions of
Python, so a long call into C ends first. Code that catches it has a moment for cleanup.

Other threads and Windows have no such timer, and therefore no limit.
"""

import signal
import threading
import time
from _thread import interrupt_main
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")
TICK, TIDYING, LOADING = 0.05, 1.0, 300.0  # seconds
_LOADERS = {"importlib._bootstrap", "torch._dynamo.convert_frame", "torch._inductor.compile_fx"}


class OutOfTime(BaseException):
    """Raised in code whose time is up; a BaseException, because `except Exception` is common."""


class Limit:
    """Seconds that are left for code that runs in several parts."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._loading = seconds, LOADING
        self._running, self._rang = False, float("inf")

    def run(self, f: Callable[[], T]) -> T:
        """Return f(), or raise OutOfTime in f or after it when no time is left."""
        is_main = threading.current_thread() is threading.main_thread()
        if self._running or not is_main or not hasattr(signal, "setitimer"):
            return f()
        if self.seconds <= 0:
            raise OutOfTime
        began = self._counted = time.monotonic()
        due, again = signal.setitimer(signal.ITIMER_REAL, 0)
        handler = signal.signal(signal.SIGALRM, self._tick)
        try:
            self._running = True
            signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
            result = f()
        finally:
            self._running = False  # before any call, which could raise OutOfTime
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
            self._count(None)
            if due:  # restart the timer that ran before
                signal.setitimer(signal.ITIMER_REAL, max(due + began - self._counted, TICK), again)
        if self.seconds <= 0:  # f caught OutOfTime
            raise OutOfTime
        return result

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if not self._running:
            return
        self._count(frame)
        if self.seconds <= 0 and self._counted < self._rang:
            self._rang = self._counted
            raise OutOfTime
        if self._counted > self._rang + TIDYING:
            # Request this handler again; in a `for`, because Python would run it right after an
            # ordinary call.
            for _ in map(interrupt_main, [signal.SIGALRM]):
                raise OutOfTime

    def _count(self, frame: FrameType | None) -> None:
        """Subtract the time since the last tick from what is left."""
        passed, self._counted = time.monotonic() - self._counted, time.monotonic()
        while frame and frame.f_globals.get("__name__") not in _LOADERS:
            frame = None if frame.f_code is Limit.run.__code__ else frame.f_back
        if frame and self._loading > 0:
            self._loading -= passed
        else:
            self.seconds -= passed
