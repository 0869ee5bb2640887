"""Test the remarks on right answers that could be better."""

from collections.abc import Callable

import pytest
import torch
from answers import gaussian_score, nadaraya_watson, soft_lookup
from torch import Tensor

from attention_course.exercises import EXERCISES, check
from attention_course.exercises.engine.exercise import Outcome
from attention_course.exercises.engine.texts import PASSED

FAR = "far from every key all exponentials round to 0, and you return 0/0"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_right_answer_gets_no_remark(lang: str) -> None:
    verdict = check("gaussian-score", gaussian_score.RIGHT["distances"], lang)
    assert verdict.passed
    assert repr(verdict) == getattr(PASSED, lang)


@pytest.mark.parametrize(
    ("slug", "f"),
    [
        ("soft-lookup", soft_lookup.RIGHT["densities without a shift"]),
        ("nadaraya-watson", nadaraya_watson.RIGHT["density over density"]),
        ("nadaraya-watson", nadaraya_watson.RIGHT["the largest of all taken off"]),
    ],
)
def test_a_right_answer_that_underflows_gets_a_remark(slug: str, f: Callable[..., Tensor]) -> None:
    assert check(slug, f)
    assert FAR in repr(check(slug, f))
    assert "0/0" in repr(check(slug, f, "zh"))


@pytest.mark.parametrize(
    ("slug", "f"),
    [
        *(("soft-lookup", f) for f in (soft_lookup.in_one_pass, soft_lookup.by_bayes)),
        *(("nadaraya-watson", f) for f in (nadaraya_watson.mapped, nadaraya_watson.key_after_key)),
    ],
)
def test_a_right_answer_that_does_not_underflow_gets_no_remark(
    slug: str, f: Callable[..., Tensor]
) -> None:
    assert check(slug, f).words == (PASSED,)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_right_answer_that_supports_only_float32_gets_a_remark(lang: str) -> None:
    def score(queries: Tensor, keys: Tensor) -> Tensor:
        scores = torch.zeros(len(queries), queries.shape[1], keys.shape[1])
        return scores - torch.cdist(queries, keys).float() ** 2 / 2

    verdict = check("gaussian-score", score, lang)
    assert verdict.passed
    assert repr(verdict).startswith(getattr(PASSED, lang) + "\n")
    assert "float64" in repr(verdict)


@pytest.mark.parametrize("slug", EXERCISES)
def test_every_case_has_a_finite_result(slug: str) -> None:
    for stage in EXERCISES[slug].stages:
        for case, _ in stage.trials:
            returned = stage.solution(*case)
            output = returned.output if isinstance(returned, Outcome) else returned
            assert output.isfinite().all()
