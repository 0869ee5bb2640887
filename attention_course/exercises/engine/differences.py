"""Describe how a run of a reader's function differs from a run of the solution."""

from typing import Any

import torch
from torch import Tensor

from attention_course.exercises.engine import texts
from attention_course.exercises.engine.errors import arguments, raised
from attention_course.exercises.engine.exercise import Case, Exercise, Function
from attention_course.exercises.engine.running import Run, close, is_floating, same_gradient
from attention_course.exercises.engine.texts import Part
from attention_course.translated import Text


def difference(exercise: Exercise, f: Function, case: Case, own: Run, expected: Run) -> list[Text]:
    """Describe the first difference: an error, no result, its type, a number, a gradient."""
    where = described(exercise, case)
    if own.error is not None:
        message, *hints = raised(own.error, where, exercise.hints)
        return [arguments(f, case, exercise.names) or message, *hints]
    right = expected.seen.output
    assert right is not None
    if own.nothing:
        return [texts.NOTHING.filled(case=where)]
    if own.seen.output is None:
        return _wrong_kind(own, tuple(right.shape))
    if not close(own.seen.output, right):
        return [_wrong_tensor(own.seen.output, right, where, texts.OUTPUT)]
    for name, part in own.seen.parts.items():
        if not close(part, right := expected.seen.parts[name]):
            assert right is not None
            return [_wrong_tensor(part, right, where, texts.part(name))]
    if own.seen.backward is not None:
        return raised(own.seen.backward, where, exercise.hints, texts.BACKWARD)
    return lost_gradients(exercise, case, own, expected) or [
        _wrong_gradient(exercise, where, own, expected)
    ]


def lost_gradients(exercise: Exercise, case: Case, own: Run, expected: Run) -> list[Text]:
    """Name the arguments and parameters that no gradient reaches, though one should."""
    lost = [
        _name(exercise, place)
        for place, gradient in own.seen.gradients.items()
        if gradient is None and not same_gradient(None, expected.seen.gradients[place])
    ]
    if own.seen.backward is not None or not lost:
        return []
    return [texts.DETACHED.filled(case=described(exercise, case), names=texts.listed(lost))]


def described(exercise: Exercise, case: Case) -> Text:
    """Name the arguments of a case with their sizes."""
    named = [f"{name} {_size(x)}" for name, x in zip(exercise.names, case, strict=False)]
    return Text(", ".join(named), "，".join(named))


def _size(x: Any) -> str:
    """Return the shape of a floating tensor, or the values of an integer tensor."""
    if not isinstance(x, Tensor):
        return f"{x}"
    return f"{tuple(x.shape)}" if x.is_floating_point() else f"{x.tolist()}"


def _name(exercise: Exercise, place: int | str) -> str:
    return exercise.names[place] if isinstance(place, int) else place


def _wrong_kind(own: Run, shape: tuple[int, ...]) -> list[Text]:
    """Describe a result that is not a tensor, or not one that can be read."""
    if own.seen.layout:
        return [texts.LAYOUT.filled(expected=shape, layout=own.seen.layout)]
    message = texts.TYPE.filled(expected=shape, type=own.seen.kind)
    return [message, texts.PARTS] if own.seen.kind == "tuple" else [message]


def _wrong_gradient(exercise: Exercise, case: Text, own: Run, expected: Run) -> Text:
    """Describe the first wrong gradient."""
    wrong = {
        place: (gradient, expected.seen.gradients[place])
        for place, gradient in own.seen.gradients.items()
        if not same_gradient(gradient, expected.seen.gradients[place])
    }
    place, (gradient, right) = next(iter(wrong.items()))
    assert gradient is not None
    right = torch.zeros_like(gradient) if right is None else right
    return _wrong_tensor(gradient, right, case, texts.gradient(_name(exercise, place)))


def _wrong_tensor(own: Tensor | None, expected: Tensor, case: Text, part: Part) -> Text:
    """Describe what is wrong with a tensor: its shape, its dtype, or an entry."""
    shape = tuple(expected.shape)
    parts = {"case": case, "whole": part.whole, "expected": shape}
    if own is None:
        return texts.NOT_TENSOR.filled(**parts)
    if own.shape != expected.shape:
        return texts.SHAPE.filled(**parts, got=tuple(own.shape))
    if not is_floating(own):
        return texts.DTYPE.filled(expected=expected.dtype, got=own.dtype)
    if own.is_meta:
        return texts.NO_DATA.filled(**parts)
    return _wrong_entry(own, expected, case, part)


def _wrong_entry(own: Tensor, expected: Tensor, case: Text, part: Part) -> Text:
    """Name the first entry that is far off; the farthest one could depend on the processor."""
    distance = (own.double() - expected.double()).abs().nan_to_num(torch.inf, torch.inf)
    far = distance >= distance.max() / 2
    index = [int(i) for i in far.nonzero()[0]]
    a, b = (float(x[tuple(index)]) for x in (expected, own))
    digits = 3 if _rounded(a, 3) != _rounded(b, 3) else 6
    if _is_whole(own) and _is_whole(expected):  # such as indices
        digits = 0
    finite = torch.tensor(b).isfinite()
    message = texts.VALUE if finite else texts.NOT_FINITE
    numbers = {"expected": _rounded(a, digits), "got": _rounded(b, digits)}
    return message.filled(case=case, of=part.of, index=index, **numbers)


def _is_whole(x: Tensor) -> bool:
    return bool((x == x.round()).all())


def _rounded(number: float, digits: int) -> str:
    """Round a number; a large one keeps at most the seven digits of float32.

    >>> _rounded(-8.2361, 3), _rounded(157781.656, 3)
    ('-8.236', '157782')
    """
    return f"{number:z.{digits if abs(number) < 1e4 or digits > 3 else 0}f}"
