"""A limit to the time that a reader's code may take.

The code runs in the thread that called: what it leaves behind in that thread can be put back, an
interrupt reaches it, and no thread or process outlives it. (A process of its own could be killed
whatever it does, but would have to import torch and could not be sent functions of a notebook.)

When time is up, `OutOfTime` is raised inside the code:

- in the main thread by a signal, where those can be sent (Linux, macOS). That also ends sleeping
  and waiting for a lock;
- elsewhere, so on Windows and in the other threads of a kernel, by asking the interpreter.

Either way the interpreter raises it between two instructions of Python. A call into C that takes
long, such as the product of two huge matrices, is waited for, and ended after it returns; without
signals that holds for sleeping and waiting as well. It is raised once, so that code may tidy up.
Code that goes on nevertheless is asked again a little later, and from then on at every line and
call, so that even a recursion that catches what is raised at each of its levels gives up.

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
from typing import TypeVar

T = TypeVar("T")
_AGAIN = 0.05  # seconds until code is asked once more
_TIDYING = 0.2  # seconds that code has to tidy up
_ROOM = 50  # levels more at each of those times, as code at the deepest could not even be asked
_DEEPER = 1_000  # levels more in all
_IMPORT = 4.0  # seconds more, for modules that are being imported
_BY_SIGNAL = hasattr(signal, "pthread_kill")
_DEADLINES: dict[int, "_Deadline"] = {}  # by thread


class OutOfTime(BaseException):
    """Raised in code whose time is up. No Exception, as many a handler catches all of those."""

    def __init__(self) -> None:
        deadline = _DEADLINES.get(threading.get_ident())
        if deadline is not None:
            _SET_TRACE(_DELETE_ITEM, deadline)
            deadline.rings()


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
        self._tidied = 0.0
        self._outer = _DEADLINES.get(self._thread)
        self._end = time.monotonic() + seconds
        if self._outer is not None:
            self._end = min(self._end, self._outer._end)
        self._trace = sys.gettrace()
        self._on_interrupt = signal.getsignal(signal.SIGINT)
        self._by_signal = _BY_SIGNAL and self._in_main
        if self._by_signal:
            self._on_alarm = signal.getsignal(signal.SIGALRM)
        self._deepest = sys.getrecursionlimit()
        self._watch = threading.Thread(target=self._wait, daemon=True)
        self._lock = threading.Lock()
        self._asked = False
        self._stopping = False
        self._over = threading.Event()

    def start(self) -> None:
        _DEADLINES[self._thread] = self
        if isinstance(self._trace, _Deadline):  # which ends no earlier than this one
            sys.settrace(None)
        if self._in_main and callable(self._on_interrupt):
            signal.signal(signal.SIGINT, self._interrupt)
        if self._by_signal:
            signal.signal(signal.SIGALRM, self._alarm)
        self._watch.start()

    def stop(self) -> None:
        self._stopping = True
        sys.settrace(None)
        with self._lock:
            self._over.set()
        if self._watch.ident is not None:  # else something was raised before it started
            self._watch.join()
        if self._by_signal:
            signal.signal(signal.SIGALRM, self._on_alarm)
        if self._asked:
            sys.setrecursionlimit(self._deepest)
            # What was asked last may still be to come. (To ask for nothing instead would take
            # it back, but make Python 3.11 look for it at every jump and call from then on.)
            for _ in range(3):
                time.sleep(0)
        if self._outer is None:
            _DEADLINES.pop(self._thread, None)
        else:
            _DEADLINES[self._thread] = self._outer
        if self._in_main:
            signal.signal(signal.SIGINT, self._on_interrupt)
        if isinstance(self._trace, _Deadline):
            _SET_TRACE(_DELETE_ITEM, self._trace)
        else:
            sys.settrace(self._trace)

    def _pause(self) -> float:
        """Look often before the end, since an interrupt brings it forward."""
        left = self._end - time.monotonic()
        return min(left, _AGAIN) if left > 0 else _AGAIN

    def rings(self) -> None:
        """Keep that OutOfTime was raised, and since when."""
        if not self.rang:
            self.rang = True
            self._tidied = time.monotonic() + _TIDYING

    def __delitem__(self, frame: FrameType) -> None:
        """Raise where the interpreter traces code: at its lines, calls and returns."""
        if self._stopping or frame.f_globals is globals():
            return
        if (not self.rang or time.monotonic() > self._tidied) and self._may_raise(frame):
            raise OutOfTime

    def _alarm(self, number: int, frame: FrameType | None) -> None:
        if self._stopping:
            return
        _SET_TRACE(_DELETE_ITEM, self)
        if self._may_raise(frame):
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
        self._alarm(number, frame)

    def _wait(self) -> None:
        while not self._over.wait(self._pause()):
            with self._lock:
                frame = sys._current_frames().get(self._thread)
                is_due = time.monotonic() >= self._end and self._may_raise(frame)
                if is_due and not self._over.is_set():
                    del frame
                    self._asked = True
                    self._ask()

    def _ask(self) -> None:
        deepest = min(sys.getrecursionlimit() + _ROOM, self._deepest + _DEEPER)
        sys.setrecursionlimit(deepest)
        if self._by_signal:
            signal.pthread_kill(self._thread, signal.SIGALRM)
        else:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self._thread), ctypes.py_object(OutOfTime)
            )


# A function given to sys.settrace is dropped when it raises, and so could be caught once and for
# all. One in C is kept: `del deadline[frame]`, as the interpreter has it, is such a function.
_DELETE_ITEM = ctypes.cast(ctypes.pythonapi.PyObject_DelItem, ctypes.c_void_p)
_SET_TRACE = ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.py_object)(
    ("PyEval_SetTrace", ctypes.pythonapi)
)


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported: stopped halfway it would stay broken in the program."""
    while frame is not None and frame.f_code is not limited.__code__:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
