"""Measure the verdicts on all answers of a puzzle, which are computed when a notebook runs."""

import time
from collections.abc import Iterator

from attention_course.exercises import EXERCISES
from attention_course.exercises.engine.exercise import Exercise
from attention_course.exercises.engine.judging import judge_function
from benchmarks import Row
from tools import limits

ANSWERS = 64


def rows() -> Iterator[Row]:
    """Yield the time of the slowest exercise to judge as many wrong answers as a puzzle has."""
    slowest = max(map(_seconds, EXERCISES.values()))
    yield Row(
        f"verdicts on {ANSWERS} wrong answers, slowest exercise",
        "s",
        slowest,
        limit=limits.VERDICTS,
    )


def _seconds(exercise: Exercise) -> float:
    wrong = [f for _, f in exercise.wrong(2)]
    began = time.process_time()
    for f in wrong[:: len(wrong) // ANSWERS + 1]:
        judge_function(exercise, f)
    return time.process_time() - began
