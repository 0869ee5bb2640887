"""Find out whether a right answer uses a method that its task forbids.

The answer runs once more under a trace function, which counts its steps, and a torch function mode,
which records the calls of torch.
"""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from attention_course.exercises.engine import running
from attention_course.exercises.engine.exercise import Case, Exercise, Forbidden, Function
from attention_course.exercises.engine.texts import listed
from attention_course.translated import Text

_EXERCISES, _TORCH = (
    f"{folder}{os.sep}" for folder in (Path(__file__).parents[1], Path(torch.__file__).parent)
)
_LIBRARY = tuple(  # and the packages built on it
    f"{Path(__file__).parents[3] / package}{os.sep}"
    for package in ("attention_lib", "attention_figures", "attention_course")
)
_SIZES = (3, 8, 13)
_ITERATIONS = 4  # a loop takes at least this many more steps at the next size
_SOFTMAX = ("softmax", "log_softmax", "softmin", "special_softmax", "special_log_softmax")
# Functions that read numbers from a tensor without making another one.
_NUMBERS = ("item", "tolist", "__bool__", "__float__", "__int__", "__index__", "equal", "allclose")
_IN_HAND = 8  # keys: the largest so far and the current one, or a few more

LIBRARY = Text(
    "All results are right, but the task asks you to do it without `attention_lib`, and your code "
    "calls {names}. Write that part yourself, with functions of torch.",
    "结果都对，但题目要求不用 `attention_lib`，你的代码却调用了其中的 {names}。请用 torch "
    "的函数自己实现这一部分。",
)
SOFTMAX = Text(
    "All results are right, but the task asks you to do it without `torch.softmax` and its "
    "relatives, and your code calls {names}. Take the exponentials yourself, and divide by their "
    "sum.",
    "结果都对，但题目要求不用 `torch.softmax` 这一类函数，你的代码却调用了 {names}。"
    "请自己求指数，再除以总和。",
)
LOOP = Text(
    "All results are right, but the task asks you to do it without a loop. Your code takes more "
    "steps for larger arguments, as a loop does. Let torch's functions work on whole tensors.",
    "结果都对，但题目要求不用循环。可是输入越大，代码执行的步数就越多，这和循环没有区别。"
    "请用 torch 的函数一次处理整个张量。",
)
ONE_PASS = Text(
    "All results are right, but the task asks you to read the keys one after the other, and each "
    "only once. Of {keys} keys your code needs {held} at the same time: it reads many at once, or "
    "comes back to them. Keep only the largest score so far, the sum and the output, and let go "
    "of each key.",
    "结果都对，但题目要求逐个读取键，每个键只读一次。你的代码一次读了很多键，或者读过以后又回头重"
    "读：{keys} 个键里，有 {held} 个要同时用到。请只保留目前最大的分数、总和与输出，读过的键不要"
    "留着。",
)


def forbidden(exercise: Exercise, f: Function) -> Text | None:
    """Report the first forbidden method that a right function uses, if any."""
    several = (one.judge(exercise, f) for one in exercise.forbids)
    return next((words for words in several if words is not None), None)


def _library(exercise: Exercise, f: Function) -> Text | None:
    names = [name for case in exercise.cases for name in _watched(f, case).library]
    return LIBRARY.filled(names=listed(dict.fromkeys(names))) if names else None


def _softmax(exercise: Exercise, f: Function) -> Text | None:
    calls = _watched(f, exercise.cases[0]).calls
    names = dict.fromkeys(name for name in calls if name in _SOFTMAX)
    return SOFTMAX.filled(names=listed(names)) if names else None


NO_LIBRARY = Forbidden(
    r"without `attention_lib`",
    r"不用 `attention_lib`",
    _library,
    Text("use of `attention_lib`", "是否用了 `attention_lib`"),
    ("masked_softmax",),  # the only function of the library that the browser offers
    LIBRARY,
)
NO_SOFTMAX = Forbidden(
    r"without `torch\.softmax`",
    r"不用 `torch\.softmax`",
    _softmax,
    Text("use of `torch.softmax`", "是否用了 `torch.softmax`"),
    _SOFTMAX,
    SOFTMAX,
)


def no_loop(case: Callable[[int], Case]) -> Forbidden:
    """Forbid loops; `case` makes arguments whose axes all grow with n."""

    def judge(exercise: Exercise, f: Function) -> Text | None:
        cases = [case(n) for n in _SIZES]
        for one in cases:
            running.run(f, one)  # warm up, so that lazy imports count no steps
        a, b, c = (_watched(f, one).steps for one in cases)
        # A branch for large arguments adds steps at one size, a loop at every size.
        return LOOP if min(b - a, c - b) >= _ITERATIONS else None

    means = Text("loops", "是否用了循环")
    return Forbidden(r"without (one|a loop)", r"(不用|没有)循环", judge, means)


