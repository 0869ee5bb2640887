"""Right answers pass, in whatever way they were written."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from exercise_solutions import SOLUTIONS, kernel_regression
from torch import Tensor

from attention_lib.exercises import EXERCISES, check

PASSED = {"en": "Correct. It passes every hidden case.", "zh": "正确，所有隐藏的用例都通过了。"}


PAIRS = [(slug, f) for slug, solutions in SOLUTIONS.items() for f in solutions]


def test_every_exercise_has_a_solution_here() -> None:
    assert list(SOLUTIONS) == list(EXERCISES)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("slug", "solution"), PAIRS)
def test_a_right_answer_passes(slug: str, solution: Callable[..., Any], lang: str) -> None:
    answer = check(slug, solution, lang=lang)
    assert answer.passed
    assert repr(answer) == PASSED[lang]


def test_a_right_answer_that_underflows_passes_with_a_remark() -> None:
    answer = check("nadaraya-watson", kernel_regression)
    assert answer
    assert "0/0" in repr(answer)
    assert "0/0" in repr(check("nadaraya-watson", kernel_regression, "zh"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_right_answer_that_knows_float32_only_passes_with_a_remark(lang: str) -> None:
    def score(queries: Tensor, keys: Tensor) -> Tensor:
        scores = torch.zeros(len(queries), queries.shape[1], keys.shape[1])
        for b, q, k in np.ndindex(*scores.shape):
            scores[b, q, k] = -((queries[b, q] - keys[b, k]) ** 2).sum() / 2
        return scores

    answer = check("gaussian-score", score, lang)
    assert answer.passed
    assert repr(answer).startswith(PASSED[lang] + "\n")
    assert "float64" in repr(answer)


@pytest.mark.parametrize("slug", [slug for slug in EXERCISES if slug != "additive-attention"])
def test_the_package_solves_its_exercises_as_torch_and_loops_do(slug: str) -> None:
    for case in EXERCISES[slug].cases:
        expected = EXERCISES[slug].solution(*case)
        assert expected.isfinite().all()
        for solution in SOLUTIONS[slug]:
            torch.testing.assert_close(solution(*case), expected, atol=2e-5, rtol=2e-5)
