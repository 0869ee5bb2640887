"""Test that `check` returns a verdict for functions that do odd things."""

import pytest
from exercise_answers import ODD, both

from attention_course.exercises import EXERCISES

# All exercises share the code that judges; each odd answer is tried in two of them, alternating.
SLUGS = list(EXERCISES)
SHARED = [(SLUGS[k % len(SLUGS)], odd) for i, odd in enumerate(ODD) for k in (i, i + 5)]


@pytest.mark.parametrize(("slug", "odd"), SHARED)
def test_an_odd_function_gets_a_verdict_in_words(slug: str, odd: str) -> None:
    assert both(slug, ODD[odd])


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        ("a list", "should be a tensor of shape (2, 3, 5); yours is of type `list`."),
        ("a tuple", "yours is of type `tuple`.\nReturn only the tensor that the task asks for"),
        ("no dimension", "should have the shape (2, 3, 5); yours has ()."),
        (
            "whole numbers",
            "should hold floating-point numbers, torch.float32; yours holds torch.in",
        ),
        ("an error", "valid_lens [2, 4]: your code raised `ValueError`: wrong in two lines"),
        ("an error without words", "your code raised `ValueError`."),
        ("an exit", "your code raised `SystemExit`"),
        ("a missing name", "`NameError`: name 'undefined_name' is not defined"),
        ("no parameter", "The function is called with (X, valid_lens), but yours takes ()."),
        ("too many parameters", "but yours takes (a, b, c, d, e, f, g)."),
    ],
)
def test_an_odd_answer_is_described_in_words(odd: str, words: str) -> None:
    assert words in both("masked-softmax", ODD[odd])