def one_pass(scores: Tensor, values: Tensor) -> Forbidden:
    """Forbid holding many of these keys at a time."""

    def judge(exercise: Exercise, f: Function) -> Text | None:
        watch = _Keys()
        running.run(watch.on(f), (scores, values))
        held = watch.held()
        return ONE_PASS.filled(keys=len(scores), held=held) if held > _IN_HAND else None

    means = Text("whether each key is read only once", "每个键是否只读一次")
    return Forbidden(r"each\s+only\s+once", r"每个键?只读一次", judge, means)


class _Watch(TorchFunctionMode):
    """Records calls of torch and of the library, and counts the steps of all other Python."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[str] = []
        self.library: list[str] = []
        self._lines = 0

    @property
    def steps(self) -> int:
        """Count the steps of Python outside of torch, and the calls of torch's functions."""
        return self._lines + len(self.calls)

    def on(self, f: Function) -> Function:
        """Return f, recorded by this watch."""

        def watched(*arguments: Any) -> Any:
            before = sys.gettrace()
            sys.settrace(self._enter)
            try:
                with self:
                    return f(*arguments)
            finally:
                sys.settrace(before)

        return watched

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.calls.append(getattr(func, "__name__", ""))
        return func(*args, **(kwargs or {}))

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        path = frame.f_code.co_filename
        if path.startswith((_TORCH, _EXERCISES)):
            return None
        if path.startswith(_LIBRARY):
            caller = frame.f_back
            if caller is None or not caller.f_code.co_filename.startswith(_LIBRARY):
                of = frame.f_locals.get("self")  # report a module by its class
                self.library.append(frame.f_code.co_name if of is None else type(of).__name__)
            return None
        frame.f_trace_opcodes = True  # because a loop may be a single line
        return self._step

    def _step(self, frame: FrameType, event: str, _: Any) -> Any:
        self._lines += 1
        return self._step


def _watched(f: Function, case: Case) -> _Watch:
    watch = _Watch()
    running.run(watch.on(f), case)
    return watch


class _Keys(TorchFunctionMode):
    """Records which keys of scores (K,) and values (K, V) take part in each computation."""

    def __init__(self) -> None:
        super().__init__()
        self._reads: list[set[int]] = []
        self._sizes: dict[int, int] = {}  # numbers per key, by storage

    def on(self, f: Function) -> Function:
        """Return f, recorded by this watch."""

        def watched(*arguments: Tensor) -> Any:
            self._sizes = {_storage(x): x[0].numel() for x in arguments}
            with self:
                return f(*arguments)

        return watched

    def held(self) -> int:
        """Return the largest number of keys in use at one time, from first to last reading."""
        times: dict[int, list[int]] = {}
        for time, keys in enumerate(self._reads):
            for key in keys:
                times.setdefault(key, []).append(time)
        spans = [(min(own), max(own)) for own in times.values()]
        return max((sum(a <= b <= c for a, c in spans) for _, b in spans), default=0)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = getattr(func, "__name__", "")
        made = [_storage(x) for x in _tensors(result)]
        # A view or a new tensor of the same size reads no numbers.
        reads = name in _NUMBERS if not made else not self._sizes.keys() & set(made)
        if reads and not name.startswith("new_") and not name.endswith("_like"):
            self._reads.append({key for x in _tensors([args, kwargs]) for key in self._keys(x)})
        return result

    def _keys(self, x: Tensor) -> set[int]:
        size = self._sizes.get(_storage(x))
        return {place // size for place in _places(x)} if size else set()


def _tensors(x: Any) -> Iterator[Tensor]:
    if isinstance(x, Tensor):
        yield x
    elif isinstance(x, list | tuple):
        for one in x:
            yield from _tensors(one)
    elif isinstance(x, dict):
        yield from _tensors(list(x.values()))


def _storage(x: Tensor) -> int:
    """Return the address of a tensor's memory, or 0 if it has none."""
    try:
        return x.untyped_storage().data_ptr()
    except (NotImplementedError, RuntimeError):  # within vmap, or sparse
        return 0


def _places(x: Tensor) -> set[int]:
    """Return the offsets of a tensor's numbers in its memory."""
    places = {int(x.storage_offset())}
    for size, stride in zip(x.shape, x.stride(), strict=True):
        places = {place + i * stride for place in places for i in range(size)}
    return places
