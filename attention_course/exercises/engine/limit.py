"""Ends a reader's code when its time is up, by a timer in the main thread.

Twenty times a second a signal looks where the code is. Imports and torch's compilation, of five
minutes at most, do not count as its time. When that is up, `OutOfTime` is raised between two
instructions of Python, so a long call into C is waited for. Code that catches it may tidy up a bit.

Other threads and Windows have no such timer, and so no limit.
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
    """Raised in code whose time is up. No Exception, as many a handler catches all of those."""


class Limit:
    """Seconds that are left for code which runs in several parts."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._loading = seconds, LOADING
        self._running, self._rang = False, float("inf")

    def run(self, f: Callable[[], T]) -> T:
        """Return what f returns, or raise OutOfTime, in f or afterwards, if no time is left."""
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
            self._running = False  # before any call, as OutOfTime could be raised at it
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)
            self._count(None)
            if due:  # the timer of another goes on
                signal.setitimer(signal.ITIMER_REAL, max(due + began - self._counted, TICK), again)
        if self.seconds <= 0:  # f caught what was raised
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
            # Asks for this handler again; by `for`, as Python calls it after any ordinary call.
            for _ in map(interrupt_main, [signal.SIGALRM]):
                raise OutOfTime

    def _count(self, frame: FrameType | None) -> None:
        """Take the time since the last look from what is left."""
        passed, self._counted = time.monotonic() - self._counted, time.monotonic()
        while frame and frame.f_globals.get("__name__") not in _LOADERS:
            frame = None if frame.f_code is Limit.run.__code__ else frame.f_back
        if frame and self._loading > 0:
            self._loading -= passed
        else:
            self.seconds -= passed
