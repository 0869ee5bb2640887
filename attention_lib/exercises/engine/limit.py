"""A limit to the time that a reader's code may take.

The code runs in the thread that called: what it leaves behind in that thread can be put back, an
interrupt reaches it, and no thread or process outlives it. (A process of its own could be killed
whatever it does, but would have to import torch and could not be sent functions of a notebook.)

When time is up, `OutOfTime` is raised inside the code:

- in the main thread by an alarm signal, where there are any (Linux, macOS). That also ends sleeping
  and waiting for a lock;
- elsewhere, so on Windows and in the other threads of a kernel, by a second thread, which asks the
  interpreter to raise it.

Either way the interpreter raises it between two instructions of Python. A call into C that takes
long, such as the product of two huge matrices, is waited for, and ended after it returns; without
signals that holds for sleeping and waiting as well. Code that catches what is raised is asked again
at every line from then on, until it gives up.

A reader's own interrupt (Ctrl-C, or Jupyter's button) ends the code by the same means: as if time
were up now.
"""

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")
_AGAIN = 0.2  # seconds until code is asked once more
_IMPORT = 4.0  # seconds more, for modules that are being imported
_BY_SIGNAL = hasattr(signal, "setitimer")
_DEADLINES: dict[int, "_Deadline"] = {}  # by thread


class OutOfTime(BaseException):
    """Raised in code whose time is up. No Exception, as many a handler catches all of those."""

    def __init__(self) -> None:
        super().__init__()
        self._deadline = _DEADLINES.get(threading.get_ident())
        if self._deadline is not None:
            self._deadline.rang = True

    def __del__(self) -> None:
        """Where it was caught and dropped, the code goes on, and is asked at its next line."""
        if self._deadline is not None:
            self._deadline.insist(sys._getframe(1))


def limited(f: Callable[[], T], seconds: float) -> T:
    """Return what f returns, or raise OutOfTime in it after so many seconds.

    An interrupt ends f at once, even where f catches it, and is raised here.
    """
    deadline = _Deadline(seconds)
    try:
        deadline.start()
        result = f()
    except BaseException:
        if not deadline.interrupted:
            raise
    finally:
        while True:
            try:
                deadline.stop()
                break
            except OutOfTime:  # it came just now, when f was through
                pass
    if deadline.interrupted:
        raise OutOfTime if is_limited() else KeyboardInterrupt  # ends what is around as well
    if deadline.rang:  # f caught what was raised, and came to an end all the same
        raise OutOfTime
    return result


def is_limited() -> bool:
    """Whether this is called by code in this thread whose time is limited."""
    return threading.get_ident() in _DEADLINES


class _Deadline:
    """Raises OutOfTime in the thread that it was made in."""

    def __init__(self, seconds: float) -> None:
        self.rang = False
        self.interrupted = False
        self._thread = threading.get_ident()
        self._in_main = threading.current_thread() is threading.main_thread()
        self._outer = _DEADLINES.get(self._thread)
        self._end = time.monotonic() + seconds
        if self._outer is not None:
            self._end = min(self._end, self._outer._end)
        self._trace = sys.gettrace()
        self._on_interrupt = signal.getsignal(signal.SIGINT)
        if _BY_SIGNAL:
            self._on_alarm = signal.getsignal(signal.SIGALRM)
            self._timer = signal.getitimer(signal.ITIMER_REAL)
            self._began = time.monotonic()
        self._watch: threading.Thread | None = None
        self._lock = threading.Lock()
        self._asked = False
        self._stopping = False
        self._over = threading.Event()

    def start(self) -> None:
        _DEADLINES[self._thread] = self
        if self._in_main and callable(self._on_interrupt):
            signal.signal(signal.SIGINT, self._interrupt)
        if self._in_main and _BY_SIGNAL:
            signal.signal(signal.SIGALRM, self._alarm)
            signal.setitimer(signal.ITIMER_REAL, self._left(), _AGAIN)
        else:
            self._watch = threading.Thread(target=self._wait, daemon=True)
            self._watch.start()

    def stop(self) -> None:
        self._stopping = True
        sys.settrace(self._trace)
        if self._watch is not None:
            with self._lock:
                self._over.set()
            self._watch.join()
            if self._asked:
                # What was asked last may still be to come. (To ask for nothing instead would take
                # it back, but make Python 3.11 look for it at every jump and call from then on.)
                for _ in range(3):
                    time.sleep(0)
        elif not self._over.is_set():
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._over.set()
            signal.signal(signal.SIGALRM, self._on_alarm)
            left, interval = self._timer  # another's alarm goes on
            if left:
                left -= time.monotonic() - self._began
                signal.setitimer(signal.ITIMER_REAL, max(left, 1e-3), interval)
        if self._outer is None:
            _DEADLINES.pop(self._thread, None)
        else:
            _DEADLINES[self._thread] = self._outer
        if self._in_main:
            signal.signal(signal.SIGINT, self._on_interrupt)

    def _pause(self) -> float:
        """Look often before the end, since an interrupt brings it forward."""
        left = self._end - time.monotonic()
        return min(left, _AGAIN) if left > 0 else _AGAIN

    def _left(self) -> float:
        return max(self._end - time.monotonic(), 1e-3)

    def insist(self, frame: FrameType | None) -> None:
        """Raise again at the next line, of this function, of its callers or of what they call."""
        if self._over.is_set():
            return
        while frame is not None and frame.f_code is not limited.__code__:
            frame.f_trace = self._insist
            frame = frame.f_back
        sys.settrace(self._insist)

    def _insist(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event in ("line", "call") and frame.f_globals is not globals():
            raise OutOfTime  # also where the last one was caught, and so out of that handler
        return self._insist

    def _alarm(self, number: int, frame: FrameType | None) -> None:
        if not self._stopping and self._may_raise(frame):
            raise OutOfTime

    def _may_raise(self, frame: FrameType | None) -> bool:
        return time.monotonic() > self._end + _IMPORT or not _is_importing(frame)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        try:
            self._on_interrupt(number, frame)  # type: ignore[operator, misc]
        except (KeyboardInterrupt, OutOfTime):
            self.interrupted = True
        if not self.interrupted or self._stopping:  # a handler of another kind need not end f
            return
        self._end = min(self._end, time.monotonic())
        if self._watch is None:
            signal.setitimer(signal.ITIMER_REAL, _AGAIN, _AGAIN)
        self._alarm(number, frame)

    def _wait(self) -> None:
        while not self._over.wait(self._pause()):
            with self._lock:
                frame = sys._current_frames().get(self._thread)
                is_due = time.monotonic() >= self._end and self._may_raise(frame)
                if is_due and not self._over.is_set():
                    del frame
                    self._asked = True
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(self._thread), ctypes.py_object(OutOfTime)
                    )


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported: stopped halfway it would stay broken in the program."""
    while frame is not None and frame.f_code is not limited.__code__:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
